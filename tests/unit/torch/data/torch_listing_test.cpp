// SPDX-License-Identifier: GPL-3.0-or-later
// Listings of pictures that are kept while a run trains, and files of labels that list them.
#include "engine/base/files/atomic_file.h"
#include "engine/base/math/crc32c.h"
#include "engine/torch/data/image_folder.h"
#include "engine/torch/data/kept_listing.h"
#include "engine/torch/data/substitute.h"
#include "tests/unit/torch/data_files.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <span>

using namespace trainyard;
using namespace trainyard::tests;

namespace {

constexpr auto kClasses = train::TaskKind::Classification;

QByteArray plainPicture(int side, char level) {
    return pngOf(side, side, PNG_FORMAT_RGB, QByteArray(3 * side * side, level));
}

} // namespace

class TorchListingTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QTemporaryDir m_cache;
    QString in(const QString& name) const { return m_folder->filePath(name); }
    spec::Choice images() const { return {"images", {{"folder", m_folder->path().toStdString()}}}; }
    void writeClass(const QString& name, int count) const {
        QVERIFY(QDir().mkpath(in(name)));
        for (int i = 0; i < count; ++i)
            writeBytes(in(name + "/" + QString::number(i) + ".png"), plainPicture(8, name.at(0).toLatin1()));
    }
    data::Dataset loaded(const spec::DataRules& rules = {}) const {
        auto dataset = data::loadDataset(images(), 1, kClasses, rules);
        if (!dataset) qWarning("%s", dataset.error().text().c_str());
        return dataset ? std::move(*dataset) : data::Dataset();
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8());
    }
    void cleanupTestCase() { qunsetenv("XDG_CACHE_HOME"); }
    void picturesThatAreGoneKeepTheirPlaces_data();
    void picturesThatAreGoneKeepTheirPlaces();
    void aListingIsThatOfItsDigest();
    void damagedListingsAreNone();
    void labelsThatAreWrongAreNamed_data();
    void labelsThatAreWrongAreNamed();
};

// Fault: pictures are deleted, replaced or added after a run has listed them. Whoever lists them then, to join it, has
// the same samples in the same order; in the places of those that are gone are others, as the loaders have it.
void TorchListingTest::picturesThatAreGoneKeepTheirPlaces_data() {
    QTest::addColumn<QByteArray>("loading");
    QTest::newRow("in memory") << QByteArray("memory");
    QTest::newRow("streamed") << QByteArray("stream");
}
void TorchListingTest::picturesThatAreGoneKeepTheirPlaces() {
    QFETCH(QByteArray, loading);
    writeClass("cat", 12);
    writeClass("dog", 12);
    const spec::DataRules stop{.loading = loading.toStdString()},
        skip{.onError = "skip", .loading = loading.toStdString()};
    const data::Dataset before = loaded(stop);
    QVERIFY(QFile::remove(in("cat/3.png")));
    writeBytes(in("dog/7.png"), "no image");
    writeBytes(in("cat/99.png"), plainPicture(8, 'c'));
    const auto then = [&](const spec::DataRules& rules, bool mayBeMore = true) {
        return data::imagesAsListed(images(), 1, kClasses, rules, before.digest, mayBeMore);
    };
    const auto now = then(skip);
    QVERIFY2(now.ok() && *now, now ? "" : now.error().text().c_str());
    const data::Dataset& set = **now;
    QCOMPARE(set.digest, before.digest);
    QCOMPARE(set.leftOut.size(), 2u);
    QString notes;
    for (const auto& note : set.notes) notes += QString::fromStdString(note) + "\n";
    QVERIFY2(notes.contains("2 of 24 images are gone since the run began, and others take their places"),
             qPrintable(notes));
    const auto isGone = [&](const data::Split& part, std::int64_t i) {
        const QString name = QString::fromStdString(part.source->nameOf(part.rows[i].item<std::int64_t>()));
        return name.endsWith("cat/3.png") || name.endsWith("dog/7.png");
    };
    int replaced = 0;
    for (const auto part : {&data::Dataset::train, &data::Dataset::validation}) {
        const data::Split &was = before.*part, &is = set.*part;
        QCOMPARE(is.size(), was.size());
        for (std::int64_t i = 0; i < is.size(); ++i) {
            std::int64_t from = i;
            for (std::int64_t k = 0; isGone(was, from); ++k) from = data::substituteOf(i, k, 1, is.size());
            replaced += from != i;
            QVERIFY(torch::equal(is.rows[i], was.rows[from]) && torch::equal(is.targets[i], was.targets[from]));
        }
    }
    QCOMPARE(replaced, 2);
    const auto refused = then(stop);
    QVERIFY(!refused.ok() && refused.error().code == ErrorCode::DataUnreadable);
    const QString said = QString::fromStdString(refused.error().text());
    QVERIFY2(said.contains("cat/3.png: is gone since the run began") &&
                 said.contains("dog/7.png: has changed since the run began") &&
                 said.contains("--set data.onError=skip"),
             qPrintable(said));
    QVERIFY(!*then(skip, /*mayBeMore=*/false)); // the picture that was added
    QVERIFY(QFile::remove(in("cat/99.png")));
    QVERIFY(then(skip, false)->has_value());
}

void TorchListingTest::aListingIsThatOfItsDigest() {
    // Decoded pictures of more than 1 MB are kept: then nothing is missing but the files.
    QByteArray noise(3 * 260 * 260, '\0');
    quint32 state = 7;
    for (char& byte : noise) byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    for (int i = 0; i < 12; ++i) {
        QVERIFY(QDir().mkpath(in(i % 2 ? "a" : "b")));
        noise[i] = char(i);
        writeBytes(in(QString(i % 2 ? "a/%1.png" : "b/%1.png").arg(i)), pngOf(260, 260, PNG_FORMAT_RGB, noise));
    }
    const data::Dataset before = loaded();
    QVERIFY(QFile::remove(in("a/1.png")));
    const auto now = data::imagesAsListed(images(), 1, kClasses, {}, before.digest, true);
    QVERIFY2(now.ok() && *now, now ? "" : now.error().text().c_str());
    QVERIFY(torch::equal((*now)->train.allInputs(before.sampleShape), before.train.allInputs(before.sampleShape)));
    QVERIFY((*now)->leftOut.empty() && (*now)->mean == before.mean);
    QVERIFY(!*data::imagesAsListed(images(), 1, kClasses, {}, std::string(64, '0'), true));
}

// Bad inputs: a kept listing whose bytes are changed or cut, with a checksum that fits, is read or is none.
void TorchListingTest::damagedListingsAreNone() {
    writeClass("red", 4);
    writeClass("blue", 4);
    const data::Dataset set = loaded();
    const data::ListingKey key{m_folder->path().toStdString(), set.digest};
    QVERIFY(data::keptListing(key).has_value());
    const QDir listings(m_cache.path() + "/trainyard/listings");
    const QString file = listings.filePath(listings.entryList({"*.listing"}, QDir::Files, QDir::Time).front());
    const QByteArray whole = QByteArray::fromStdString(*readFile(file.toStdString()));
    std::size_t read = 0;
    for (int i = 0; i < 500; ++i) {
        QByteArray text = whole.chopped(4);
        const auto draw = static_cast<qsizetype>(static_cast<quint32>(i) * 2654435761u >> 7);
        if (i % 10 == 0) text.truncate(20 + draw % (text.size() - 20));
        else text[20 + draw % (text.size() - 20)] = char(i % 3 == 0 ? 0xff : i);
        const std::uint32_t crc = crc32c(std::as_bytes(std::span(text.data(), static_cast<std::size_t>(text.size()))));
        text.append(reinterpret_cast<const char*>(&crc), sizeof crc);
        writeBytes(file, i % 100 == 1 ? whole.left(i) : text);
        if (const auto found = data::keptListing(key)) {
            ++read;
            QCOMPARE(found->facts.size(), found->leftOut.size());
        }
    }
    QVERIFY(read > 0 && read < 500);
}

// Bad inputs: files of labels that name what is not there, a picture twice, a class that nothing trains.
void TorchListingTest::labelsThatAreWrongAreNamed_data() {
    QTest::addColumn<QByteArray>("lines"); // after those of four pictures
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& lines, const char* says) {
        QTest::newRow(name) << lines << QString(says);
    };
    row("not there", "nothing of that kind.png,red,train\n", "there is no such file, which ");
    row("a typo", "red/33.png,red,train\n", "did you mean \"red/3.png\"?");
    row("with two labels", "red/0.png,blue,train\n", "red/0.png has another label already, in ");
    row("class for validation alone", "blue/3.png,green,val\n",
        "has pictures of \"green\" for validation, and none to train on");
    row("another part", "blue/3.png,blue,later\n", "later");
}
void TorchListingTest::labelsThatAreWrongAreNamed() {
    QFETCH(QByteArray, lines);
    QFETCH(QString, says);
    writeClass("red", 4);
    writeClass("blue", 4);
    writeBytes(in("l.csv"), "file,label,split\nred/0.png,red,train\nred/1.png,red,train\nblue/0.png,blue,train\n"
                            "blue/1.png,blue,train\n" +
                                lines);
    spec::Choice choice = images();
    choice.params["labels"] = std::string("l.csv");
    const auto refused = data::loadDataset(choice, 1, kClasses);
    QVERIFY(!refused.ok());
    const QString said = QString::fromStdString(refused.error().text());
    QVERIFY2(said.contains(says), qPrintable(said));
    QVERIFY2(said.contains("l.csv"), qPrintable(said));
}

QTEST_GUILESS_MAIN(TorchListingTest)
#include "torch_listing_test.moc"
