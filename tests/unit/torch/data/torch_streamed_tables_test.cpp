// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that are kept as rows of a mapped file: the same samples as in memory, whatever becomes of the file.
#include "engine/torch/data/kept/kept_table.h"
#include "engine/torch/data/loader/batch_loader.h"
#include "tests/unit/torch/data_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard;
using namespace trainyard::tests;
using train::TaskKind;

class TorchStreamedTablesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string in(const QString& name) const { return m_folder->filePath(name).toStdString(); }
    QString kept() const {
        const QDir folder(m_folder->filePath("cache/trainyard/tables"));
        const QStringList files = folder.entryList({"*.rows"}, QDir::Files);
        return files.isEmpty() ? QString() : folder.filePath(files.front());
    }
    static Result<data::Dataset> load(const spec::Choice& choice, const char* loading, TaskKind task,
                                      std::int64_t seed = 7) {
        return data::loadDataset(choice, seed, task, {.division = "class", .loading = loading});
    }
    // Numbers that fit floats and that do not, words, dates, gaps of all three.
    QByteArray rows(int count) const {
        QByteArray text = "whole,part,word,day,label,kind,red,blue,id\n";
        for (int i = 0; i < count; ++i) {
            text += i % 9 == 4 ? QByteArray() : QByteArray::number(i * 3 % 50);
            text += ',' + (i % 11 == 7 ? QByteArray("NA") : QByteArray::number(0.1 * i)) + ',';
            text += i % 13 == 5 ? "," : i % 3 ? "x," : "yy,";
            text +=
                i % 7 == 2 ? QByteArray(",") : "2024-03-" + QByteArray::number(1 + i % 28).rightJustified(2, '0') + ',';
            text += QByteArray::number(i % 4 - 1) + (i % 5 ? ",a," : ",b,") + QByteArray::number(i % 2) + ',' +
                    QByteArray::number(i % 3 == 0 ? 1 : 0) + ',' + QByteArray::number(i / 4) + '\n';
        }
        return text;
    }
    static void compareParts(const data::Dataset& one, const data::Dataset& other) {
        for (const auto part : {&data::Dataset::train, &data::Dataset::validation, &data::Dataset::test}) {
            QCOMPARE((other.*part).size(), (one.*part).size());
            if ((one.*part).size() == 0) continue;
            const auto all = torch::arange((one.*part).size(), torch::kInt64);
            const auto a = data::gather(one, one.*part, all), b = data::gather(other, other.*part, all);
            QVERIFY(a.inputs.equal(b.inputs) && a.targets.equal(b.targets));
        }
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", m_folder->filePath("cache").toUtf8());
    }
    void streamedRowsAreThoseOfMemory_data();
    void streamedRowsAreThoseOfMemory();
    void loadersGiveTheSameRows();
    void refusesWhatMemoryRefuses_data();
    void refusesWhatMemoryRefuses();
    void previewsReadTheFirstRows();
    void aTableIsReadOnce();
    void damagedTablesAreMadeAnew_data();
    void damagedTablesAreMadeAnew();
    void damagedRowsAreNamed();
    void aKilledBuilderCostsNothing();
    void removesTablesThatWereNotUsedForLongest();
    void manyRowsStayInTheOrderOfTheFile();
};

void TorchStreamedTablesTest::streamedRowsAreThoseOfMemory_data() {
    QTest::addColumn<int>("task");
    QTest::addColumn<QString>("params");
    const auto row = [](const char* what, TaskKind task, const char* params) {
        QTest::newRow(what) << static_cast<int>(task) << QString(params);
    };
    row("classes that are words", TaskKind::Classification, "target=kind");
    row("classes that are numbers", TaskKind::Classification, "target=label");
    row("two numbers", TaskKind::Regression, "target=whole,part");
    row("labels", TaskKind::MultiLabel, "target=red,blue");
    row("as they are", TaskKind::Classification, "target=kind standardise=false ignore=day,id");
    row("rows left out", TaskKind::Classification, "target=kind missing=drop");
    row("dates as words", TaskKind::Classification, "target=kind dates=words");
    row("in groups", TaskKind::Classification, "target=kind groupColumn=id");
    row("a fold", TaskKind::Regression, "target=part folds=4 fold=2");
    row("another file", TaskKind::Classification, "target=kind validationFile=other.csv");
}

// Feature: a table that is streamed from a mapped file: the same samples, parts, classes and notes as in memory, to the
// bit.
void TorchStreamedTablesTest::streamedRowsAreThoseOfMemory() {
    QFETCH(int, task);
    QFETCH(QString, params);
    writeBytes(in("t.csv"), rows(300));
    writeBytes(in("other.csv"), rows(40));
    spec::Choice choice{"csv", {{"file", in("t.csv")}, {"validation", 20.0}, {"test", 10.0}}};
    for (const QString& param : params.split(' ')) {
        const std::string name = param.section('=', 0, 0).toStdString(), value = param.section('=', 1).toStdString();
        if (name == "folds" || name == "fold") choice.params[name] = std::int64_t{std::stoll(value)};
        else if (name == "standardise") choice.params[name] = value == "true";
        else choice.params[name] = name == "validationFile" ? in("other.csv") : value;
    }
    const auto inMemory = load(choice, "memory", static_cast<TaskKind>(task));
    QVERIFY2(inMemory.ok(), inMemory ? "" : inMemory.error().text().c_str());
    for (const bool again : {false, true}) {
        auto streamed = load(choice, "stream", static_cast<TaskKind>(task));
        QVERIFY2(streamed.ok(), streamed ? "" : streamed.error().text().c_str());
        QVERIFY(streamed->streams && streamed->train.isStreamed());
        QCOMPARE(streamed->featureNames, inMemory->featureNames);
        QCOMPARE(streamed->classNames, inMemory->classNames);
        QCOMPARE(streamed->sampleShape, inMemory->sampleShape);
        QCOMPARE(streamed->digest, inMemory->digest);
        QVERIFY(streamed->mean == inMemory->mean && streamed->stddev == inMemory->stddev);
        QVERIFY(streamed->targetMean == inMemory->targetMean && streamed->targetStddev == inMemory->targetStddev);
        compareParts(*inMemory, *streamed);
        QVERIFY2(streamed->notes.back().find(" rows are read from ") != std::string::npos,
                 streamed->notes.back().c_str());
        std::vector<std::string> mine = streamed->notes, theirs = inMemory->notes;
        mine.pop_back();
        std::sort(mine.begin(), mine.end());
        std::sort(theirs.begin(), theirs.end());
        QVERIFY2(mine == theirs || again, mine.back().c_str());
    }
    QCOMPARE(load(choice, "auto", static_cast<TaskKind>(task))->streams, false); // it fits into memory
}

// Equal batches from any number of threads, and from gather(), whatever is brought near before.
void TorchStreamedTablesTest::loadersGiveTheSameRows() {
    writeBytes(in("t.csv"), rows(200));
    const auto set =
        load({"csv", {{"file", in("t.csv")}, {"target", std::string("kind")}}}, "stream", TaskKind::Classification);
    QVERIFY2(set.ok(), set ? "" : set.error().text().c_str());
    const auto wanted = torch::tensor(std::vector<std::int64_t>{5, 0, 77, 31, 5, 159}, torch::kInt64);
    const data::Batch gathered = data::gather(*set, set->train, wanted);
    for (const int threads : {1, 4, -1, -4}) { // below 0: the loader's threads make features of the rows
        data::LoaderOptions options{.threads = std::abs(threads)};
        if (threads < 0) options = data::withFeatures(options, *set, set->train);
        data::BatchLoader loader(set->train, set->train.bytesShape(set->sampleShape), options);
        const auto batch = loader.take({wanted}, [](int) { return std::nullopt; }, {});
        QVERIFY2(batch.ok(), batch ? "" : batch.error().text().c_str());
        const data::Batch read = data::batchOf(*set, set->train, batch->bytes, batch->indices);
        QVERIFY(read.inputs.equal(gathered.inputs) && read.targets.equal(gathered.targets));
        std::vector<data::BatchRequest> requests; // more than the ring holds, of more rows than a thread takes at once
        for (std::int64_t k = 0; k < 40; ++k) {
            requests.push_back({(torch::arange(150, torch::kInt64) * (k + 1)).remainder(set->train.size()), 0, k > 9});
            for (std::int64_t block = 0; k > 9 && block < set->train.size(); block += 64)
                requests.back().soon.push_back(block);
        }
        for (std::size_t k = 0; k < requests.size(); ++k) {
            const auto ahead = [&](int n) {
                const std::size_t at = k + static_cast<std::size_t>(n);
                return at < requests.size() ? std::optional(requests[at]) : std::nullopt;
            };
            const auto next = loader.take(requests[k], ahead, {});
            QVERIFY2(next.ok(), next ? "" : next.error().text().c_str());
            QVERIFY(data::batchOf(*set, set->train, next->bytes, next->indices)
                        .inputs.equal(data::gather(*set, set->train, requests[k].indices).inputs));
        }
    }
}

void TorchStreamedTablesTest::refusesWhatMemoryRefuses_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("task");
    const auto row = [](const char* what, const QByteArray& content, const char* target,
                        TaskKind task = TaskKind::Classification) {
        QTest::newRow(what) << content << QString(target) << static_cast<int>(task);
    };
    row("ragged", "a,b\n1,0\n2,1\n3\n", "b");
    row("no such column", "a,b\n1,0\n2,1\n", "c");
    row("label not whole", "a,b\n1,0\n2,0.5\n", "b");
    row("words for regression", "a,b\n1,x\n2,y\n", "b", TaskKind::Regression);
    row("no value to fill in", "a,b,c\n,1,0\n,2,1\n,3,0\n,4,1\n", "c");
    row("only a target", "b\n1\n2\n", "b");
    row("one row", "a,b\n1,0\n", "b", TaskKind::Regression);
    row("a word among numbers", "a,b\n1,0\n2,1\nx,1\n", "b");
    row("one class", "a,b\n1,x\n2,x\n3,x\n4,x\n", "b");
    QByteArray words = "a,b\n";
    for (int i = 0; i < 101; ++i) words += "w" + QByteArray::number(i) + ",1\nv,0\n";
    row("too many words", words, "b");
}

// Bad inputs: what is refused in memory is refused when it is streamed, and nothing of it is kept.
void TorchStreamedTablesTest::refusesWhatMemoryRefuses() {
    QFETCH(QByteArray, content);
    QFETCH(QString, target);
    QFETCH(int, task);
    writeBytes(in("t.csv"), content);
    const spec::Choice choice{"csv", {{"file", in("t.csv")}, {"target", target.toStdString()}}};
    const auto inMemory = load(choice, "memory", static_cast<TaskKind>(task));
    const auto streamed = load(choice, "stream", static_cast<TaskKind>(task));
    QVERIFY(!inMemory.ok() && !streamed.ok());
    QCOMPARE(QString::fromStdString(streamed.error().message), QString::fromStdString(inMemory.error().message));
    QVERIFY(streamed.error().code == inMemory.error().code && !streamed.error().remedy.empty());
}

void TorchStreamedTablesTest::previewsReadTheFirstRows() {
    writeBytes(in("t.csv"), rows(200));
    const spec::Choice choice{"csv", {{"file", in("t.csv")}, {"target", std::string("kind")}}};
    const auto glance = [&] {
        return data::glanceAtDataset(choice, 7, TaskKind::Classification, {.division = "class", .loading = "stream"});
    };
    const auto before = glance();
    QVERIFY2(before.ok(), before ? "" : before.error().text().c_str());
    QVERIFY(kept().isEmpty() && !before->train.source);
    QCOMPARE(before->notes.back(),
             std::string("looks at the first 200 rows; a run reads all of them once, and streams them"));
    QVERIFY(load(choice, "stream", TaskKind::Classification).ok());
    QVERIFY(glance()->train.isStreamed());
}

void TorchStreamedTablesTest::aTableIsReadOnce() {
    const spec::Choice choice{"csv", {{"file", in("t.csv")}, {"target", std::string("kind")}}};
    writeBytes(in("t.csv"), rows(100));
    QVERIFY(load(choice, "stream", TaskKind::Classification).ok());
    const QString first = kept();
    // Its name, size and time alone decide, and its content is not read again.
    struct stat before{};
    QCOMPARE(::stat(in("t.csv").c_str(), &before), 0);
    QByteArray other = rows(100);
    other.replace("x,", "#,");
    writeBytes(in("t.csv"), other);
    const timespec times[] = {before.st_atim, before.st_mtim};
    QCOMPARE(::utimensat(AT_FDCWD, in("t.csv").c_str(), times, 0), 0);
    const auto same = load(choice, "stream", TaskKind::Classification);
    QVERIFY(same.ok() &&
            std::find(same->featureNames.begin(), same->featureNames.end(), "word = x") != same->featureNames.end());
    writeBytes(in("t.csv"), rows(104));
    const auto grown = load(choice, "stream", TaskKind::Classification);
    QVERIFY2(grown.ok(), grown ? "" : grown.error().text().c_str());
    QCOMPARE(grown->train.size() + grown->validation.size(), 104);
    QCOMPARE(QDir(QFileInfo(first).path()).entryList({"*.rows"}, QDir::Files).size(), 2);
}

void TorchStreamedTablesTest::damagedTablesAreMadeAnew_data() {
    QTest::addColumn<int>("byte"); // that is changed; below 0: from the end; 1000000: cut short; 1000001: empty
    QTest::newRow("magic number") << 0;
    QTest::newRow("rows") << 8;
    QTest::newRow("bytes of a row") << 16;
    QTest::newRow("targets") << 24;
    QTest::newRow("groups") << 32;
    QTest::newRow("length of the facts") << 40;
    QTest::newRow("checksum") << 48;
    QTest::newRow("not whole") << 52;
    QTest::newRow("digest") << 60;
    QTest::newRow("a fact") << -5;
    QTest::newRow("cut short") << 1000000;
    QTest::newRow("empty") << 1000001;
}

// Fault: the index of a kept table is damaged. It is made anew, and nothing of it is believed.
void TorchStreamedTablesTest::damagedTablesAreMadeAnew() {
    QFETCH(int, byte);
    writeBytes(in("t.csv"), rows(100));
    const spec::Choice choice{"csv", {{"file", in("t.csv")}, {"target", std::string("kind")}}};
    const auto whole = load(choice, "stream", TaskKind::Classification);
    QVERIFY(whole.ok());
    QFile file(kept());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    const auto at = byte < 0 ? bytes.size() + byte : byte;
    if (byte >= 1000000) bytes.resize(byte == 1000000 ? bytes.size() - 9 : 0);
    else bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    file.close();
    QVERIFY(QFile::remove(kept())); // the mapping of above keeps its own
    writeBytes(in("damaged"), bytes);
    QVERIFY(QFile::rename(m_folder->filePath("damaged"), file.fileName()));
    const auto again = load(choice, "stream", TaskKind::Classification);
    QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
    compareParts(*whole, *again);
}

void TorchStreamedTablesTest::damagedRowsAreNamed() {
    writeBytes(in("t.csv"), rows(100));
    const spec::Choice choice{"csv", {{"file", in("t.csv")}, {"target", std::string("kind")}}};
    {
        const auto made = load(choice, "stream", TaskKind::Classification);
        QVERIFY(made.ok());
    }
    QFile file(kept());
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(4096 + 50) && file.write("?") == 1);
    file.close();
    const auto found = load(choice, "stream", TaskKind::Classification, 8); // measured anew: another seed
    QVERIFY(!found.ok());
    QVERIFY2(QString::fromStdString(found.error().text())
                 .endsWith(".rows: is damaged (start the run again: it is made anew from the table)"),
             found.error().text().c_str());
    QVERIFY(load(choice, "stream", TaskKind::Classification, 8).ok());
}

// Fault: the process that keeps a table is killed. The next one makes it anew.
void TorchStreamedTablesTest::aKilledBuilderCostsNothing() {
    const KeptStore store{in("store"), std::int64_t{1} << 30};
    const std::string digest(64, 'd');
    const auto write = [&](data::TableWriter& writer) -> Result<void> {
        TY_TRY(writer.begin({.rows = 2, .rowBytes = 4, .targets = 1}));
        const std::vector<std::byte> bytes(8, std::byte{7});
        TY_TRY(writer.add(bytes, std::vector<double>{1, 2}, {}));
        return writer.finish(digest, "facts");
    };
    const pid_t child = fork();
    if (child == 0) {
        (void)data::KeptTable::make(digest, store, 8, [&](data::TableWriter& writer) -> Result<void> {
            TY_TRY(writer.begin({.rows = 5, .rowBytes = 4, .targets = 1}));
            ::raise(SIGKILL);
            return {};
        });
        ::_exit(1);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const auto made = data::KeptTable::make(digest, store, 8, write);
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    QVERIFY((*made)->count() == 2 && (*made)->target(1, 0) == 2 && (*made)->facts() == "facts");
    // Fewer rows than were said to come, and more.
    for (const std::int64_t rows : {1, 3}) {
        const auto wrong = data::KeptTable::make(std::string(64, 'e'), store, 8, [&](data::TableWriter& writer) {
            const auto begun = writer.begin({.rows = rows, .rowBytes = 4, .targets = 1});
            const std::vector<std::byte> bytes(8);
            auto done = begun ? writer.add(bytes, std::vector<double>{1, 2}, {}) : begun;
            return done ? writer.finish(digest, "") : done;
        });
        QVERIFY(!wrong.ok() && wrong.error().message == "has changed while it was read");
        QVERIFY(QDir(m_folder->filePath("store")).entryList({"e*"}, QDir::Files).isEmpty());
    }
}

void TorchStreamedTablesTest::removesTablesThatWereNotUsedForLongest() {
    QDir().mkpath(m_folder->filePath("store"));
    for (const char* name : {"a.rows", "b.rows", "c.rows"}) {
        writeBytes(in(QString("store/") + name), QByteArray(8192, 'x'));
        QFile file(m_folder->filePath(QString("store/") + name));
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.setFileTime(QDateTime::currentDateTime().addSecs(*name - 'z'), QFileDevice::FileModificationTime);
    }
    writeBytes(in("store/a.0123.scale"), "of a");
    writeBytes(in("store/other.txt"), "no table");
    const int used = ::open(in("store/a.rows").c_str(), O_RDONLY | O_CLOEXEC);
    QCOMPARE(::flock(used, LOCK_SH), 0);
    pruneKept(in("store"), data::kTableEnding, 16384);
    const auto left = [&] { return QDir(m_folder->filePath("store")).entryList(QDir::Files, QDir::Name).join(' '); };
    QCOMPARE(left(), QString("a.0123.scale a.rows c.rows other.txt")); // a is the oldest, and in use
    ::close(used);
    pruneKept(in("store"), data::kTableEnding, 0);
    QCOMPARE(left(), QString("other.txt"));
}

// Feature: of more than a million rows the parts are drawn without a list, each class by its share, and stay in order.
void TorchStreamedTablesTest::manyRowsStayInTheOrderOfTheFile() {
    constexpr std::int64_t kCount = (1 << 20) + 1000;
    QByteArray text = "n,k\n";
    text.reserve(16 << 20);
    for (std::int64_t i = 0; i < kCount; ++i) text += QByteArray::number(i) + (i % 8 == 0 ? ",1\n" : ",0\n");
    writeBytes(in("many.csv"), text);
    spec::Choice choice{"csv", {{"file", in("many.csv")}, {"test", 5.0}}};
    const auto set = load(choice, "stream", TaskKind::Classification);
    QVERIFY2(set.ok(), set ? "" : set.error().text().c_str());
    QVERIFY(set->inBlocks);
    torch::Tensor seen = torch::zeros({kCount}, torch::kInt64);
    for (const auto& [part, share] : {std::pair{&set->train, 0.75}, {&set->validation, 0.2}, {&set->test, 0.05}}) {
        QVERIFY(std::abs(static_cast<double>(part->size()) - share * kCount) <= 2);
        QVERIFY(std::abs(part->targets.sum().item<double>() - share * kCount / 8) <= 2);
        seen.index_add_(0, part->rows, torch::ones_like(part->rows));
        QVERIFY((part->rows.slice(0, 1) > part->rows.slice(0, 0, -1)).all().item<bool>());
        QVERIFY(part->targets.eq(part->rows.remainder(8).eq(0)).all().item<bool>());
    }
    QVERIFY(seen.eq(1).all().item<bool>());
    QVERIFY(std::abs(set->mean[0] - set->train.rows.to(torch::kFloat64).mean().item<double>()) < 1e-3);
    QVERIFY(std::abs(set->stddev[0] / set->train.rows.to(torch::kFloat64).std(0, false).item<double>() - 1) < 1e-9);
}

QTEST_GUILESS_MAIN(TorchStreamedTablesTest)
#include "torch_streamed_tables_test.moc"
