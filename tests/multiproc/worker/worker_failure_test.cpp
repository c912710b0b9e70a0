// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank does when it is asked to stop, when others fail, and when what it is given is wrong.
#include "engine/base/clock.h"
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"
#include "tests/texts.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>

using trainyard::monotonicSeconds;
using trainyard::test::contains;
using trainyard::test::RankGroup;
using trainyard::test::RunJson;
namespace wire = trainyard::wire;

namespace {

std::string endless(int ranks, const std::string& averaging = "auto") {
    return RunJson{.ranks = ranks, .epochs = 100'000, .averaging = averaging}.text();
}

// Until rank 0 has trained for some steps.
bool untilTraining(RankGroup& group) {
    return group.serve(60, [&] { return group.values("train/loss").size() > 20; }) && !group.rank(0).exit;
}

} // namespace

class WorkerFailureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What dies of a crash, a frame or the end of its input is a program of its own; the others are forked.
    void init() {
        static const QByteArrayList programs{"killFrameEndsTheRankAtOnce", "endOfInputEndsTheRank",
                                             "badFramesEndTheRankCleanly", "aCrashTellsRankAndStep"};
        qputenv("TRAINYARD_POOL", programs.contains(QTest::currentTestFunction()) ? "off" : "on");
    }
    void stopEndsAllRanksAtTheSameStep_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("askedRank");
        QTest::addColumn<bool>("saves");
        QTest::newRow("save, rank 0 asked") << static_cast<int>(wire::StopMode::SaveAndStop) << 0 << true;
        QTest::newRow("save, rank 1 asked") << static_cast<int>(wire::StopMode::SaveAndStop) << 1 << true;
        QTest::newRow("at once") << static_cast<int>(wire::StopMode::StopNow) << 1 << false;
        QTest::newRow("SIGTERM to one") << -1 << 1 << true;
    }
    void stopEndsAllRanksAtTheSameStep() {
        QFETCH(int, mode);
        QFETCH(int, askedRank);
        QFETCH(bool, saves);
        const QTemporaryDir folder;
        RunJson run{.epochs = 100'000};
        run.everyEpochs = 0;
        RankGroup group({.ranks = 2, .runJson = run.text(), .checkpointFolder = folder.path().toStdString()});
        QVERIFY2(untilTraining(group), group.report().c_str());
        const double asked = monotonicSeconds();
        if (mode < 0) group.signal(askedRank, SIGTERM);
        else group.send(askedRank, wire::Stop{static_cast<wire::StopMode>(mode)});
        QVERIFY2(group.serve(20), group.report().c_str());
        QVERIFY(monotonicSeconds() - asked < 5);
        for (int r = 0; r < 2; ++r) {
            QVERIFY2(group.rank(r).finished, group.report().c_str());
            QVERIFY(group.rank(r).finished->stopped);
            QCOMPARE(group.rank(r).exit->text(), std::string("exited with 130"));
        }
        QCOMPARE(group.rank(0).finished->step, group.rank(1).finished->step);
        QCOMPARE(group.rank(0).finished->parameterDigest, group.rank(1).finished->parameterDigest);
        QCOMPARE(group.rank(0).saved.size(), saves ? 1u : 0u);
        if (saves) QCOMPARE(group.rank(0).saved[0].step, group.rank(0).finished->step);
        // Every step was reported, to the last.
        QCOMPARE(group.rank(0).series.at("train/loss").back().step, group.rank(0).finished->step);
    }

    void killFrameEndsTheRankAtOnce() {
        RankGroup group({.ranks = 1, .runJson = endless(1)});
        QVERIFY2(untilTraining(group), group.report().c_str());
        group.send(0, wire::Stop{wire::StopMode::Kill});
        QVERIFY(group.serve(5));
        QCOMPARE(group.rank(0).exit->text(), std::string("exited with 130"));
        QVERIFY(!group.rank(0).finished);
    }

    void endOfInputEndsTheRank() {
        RankGroup group({.ranks = 2, .runJson = endless(2)});
        QVERIFY2(untilTraining(group), group.report().c_str());
        group.closeChannel(0);
        group.closeChannel(1);
        QVERIFY2(group.serve(5), group.report().c_str());
        QVERIFY2(contains(group.rank(0).log, "the supervisor is gone: the ranks save and end"), group.report().c_str());
        QCOMPARE(group.rank(0).exit->text(), std::string("exited with 130"));
    }

    void badFramesEndTheRankCleanly_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QTest::newRow("huge length") << QByteArray("\xff\xff\xff\x7f\x01\x00\x00\x00\x00\x00\x00\x00", 12);
        QTest::newRow("zeros") << QByteArray(64, '\0');
    }
    void badFramesEndTheRankCleanly() {
        QFETCH(QByteArray, bytes);
        RankGroup group({.ranks = 1, .runJson = endless(1)});
        QVERIFY2(untilTraining(group), group.report().c_str());
        group.sendBytes(0, bytes.toStdString());
        QVERIFY2(group.serve(5), group.report().c_str());
        QCOMPARE(group.rank(0).exit->text(), std::string("exited with 2"));
        QVERIFY2(contains(group.rank(0).log, "leaving: "), group.report().c_str());
    }

    void aKilledRankIsNamedByTheOthersWithinFiveSeconds_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("victim");
        QTest::addColumn<QString>("averaging");
        QTest::newRow("rank 1 of 2") << 2 << 1 << "shared";
        QTest::newRow("rank 0 of 2") << 2 << 0 << "shared";
        QTest::newRow("rank 1 of 3") << 3 << 1 << "shared";
        // What Gloo says of it has no type: its words are what isPeerLoss() knows.
        QTest::newRow("rank 1 of 2, Gloo") << 2 << 1 << "buckets";
        QTest::newRow("rank 0 of 2, Gloo") << 2 << 0 << "buckets";
        QTest::newRow("rank 1 of 3, Gloo") << 3 << 1 << "buckets";
        QTest::newRow("rank 1 of 2, Gloo under c10d's reducer") << 2 << 1 << "reducer";
    }
    void aKilledRankIsNamedByTheOthersWithinFiveSeconds() {
        QFETCH(int, ranks);
        QFETCH(int, victim);
        QFETCH(QString, averaging);
        RankGroup group({.ranks = ranks, .runJson = endless(ranks, averaging.toStdString())});
        QVERIFY2(untilTraining(group), group.report().c_str());
        const double killed = monotonicSeconds();
        group.signal(victim, SIGKILL);
        QVERIFY2(group.serve(10), group.report().c_str());
        const auto name =
            "rank " + std::to_string(victim) + " "; // over the network or in shared memory: other words behind
        for (int r = 0; r < ranks; ++r) {
            if (r == victim) continue;
            QVERIFY2(group.rank(r).failed, group.report().c_str());
            QVERIFY2(contains(group.rank(r).failed->error.message, name.c_str()), group.report().c_str());
            QVERIFY2(contains(group.rank(r).failed->error.message, "lost a peer"), group.report().c_str());
            QCOMPARE(group.rank(r).failed->error.kind, trainyard::ErrorKind::Run);
            QCOMPARE(group.rank(r).failed->error.code, trainyard::ErrorCode::PeerLost);
            QCOMPARE(group.rank(r).exit->text(), std::string("exited with 1"));
            QVERIFY(group.rank(r).failed->step > 0);
            QVERIFY2(group.rank(r).endedAt - killed < 5, "too late");
        }
    }

    // Fault: SIGSEGV, SIGABRT or SIGBUS in a rank. Its last line has rank, signal and step, and the run's error repeats
    // it; it is replaced. Also in run_faults_test.
    void aCrashTellsRankAndStep_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("name");
        QTest::newRow("invalid memory access") << SIGSEGV << "SIGSEGV";
        QTest::newRow("abort") << SIGABRT << "SIGABRT";
        QTest::newRow("memory that cannot be reached") << SIGBUS << "SIGBUS";
    }
    void aCrashTellsRankAndStep() {
        QFETCH(int, number);
        QFETCH(QString, name);
        RankGroup group({.ranks = 2, .runJson = endless(2)});
        QVERIFY2(untilTraining(group), group.report().c_str());
        const auto before = group.rank(0).series.at("train/loss").back().step; // at least: reports come behind
        group.signal(1, number);
        QVERIFY(group.serve(10));
        QCOMPARE(group.rank(1).exit->text(), "was killed by " + name.toStdString());
        const auto log = QString::fromStdString(group.rank(1).log);
        const QRegularExpression told("fatal: rank 1 died of " + name + "( \\([^)]+\\))? at step ([0-9]+)\n");
        const auto found = told.match(log);
        QVERIFY2(found.hasMatch(), group.report().c_str());
        const auto step = found.captured(2).toLongLong();
        const auto reached = group.rank(0).failed ? group.rank(0).failed->step : 0; // where the other one lost it
        QVERIFY2(step >= before - 1 && step <= reached + 1, group.report().c_str());
    }

    // Fault: Ranks with different models or settings. An Input error before the first step names the first difference.
    void aRankWithAnotherModelIsNamedBeforeTheFirstStep() {
        RunJson other;
        other.model = R"({"name": "mlp", "params": {"hidden": [32, 48]}})";
        RankGroup group({.ranks = 2, .runJson = RunJson{}.text(), .otherRunJson = {{1, other.text()}}});
        QVERIFY2(group.serve(60), group.report().c_str());
        for (int r = 0; r < 2; ++r) {
            QVERIFY2(group.rank(r).failed, group.report().c_str());
            QCOMPARE(group.rank(r).failed->error.kind, trainyard::ErrorKind::Input);
            QVERIFY2(contains(group.rank(r).failed->error.message, "rank 1 trains something else"),
                     group.report().c_str());
            QVERIFY2(contains(group.rank(r).failed->error.message, "layers.1.weight"), group.report().c_str());
            QCOMPARE(group.rank(r).failed->step, 0);
            QCOMPARE(group.rank(r).exit->text(), std::string("exited with 2"));
        }
    }

    void aLossThatIsNotFiniteNamesStepAndLayer() {
        RunJson run{.epochs = 5, .lr = 100};
        run.model = R"({"name": "mlp", "params": {"hidden": [64, 64, 64, 64, 64]}})";
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        bool named = false;
        for (int r = 0; r < 2; ++r) {
            QVERIFY2(group.rank(r).failed, group.report().c_str());
            const auto& failed = *group.rank(r).failed;
            QCOMPARE(failed.error.code, trainyard::ErrorCode::LossNotFinite);
            named = named || (contains(failed.error.message, "not a finite number at step ") &&
                              contains(failed.error.message, "layers."));
        }
        QVERIFY2(named, group.report().c_str());
    }

    void aCheckpointThatCannotBeWrittenIsSkippedAndTrainingGoesOn() {
        const QTemporaryDir folder;
        const auto file = folder.filePath("file").toStdString();
        QVERIFY(std::filesystem::exists(folder.path().toStdString()));
        std::fclose(std::fopen(file.c_str(), "w"));
        RankGroup group(
            {.ranks = 2, .runJson = RunJson{.epochs = 2}.text(), .checkpointFolder = file + "/checkpoints"});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).finished && group.rank(1).finished, group.report().c_str());
        QVERIFY(group.rank(0).saved.empty());
        QCOMPARE(group.rank(0).skipped.size(), 2u);
        const auto& first = group.rank(0).skipped[0];
        QCOMPARE(first.step, 40);
        QVERIFY2(contains(first.error.message, "cannot create a file"),
                 first.error.message.c_str()); // the cause, and it alone
        QVERIFY2(!contains(first.error.message, "checkpoint of step"), first.error.message.c_str());
    }

    void aBatchLargerThanTheDataIsRefused() {
        RankGroup group({.ranks = 2, .runJson = RunJson{.perRank = 5000}.text()});
        QVERIFY2(group.serve(60), group.report().c_str());
        QVERIFY2(group.rank(0).failed, group.report().c_str());
        QCOMPARE(group.rank(0).failed->error.where, std::string("batch"));
        QCOMPARE(group.rank(0).exit->text(), std::string("exited with 2"));
    }

    // Metrics must never hold a training step up: they are thinned out, not waited for.
    void aSupervisorThatDoesNotReadSlowsNothing() {
        RankGroup group({.ranks = 1, .runJson = endless(1)});
        QVERIFY2(untilTraining(group), group.report().c_str());
        const auto before = group.rank(0).series.at("train/loss").back();
        QTest::qSleep(3000); // some thousand steps a second: far more than the channel's buffers hold
        group.send(0, wire::Stop{wire::StopMode::StopNow});
        QVERIFY2(group.serve(20), group.report().c_str());
        QVERIFY2(group.rank(0).finished, group.report().c_str());
        const auto& points = group.rank(0).series.at("train/loss");
        double longest = 0;
        for (std::size_t i = 1; i < points.size(); ++i)
            longest = std::max(longest, points[i].seconds - points[i - 1].seconds);
        QVERIFY(points.back().step > before.step + 300);
        QVERIFY2(longest < 1, "training stood still");
        QVERIFY(!group.rank(0).badFrame);
    }

    void heartbeatsTellWhatAWaitingRankDoes() {
        // A checkpoint and a validation are places to wait at too: neither comes in 40,000 steps.
        RunJson run{.epochs = 100, .everyEpochs = 0};
        run.dataset = R"({"name": "spirals", "params": {"samples": 1000000, "validation": 4}})";
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(untilTraining(group), group.report().c_str());
        group.signal(1, SIGSTOP);
        const double until = monotonicSeconds() + 2.5;
        const auto before = group.rank(0).beats.size();
        group.serve(10, [&] { return monotonicSeconds() > until; });
        const auto& beats = group.rank(0).beats;
        QVERIFY2(beats.size() >= before + 3, group.report().c_str());
        // A step meets the others three times: gradients, the weights that each updates for all, the metrics.
        const auto& doing = beats.back().doing;
        QVERIFY2(doing == "wait for the gradients of the other ranks" || doing == "wait for the other ranks' updates" ||
                     doing == "reduce the metrics",
                 doing.c_str());
        QVERIFY(beats.back().activity == wire::Activity::Collective);
        QVERIFY(beats.back().residentBytes > 1 << 20);
        QVERIFY(beats.back().totalSteps == 4'000'000);
        group.signal(1, SIGCONT);
        group.send(0, wire::Stop{wire::StopMode::StopNow});
        QVERIFY2(group.serve(10), group.report().c_str());
        QVERIFY2(group.rank(1).finished, group.report().c_str());
    }
};

QTEST_GUILESS_MAIN(WorkerFailureTest)
#include "worker_failure_test.moc"
