// SPDX-License-Identifier: GPL-3.0-or-later
// Fetching a run, again and again, without a network: the record and the files are those of a folder beside.
#include "engine/base/math/sha256.h"
#include "engine/run/mirror/mirror_source.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/fetch_run.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

namespace fs = std::filesystem;

namespace {

const std::string kFetched = "20260101-000000-00000a";
const HostName kHost("h1");

std::string contentOf(const fs::path& file) { return readFile(file).valueOr(std::string()); }

} // namespace

class FetchRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_there.root = m_folder->path().toStdString() + "/there";
        m_here.root = m_folder->path().toStdString() + "/here";
        fs::create_directories(m_here.root);
        fs::create_directories(folderThere().checkpoints());
        fs::create_directories(folderThere().logs());
        m_store = *store::Store::open(m_there);
        m_row = {};
        m_checkpoints.clear();
        m_row.id = kFetched;
        m_row.name = "calm-otter";
        m_row.specJson = "{}";
        m_row.status = wire::RunStatus::Stopped;
        m_row.folder = folderThere().root.string();
        QVERIFY(m_store->createRun(m_row));
        QVERIFY(writeFileAtomic(folderThere().runFile(), "{}"));
        QVERIFY(writeFileAtomic(folderThere().evaluationFile(), "first"));
        QVERIFY(writeFileAtomic(folderThere().rankLog(0), "a line"));
        QVERIFY(writeLaunchRecord(folderThere(), {RunId(kFetched), m_there.root.string(), {}, std::nullopt}));
        trainTo(4);
    }

    void bringsARunAndThenOnlyWhatIsNew() {
        QCOMPARE(fetch(), 5); // run file, evaluation, log, launch record, one checkpoint
        compare();
        QVERIFY(readLaunchRecord(folderHere())->workspace == fs::absolute(m_here.root).string());
        QCOMPARE(fetchedFrom(*here().run(kFetched))->host, std::string("h1"));
        QCOMPARE(fetch(), 0);
        QVERIFY(!fs::exists(m_here.root / ".fetch"));
        trainTo(9);
        QVERIFY(writeFileAtomic(folderThere().rankLog(0), "a line\nanother"));
        QCOMPARE(fetch(), 2);
        compare();
        QCOMPARE(contentOf(folderHere().rankLog(0)), std::string("a line\nanother"));
    }

    void whatACutFetchHasBroughtIsNotBroughtAgain() {
        {
            auto cut = begin();
            const auto coming = *cut.plan(describe(cut));
            for (std::size_t at = 0; at + 1 < coming.size(); ++at) bring(coming[at]);
        }
        QVERIFY(!here().run(kFetched));
        QVERIFY(!fs::exists(folderHere().root));
        QVERIFY(fetch() > 0);
        compare();
    }

    // What a host names is not trusted.
    void filesComeOnlyBelowTheRun_data() {
        QTest::addColumn<QString>("path");
        for (const char* path : {"../x", "logs/../../x", "/etc/passwd", "", "logs/", "./x"})
            QTest::newRow(*path ? path : "none") << path;
    }
    void filesComeOnlyBelowTheRun() {
        QFETCH(QString, path);
        auto fetch = begin();
        const auto planned = fetch.plan({{path.toStdString(), 10, "0"}});
        QVERIFY(!planned);
        QVERIFY2(planned.error().message.find("was not requested") != std::string::npos,
                 planned.error().text().c_str());
        QVERIFY(!RunFetch::open(m_here, kHost, RunId("../" + std::string(kFetched))));
    }

    void oneAtATime() {
        auto first = begin();
        const auto second = RunFetch::open(m_here, kHost, RunId(kFetched));
        QVERIFY(!second);
        QCOMPARE(second.error().code, ErrorCode::AlreadyRunning);
    }

    void wordsAndFilesOfHereStay() {
        fetch();
        QVERIFY((*store::Store::open(m_here))->setTags(RunId(kFetched), "mine"));
        QVERIFY(writeFileAtomic(folderHere().evaluationFile(), "measured here"));
        QVERIFY(writeFileAtomic(folderThere().evaluationFile(), "second"));
        trainTo(9);
        QVERIFY(m_store->rename(RunId(kFetched), "wild-otter"));
        fetch();
        QCOMPARE(here().run(kFetched)->tags, std::string("mine"));
        QCOMPARE(here().run(kFetched)->name, std::string("calm-otter"));
        QCOMPARE(contentOf(folderHere().evaluationFile()), std::string("measured here"));
        compare();
    }

    void goingBackThereVoidsWhatIsHere() {
        trainTo(9);
        fetch();
        QVERIFY(m_store->truncateAfter(kFetched, 4));
        fs::remove(checkpointThere(9));
        m_checkpoints.pop_back();
        trainTo(6);
        fetch();
        compare();
        QCOMPARE(here().checkpoints(kFetched)->size(), 2u);
        QVERIFY(!fs::exists(folderHere().checkpoints() / checkpointThere(9).filename()));
    }

    void aCheckpointThatIsGoneThereStays() {
        fetch();
        fs::remove(checkpointThere(4));
        m_checkpoints.clear();
        trainTo(9);
        fetch();
        const auto rows = *here().checkpoints(kFetched);
        QCOMPARE(rows.size(), 2u);
        for (const auto& row : rows) QVERIFY(fs::exists(row.path));
    }

    void onlyWhatWasFetchedAndNotTrainedTakesNews_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("trained on here") << QByteArray("trained") << QByteArray("has been trained on here");
        QTest::newRow("of another supervisor") << QByteArray("environment") << QByteArray("has been trained on here");
        QTest::newRow("it trains there") << QByteArray("active") << QByteArray("is running");
        QTest::newRow("not fetched") << QByteArray("own") << QByteArray("was not fetched");
    }
    void onlyWhatWasFetchedAndNotTrainedTakesNews() {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, error);
        if (what == "own") {
            auto row = m_row;
            row.folder = folderHere().root.string();
            QVERIFY((*store::Store::open(m_here))->createRun(row));
        } else {
            fetch();
        }
        auto row = *here().run(kFetched);
        if (what == "trained") ++row.step;
        if (what == "environment") row.environmentJson = "{}";
        if (what != "active") QVERIFY((*store::Store::open(m_here))->updateRun(row));
        if (what == "active") {
            m_row.status = wire::RunStatus::Paused;
            QVERIFY(m_store->updateRun(m_row));
        }
        auto opened = RunFetch::open(m_here, kHost, RunId(kFetched));
        const auto refused = opened ? opened->take(news(*opened), {}) : Result<void>(opened.error());
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find(error.toStdString()) != std::string::npos, refused.error().text().c_str());
    }

private:
    RunFolder folderThere() const { return {m_there.runFolder(kFetched)}; }
    RunFolder folderHere() const { return {m_here.runFolder(kFetched)}; }
    fs::path checkpointThere(std::int64_t step) const {
        return folderThere().checkpoints() / ("step-" + std::to_string(step) + ".safetensors");
    }
    store::RunQuery& here() {
        m_query = *store::RunQuery::open(m_here);
        return *m_query;
    }
    // With a checkpoint at its end.
    void trainTo(std::int64_t step) {
        const auto query = *store::RunQuery::open(m_there);
        const auto before = std::ssize(*query->points(RunId(kFetched), "train/loss"));
        std::vector<wire::Point> points;
        for (auto each = before; each < step; ++each)
            points.push_back({each + 1, 0.5, static_cast<double>(each) + 0.25 * static_cast<double>(step), 1.0});
        QVERIFY(m_store->appendPoints(kFetched, {{"train/loss", before, points}}));
        QVERIFY(writeFileAtomic(checkpointThere(step), "weights " + std::to_string(step)));
        store::CheckpointRow row;
        row.path = checkpointThere(step).string();
        row.step = step;
        row.bytes = static_cast<std::int64_t>(fs::file_size(row.path));
        row.wallMs = ++m_clock;
        row.last = true;
        for (auto& each : m_checkpoints) each.last = false;
        m_checkpoints.push_back(row);
        QVERIFY(m_store->setCheckpoints(kFetched, m_checkpoints));
        m_row.step = step;
        m_row.finishedMs = m_clock;
        QVERIFY(m_store->updateRun(m_row));
    }
    MirrorNews news(RunFetch& fetch) const {
        MirrorSource source(m_there);
        source.want(*fetch.request());
        return joined(*source.poll());
    }
    RunFetch begin() {
        auto fetch = RunFetch::open(m_here, kHost, RunId(kFetched));
        if (!fetch) qFatal("%s", fetch.error().text().c_str());
        if (const auto taken = fetch->take(news(*fetch), {}); !taken) qFatal("%s", taken.error().text().c_str());
        return std::move(*fetch);
    }
    std::vector<HostFile> describe(const RunFetch& fetch) const {
        std::vector<HostFile> files;
        auto paths = fetch.wanted();
        for (const char* each : {"run.json", "launch.json", "evaluation.json", "logs/rank0.log"})
            paths.emplace_back(each);
        for (const auto& path : paths)
            if (const fs::path file = folderThere().root / path; fs::exists(file))
                files.push_back({path, static_cast<std::int64_t>(fs::file_size(file)), *sha256HexOf(file)});
        return files;
    }
    void bring(const FileToBring& each) const {
        fs::create_directories(each.to.parent_path());
        fs::copy_file(folderThere().root / each.file.path, each.to, fs::copy_options::overwrite_existing);
    }
    // Returns how many files came.
    int fetch() {
        auto fetch = begin();
        const auto coming = *fetch.plan(describe(fetch));
        for (const auto& each : coming) bring(each);
        const auto added = fetch.commit();
        if (!added) qFatal("%s", added.error().text().c_str());
        return static_cast<int>(coming.size());
    }
    void compare() {
        const auto there = *store::RunQuery::open(m_there);
        const auto theirs = *there->points(RunId(kFetched), "train/loss"),
                   ours = *here().points(RunId(kFetched), "train/loss");
        QCOMPARE(ours.size(), theirs.size());
        for (std::size_t at = 0; at < ours.size(); ++at) QCOMPARE(ours[at].seconds, theirs[at].seconds);
        QCOMPARE(here().run(kFetched)->step, there->run(kFetched)->step);
        QCOMPARE(here().run(kFetched)->folder, folderHere().root.string());
        const auto rows = *here().checkpoints(kFetched);
        for (const auto& row : rows) QCOMPARE(contentOf(row.path), "weights " + std::to_string(row.step));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_there, m_here;
    store::RunRow m_row;
    std::vector<store::CheckpointRow> m_checkpoints;
    std::int64_t m_clock = 1;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<store::RunQuery> m_query;
};

QTEST_GUILESS_MAIN(FetchRunTest)

#include "fetch_run_test.moc"
