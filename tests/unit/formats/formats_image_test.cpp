// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/image.h"
#include "tests/unit/torch/data_files.h"
#include "tests/unit/torch/exif_files.h"

#include <QTemporaryDir>
#include <zlib.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace trainyard;
using namespace trainyard::tests;

namespace {

Result<formats::Image> decode(const QByteArray& bytes) {
    return formats::decodeImage(
        {reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())}, "image");
}

QByteArray noise(qsizetype size) {
    QByteArray bytes(size, '\0');
    quint32 state = 7;
    for (char& byte : bytes) byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    return bytes;
}

// The quarters of a picture of 32 x 16 pixels: 40, 90, 150 and 220, as they are stored.
QByteArray quarters() {
    QByteArray pixels;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 32; ++x) pixels += static_cast<char>(y < 8 ? (x < 16 ? 40 : 90) : (x < 16 ? 150 : 220));
    return pixels;
}

int levelAt(const formats::Image& image, int right, int down) {
    const int x = right * (image.width - 1), y = down * (image.height - 1);
    const int level = image.pixels[static_cast<std::size_t>(y * image.width + x)];
    for (const int one : {40, 90, 150, 220})
        if (std::abs(level - one) < 8) return one;
    return level;
}

// A progressive image whose last pass comes so many times.
QByteArray manyPasses(int count) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = jpeg.image_height = 512;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    QByteArray pixels = noise(512);
    auto* row = reinterpret_cast<JSAMPROW>(pixels.data());
    while (jpeg.next_scanline < jpeg.image_height) jpeg_write_scanlines(&jpeg, &row, 1);
    jpeg_finish_compress(&jpeg);
    QByteArray image(reinterpret_cast<const char*>(bytes), static_cast<qsizetype>(size));
    jpeg_destroy_compress(&jpeg);
    std::free(bytes);
    const qsizetype last = image.lastIndexOf("\xFF\xDA");
    const QByteArray pass = image.mid(last, image.size() - 2 - last);
    return image.insert(image.size() - 2, pass.repeated(count));
}

} // namespace

class FormatsImageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryKind_data();
    void readsEveryKind();
    void readsPixelsExactly();
    void turnsImagesUpright_data();
    void turnsImagesUpright();
    void ignoresExifWithoutSense_data();
    void ignoresExifWithoutSense();
    void readsJpegsThatLostNothing_data();
    void readsJpegsThatLostNothing();
    void refusesBadImages_data();
    void refusesBadImages();
    void refusesFilesThatAreNone();
    void convertsAndResizes();
};

// Feature: folders of PNG and JPEG images. Also in torch_image_folder_test.
void FormatsImageTest::readsEveryKind_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("first"); // what its first pixel is about
    const QByteArray grey(12, char(90)), rgb = QByteArray::fromHex("c8000a").repeated(12);
    QTest::newRow("PNG grey") << pngOf(4, 3, PNG_FORMAT_GRAY, grey) << 1 << 90;
    QTest::newRow("PNG colour") << pngOf(4, 3, PNG_FORMAT_RGB, rgb) << 3 << 200;
    QTest::newRow("PNG grey with alpha") << pngOf(4, 3, PNG_FORMAT_GA, QByteArray::fromHex("5a00").repeated(12)) << 1
                                         << 90;
    QTest::newRow("PNG colour with alpha")
        << pngOf(4, 3, PNG_FORMAT_RGBA, QByteArray::fromHex("c8000a80").repeated(12)) << 3 << 200;
    QTest::newRow("PNG of 16 bits") << pngOf(4, 3, PNG_FORMAT_LINEAR_Y, QByteArray::fromHex("005a").repeated(12)) << 1
                                    << 90;
    QTest::newRow("JPEG grey") << jpegOf(4, 3, 1, grey) << 1 << 90;
    QTest::newRow("JPEG colour") << jpegOf(4, 3, 3, rgb) << 3 << 200;
    // libjpeg marks it as Adobe does, so its inks are stored inverted.
    QTest::newRow("JPEG CMYK") << jpegOf(4, 3, 4, QByteArray::fromHex("c8000aff").repeated(12)) << 3 << 200;
}

void FormatsImageTest::readsEveryKind() {
    QFETCH(QByteArray, content);
    QFETCH(int, channels);
    QFETCH(int, first);
    QVERIFY(!content.isEmpty());
    const auto image = decode(content);
    QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
    QCOMPARE(image->width, 4);
    QCOMPARE(image->height, 3);
    QCOMPARE(image->channels, channels);
    QCOMPARE(image->pixels.size(), static_cast<std::size_t>(12 * channels));
    QVERIFY2(std::abs(image->pixels[0] - first) <= 4, qPrintable(QString::number(image->pixels[0])));
}

void FormatsImageTest::readsPixelsExactly() {
    const QByteArray pixels = noise(31 * 17 * 3);
    const auto image = decode(pngOf(31, 17, PNG_FORMAT_RGB, pixels));
    QVERIFY(image.ok());
    QVERIFY(std::equal(image->pixels.begin(), image->pixels.end(),
                       reinterpret_cast<const std::uint8_t*>(pixels.constData())));
}

// Feature: images as cameras and browsers leave them: turned by Exif, with harmless errors, some unreadable. Also in
// torch_image_folder_test.
void FormatsImageTest::turnsImagesUpright_data() {
    QTest::addColumn<quint32>("orientation");
    QTest::addColumn<QList<int>>("corners"); // upper left, upper right, lower left, lower right
    const QList<QList<int>> expected{{40, 90, 150, 220}, {90, 40, 220, 150}, {220, 150, 90, 40}, {150, 220, 40, 90},
                                     {40, 150, 90, 220}, {150, 40, 220, 90}, {220, 90, 150, 40}, {90, 220, 40, 150}};
    for (int i = 0; i < expected.size(); ++i)
        QTest::newRow(qPrintable(QString::number(i + 1))) << static_cast<quint32>(i + 1) << expected[i];
}

void FormatsImageTest::turnsImagesUpright() {
    QFETCH(quint32, orientation);
    QFETCH(QList<int>, corners);
    const QByteArray png = pngOf(32, 16, PNG_FORMAT_GRAY, quarters()), jpeg = jpegOf(32, 16, 1, quarters());
    for (const bool little : {true, false})
        for (const QByteArray& file :
             {pngWith(png, exif(orientation, little)), jpegWith(jpeg, exif(orientation, little))}) {
            const auto image = decode(file);
            QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
            QCOMPARE(image->width, orientation < 5 ? 32 : 16);
            QCOMPARE(image->height, orientation < 5 ? 16 : 32);
            QCOMPARE((QList<int>{levelAt(*image, 0, 0), levelAt(*image, 1, 0), levelAt(*image, 0, 1),
                                 levelAt(*image, 1, 1)}),
                     corners);
        }
}

void FormatsImageTest::ignoresExifWithoutSense_data() {
    QTest::addColumn<QByteArray>("block");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("orientation 0") << exif(0, true);
    QTest::newRow("orientation 9") << exif(9, true);
    QTest::newRow("of another type") << exif(6, true, 4);
    QTest::newRow("cut in the entry") << exif(6, true).left(8 + 2 + 12 + 5);
    QTest::newRow("directory outside") << exif(6, true).replace(4, 4, numberIn(4, 70000, true));
    QTest::newRow("65535 entries") << exif(0, true).replace(8, 2, numberIn(2, 0xffff, true));
    QTest::newRow("no byte order") << exif(6, true).replace(0, 2, "IM");
    QTest::newRow("no TIFF") << exif(6, false).replace(2, 2, numberIn(2, 43, false));
}

void FormatsImageTest::ignoresExifWithoutSense() {
    QFETCH(QByteArray, block);
    for (const QByteArray& file :
         {jpegWith(jpegOf(32, 16, 1, quarters()), block), pngWith(pngOf(32, 16, PNG_FORMAT_GRAY, quarters()), block)}) {
        const auto image = decode(file);
        QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
        QVERIFY(image->width == 32 && levelAt(*image, 0, 0) == 40 && levelAt(*image, 1, 1) == 220);
    }
}

void FormatsImageTest::readsJpegsThatLostNothing_data() {
    QTest::addColumn<QByteArray>("content");
    const QByteArray jpeg = jpegOf(32, 16, 1, quarters());
    QTest::newRow("99 bytes before the end") << jpeg.chopped(2) + QByteArray(99, '\0') + jpeg.right(2);
    QTest::newRow("letters before the end") << jpeg.chopped(2) + QByteArray(40, 'x') + jpeg.right(2);
    QTest::newRow("bytes between two segments") << jpeg.left(2) + jpeg.mid(2, 18) + QByteArray(7, 'x') + jpeg.mid(20);
    QByteArray future = jpeg; // JFIF 9.00
    future.replace(11, 1, "\x09");
    QTest::newRow("JFIF of another revision") << future;
}

void FormatsImageTest::readsJpegsThatLostNothing() {
    QFETCH(QByteArray, content);
    const auto whole = decode(jpegOf(32, 16, 1, quarters())), image = decode(content);
    QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
    QVERIFY(!whole->recovered && image->recovered);
    QVERIFY(image->pixels == whole->pixels);
}

// Bad inputs: images.
void FormatsImageTest::refusesBadImages_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const QByteArray png = pngOf(40, 40, PNG_FORMAT_RGB, noise(4800)), jpeg = jpegOf(40, 40, 3, noise(4800));
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("text") << QByteArray("<html>404</html>") << "is a web page, not an image";
    QTest::newRow("nearly a GIF") << QByteArray("GIF90a") + noise(100) << "is no image of a kind that is read";
    QTest::newRow("PNG: signature only") << png.left(8) << "the PNG data is damaged: the data ends too soon";
    QTest::newRow("PNG: header only") << png.left(33) << "the PNG data is damaged: the data ends too soon";
    QTest::newRow("PNG: truncated") << png.left(png.size() / 2) << "the PNG data is damaged: the data ends too soon";
    QTest::newRow("PNG: end cut off") << png.chopped(12) << "the PNG data is damaged: the data ends too soon";
    QByteArray flipped = png;
    flipped[200] = static_cast<char>(flipped[200] ^ 8);
    QTest::newRow("PNG: a bit flipped") << flipped << "the PNG data is damaged: ";
    QTest::newRow("PNG: 30000 x 30000") << pngHeader(30000, 30000) + png.mid(33)
                                        << "is 30000 x 30000 pixels; sides up to 16384";
    QTest::newRow("PNG: wide") << pngHeader(2000000000, 1) + png.mid(33) << "is 2000000000 x 1 pixels";
    QTest::newRow("PNG: no width") << pngHeader(0, 10) + png.mid(33) << "the PNG data is damaged: ";
    QTest::newRow("PNG: bits unknown") << pngHeader(40, 40, 7) + png.mid(33) << "the PNG data is damaged: ";
    QTest::newRow("JPEG: marker only") << QByteArray("\xFF\xD8\xFF") << "the JPEG data is damaged: ";
    QTest::newRow("JPEG: truncated") << jpeg.left(jpeg.size() / 2)
                                     << "the JPEG data is damaged: Premature end of JPEG file";
    QTest::newRow("JPEG: end mark missing")
        << jpeg.chopped(2) << "the JPEG data is damaged: Premature end of JPEG file";
    QTest::newRow("JPEG: header only") << jpeg.left(100) << "the JPEG data is damaged: ";
    QByteArray large = jpeg; // the frame header: marker, length, precision, height, width
    const qsizetype frame = large.indexOf("\xFF\xC0");
    QVERIFY(frame > 0);
    large.replace(frame + 5, 4, QByteArray::fromHex("75307530"));
    QTest::newRow("JPEG: 30000 x 30000") << large << "is 30000 x 30000 pixels; sides up to 16384";
    QByteArray broken = jpeg;
    broken.replace(jpeg.size() / 2, 40, QByteArray(40, '\xff'));
    QTest::newRow("JPEG: 300 passes over all of it") << manyPasses(300) << "the JPEG data is damaged: ";
    QTest::newRow("JPEG: damaged") << broken << "the JPEG data is damaged: ";
}

void FormatsImageTest::refusesBadImages() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const auto image = decode(content);
    QVERIFY(!image.ok());
    const QString text = QString::fromStdString(image.error().text());
    QVERIFY2(text.startsWith("image: " + says), qPrintable(text));
    QVERIFY(image.error().kind == ErrorKind::Input && !image.error().remedy.empty());
}

// Bad inputs: paths that are no image file.
void FormatsImageTest::refusesFilesThatAreNone() {
    const QTemporaryDir folder;
    const std::string fifo = folder.filePath("fifo.png").toStdString();
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    for (const std::string& path : {fifo, folder.path().toStdString(), folder.filePath("none.png").toStdString()}) {
        const auto image = formats::readImage(path);
        QVERIFY(!image.ok());
        QVERIFY2(image.error().text().starts_with(path + ": "), image.error().text().c_str());
    }
    const auto missing = formats::readImage(folder.filePath("none.png").toStdString());
    QVERIFY2(missing.error().text().ends_with(": there is no such file (check the path)"),
             missing.error().text().c_str());
}

void FormatsImageTest::convertsAndResizes() {
    formats::Image image{4, 2, 3, {}};
    for (int i = 0; i < 8; ++i) image.pixels.insert(image.pixels.end(), {200, 0, 10});
    const auto grey = formats::withChannels(image, 1);
    QCOMPARE(grey.pixels, std::vector<std::uint8_t>(8, 61)); // (200 * 299 + 10 * 114 + 500) / 1000
    QCOMPARE(formats::withChannels(grey, 3).pixels, std::vector<std::uint8_t>(24, 61));
    // An image of one colour keeps it at every size.
    for (const int side : {1, 3, 9, 64})
        QCOMPARE(formats::resized(grey, side, side, true).pixels,
                 std::vector<std::uint8_t>(static_cast<std::size_t>(side * side), 61));
    // Left half black, right half white: cropping to the middle keeps the edge in the middle.
    formats::Image halves{40, 20, 1, {}};
    for (int i = 0; i < 800; ++i) halves.pixels.push_back(i % 40 < 20 ? 0 : 255);
    for (const bool crop : {true, false}) {
        const auto small = formats::resized(halves, 10, 10, crop);
        for (int y = 0; y < 10; ++y) {
            const std::uint8_t* row = small.pixels.data() + 10 * y;
            QVERIFY(row[0] == 0 && row[9] == 255 && row[4] + row[5] == 255);
        }
        // Cropped, ten pixels are twenty of the old ones; stretched, all forty: the edge is as sharp.
        QVERIFY(small.pixels[3] == 0 && small.pixels[6] == 255);
    }
}

QTEST_GUILESS_MAIN(FormatsImageTest)
#include "formats_image_test.moc"
