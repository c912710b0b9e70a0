// SPDX-License-Identifier: GPL-3.0-or-later
// Images of every kind against what Pillow reads of them, and parts of them against the whole.
#include "engine/formats/images/image_region.h"
#include "tests/unit/file_bytes.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace trainyard;
using namespace trainyard::tests;
using formats::Image;
using formats::Rectangle;

namespace {

// What Pillow has written: P5 or P6, sides, 255.
Image portable(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray kind = file.readLine().trimmed(), sides = file.readLine().trimmed();
    file.readLine();
    const QByteArray pixels = file.readAll();
    Image image{sides.split(' ')[0].toInt(), sides.split(' ')[1].toInt(), kind == "P5" ? 1 : 3, {}};
    image.pixels.assign(pixels.begin(), pixels.end());
    return image;
}

struct Difference {
    int worst = 256;
    double mean = 256;
};

Difference between(const std::vector<std::uint8_t>& one, const std::vector<std::uint8_t>& other) {
    if (one.size() != other.size() || one.empty()) return {};
    Difference difference{0, 0};
    for (std::size_t i = 0; i < one.size(); ++i) {
        const int apart = std::abs(one[i] - other[i]);
        difference.worst = std::max(difference.worst, apart);
        difference.mean += apart;
    }
    difference.mean /= static_cast<double>(one.size());
    return difference;
}

std::vector<std::uint8_t> planesOf(const Image& image) {
    const std::size_t channels = static_cast<std::size_t>(image.channels), plane = image.pixels.size() / channels;
    std::vector<std::uint8_t> planes(image.pixels.size());
    for (std::size_t i = 0; i < planes.size(); ++i) planes[i % channels * plane + i / channels] = image.pixels[i];
    return planes;
}

std::span<const std::uint8_t> spanOf(const QByteArray& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())};
}

// 16 grey levels, two pixels a byte, packed by runs: 5 pixels of 1, to the next row, 2, 3 and 4 as they are, the end.
QByteArray runLengthBitmap() {
    QByteArray palette;
    for (int i = 0; i < 16; ++i) palette += QByteArray(3, static_cast<char>(17 * i)) + '\0';
    const QByteArray runs = QByteArray::fromHex("0511 0000 0003 2340 0001");
    QByteArray bytes = QByteArray::fromHex("424d") + QByteArray(8, '\0') +
                       QByteArray::fromHex("76000000 28000000"
                                           "05000000 02000000 0100 0400 02000000") +
                       QByteArray(12, '\0') + QByteArray::fromHex("10000000 00000000");
    return bytes + palette + runs;
}

} // namespace

class FormatsImageKindsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QStringList m_images; // those that Pillow has written, without their folder
    QString in(const QString& name) const { return m_folder.filePath(name); }

private Q_SLOTS:
    void initTestCase();
    void readsWhatPillowReads();
    void readsBitmapsOfRuns();
    void readsGreyOf16Bits();
    void partsHaveTheBitsOfTheWhole();
    void cropsAreAsPillows();
    void shrunkPartsAreNear();
    void refusesBadKinds_data();
    void refusesBadKinds();
    void cutAndFlippedFilesEnd();
};

void FormatsImageKindsTest::initTestCase() {
    QProcess python;
    python.setProcessChannelMode(QProcess::MergedChannels);
    python.start("/usr/bin/python3", {TRAINYARD_SOURCE_DIR "/tests/unit/python/image_files.py", m_folder.path()});
    QVERIFY2(python.waitForFinished(60000) && python.exitCode() == 0, python.readAll().constData());
    for (const QString& name : QDir(m_folder.path()).entryList(QDir::Files, QDir::Name))
        if (!name.endsWith(".ppm") && !name.endsWith(".pgm") && !name.endsWith(".txt")) m_images << name;
    QVERIFY(m_images.size() > 60);
}

// Feature: pictures of all kinds: PNG, JPEG, WebP, TIFF, BMP, GIF.
void FormatsImageKindsTest::readsWhatPillowReads() {
    for (const QString& name : m_images) {
        const auto image = formats::readImage(in(name).toStdString());
        QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
        const QString expected = in(name + (QFile::exists(in(name + ".pgm")) ? ".pgm" : ".ppm"));
        const Image wanted = portable(expected);
        QVERIFY2(image->width == wanted.width && image->height == wanted.height, qPrintable(name));
        const Difference apart = between(formats::withChannels(*image, wanted.channels).pixels, wanted.pixels);
        // Inks become light by formulas that differ in the rounding; libtiff and Pillow have other decoders of JPEG.
        const int allowed = name.startsWith("cmyk") ? 2 : name == "jpeg.tif" ? 3 : 0;
        QVERIFY2(apart.worst <= allowed, qPrintable(name + ": " + QString::number(apart.worst)));
    }
}

void FormatsImageKindsTest::readsBitmapsOfRuns() {
    const QByteArray bytes = runLengthBitmap();
    const auto image = formats::decodeImage(spanOf(bytes), "runs");
    QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
    QVERIFY(image->width == 5 && image->height == 2 && image->channels == 1);
    QCOMPARE(image->pixels, (std::vector<std::uint8_t>{34, 51, 68, 0, 0, 17, 17, 17, 17, 17})); // the lower row first
}

void FormatsImageKindsTest::readsGreyOf16Bits() {
    // Little-endian, one strip of 3 x 1 pixels: 0, 32768 and 65535.
    const QByteArray tiff = QByteArray::fromHex("49492a0008000000"
                                                "0900"
                                                "0001030001000000 03000000"
                                                "0101030001000000 01000000"
                                                "0201030001000000 10000000"
                                                "0301030001000000 01000000"
                                                "0601030001000000 01000000"
                                                "1101040001000000 7a000000"
                                                "1501030001000000 01000000"
                                                "1601030001000000 01000000"
                                                "1701040001000000 06000000"
                                                "00000000"
                                                "0000 0080 ffff");
    const auto image = formats::decodeImage(spanOf(tiff), "grey");
    QVERIFY2(image.ok(), image ? "" : image.error().text().c_str());
    QCOMPARE(image->channels, 1);
    QCOMPARE(image->pixels, (std::vector<std::uint8_t>{0, 128, 255}));
}

void FormatsImageKindsTest::partsHaveTheBitsOfTheWhole() {
    formats::RegionReader reader;
    std::mt19937 random(3);
    const auto draw = [&](double least, double most) {
        return least + (most - least) * (static_cast<double>(random()) / 4294967296.0);
    };
    for (const QString& name : m_images) {
        const auto whole = formats::readImage(in(name).toStdString());
        QVERIFY(whole.ok());
        for (int i = 0; i < 12; ++i) {
            const int width = static_cast<int>(draw(1, 80)), height = static_cast<int>(draw(1, 80));
            const int channels = i % 3 == 0 ? 1 : 3;
            Rectangle part{0, 0, draw(1, whole->width), draw(1, whole->height)};
            part.left = draw(0, whole->width - part.width);
            part.top = draw(0, whole->height - part.height);
            const std::size_t size = static_cast<std::size_t>(width * height * channels);
            std::vector<std::uint8_t> planes(size), expected(size);
            int asked = 0;
            const auto facts = reader.read(in(name).toStdString(),
                                           [&](int w, int h) {
                                               asked += w == whole->width && h == whole->height ? 1 : 100;
                                               return part;
                                           },
                                           {width, height, channels, planes.data()});
            QVERIFY2(facts.ok(), facts ? "" : facts.error().text().c_str());
            QCOMPARE(asked, 1);
            const Image converted = formats::withChannels(*whole, channels);
            formats::Resampler().run({converted.pixels.data(), 0, 0, converted.width, converted.height, channels,
                                      converted.width, converted.height},
                                     part.left, part.top, part.width, part.height,
                                     {expected.data(), width, height, channels, /*planes=*/true});
            QVERIFY2(planes == expected, qPrintable(name));
        }
        // The middle has the bits of an image that was decoded and made smaller as a whole.
        std::vector<std::uint8_t> planes(3 * 20 * 24);
        const auto middle = [](int width, int height) { return formats::middleOf(width, height, 20, 24, true); };
        QVERIFY(reader.read(in(name).toStdString(), middle, {20, 24, 3, planes.data()}).ok());
        QVERIFY2(planes == planesOf(formats::resized(formats::withChannels(*whole, 3), 20, 24, true)),
                 qPrintable(name));
    }
}

void FormatsImageKindsTest::cropsAreAsPillows() {
    QFile list(in("crops.txt"));
    QVERIFY(list.open(QIODevice::ReadOnly));
    int crops = 0;
    for (const QByteArray& line : list.readAll().trimmed().split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        const int side = words[5].toInt();
        std::vector<std::uint8_t> planes(static_cast<std::size_t>(3 * side * side));
        const auto part = [&](int, int) {
            return Rectangle{words[1].toDouble(), words[2].toDouble(), words[3].toDouble(), words[4].toDouble()};
        };
        QVERIFY(
            formats::RegionReader().read(in("colour.png").toStdString(), part, {side, side, 3, planes.data()}).ok());
        const Difference apart = between(planes, planesOf(portable(in(words[0]))));
        QVERIFY2(apart.worst <= 1, qPrintable(words[0] + ": " + QByteArray::number(apart.worst)));
        ++crops;
    }
    QCOMPARE(crops, 4);
}

void FormatsImageKindsTest::shrunkPartsAreNear() {
    formats::RegionReader reader;
    const auto part = [](int, int) { return Rectangle{37, 21, 500, 400}; };
    for (const int side : {100, 50, 20}) { // halves, quarters, eighths
        std::vector<std::uint8_t> exact(static_cast<std::size_t>(3 * side * side)), shrunk(exact);
        const std::string file = in("photo.jpg").toStdString();
        QVERIFY(reader.read(file, part, {side, side, 3, exact.data(), false}).ok());
        QVERIFY(reader.read(file, part, {side, side, 3, shrunk.data(), true}).ok());
        const Difference apart = between(exact, shrunk);
        QVERIFY2(apart.mean < 3 && apart.worst < 30,
                 qPrintable(QString("%1: %2, %3").arg(side).arg(apart.mean).arg(apart.worst)));
        QVERIFY(exact != shrunk); // it was another way
    }
}

// Bad inputs: images of all kinds.
void FormatsImageKindsTest::refusesBadKinds_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const auto hex = [](const char* text) { return QByteArray::fromHex(text); };
    const QByteArray bitmap = runLengthBitmap();
    const auto changed = [](QByteArray bytes, qsizetype at, const QByteArray& by) {
        return bytes.replace(at, by.size(), by);
    };
    QTest::newRow("web page") << QByteArray("\n<!DOCTYPE html><html>404") << "is a web page, not an image";
    QTest::newRow("Git LFS") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n")
                             << "is a pointer of Git LFS";
    QTest::newRow("text") << QByteArray("hello")
                          << "is no image of a kind that is read (PNG, JPEG, WebP, TIFF, BMP, GIF)";
    QTest::newRow("BMP: header only") << bitmap.left(54) << "the BMP data ends too soon";
    QTest::newRow("BMP: runs cut") << bitmap.chopped(3) << "the BMP data ends too soon";
    QTest::newRow("BMP: 30000 x 30000") << changed(bitmap, 18, hex("3075000030750000")) << "is 30000 x 30000 pixels";
    QTest::newRow("BMP: no width") << changed(bitmap, 18, hex("00000000")) << "is 0 x 2 pixels";
    QTest::newRow("BMP: 2^31 rows") << changed(bitmap, 22, hex("00000080")) << "is 5 x 2147483648 pixels";
    QTest::newRow("BMP: packing unknown")
        << changed(bitmap, 30, hex("04000000")) << "is a BMP image of 4 bits a pixel and";
    QTest::newRow("BMP: plain, 16000 x 4000, empty")
        << changed(changed(changed(bitmap, 18, hex("803e0000a00f0000")), 28, hex("1800")), 30, hex("00000000"))
        << "the BMP data ends too soon";
    QTest::newRow("GIF: header only") << QByteArray("GIF89a") + hex("02000200000000") << "the GIF data ends too soon";
    QTest::newRow("GIF: no image") << QByteArray("GIF89a") + hex("020002000000003b") + QByteArray(20, '\0')
                                   << "is a GIF without an image";
    QTest::newRow("GIF: no colours") << QByteArray("GIF89a") + hex("02000200000000 2c0000000002000200 00 02 00")
                                     << "is a GIF without colours";
    QTest::newRow("GIF: 65535 x 65535") << QByteArray("GIF89a") +
                                               hex("ffffffff800000 000000ffffff 2c00000000ffffffff00 02")
                                        << "is 65535 x 65535 pixels";
    QTest::newRow("GIF: code of nothing")
        << QByteArray("GIF89a") + hex("02000200800000 000000ffffff 2c0000000002000200 00 02 02 fcff 00")
        << "the GIF data is damaged: a code that stands for nothing";
    QTest::newRow("GIF: codes of 0 bits")
        << QByteArray("GIF89a") + hex("02000200800000 000000ffffff 2c0000000002000200 00 00 02 fcff 00")
        << "the GIF data is damaged: codes of 0 bits";
    QTest::newRow("WebP: header only") << QByteArray("RIFF") + hex("04000000") + "WEBP" << "the WebP data is damaged";
    QTest::newRow("TIFF: header only") << hex("49492a0008000000") << "the TIFF data cannot be read: ";
    QTest::newRow("TIFF: 65536 wide")
        << hex("49492a0008000000 0600 0001040001000000 00000100 0101040001000000 01000000 0201030001000000 08000000"
               "0601030001000000 01000000 1101040001000000 08000000 1701040001000000 06000000 00000000")
        << "is 65536 x 1 pixels";
    QTest::newRow("TIFF: directory in a circle") << hex("49492a0008000000 0000 08000000") << "";
}

void FormatsImageKindsTest::refusesBadKinds() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const auto image = formats::decodeImage(spanOf(content), "image");
    QVERIFY(!image.ok());
    const QString text = QString::fromStdString(image.error().text());
    QVERIFY2(text.startsWith("image: " + says), qPrintable(text));
    QVERIFY(image.error().kind == ErrorKind::Input && !image.error().remedy.empty());
}

// Whatever is cut off or changed, there is an image of the header's sides, or an error.
void FormatsImageKindsTest::cutAndFlippedFilesEnd() {
    std::mt19937 random(5);
    for (const char* name : {"subsampling2.jpg", "lossy.webp", "lossless.webp", "moves.webp", "tiff_lzw.tif",
                             "jpeg.tif", "black.tif", "indexed.bmp", "interlaced.gif", "moves.gif"}) {
        QFile file(in(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        int refused = 0;
        for (int i = 0; i < 40; ++i) {
            QByteArray bad = bytes;
            if (i % 2 == 0) bad.truncate(bad.size() * i / 40);
            else
                for (int k = 0; k < 4; ++k)
                    bad[static_cast<qsizetype>(random() % static_cast<unsigned>(i < 20 ? 64 : bad.size()))] =
                        static_cast<char>(random());
            const auto image = formats::decodeImage(spanOf(bad), "bad");
            if (!image) ++refused;
            else
                QVERIFY(image->pixels.size() ==
                        static_cast<std::size_t>(image->width * image->height * image->channels));
        }
        QVERIFY2(refused >= 8, qPrintable(QString("%1: %2").arg(name).arg(refused)));
    }
}

QTEST_GUILESS_MAIN(FormatsImageKindsTest)
#include "formats_image_kinds_test.moc"
