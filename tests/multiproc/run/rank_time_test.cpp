// SPDX-License-Identifier: GPL-3.0-or-later
// What real ranks record of themselves and their computer while they train, are held up and are lost.
#include "engine/run/attach/run_control.h"
#include "engine/run/record/series/system_series.h"
#include "engine/run/record/straggler.h"
#include "engine/run/start/rehearse_loss.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <algorithm>
#include <csignal>

using namespace trainyard;
using test::RunLab;

namespace {

bool notInterrupted() { return false; }

Result<void> noHosts(const std::string& host, std::int64_t) { return inputError("was to end a process there", host); }

} // namespace

class RankTimeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void everyRankAndTheComputerAreMeasured();
    void theOthersWaitForASuspendedRank();
    void aRehearsalTellsWhatALossCosts();
    void aRehearsalIsRefused_data();
    void aRehearsalIsRefused();

private:
    static spec::RunSpec endless() { return test::paced(RunLab::spirals(2, RunLab::kEndless), PACED_MODEL, 4); }
    std::string started() { return m_lab->startReal(endless()); }
    std::vector<wire::Point> points(const std::string& run, const std::string& series) {
        return m_lab->points(run, series);
    }
    void kill(const std::string& run) { (void)run::stopRun(m_lab->workspace(), run, wire::StopMode::Kill); }
    bool measured(const std::string& run, std::size_t count) {
        return m_lab->waitUntil([&] { return points(run, run::rankSeries(0, run::kCompute)).size() >= count; }, 40);
    }
    std::unique_ptr<RunLab> m_lab;
};

// Points reach the store every ten seconds, and at the end.
// Feature: processor, memory, GPU and network of ranks and computers as series; what a rank's time goes to, second by
// second, also in a hang. Also in host_load_test, running_test, step_ledger_test, system_book_test.
void RankTimeTest::everyRankAndTheComputerAreMeasured() {
    const auto run = started();
    QVERIFY(!run.empty());
    QVERIFY(measured(run, 5));
    kill(run);
    const auto row = m_lab->waitForEnd(run);
    for (const int rank : {0, 1}) {
        const auto of = [&](std::string_view what) { return points(run, run::rankSeries(rank, what)); };
        const auto compute = of(run::kCompute), comm = of(run::kCommunication), data = of(run::kData),
                   wait = of(run::kWait), cpu = of(run::kCpuPercent), memory = of(run::kMemoryMb);
        QVERIFY(compute.size() >= 5);
        for (const auto* part : {&comm, &data, &wait, &cpu, &memory}) QCOMPARE(part->size(), compute.size());
        for (std::size_t i = 0; i < compute.size(); ++i) {
            const double all = compute[i].value + comm[i].value + data[i].value + wait[i].value;
            QVERIFY2(all > 0.2 && all < 1.001, std::to_string(all).c_str());
            QVERIFY(compute[i].value >= 0 && comm[i].value >= 0 && data[i].value >= 0 && wait[i].value >= 0);
            QVERIFY(memory[i].value > 10 && memory[i].value < 100'000);
            if (i > 0) QVERIFY(compute[i].seconds > compute[i - 1].seconds && compute[i].step >= compute[i - 1].step);
        }
        QVERIFY(std::any_of(cpu.begin(), cpu.end(), [](const auto& point) { return point.value > 1; }));
        QVERIFY(compute.back().seconds <= row.trainSeconds + 5);
    }
    const auto hostCpu = points(run, run::hostSeries({}, run::kCpuPercent));
    QVERIFY(!hostCpu.empty());
    for (const auto& point : hostCpu) QVERIFY(point.value >= 0 && point.value <= 100);
    QVERIFY(!points(run, run::hostSeries({}, run::kMemoryMb)).empty());
    QVERIFY(!points(run, run::hostSeries({}, run::kNetworkIn)).empty());
    QCOMPARE(m_lab->contiguity(run, points(run, "train/loss").back().step), std::string()); // the run's own are whole
}

void RankTimeTest::theOthersWaitForASuspendedRank() {
    const auto run = m_lab->startReal(RunLab::spirals(2, 5'000'000)); // one that computes, and does not sleep
    QVERIFY(m_lab->waitForStep(run, 200, 30));
    QVERIFY(measured(run, 2));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), std::size_t{2});
    QCOMPARE(::kill(static_cast<pid_t>(pids[1]), SIGSTOP), 0);
    const auto waits = [&] { return points(run, run::rankSeries(0, run::kWait)); };
    const bool seen = m_lab->waitUntil([&] { return !waits().empty() && waits().back().value > 0.9; }, 30);
    const auto silent = points(run, run::rankSeries(1, run::kCompute)), waiting = waits();
    (void)::kill(static_cast<pid_t>(pids[1]), SIGCONT);
    kill(run);
    m_lab->waitForEnd(run);
    QVERIFY(seen);
    QVERIFY(silent.back().seconds < waiting.back().seconds - 1);
    // Several points of one step.
    QCOMPARE(waiting.back().step, waiting[waiting.size() - 2].step);
    const auto straggler = run::stragglerOf({{0, "", waiting.back().value}, {1, "", 0}});
    QVERIFY(straggler);
    QCOMPARE(straggler->rank, 1);
}

// Feature: a lost worker rehearsed: seconds to the next step, steps lost; in window and terminal. Also in running_test.
void RankTimeTest::aRehearsalTellsWhatALossCosts() {
    const auto run = started();
    QVERIFY(m_lab->waitForStep(run, 100, 30));
    const auto pids = m_lab->workerPids(run);
    const auto done = run::rehearseLoss(m_lab->workspace(), run, 1, 60, notInterrupted, noHosts);
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
    QCOMPARE(done->rank, 1);
    QCOMPARE(done->stepsLost, 0);
    // A new process and its share of the state take some ten milliseconds, from 15 on a fast computer.
    QVERIFY2(done->secondsToNextStep > 0.005 && done->secondsToNextStep < 60, done->text().c_str());
    QVERIFY2(done->secondsToNotice >= 0 && done->secondsToNotice <= done->secondsToRegroup &&
                 done->secondsToRegroup <= done->secondsToNextStep && done->secondsToRegroup > 0,
             qPrintable(QStringLiteral("%1 %2").arg(done->secondsToNotice).arg(done->secondsToRegroup)));
    QVERIFY(m_lab->gone({pids[1]}, 5));
    QVERIFY(m_lab->waitForStep(run, done->step + 50, 30));
    QTRY_COMPARE_WITH_TIMEOUT(m_lab->row(run).restarts, 1, 10'000);
    kill(run);
    m_lab->waitForEnd(run);
    QCOMPARE(m_lab->contiguity(run, points(run, "train/loss").back().step), std::string());
}

// Bad inputs: rehearsals of a loss. No rank is ended.
void RankTimeTest::aRehearsalIsRefused_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("restarts");
    QTest::addColumn<bool>("ended");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no such rank") << 7 << 3 << false << QByteArray("has no rank 7");
    QTest::newRow("no restart allowed") << 0 << 0 << false << QByteArray("has no restarts left");
    QTest::newRow("over") << 0 << 3 << true << QByteArray("does not train: it is");
}

void RankTimeTest::aRehearsalIsRefused() {
    QFETCH(int, rank);
    QFETCH(int, restarts);
    QFETCH(bool, ended);
    QFETCH(QByteArray, words);
    auto spec = endless();
    spec.failure.maxRestarts = restarts;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 20, 30));
    if (ended) {
        kill(run);
        m_lab->waitForEnd(run);
    }
    const auto pids = ended ? std::vector<std::int64_t>() : m_lab->workerPids(run);
    const auto refused = run::rehearseLoss(m_lab->workspace(), run, rank, 60, notInterrupted, noHosts);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Input);
    QVERIFY2(refused.error().text().find(words.toStdString()) != std::string::npos, refused.error().text().c_str());
    if (ended) return;
    QCOMPARE(m_lab->workerPids(run), pids); // none was ended
    kill(run);
    m_lab->waitForEnd(run);
}

QTEST_GUILESS_MAIN(RankTimeTest)
#include "rank_time_test.moc"
