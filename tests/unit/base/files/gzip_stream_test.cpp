// SPDX-License-Identifier: GPL-3.0-or-later
// Packed files read front to back: whole ones, members after one another, and files that are cut off anywhere.
#include "engine/base/files/file_reader.h"
#include "tests/unit/torch/data_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace trainyard;
using tests::gzipped;

namespace {

QByteArray content(int size, unsigned seed) {
    std::mt19937 random(seed);
    QByteArray bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 64); // packs to three quarters
    return bytes;
}

struct Read {
    QByteArray bytes;
    QString error; // empty: it ended well
};

Read readAll(const QString& file, int piece) {
    Read read;
    auto reader = FileReader::open(file.toStdString());
    if (!reader) return {{}, QString::fromStdString(reader.error().text())};
    QByteArray part(piece, '\0');
    for (;;) {
        const auto got = reader->readSome(part.data(), piece);
        if (!got) read.error = QString::fromStdString(got.error().text());
        if (!got || *got == 0) return read;
        read.bytes += part.first(static_cast<qsizetype>(*got));
    }
}

} // namespace

class GzipStreamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatWasPacked_data();
    void readsWhatWasPacked();
    void everyCutIsTold();
    void aChangedByteIsTold();

private:
    QString written(const QByteArray& bytes) {
        QFile file(m_folder.filePath("file.gz"));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

void GzipStreamTest::readsWhatWasPacked_data() {
    QTest::addColumn<int>("piece");
    for (const int piece : {1, 7, 4096, 100'000}) QTest::newRow(qPrintable(QString::number(piece))) << piece;
}

// The size of the packed file is that of the reader's buffer up to 128 KiB, and a multiple of it in the last case.
void GzipStreamTest::readsWhatWasPacked() {
    QFETCH(int, piece);
    const auto first = content(9000, 1), second = content(70'000, 2), large = content(600'000, 3);
    for (const auto& [packed, whole] :
         {std::pair(gzipped(first), first), std::pair(gzipped(first) + gzipped(second), first + second),
          std::pair(gzipped({}), QByteArray()), std::pair(gzipped(large), large),
          std::pair(gzipped(first) + "no gzip", first), std::pair(first, first),
          std::pair(QByteArray("\x1f"), QByteArray("\x1f"))}) {
        const auto read = readAll(written(packed), piece);
        QVERIFY2(read.error.isEmpty(), qPrintable(read.error));
        QVERIFY(read.bytes == whole);
    }
    QByteArray boundary; // in members, until the packed size is a multiple of the buffer's
    QByteArray whole;
    while (boundary.size() < 3 * (1 << 17)) {
        const auto left = 3 * (1 << 17) - boundary.size();
        const auto part = content(static_cast<int>(std::min<qsizetype>(left, 50'000)) / 2, 4);
        if (left < 2000) break;
        boundary += gzipped(part);
        whole += part;
    }
    boundary += QByteArray(3 * (1 << 17) - boundary.size(), '\0'); // what follows the last member is not looked at
    const auto read = readAll(written(boundary), piece);
    QVERIFY2(read.error.isEmpty(), qPrintable(read.error));
    QVERIFY(read.bytes == whole);
}

void GzipStreamTest::everyCutIsTold() {
    const auto first = content(800, 1), second = content(1500, 2);
    const auto packedFirst = gzipped(first), packed = packedFirst + gzipped(second);
    for (qsizetype size = 2; size < packed.size(); ++size) {
        const auto read = readAll(written(packed.first(size)), 1024);
        const QByteArray place = QByteArray::number(size);
        if (size == packedFirst.size() || size == packedFirst.size() + 1) { // one byte more is no member
            QVERIFY2(read.error.isEmpty() && read.bytes == first, place.constData());
            continue;
        }
        QVERIFY2(read.error.contains("the gzip data is cut short"), place.constData());
        QVERIFY2((first + second).startsWith(read.bytes), place.constData());
    }
}

void GzipStreamTest::aChangedByteIsTold() {
    const auto whole = content(3000, 5), packed = gzipped(whole);
    int unnoticed = 0;
    for (qsizetype at = 10; at < packed.size(); ++at) { // the first ten are the header, most of which says nothing
        auto changed = packed;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        const auto read = readAll(written(changed), 1024);
        if (!read.error.isEmpty()) continue;
        QVERIFY2(read.bytes == whole, QByteArray::number(at).constData());
        ++unnoticed;
    }
    QVERIFY(unnoticed <= 1); // the bits that fill up deflate's last byte say nothing
}

QTEST_GUILESS_MAIN(GzipStreamTest)
#include "gzip_stream_test.moc"
