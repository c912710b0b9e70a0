// SPDX-License-Identifier: GPL-3.0-or-later
// The connection between ranks that live is cut: real ranks in a network of their own, in which every TCP packet is
// dropped in silence, as a firewall or a pulled plug does. Their supervisor speaks to them over other ways.
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/multiproc/lab/slow_relay.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

using namespace trainyard;
using test::RunLab;

namespace {

constexpr const char* kInside = "TRAINYARD_LINK_LAB"; // set in the network of its own

bool nft(const QString& commands) { return QProcess::execute("nft", {commands}) == 0; }

// `when`: a condition of nftables'; at once without one.
bool cutLinks(const QString& when = {}) {
    return nft("add table inet cut\n"
               "add chain inet cut in { type filter hook input priority 0; }\n"
               "add rule inet cut in meta l4proto tcp " +
               when + " drop");
}

bool joinLinks() { return nft("delete table inet cut"); }

// Runs this program again in a network namespace; ends with 77, skipped, where that is not allowed.
void enterNetworkOfItsOwn(char** argv) {
    if (::getenv(kInside)) return;
    const bool root = ::geteuid() == 0;
    QStringList unshare{"--net"};
    if (!root) unshare << "--map-root-user";
    if (QProcess::execute("unshare", unshare + QStringList{"nft", "add table inet trial"}) != 0) {
        std::printf("SKIP: a network namespace with nftables cannot be had here\n");
        std::exit(77);
    }
    ::setenv(kInside, "1", 1);
    const QByteArray self = QFile::symLinkTarget("/proc/self/exe").toLocal8Bit();
    std::vector<const char*> words{"unshare", "--net"};
    if (!root) words.push_back("--map-root-user");
    words.push_back(self.constData());
    for (char** word = argv + 1; *word; ++word) words.push_back(*word);
    words.push_back(nullptr);
    ::execvp("unshare", const_cast<char**>(words.data()));
    std::exit(1);
}

// All new connections go through the relay.
bool slowLinks(const test::SlowRelay& relay) {
    return relay.port() > 0 &&
           nft("add table ip slow\n"
               "add chain ip slow out { type nat hook output priority -100; }\n"
               "add rule ip slow out meta l4proto tcp meta mark != " +
               QString::number(test::SlowRelay::kMark) + " redirect to :" + QString::number(relay.port()));
}

} // namespace

class LinkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QCOMPARE(QProcess::execute("ip", {"link", "set", "lo", "up"}), 0); }
    void init() {
        m_lab = std::make_unique<RunLab>();
        qputenv("TRAINYARD_HOST", "here"); // what the ranks tell one another goes over the network, as between hosts
    }
    void cleanup() {
        m_lab.reset();
        if (m_cut) joinLinks();
        m_cut = false;
    }

    void aCutLinkIsNamedAndCostsNoStep_data();
    void aCutLinkIsNamedAndCostsNoStep();
    void aCutWhileAStateIsSharedIsNamedAndCostsNoStep();
    void whatIsLargeAndDoesNotComeThroughIsNamed_data();
    void whatIsLargeAndDoesNotComeThroughIsNamed();
    void aLinkThatStaysCutEndsTheRun();
    void ranksThatCannotMeetAreTold();
    void aLinkWithALongDelayIsNobodysLoss_data();
    void aLinkWithALongDelayIsNobodysLoss();

private:
    spec::RunSpec spirals(double heartbeatSeconds) const;
    // The link comes back once the cut is told.
    bool joinedAfterTheCut(const std::string& run) {
        const bool told =
            m_lab->waitUntil([&] { return m_lab->logText(run).find("no data has passed") != std::string::npos; }, 30);
        if (!told || !joinLinks()) return false;
        m_cut = false;
        return true;
    }
    bool finishesAfterTheCut(const std::string& run) {
        return joinedAfterTheCut(run) && m_lab->waitForEnd(run, 120).status == wire::RunStatus::Finished;
    }
    // Some steps after the cut. Its steps; 0 when it did not get so far.
    std::int64_t stepsOfOneStoppedAfterTheCut(const std::string& run) {
        if (!joinedAfterTheCut(run)) return 0;
        const auto points = m_lab->points(run);
        if (points.empty() || !m_lab->waitForStep(run, points.back().step + 50, 60)) return 0;
        const auto row = m_lab->stopped(run);
        return row.status == wire::RunStatus::Stopped ? row.step : 0;
    }
    std::unique_ptr<RunLab> m_lab;
    bool m_cut = false;
};

spec::RunSpec LinkTest::spirals(double heartbeatSeconds) const {
    auto spec = RunLab::spirals(2, 1500);
    spec.scaling.averaging = "buckets";
    spec.failure.heartbeatSeconds = heartbeatSeconds;
    return spec;
}

// Fault: The link between living ranks is cut in silence for a while, in the gradients (buckets, LibTorch's reducer) or
// in the metrics. After failure.heartbeatSeconds rank, collective and step are named; the same ranks continue in a new
// group: no step is lost, bit-equal to an undisturbed run.
void LinkTest::aCutLinkIsNamedAndCostsNoStep_data() {
    QTest::addColumn<QString>("averaging");
    QTest::newRow("buckets: gradients stop") << "buckets";
    QTest::newRow("LibTorch's reducer: gradients stop") << "reducer";
    QTest::newRow("shared memory: metrics stop") << "shared";
}

void LinkTest::aCutLinkIsNamedAndCostsNoStep() {
    QFETCH(QString, averaging);
    auto spec = test::paced(spirals(4), PACED_MODEL);
    spec.scaling.averaging = averaging.toStdString();
    spec.steps = 12'000;                                    // it is stopped before
    spec.dataset.params["samples"] = std::int64_t{120'000}; // no epoch ends and no checkpoint comes, both with their
    spec.checkpoint.everySteps = 0;                         // validation, where the link is cut
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    const auto pids = m_lab->workerPids(run);
    QVERIFY(cutLinks());
    m_cut = true;
    const auto steps = stepsOfOneStoppedAfterTheCut(run);
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(steps > 0, qPrintable(log));
    const QRegularExpression named(
        "rank [01] waits in (all-reduce of (bucket 0|the buckets)|share the step's metrics|reduce the metrics|wait for "
        "the gradients of the other ranks) of step [0-9]+(, as all others do:| while rank [01] waits in .*, or) no "
        "data has passed between the ranks for 4 s");
    QVERIFY2(log.contains(named), qPrintable(log));
    QVERIFY2(log.contains("the others keep their state, no step is lost"), qPrintable(log));
    QVERIFY2(!log.contains("restarted from"), qPrintable(log));
    QCOMPARE(m_lab->contiguity(run, steps), std::string());
    const auto workers = m_lab->query().workers(run);
    QVERIFY(workers.ok());
    for (const auto& worker : *workers) // no rank was replaced
        QVERIFY(std::find(pids.begin(), pids.end(), worker.pid) != pids.end());
    QCOMPARE(m_lab->difference(m_lab->trained(spec, steps), run), std::string());
}

// Who takes a lost rank's place gets weights and optimizer state over the link.
// Fault: The link between ranks is cut while a new rank receives weights and optimizer state. Named with the part of
// the state that is missing; the new rank is replaced once more, no step is lost.
void LinkTest::aCutWhileAStateIsSharedIsNamedAndCostsNoStep() {
    auto spec = spirals(4);
    spec.model.params["hidden"] = std::vector<double>{1024, 1024}; // with what Adam remembers 13 MB
    spec.scaling.averaging = "shared";                             // so that little else goes over the network
    spec.steps = RunLab::kEndless;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 20, 60));
    const auto pids = m_lab->workerPids(run);
    QVERIFY(cutLinks("quota over 6 mbytes"));
    m_cut = true;
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    const auto steps = stepsOfOneStoppedAfterTheCut(run);
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(steps > 0, qPrintable(log));
    QCOMPARE(m_lab->row(run).restarts, 2); // it is lost with the link, and replaced
    const QRegularExpression named("rank [01] waits in share the training state, part [0-9] of step [0-9]+(, as all "
                                   "others do:| while rank [01] waits in share the training state, part [0-9]: they do "
                                   "not call the same collectives, or) no data has passed between the ranks for 4 s");
    QVERIFY2(log.contains(named), qPrintable(log));
    QVERIFY2(!log.contains("restarted from"), qPrintable(log));
    QCOMPARE(m_lab->contiguity(run, steps), std::string());
    QCOMPARE(m_lab->difference(m_lab->trained(spec, steps), run), std::string());
}

// Fault: The link between ranks is cut in rare collectives: running statistics before a validation or a checkpoint, the
// best checkpoint at its test. Named; the same ranks continue.
// Fault: The link between ranks is cut before the first step. Named after three times failure.heartbeatSeconds, since
// the usual time of a collective is not known yet; the group starts again.
void LinkTest::whatIsLargeAndDoesNotComeThroughIsNamed_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<QString>("named");
    QTest::addColumn<QString>("after");
    const QString kept = "the others keep their state, no step is lost";
    // A bucket that leaves first holds up the metrics behind it: they share a connection, and are waited for first.
    QTest::newRow("gradients of the first step")
        << "mlp" << "buckets" << "(all-reduce of bucket [0-9]+|share the step's metrics)" << "restarted";
    QTest::newRow("running statistics") << "vgg11" << "shared" << "share the running statistics, part [0-9]" << kept;
    // Of numbers the metrics are small, while those of classes have a curve each.
    QTest::newRow("best checkpoint, for its test")
        << "mlp of numbers" << "shared" << "share the best checkpoint, part 0" << kept;
}

// Small packets go through and large ones do not, as with a wrong MTU on the way: so one collective is met.
void LinkTest::whatIsLargeAndDoesNotComeThroughIsNamed() {
    QFETCH(QString, model);
    QFETCH(QString, averaging);
    QFETCH(QString, named);
    QFETCH(QString, after);
    auto spec = spirals(2);
    spec.scaling.averaging = averaging.toStdString();
    spec.steps = 120;
    spec.checkpoint.everySteps = 40;
    spec.checkpoint.scoreBy = "val/loss";
    spec.checkpoint.mode = "max"; // so that the last one is not the best one
    spec.dataset.params["test"] = 10.0;
    if (averaging == "buckets") spec.model.params["hidden"] = std::vector<double>{512, 512}; // 1 MB of gradients
    if (model == "mlp of numbers") {
        spec.task = "regression";
        spec.dataset = {"waves", {{"test", 10.0}}};
        spec.loss = {"mse", {}};
    }
    if (model == "vgg11") {
        spec.model = {"vgg11", {{"width", std::int64_t{32}}}};
        spec.dataset = {"glyphs", {{"samples", std::int64_t{400}}}};
    }
    QVERIFY(cutLinks("meta length gt 6000"));
    m_cut = true;
    const auto run = m_lab->startReal(spec);
    const bool finished = finishesAfterTheCut(run);
    const auto log = QString::fromStdString(m_lab->logText(run));
    QVERIFY2(finished, qPrintable(log));
    QCOMPARE(m_lab->row(run).restarts, 1);
    QVERIFY2(log.contains(QRegularExpression("waits in " + named)), qPrintable(log));
    QVERIFY2(log.contains(after), qPrintable(log));
    QCOMPARE(m_lab->contiguity(run, 120), std::string());
}

// Fault: The link between ranks is cut for good. The restarts are used up, then the run fails with the first cause and
// the remedy.
void LinkTest::aLinkThatStaysCutEndsTheRun() {
    auto spec = spirals(2);
    spec.failure.maxRestarts = 1;
    spec.steps = 1'000'000;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    const auto pids = m_lab->workerPids(run);
    QVERIFY(cutLinks());
    m_cut = true;
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.restarts, 1);
    QVERIFY2(row.error.message.find("no data has passed between the ranks for 2 s") != std::string::npos,
             row.error.message.c_str());
    QVERIFY2(row.error.where.find("step ") != std::string::npos, row.error.where.c_str());
    QVERIFY2(row.error.remedy.find("check the network and the firewalls") != std::string::npos,
             row.error.remedy.c_str());
    QVERIFY(m_lab->gone(pids, 2));
}

void LinkTest::ranksThatCannotMeetAreTold() {
    QVERIFY(cutLinks());
    m_cut = true;
    auto spec = spirals(2);
    spec.failure.maxRestarts = 0;
    const auto run = m_lab->startReal(spec);
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QVERIFY2(row.error.message.find("rank 0 waits in the rendezvous, as all ranks do: no data has passed") !=
                 std::string::npos,
             row.error.message.c_str());
    QVERIFY2(row.error.remedy.find("check the network and the firewalls") != std::string::npos,
             row.error.remedy.c_str());
}

// Fault: 200 ms of delay each way between the ranks. Slower; no rank is named or replaced, bit-equal.
void LinkTest::aLinkWithALongDelayIsNobodysLoss_data() {
    QTest::addColumn<QString>("averaging");
    QTest::newRow("buckets") << "buckets";
    QTest::newRow("LibTorch's reducer") << "reducer";
}

void LinkTest::aLinkWithALongDelayIsNobodysLoss() {
    QFETCH(QString, averaging);
    auto spec = spirals(4);
    spec.scaling.averaging = averaging.toStdString();
    spec.steps = 12;
    const auto undisturbed = m_lab->startReal(spec);
    QCOMPARE(m_lab->waitForEnd(undisturbed, 60).status, wire::RunStatus::Finished);
    test::SlowRelay relay(std::chrono::milliseconds(200));
    QVERIFY(slowLinks(relay));
    const auto run = m_lab->startReal(spec);
    const auto row = m_lab->waitForEnd(run, 120);
    QVERIFY(nft("delete table ip slow"));
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QVERIFY(relay.connections() > 0);
    QVERIFY2(row.trainSeconds >= 12 * 0.2, "the delay was not in the way");
    QCOMPARE(row.restarts, 0);
    QVERIFY2(log.find("waits in") == std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, 12), std::string());
    QCOMPARE(m_lab->difference(undisturbed, run), std::string());
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    enterNetworkOfItsOwn(argv);
    QCoreApplication application(argc, argv);
    LinkTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "link_test.moc"
