// SPDX-License-Identifier: GPL-3.0-or-later
// What a run tells, with its real store and a real watcher: both hear the same, whenever they ask.
#include "engine/base/clock.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/supervise/journal/run_journal.h"
#include "engine/store/run_query.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using run::RunFollower;
using run::RunJournal;

namespace {

constexpr const char* kRun = "20260101-000000-abcdef";

wire::Metrics losses(std::int64_t from, std::int64_t to) {
    wire::SeriesPoints loss{"train/loss", 0, {}};
    for (auto step = from; step <= to; ++step) loss.points.push_back({step, 0, double(step), 1.0 / double(step)});
    return {{loss}};
}

// A run in a workspace of its own.
struct Told {
    QTemporaryDir folder;
    store::Workspace workspace{folder.path().toStdString()};
    std::unique_ptr<store::Store> writer = std::move(*store::Store::open(workspace));
    std::unique_ptr<RunJournal> journal;
    QStringList asked; // by watchers

    Told() {
        store::RunRow row;
        row.id = kRun;
        row.name = "told";
        row.specJson = "{}";
        row.folder = workspace.runFolder(kRun).string();
        std::filesystem::create_directories(row.folder);
        if (!writer->createRun(row)) qFatal("no run");
        journal = std::make_unique<RunJournal>(run::RunFolder{row.folder}, workspace, row, nullptr);
    }
    void listen() {
        const auto listening = journal->listen(
            folder.filePath("socket").toStdString(), [this](wire::StopMode mode) { asked << wire::toString(mode); },
            [](const wire::Command&) {});
        QVERIFY2(listening, listening ? "" : listening.error().text().c_str());
        journal->begin(2);
        QVERIFY(journal->flush());
    }
    // Steps of train/loss in the store.
    QList<qint64> stored() const {
        QList<qint64> steps;
        const auto query = std::move(*store::RunQuery::open(workspace));
        const auto points = *query->points(RunId(kRun), "train/loss");
        for (const auto& point : points) steps << point.step;
        return steps;
    }
    store::RunRow row() const { return *std::move(*store::RunQuery::open(workspace))->run(kRun); }
};

QList<qint64> upTo(qint64 last) {
    QList<qint64> steps;
    for (qint64 step = 1; step <= last; ++step) steps << step;
    return steps;
}

// What one watcher has drawn.
struct Watcher {
    std::unique_ptr<RunFollower> follower;
    QList<qint64> steps;
    QStringList log;
    std::optional<wire::RunState> state;

    explicit Watcher(const Told& told) : follower(std::move(*RunFollower::open(told.workspace, kRun))) {}
    void look(RunJournal& journal) {
        journal.serve(monotonicSeconds());
        journal.handleWatchers();
        const auto update = follower->poll(10);
        if (!update) return;
        if (update->rewoundTo) steps.removeIf([&](qint64 step) { return step > *update->rewoundTo; });
        for (const auto& series : update->points)
            for (const auto& point : series.points) steps << point.step;
        for (const auto& line : update->log) log << QString::fromStdString(line.text);
        if (update->state) state = update->state;
    }
};

} // namespace

class RunJournalTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void storesWhatItIsTold() {
        Told told;
        told.journal->begin(2);
        told.journal->points(losses(1, 5));
        told.journal->points(losses(4, 6)); // two of them are repeats
        QVERIFY(told.journal->flush());
        QCOMPARE(told.stored(), upTo(6));
        told.journal->rewind(3);
        told.journal->points(losses(4, 8));
        told.journal->end(wire::RunStatus::Finished);
        QVERIFY(told.journal->flush());
        QCOMPARE(told.stored(), upTo(8));
        const auto row = told.row();
        QVERIFY(row.status == wire::RunStatus::Finished);
        QVERIFY(row.finishedMs >= row.startedMs && row.startedMs > 0);
        QCOMPARE(row.supervisorPid, 0);
        QVERIFY(row.socketPath.empty());
    }

    void aRunThatGoesOnKnowsIt() {
        Told told;
        told.journal->begin(1);
        QVERIFY(!told.journal->goesOn());
        told.journal->points(losses(1, 3));
        QVERIFY(told.journal->flush());
        const auto before = told.row();
        QTest::qWait(2); // it is told by the clock's milliseconds
        RunJournal next(run::RunFolder{before.folder}, told.workspace, before, nullptr);
        next.begin(1);
        QVERIFY(next.goesOn());
        QVERIFY(next.load(*std::move(*store::RunQuery::open(told.workspace))));
        next.points(losses(2, 5)); // the first two are there
        QVERIFY(next.flush());
        QCOMPARE(told.stored(), upTo(5));
    }

    // Feature: what is left of a run's processes is told later, too: after the window was opened anew, and of a run
    // that lives on a host. Also in headers_test, mirror_test, window_test.
    void whoLooksLaterSeesTheProcessesLeft_data() {
        QTest::addColumn<int>("processes");
        QTest::addColumn<QString>("unseenOn");
        QTest::newRow("none") << 0 << "";
        QTest::newRow("some") << 2 << "";
        QTest::newRow("a host does not answer") << 0 << "h2, h3";
        QTest::newRow("not counted") << -1 << "";
    }
    void whoLooksLaterSeesTheProcessesLeft() {
        QFETCH(int, processes);
        QFETCH(QString, unseenOn);
        Told told;
        const auto seen = [&told] {
            const auto follower = std::move(*RunFollower::open(told.workspace, kRun));
            const auto state = follower->poll(0)->state;
            return state ? QString::number(state->processesLeft) + QString::fromStdString(state->unseenOn) : QString();
        };
        told.journal->begin(1);
        told.journal->row().environmentJson = R"({"computer": "alpha"})";
        told.journal->state().processesLeft = processes;
        told.journal->state().unseenOn = unseenOn.toStdString();
        told.journal->end(wire::RunStatus::Stopped);
        QVERIFY(told.journal->flush());
        QCOMPARE(seen(), QString::number(processes) + unseenOn);
        QVERIFY(told.row().environmentJson.find("alpha") != std::string::npos);
        // Of a run that goes on nobody knows yet.
        RunJournal next(run::RunFolder{told.row().folder}, told.workspace, told.row(), nullptr);
        next.begin(1);
        QVERIFY(next.flush());
        QCOMPARE(seen(), QStringLiteral("-1"));
        QCOMPARE(told.row().environmentJson.find("left"), std::string::npos);
    }

    void aFinishedRunThatCannotBeContinuedIsAsBefore() {
        Told told;
        const std::string file = R"({"version": 1})";
        told.journal->begin(1);
        told.journal->state().processesLeft = 1;
        told.journal->endAsBefore(file);
        QVERIFY(told.journal->flush());
        QCOMPARE(told.row().specJson, file);
        QCOMPARE(*readFile(run::RunFolder{told.row().folder}.runFile()), file);
        const auto state = std::move(*RunFollower::open(told.workspace, kRun))->poll(0)->state;
        QCOMPARE(state->leftText(), std::string("1 process left"));
    }

    // Fault: a run goes on from an earlier checkpoint, where an event takes the number of one that is void. It is told
    // all the same.
    void anEventInThePlaceOfAnotherIsTold() {
        Told told;
        const auto follower = std::move(*RunFollower::open(told.workspace, kRun));
        const auto seen = [&](std::int64_t step) {
            store::RunEventRow event;
            event.kind = store::RunEventKind::Resumed;
            event.step = step;
            event.wallMs = 1000 - step;
            const bool isKept = told.writer->truncateAfter(kRun, step).ok() &&
                                told.writer->appendEvents(kRun, {event}).ok() &&
                                told.writer->appendLog(kRun, {{0, "info", "resumed", 1000}}).ok();
            for (int looks = 0; isKept && looks < 40; ++looks) {
                const auto update = follower->poll(25);
                if (update && update->events && !update->events->empty()) return update->events->back().step;
            }
            return std::int64_t{-1};
        };
        QCOMPARE(seen(300), std::int64_t{300});
        QCOMPARE(seen(200), std::int64_t{200});
    }

    // Some points are in the store, some only with the supervisor, and some were taken back.
    void aLateWatcherMissesNothing() {
        Told told;
        told.listen();
        told.journal->points(losses(1, 10));
        QVERIFY(told.journal->flush());
        told.journal->rewind(7);
        told.journal->points(losses(8, 9));
        Watcher watcher(told);
        QTRY_COMPARE((watcher.look(*told.journal), watcher.steps), upTo(9));
        told.journal->points(losses(10, 12));
        told.journal->log(1, "info", "a line");
        QTRY_COMPARE((watcher.look(*told.journal), watcher.steps), upTo(12));
        QTRY_VERIFY((watcher.look(*told.journal), watcher.log.contains("a line")));
        QVERIFY(told.journal->flush());
        QCOMPARE(told.stored(), watcher.steps);
    }

    void aWarningIsANoticeAndInTheLog() {
        Told told;
        told.listen();
        Watcher watcher(told);
        told.journal->warn(0, "the disk is full");
        told.journal->publish();
        QTRY_VERIFY((watcher.look(*told.journal), watcher.state && watcher.state->notice == "the disk is full"));
        QTRY_VERIFY((watcher.look(*told.journal), watcher.log.contains("the disk is full")));
        told.journal->notice({});
        QTRY_VERIFY((watcher.look(*told.journal), watcher.state->notice.empty()));
    }

    void whatIsToldOfHostsHidesNoRank() {
        Told told;
        auto& journal = *told.journal;
        const auto shown = [&] { return QString::fromStdString(journal.state().notice); };
        journal.hostNotice("connecting to h1");
        QVERIFY(journal.showsHostNotice());
        journal.hostNotice("h1: copying the libraries");
        QCOMPARE(shown(), QStringLiteral("h1: copying the libraries"));
        journal.warn(1, "rank 1 is slow");
        QVERIFY(!journal.showsHostNotice());
        journal.hostNotice("h2: no link");
        QCOMPARE(shown(), QStringLiteral("rank 1 is slow; h2: no link"));
        journal.hostNotice("h2: the link is back");
        QCOMPARE(shown(), QStringLiteral("rank 1 is slow; h2: the link is back"));
        journal.hostNotice({});
        QCOMPARE(shown(), QStringLiteral("rank 1 is slow"));
        journal.notice({});
        journal.hostNotice({});
        QCOMPARE(shown(), QString());
    }

    void watchersMayStop() {
        Told told;
        told.listen();
        Watcher watcher(told);
        watcher.look(*told.journal);
        QVERIFY(watcher.follower->stop(wire::StopMode::SaveAndStop));
        QTRY_COMPARE((watcher.look(*told.journal), told.asked),
                     QStringList{wire::toString(wire::StopMode::SaveAndStop)});
    }

    // The ranks of a run whose supervisor dies save what is not stored.
    void knowsUpToWhichStepAllIsStored() {
        Told told;
        told.journal->begin(1);
        told.journal->points(losses(1, 4));
        told.journal->serve(monotonicSeconds() - 1); // before the batch is due
        QCOMPARE(told.journal->storedStep(), 0);
        QVERIFY(told.journal->flush());
        told.journal->serve(monotonicSeconds());
        QCOMPARE(told.journal->storedStep(), 4);
    }
};

QTEST_GUILESS_MAIN(RunJournalTest)
#include "run_journal_test.moc"
