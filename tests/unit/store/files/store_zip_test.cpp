// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/sha256.h"
#include "engine/store/files/zip_archive.h"
#include "tests/unit/store/zip_builder.h"

#include <QFile>
#include <QTest>

using namespace trainyard;
using test::ZipEntry;

namespace {

Result<std::vector<store::ZipRecord>> checked(const std::string& file) {
    return store::checkZip(std::as_bytes(std::span(file)), "model.pt");
}

std::string corpus(const char* name) {
    QFile file(QString(TRAINYARD_SOURCE_DIR "/tests/fuzz/corpus/zip/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class StoreZipTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void acceptsWholeArchives_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("records");
        QTest::newRow("none") << QByteArray::fromStdString(test::zipOf({})) << 0;
        QTest::newRow("two") << QByteArray::fromStdString(test::zipOf({{"a", "abc"}, {"b", ""}})) << 2;
        QTest::newRow("deflated") << QByteArray::fromStdString(corpus("two")) << 2;
        QTest::newRow("with a comment") << QByteArray::fromStdString(corpus("comment")) << 1;
        QTest::newRow("zip64, of Python's torch") << QByteArray::fromStdString(corpus("module")) << 9;
    }
    void acceptsWholeArchives() {
        QFETCH(QByteArray, file);
        QFETCH(int, records);
        const auto found = checked(file.toStdString());
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QCOMPARE(static_cast<int>(found->size()), records);
    }

    // Bad inputs: archives of saved modules.
    void refusesDamage_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& file, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QString(says);
        };
        const std::string good = test::zipOf({{"m/data/0", "weights"}, {"m/code/x.py", "def"}});
        row("empty", "", "model.pt: is empty");
        row("text", "hello, this is no archive", "is not a zip archive, which a saved module is");
        row("cut off", good.substr(0, good.size() - 30), "was cut off: its directory is missing");
        std::string flipped = good;
        flipped[good.find("weights") + 2] ^= 4;
        row("flipped bit", flipped, "the record \"m/data/0\" is damaged: its bytes do not have the CRC-32");
        std::string module = corpus("module");
        const auto whole = std::move(checked(module)).value();
        for (const auto& record : whole)
            if (record.name == "tiny/data/0") module[record.offset + 2] ^= 1;
        row("flipped bit of a weight", module, "the record \"tiny/data/0\" is damaged");
        row("wrong CRC", test::zipOf({{"a", "abc", 1}}), "the record \"a\" is damaged");
        row("doubled", test::zipOf({{"a", "abc"}, {"a", "abd"}}), "the record \"a\" is there twice");
        row("encrypted", test::zipOf({{"a", "abc", 0, 0, 1}}), "the record \"a\" is encrypted");
        row("unknown packing", test::zipOf({{"a", "abc", 0, 99}}), "packed in an unknown way (99)");
        row("not deflated", test::zipOf({{"a", "abc", 0, 8}}), "the record \"a\" is damaged");
        row("past the end", test::zipOf({{"a", "abc", 0, 0, 0, 1u << 20}}),
            "the record \"a\" does not fit in the file");
        row("overlap", test::zipOf({{"a", "abc", 0, 0, 0, 8}, {"b", "0123456789"}}), "overlaps");
        std::string place = good;
        place[place.size() - 6] = 5; // of the directory
        row("directory elsewhere", place, "the zip directory");
        std::string count = good;
        count[count.size() - 12] = 100; // records of the directory
        row("too many records", count, "too short for its 100 records");
    }
    void refusesDamage() {
        QFETCH(QByteArray, file);
        QFETCH(QString, says);
        const auto found = checked(file.toStdString());
        QVERIFY(!found.ok());
        QCOMPARE(found.error().kind, ErrorKind::Input);
        const QString text = QString::fromStdString(found.error().text());
        QVERIFY2(text.contains(says) && text.startsWith("model.pt"), qPrintable(text));
        QVERIFY2(!found.error().remedy.empty(), qPrintable(text));
    }

    void everyCutIsNoticed() {
        const std::string good = corpus("module");
        for (std::size_t size = 0; size < good.size(); size += 13) QVERIFY(!checked(good.substr(0, size)).ok());
    }

    void digestsAreThoseOfTheStandard() { // FIPS 180-4's own examples, and lengths around a block
        const auto digest = [](const std::string& text) { return sha256Hex(std::as_bytes(std::span(text))); };
        QCOMPARE(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        QCOMPARE(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        QCOMPARE(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        QCOMPARE(digest(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
};

QTEST_GUILESS_MAIN(StoreZipTest)
#include "store_zip_test.moc"
