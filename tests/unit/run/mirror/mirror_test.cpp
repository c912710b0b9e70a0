// SPDX-License-Identifier: GPL-3.0-or-later
// The copy of runs that live on a host: what is asked, what is told, and that the copy is the host's record whatever
// happened while the two did not hear of each other.
#include "engine/base/clock.h"
#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/mirror/mirror_source.h"
#include "engine/run/record/home_links.h"
#include "engine/run/record/kept_in_row.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace trainyard;
using namespace trainyard::run;

namespace {

const std::string kRun = "20260101-000000-00000a";

std::vector<wire::Point> points(std::int64_t from, std::int64_t to, double secondsPerStep = 1) {
    std::vector<wire::Point> all;
    for (auto step = from; step < to; ++step)
        all.push_back({step, 0.5, static_cast<double>(step) * secondsPerStep, 1.0 / static_cast<double>(step + 1)});
    return all;
}

} // namespace

class MirrorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_there.root = m_folder->path().toStdString() + "/there";
        m_here.root = m_folder->path().toStdString() + "/here";
        for (const auto& root : {m_there.root, m_here.root, mirrorWorkspace(m_here).root})
            std::filesystem::create_directories(root);
        m_store = *store::Store::open(m_there);
        m_source.reset();
        store::RunRow row;
        row.id = kRun;
        row.name = "calm-otter";
        row.specJson = "{}";
        row.status = wire::RunStatus::Stopped;
        row.step = 3;
        row.folder = "/root/there";
        row.supervisorPid = 7;
        QVERIFY(m_store->createRun(row));
        QVERIFY(m_store->appendPoints(kRun, {{"train/loss", 0, points(0, 4)}, {"val/loss", 0, points(0, 1)}}));
        QVERIFY(m_store->appendLog(kRun, {{0, "info", "one", 1}, {-1, "warning", "two", 2}}));
        QVERIFY(m_store->appendEvents(kRun, {event(0), event(3)}));
    }

    void theCopyIsTheRecord() {
        connectAndTell();
        const auto row = here().run(kRun);
        QVERIFY(row);
        QCOMPARE(row->name, std::string("calm-otter"));
        QCOMPARE(row->status, wire::RunStatus::Stopped);
        QCOMPARE(row->step, 3);
        QCOMPARE(row->supervisorPid, 0); // those of the host mean nothing here
        QVERIFY(row->folder.starts_with(m_here.root.string()));
        compareRecords();
    }

    void onlyWhatIsNewIsToldAfterALostLink() {
        connectAndTell();
        QVERIFY(m_store->appendPoints(kRun, {{"train/loss", 4, points(4, 9)}}));
        QVERIFY(m_store->appendLog(kRun, {{0, "info", "three", 3}}));
        QVERIFY(m_store->appendEvents(kRun, {event(8)}));
        QCOMPARE(connectAndTell(), 5);
        compareRecords();
    }

    void goingBackVoidsWhatTheCopyHas_data() {
        QTest::addColumn<double>("secondsPerStep"); // of the steps that are repeated; 0: none yet
        QTest::newRow("to fewer points") << 0.0;
        QTest::newRow("and the same steps again") << 2.0;
    }
    void goingBackVoidsWhatTheCopyHas() {
        QFETCH(double, secondsPerStep);
        connectAndTell();
        QVERIFY(m_store->truncateAfter(kRun, 1));
        if (secondsPerStep > 0) QVERIFY(m_store->appendPoints(kRun, {{"train/loss", 2, points(2, 7, secondsPerStep)}}));
        connectAndTell();
        compareRecords();
    }

    void checkpointsAreTheHostsAndTheirFilesComeAlone() {
        QVERIFY(m_store->setCheckpoints(kRun, {checkpoint(1), checkpoint(3)}));
        connectAndTell();
        auto rows = *here().checkpoints(kRun);
        QCOMPARE(rows.size(), 2u);
        QCOMPARE(rows[1].metrics.at("val/loss"), 0.5);
        QVERIFY(rows[1].path == mirrorOfCheckpoint(m_here, kRun, checkpoint(3).path).string());
        QVERIFY(!isFetched(rows[0]) && !isFetched(rows[1]));
        for (const auto& row : rows) {
            std::filesystem::create_directories(std::filesystem::path(row.path).parent_path());
            QVERIFY(writeFileAtomic(row.path, "weights"));
        }
        auto other = checkpoint(3); // the same step anew: the file here is of another one
        other.wallMs += 5;
        other.pinned = true;
        QVERIFY(m_store->setCheckpoints(kRun, {other}));
        QVERIFY(m_store->setPinned((*(*store::RunQuery::open(m_there))->checkpoints(kRun))[0].id, true));
        connectAndTell();
        rows = *here().checkpoints(kRun);
        QCOMPARE(rows.size(), 2u); // the one that is gone there is still here
        QVERIFY(isFetched(rows[0]) && !isFetched(rows[1]));
        connectAndTell();
        QVERIFY((*here().checkpoints(kRun))[1].pinned);
    }

    void aSweepIsToldWithItsTrials() {
        const std::string sweep = "20260101-000000-0000aa";
        store::SweepRow row;
        row.id = sweep;
        row.name = "rates";
        row.specJson = "{}";
        row.status = wire::RunStatus::Running;
        row.supervisorPid = 9;
        QVERIFY(m_store->createSweep(row));
        addTrial(sweep, 0);
        store::TrialEventRow event;
        event.kind = "started";
        event.trial = 0;
        store::TrialDecisionRow decision;
        decision.trial = 0;
        decision.decision = store::TrialDecision::Stopped;
        decision.loss = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(m_store->appendTrialRecord(sweep, {{event}, {decision}, {}}));
        connectToSweep(sweep);
        QCOMPARE(here().sweep(sweep)->name, std::string("rates"));
        QCOMPARE(here().sweep(sweep)->supervisorPid, 0);
        QCOMPARE(here().trials(sweep)->size(), 1u);
        QCOMPARE(here().points(RunId(trialId(0)), "train/loss")->size(), 4u);
        QCOMPARE(here().trialDecisions(sweep)->front().decision, store::TrialDecision::Stopped);
        // While connected: another trial, an event, the end.
        addTrial(sweep, 1);
        event.number = 1;
        QVERIFY(m_store->appendTrialRecord(sweep, {{event}, {}, {}}));
        row.status = wire::RunStatus::Finished;
        QVERIFY(m_store->updateSweep(row));
        QTRY_VERIFY_WITH_TIMEOUT((tell(), here().points(RunId(trialId(1)), "train/loss")->size() == 4), 3000);
        QCOMPARE(here().trialEvents(sweep)->size(), 2u);
        QCOMPARE(here().sweep(sweep)->status, wire::RunStatus::Finished);
        // After a lost link nothing is told twice, and a trial that goes on is followed again.
        QCOMPARE(connectToSweep(sweep), 0);
        QCOMPARE(here().trialEvents(sweep)->size(), 2u);
        QVERIFY(m_store->appendPoints(trialId(0), {{"train/loss", 4, points(4, 6)}}));
        auto trial = *here().run(trialId(0));
        trial.step = 5;
        QVERIFY(m_store->updateRun(trial));
        QTRY_COMPARE_WITH_TIMEOUT((tell(), here().points(RunId(trialId(0)), "train/loss")->size()), std::size_t{6},
                                  3000);
        auto copy = *MirrorCopy::open(m_here);
        QVERIFY(copy.keepOnly({sweep}));
        QCOMPARE(here().trials(sweep)->size(), 2u);
        QVERIFY(copy.keepOnly({}));
        QVERIFY(here().trials(sweep)->empty());
    }

    void whatChangesWhileConnectedIsTold() {
        connectAndTell();
        QVERIFY(m_store->appendPoints(kRun, {{"train/loss", 4, points(4, 6)}}));
        QTRY_COMPARE_WITH_TIMEOUT((tell(), here().points(RunId(kRun), "train/loss")->size()), std::size_t{6}, 3000);
        QVERIFY(m_store->truncateAfter(kRun, 2));
        QTRY_COMPARE_WITH_TIMEOUT((tell(), here().points(RunId(kRun), "train/loss")->size()), std::size_t{3}, 3000);
        QVERIFY(m_store->rename(RunId(kRun), "wild-otter"));
        QTRY_COMPARE_WITH_TIMEOUT((tell(), here().run(kRun)->name), std::string("wild-otter"), 3000);
    }

    void theProcessesLeftAreTold() {
        connectAndTell();
        auto row = *(*store::RunQuery::open(m_there))->run(kRun);
        wire::RunState counted;
        counted.processesLeft = 0;
        counted.unseenOn = "h2";
        keepLeft(row, counted);
        QVERIFY(m_store->updateRun(row));
        wire::RunState seen;
        QTRY_VERIFY_WITH_TIMEOUT((tell(), readLeft(*here().run(kRun), seen), seen.processesLeft == 0), 3000);
        QCOMPARE(seen.unseenOn, counted.unseenOn);
    }

    void aRunThatIsNotThereIsWaitedFor() {
        MirrorSource source(m_there);
        source.want({.run = "20260101-000000-00000b"});
        const auto news = source.poll();
        QVERIFY(news && news->empty());
    }

    void onlyRunsThatAreNotedAreKept() {
        connectAndTell();
        auto copy = *MirrorCopy::open(m_here);
        QVERIFY(copy.keepOnly({kRun}));
        QVERIFY(here().run(kRun));
        QVERIFY(copy.keepOnly({}));
        QVERIFY(!here().run(kRun));
    }

    void linesComeBack() {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                         kInf = std::numeric_limits<double>::infinity();
        MirrorNews news{.run = kRun};
        news.rewoundTo = -1;
        news.points = {{"a b/\"c\"", 3, {{3, 0.1, 2, kNan}, {4, 0.2, 3, -kInf}, {5, 0.3, 4, 1e-300}}}};
        news.log = {{2, "info", "an \xff umlaut\nand a line", 9}};
        const auto back = mirrorNewsFrom(toLine(news));
        QVERIFY(back);
        QCOMPARE(back->rewoundTo, news.rewoundTo);
        QCOMPARE(back->points.front().series, news.points.front().series);
        QVERIFY(std::isnan(back->points.front().points[0].value));
        QCOMPARE(back->points.front().points[1].value, -kInf);
        QCOMPARE(back->points.front().points[2].value, 1e-300);
        QCOMPARE(back->log.front().rank, 2);
        QVERIFY(!back->row && !back->events && !back->workers);
        const auto request = mirrorRequestFrom(toLine(MirrorRequest{kRun, {{"x", {2, {1, 0, 5, 0.5}}}}, 4}));
        QVERIFY(request);
        QCOMPARE(request->series.at("x").count, 2);
        QCOMPARE(request->series.at("x").last.seconds, 5.0);
        QCOMPARE(request->logLines, 4);
    }

    void whatIsNoLineIsRefused_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"", "{", "[]", "7", "{}", R"({"run": 1})", R"({"run": "a", "points": [1]})",
                                 R"({"run": "a", "points": [{"series": "x", "first": 0, "chunks": [[1, 2]]}]})",
                                 R"({"run": "a", "points": [{"series": "x", "first": 0, "chunks": ["AAAA"]}]})",
                                 R"({"run": "a", "points": [{"series": "x", "first": 0, "chunks": ["?"]}]})",
                                 R"({"run": "a", "log": [[1]]})", R"({"run": "a", "rewound_to": "x"})",
                                 R"({"run": "a", "points": 5})", "Welcome to h1"})
            QTest::newRow(line) << QByteArray(line);
    }
    void whatIsNoLineIsRefused() {
        QFETCH(QByteArray, line);
        QVERIFY(!mirrorNewsFrom(line.toStdString()));
        QVERIFY(!mirrorRequestFrom(line.toStdString()));
    }

    void longNewsComeInPieces() {
        MirrorNews news{.run = kRun};
        news.row = store::RunRow{};
        news.points = {{"a", 5, points(5, 20005)}, {"b", 0, points(0, 3)}};
        for (int line = 0; line < 5000; ++line) news.log.push_back({0, "info", std::to_string(line), line});
        QVERIFY(!inPieces(news, true).front().row && inPieces(news, true).back().row);
        const auto pieces = inPieces(news, false);
        QVERIFY(pieces.size() > 4);
        QVERIFY(pieces.front().row && !pieces[1].row && pieces.back().row);
        std::int64_t next = 5;
        std::size_t lines = 0, ofB = 0;
        for (const auto& piece : pieces) {
            QCOMPARE(piece.run, kRun);
            std::size_t count = 0;
            for (const auto& delta : piece.points) {
                count += delta.points.size();
                if (delta.series == "b") ofB += delta.points.size();
                if (delta.series != "a") continue;
                QCOMPARE(delta.firstIndex, next);
                next += std::ssize(delta.points);
            }
            QVERIFY(count <= 8000);
            lines += piece.log.size();
        }
        QCOMPARE(next, 20005);
        QCOMPARE(ofB, std::size_t{3});
        QCOMPARE(lines, std::size_t{5000});
    }

    void linksComeBack() {
        QVERIFY(readHomeLinks(m_here).empty());
        const HomeLinks links{{"h1", {HomeLink::State::Lost, 5, "the connection was lost", ErrorCode::ConnectionLost}},
                              {"me@h2:22", {HomeLink::State::Up, 6}}};
        QVERIFY(writeHomeLinks(m_here, links));
        QCOMPARE(readHomeLinks(m_here), links);
        QVERIFY(homeNotes(m_here).empty()); // it is no note
    }

    void triesComeLessAndLessOften() {
        const double expected[] = {0, 1, 2, 4, 8, 16, 30, 30};
        for (int failures = 0; failures < 8; ++failures) QCOMPARE(backoffSeconds(failures), expected[failures]);
        QCOMPARE(backoffSeconds(1'000'000), 30.0);
        QCOMPARE(backoffSeconds(-1), 0.0);
    }

private:
    static store::CheckpointRow checkpoint(std::int64_t step) {
        store::CheckpointRow row;
        row.path = "/root/there/checkpoints/step-" + std::to_string(step) + ".safetensors";
        row.step = step;
        row.bytes = 7;
        row.wallMs = step;
        row.metrics = {{"val/loss", 0.5}};
        return row;
    }
    static std::string trialId(int trial) { return "20260102-000000-00000" + std::to_string(trial); }
    void addTrial(const std::string& sweep, int trial) {
        store::RunRow row;
        row.id = trialId(trial);
        row.name = "trial";
        row.specJson = "{}";
        row.sweep = sweep;
        row.trial = trial;
        row.status = wire::RunStatus::Stopped;
        QVERIFY(m_store->createRun(row));
        QVERIFY(m_store->appendPoints(row.id, {{"train/loss", 0, points(0, 4)}}));
    }
    int connectToSweep(const std::string& sweep) {
        m_source = std::make_unique<MirrorSource>(m_there);
        const auto requests = *(*MirrorCopy::open(m_here)).requestsForSweep(sweep);
        for (const auto& request : requests) m_source->want(*mirrorRequestFrom(toLine(request)));
        return tell();
    }
    static store::RunEventRow event(std::int64_t step) {
        store::RunEventRow row;
        row.kind = store::RunEventKind::LearningRate;
        row.step = step;
        row.wallMs = step * 1000;
        return row;
    }
    store::RunQuery& here() {
        m_query = *store::RunQuery::open(mirrorWorkspace(m_here));
        return *m_query;
    }
    // Over lines, as between two computers. Returns how many points were told.
    int tell() {
        auto copy = *MirrorCopy::open(m_here);
        int count = 0;
        const auto news = m_source->poll();
        if (!news) qFatal("%s", news.error().text().c_str());
        for (const auto& each : *news) {
            const auto heard = mirrorNewsFrom(toLine(each));
            if (const auto applied = heard ? copy.apply(*heard) : heard.error(); !applied)
                qFatal("%s", applied.error().text().c_str());
            for (const auto& delta : each.points) count += static_cast<int>(delta.points.size());
        }
        return count;
    }
    int connectAndTell() {
        m_source = std::make_unique<MirrorSource>(m_there);
        m_source->want(*mirrorRequestFrom(toLine(*(*MirrorCopy::open(m_here)).requestFor(kRun))));
        return tell();
    }
    void compareRecords() {
        auto there = *store::RunQuery::open(m_there);
        for (const char* series : {"train/loss", "val/loss"}) {
            const auto theirs = *there->points(RunId(kRun), series), ours = *here().points(RunId(kRun), series);
            QCOMPARE(ours.size(), theirs.size());
            for (std::size_t at = 0; at < ours.size(); ++at) {
                QCOMPARE(ours[at].step, theirs[at].step);
                QCOMPARE(ours[at].seconds, theirs[at].seconds);
                QCOMPARE(ours[at].value, theirs[at].value);
            }
        }
        QCOMPARE(here().log(kRun)->size(), there->log(kRun)->size());
        QCOMPARE(here().events(kRun)->size(), there->events(kRun)->size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_there, m_here;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<MirrorSource> m_source;
    std::unique_ptr<store::RunQuery> m_query;
};

QTEST_GUILESS_MAIN(MirrorTest)

#include "mirror_test.moc"
