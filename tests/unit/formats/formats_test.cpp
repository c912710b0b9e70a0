// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of IDX, CIFAR and text files: good ones come out right, each bad one is refused with place and reason.
#include "engine/formats/cifar.h"
#include "engine/formats/idx.h"
#include "engine/formats/tokens/text.h"
#include "tests/unit/torch/data_files.h"

#include <QTemporaryDir>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::tests;

namespace {

// Two images of 2 x 3.
QByteArray goodImages() {
    return QByteArray::fromHex("00000803"
                               "00000002"
                               "00000002"
                               "00000003"
                               "010203040506"
                               "0708090a0b0c");
}

// 2,400 images of 28 x 28: large enough to be unpacked at once.
QByteArray manyImages() {
    QByteArray bytes = QByteArray::fromHex("00000803"
                                           "00000960"
                                           "0000001c"
                                           "0000001c");
    for (unsigned i = 0; i < 2400 * 784; ++i) bytes += static_cast<char>(i * i / 97);
    return bytes;
}

struct IdxItems {
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> bytes;
};

Result<IdxItems> readItems(const QString& path, std::size_t dimensions) {
    IdxItems items;
    TY_ASSIGN(items.sizes,
              formats::readIdx(path.toStdString(), dimensions, [&](const std::vector<std::int64_t>& sizes) {
                  std::size_t bytes = 1;
                  for (const auto size : sizes) bytes *= static_cast<std::size_t>(size);
                  items.bytes.resize(bytes);
                  return items.bytes.data();
              }));
    return items;
}

// Two records of CIFAR-10, labels 3 and 9.
QByteArray goodCifar() { return '\3' + QByteArray(3072, 'a') + '\t' + QByteArray(3072, 'b'); }

template <class T>
void refused(const Result<T>& result, const QString& says) {
    QVERIFY(!result.ok());
    const QString text = QString::fromStdString(result.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY(result.error().kind == ErrorKind::Input);
    QVERIFY2(!result.error().remedy.empty(), qPrintable(text));
}

} // namespace

class FormatsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsGoodIdxFilesRawAndPacked();
    void readsLargePackedFiles_data();
    void readsLargePackedFiles();
    void refusesBadIdxFiles_data();
    void refusesBadIdxFiles();
    void refusesWhatIsNoFile();
    void readsCifarRecords();
    void refusesBadCifarFiles_data();
    void refusesBadCifarFiles();
    void readsTextByCharacter();
    void refusesBadText_data();
    void refusesBadText();

private:
    QTemporaryDir m_folder;
};

void FormatsTest::readsGoodIdxFilesRawAndPacked() {
    writeBytes(m_folder.filePath("raw"), goodImages());
    writeBytes(m_folder.filePath("packed.gz"), gzipped(goodImages()));
    for (const char* name : {"raw", "packed.gz"}) {
        const auto items = readItems(m_folder.filePath(name), 3);
        QVERIFY2(items.ok(), items ? "" : items.error().text().c_str());
        QCOMPARE(items->sizes, (std::vector<std::int64_t>{2, 2, 3}));
        QCOMPARE(items->bytes, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    }
}

void FormatsTest::readsLargePackedFiles_data() {
    QTest::addColumn<QByteArray>("packed");
    const QByteArray many = manyImages();
    QTest::newRow("one member") << gzipped(many);
    QTest::newRow("two members") << gzipped(many.left(1'000'000)) + gzipped(many.mid(1'000'000));
}

void FormatsTest::readsLargePackedFiles() {
    QFETCH(QByteArray, packed);
    writeBytes(m_folder.filePath("large.gz"), packed);
    const auto items = readItems(m_folder.filePath("large.gz"), 3);
    QVERIFY2(items.ok(), items ? "" : items.error().text().c_str());
    const QByteArray many = manyImages();
    QCOMPARE(items->sizes, (std::vector<std::int64_t>{2400, 28, 28}));
    QVERIFY(std::equal(items->bytes.begin(), items->bytes.end(),
                       reinterpret_cast<const std::uint8_t*>(many.data()) + 16,
                       reinterpret_cast<const std::uint8_t*>(many.data()) + many.size()));
}

// Bad inputs: IDX files. Images and labels of MNIST and the like, raw or gzipped. A header that promises more than the
// file holds is refused before any memory is reserved.
void FormatsTest::refusesBadIdxFiles_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const QByteArray good = goodImages();
    const auto changed = [&](qsizetype at, const char* hex) {
        QByteArray bytes = good;
        const QByteArray with = QByteArray::fromHex(hex);
        return bytes.replace(at, with.size(), with);
    };
    QTest::newRow("empty") << QByteArray() << "byte 0: is empty";
    QTest::newRow("magic") << changed(0, "1f00") << "not an IDX file: it starts with 0x1f 0x00";
    QTest::newRow("text") << QByteArray("<html>404</html>") << "not an IDX file";
    QTest::newRow("type code") << changed(2, "0d") << "type code 0x0d";
    QTest::newRow("dimensions") << changed(3, "01") << "has 1 dimensions instead of 3";
    QTest::newRow("header cut") << good.left(9) << "byte 9: is cut short: 3 bytes are missing";
    QTest::newRow("zero items") << changed(4, "00000000") << "byte 8: has no items";
    QTest::newRow("zero sides") << changed(8, "00000000") << "byte 12: has items of size zero";
    QTest::newRow("overflow") << changed(4, "ffffffffffffffffffffffff") << "asks for more than 16 GiB";
    QTest::newRow("promises too much") << changed(4, "00010000") << "byte 16: is cut short: its header promises";
    QTest::newRow("truncated") << good.left(good.size() - 1)
                               << "promises 12 bytes of items, and the file holds at most 11";
    QTest::newRow("trailing") << good + "x" << "byte 28: has bytes after the last item";
    QTest::newRow("gz: trailing") << gzipped(good + "x") << "byte 28: has bytes after the last item";
    QTest::newRow("gz: truncated inside") << gzipped(good.left(good.size() - 2)) << "byte 26: is cut short: 2 bytes";
    const QByteArray packed = gzipped(good);
    QTest::newRow("gz: cut") << packed.left(packed.size() / 2) << "the gzip data is cut short";
    QTest::newRow("gz: checksum cut off") << packed.left(packed.size() - 8) << "the gzip data is cut short";
    QByteArray damaged = packed;
    damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 0x55);
    QTest::newRow("gz: checksum wrong") << damaged << "the gzip data is damaged";
    const QByteArray many = gzipped(manyImages());
    QByteArray wrongSum = many;
    wrongSum[many.size() - 6] = static_cast<char>(wrongSum[many.size() - 6] ^ 0x55);
    QTest::newRow("large gz: checksum wrong") << wrongSum << "the gzip data is damaged";
    QTest::newRow("large gz: cut") << many.left(many.size() / 2) << "the gzip data is cut short";
    QTest::newRow("large gz: checksum cut off") << many.left(many.size() - 8) << "the gzip data is cut short";
    QTest::newRow("large gz: trailing") << gzipped(manyImages() + "x") << "byte 1881616: has bytes after the last item";
    // 64 MiB of zeros behind a header that counts twelve bytes: read no further than the header says.
    QTest::newRow("gz: bomb") << gzipped(good + QByteArray(64 << 20, '\0')) << "has bytes after the last item";
    // A few bytes that promise 8 GiB: refused before the memory is asked for.
    QTest::newRow("gz: promises 8 GiB") << gzipped(QByteArray::fromHex("00000803000080000000020000000200") + "x")
                                        << "is cut short: its header promises";
}

void FormatsTest::refusesBadIdxFiles() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const QString path = m_folder.filePath("items");
    writeBytes(path, content);
    const auto items = readItems(path, 3);
    refused(items, says);
    QVERIFY(items.error().text().starts_with((path + ", byte ").toStdString()));
}

// Bad inputs: paths that are no file. The error says whether it is a folder, a FIFO, a circular link or missing.
void FormatsTest::refusesWhatIsNoFile() {
    const QString fifo = m_folder.filePath("fifo"), circle = m_folder.filePath("circle");
    QCOMPARE(::mkfifo(fifo.toStdString().c_str(), 0600), 0);
    QCOMPARE(::symlink("circle", circle.toStdString().c_str()), 0);
    for (const QString& path : {m_folder.path(), fifo}) {
        const auto items = readItems(path, 3);
        QVERIFY(!items.ok());
        QCOMPARE(items.error().text(), path.toStdString() + ": is not a regular file (name a file)");
    }
    refused(readItems(circle, 3), "is a link that leads in a circle");
    const auto missing = readItems(m_folder.filePath("none"), 3);
    QVERIFY(!missing.ok() && missing.error().kind == ErrorKind::Input);
    QVERIFY(!missing.error().remedy.empty());
}

// Feature: CIFAR-10 and CIFAR-100. Also in torch_data_files_test.
void FormatsTest::readsCifarRecords() {
    const std::string path = m_folder.filePath("batch.bin").toStdString();
    const formats::CifarLayout layout{{10}};
    for (const bool packed : {false, true}) {
        writeBytes(QString::fromStdString(path), packed ? gzipped(goodCifar()) : goodCifar());
        const auto count = formats::countCifar(path, layout);
        QVERIFY(count.ok());
        QCOMPARE(*count, 2);
        std::vector<std::uint8_t> images(2 * 3072), labels(2);
        QVERIFY(formats::readCifar(path, layout, 2, 0, images.data(), labels.data()).ok());
        QCOMPARE(labels, (std::vector<std::uint8_t>{3, 9}));
        QVERIFY(images[0] == 'a' && images[3071] == 'a' && images[3072] == 'b');
    }
    // CIFAR-100 has two labels: the group, then the class.
    writeBytes(QString::fromStdString(path), QByteArray::fromHex("1363") + QByteArray(3072, 'c'));
    std::vector<std::uint8_t> image(3072), label(1);
    const formats::CifarLayout two{{20, 100}};
    QVERIFY(formats::readCifar(path, two, 1, 0, image.data(), label.data()).ok());
    QCOMPARE(label[0], 19);
    QVERIFY(formats::readCifar(path, two, 1, 1, image.data(), label.data()).ok());
    QCOMPARE(label[0], 99);
}

// Bad inputs: CIFAR files.
void FormatsTest::refusesBadCifarFiles_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "byte 0: is empty";
    QTest::newRow("one byte short") << goodCifar().chopped(1)
                                    << "byte 3073: has 6145 bytes, which is not a multiple of a record's 3073";
    QTest::newRow("one byte more") << goodCifar() + 'x' << "byte 6146: has 6147 bytes, which is not a multiple";
    QTest::newRow("a web page") << QByteArray("<html>404</html>") << "is not a multiple of a record's 3073";
    QTest::newRow("label 255") << goodCifar().replace(3073, 1, "\xff")
                               << "byte 3073: label 255 is not one of the 10 classes";
    QTest::newRow("label 10") << goodCifar().replace(0, 1, "\n") << "byte 0: label 10 is not one of the 10 classes";
    QTest::newRow("gz: cut") << gzipped(goodCifar()).chopped(9) << "the gzip data is cut short";
    QTest::newRow("gz: a byte short") << gzipped(goodCifar().chopped(1)) << "has 6145 bytes, which is not a multiple";
}

void FormatsTest::refusesBadCifarFiles() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const QString path = m_folder.filePath("batch.bin");
    writeBytes(path, content);
    const formats::CifarLayout layout{{10}};
    const auto count = formats::countCifar(path.toStdString(), layout);
    if (!count) return refused(count, says);
    std::vector<std::uint8_t> images(static_cast<std::size_t>(*count) * 3072), labels(static_cast<std::size_t>(*count));
    refused(formats::readCifar(path.toStdString(), layout, *count, 0, images.data(), labels.data()), says);
}

// Feature: text files. Also in torch_data_files_test.
void FormatsTest::readsTextByCharacter() {
    const QString path = m_folder.filePath("text");
    for (const QByteArray& content : {QByteArray("b\xC3\xA4\r\nb\xE2\x82\xAC"),
                                      QByteArray("\xEF\xBB\xBF"
                                                 "b\xC3\xA4\nb\xE2\x82\xAC"),
                                      gzipped("b\xC3\xA4\nb\xE2\x82\xAC")}) {
        writeBytes(path, content);
        const auto text = formats::readCharacters(path.toStdString());
        QVERIFY2(text.ok(), text ? "" : text.error().text().c_str());
        QCOMPARE(text->vocabulary, (std::vector<std::string>{"\n", "b", "\xC3\xA4", "\xE2\x82\xAC"}));
        QCOMPARE(text->tokens, (std::vector<std::int32_t>{1, 2, 0, 1, 3}));
    }
}

// Bad inputs: texts.
void FormatsTest::refusesBadText_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "byte 0: is empty";
    QTest::newRow("only a mark") << QByteArray("\xEF\xBB\xBF") << "is empty";
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE"
                                          "a\0",
                                          4)
                            << "byte 0: is text in UTF-16";
    QTest::newRow("NUL") << QByteArray("ab\0c", 4) << "byte 2: has a NUL byte";
    QTest::newRow("Latin-1") << QByteArray("caf\xE9 au lait") << "byte 3: is not UTF-8: byte 0xe9";
    QTest::newRow("overlong") << QByteArray("a\xC0\x80") << "byte 1: is not UTF-8: byte 0xc0";
    QTest::newRow("surrogate") << QByteArray("a\xED\xA0\x80") << "byte 1: is not UTF-8: byte 0xed";
    QTest::newRow("past the end of Unicode") << QByteArray("\xF4\x90\x80\x80") << "byte 0: is not UTF-8";
    QTest::newRow("cut in a character") << QByteArray("ab\xE2\x82") << "byte 2: is not UTF-8";
    QTest::newRow("gz: cut") << gzipped("some text to pack").chopped(4) << "the gzip data is cut short";
}

void FormatsTest::refusesBadText() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const QString path = m_folder.filePath("text");
    writeBytes(path, content);
    refused(formats::readCharacters(path.toStdString()), says);
}

QTEST_GUILESS_MAIN(FormatsTest)
#include "formats_test.moc"
