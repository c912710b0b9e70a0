// SPDX-License-Identifier: GPL-3.0-or-later
// What ends beside a run on hosts: a host when the run is to be killed, the agent that signs in, the terminal.
#include "engine/base/clock.h"
#include "tests/ssh/lab_runs.h"

#include <QDir>

#include <csignal>

using namespace trainyard;
using test::Ended;
using test::execute;
using test::trainyardctl;

class SshOutageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aRunOutlivesTheTerminalThatStartedIt();
    void anAgentThatEndsBeforeACutIsNamed();
    void hostsThatCannotMeetAreNamedAtOnce_data();
    void hostsThatCannotMeetAreNamedAtOnce();
    void aSlowLinkIsTold();
    void theOnlyRankWithTheStateIsWaitedFor();
    void theSameKernelsAreTakenOnEveryHost();
    void aStopDoesNotWaitForALostHost();
    void aKillDoesNotWaitForADeadHost();

private:
    QString runFile(const QString& name, const QJsonArray& hosts) const;
    QJsonObject show(const QString& run) const { return m_runs.show(run); }
    QByteArray log(const QString& run) const { return m_runs.log(run); }
    bool trains(const QString& run, int steps = 100) const {
        return test::waitFor([&] { return show(run)["steps"].toInt() > steps; }, 60000);
    }
    int workersOn(int n);
    pid_t startAgent() const; // 0: it does not start
    QString folder() const { return QString::fromStdString(m_lab.folder()); }
    QString workspace() const { return m_runs.workspace(); }
    QString key(const char* name) const { return QString::fromStdString(m_lab.key(name)); }
    QString agent() const { return folder() + "/own.socket"; }
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
};

void SshOutageTest::initTestCase() {
    const QString failure = m_lab.start(2);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    for (const char* host : {"h1", "h2"}) QCOMPARE(m_runs.add(host), QByteArray());
}

QString SshOutageTest::runFile(const QString& name, const QJsonArray& hosts) const {
    return m_runs.file(name, hosts, 10'000'000,
                       {{"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}}},
                        {"failure", QJsonObject{{"maxRestarts", 0}, {"heartbeatSeconds", 20}}}});
}

int SshOutageTest::workersOn(int n) {
    const auto said = m_lab.connect(n)->script("ps -eo comm= | grep -cx trainyard-worke");
    return said.ok() ? std::atoi(said->out.c_str()) : -1;
}

// Fault: The terminal that started a run on hosts is killed. The run is not affected.
void SshOutageTest::aRunOutlivesTheTerminalThatStartedIt() {
    QProcess terminal;
    terminal.start(test::program("trainyardctl"),
                   {"run", runFile("watched", {"h1", "h2"}), "--workspace", workspace()});
    QVERIFY(trains("watched"));
    terminal.kill();
    QVERIFY(terminal.waitForFinished());
    QVERIFY(trains("watched", show("watched")["steps"].toInt() + 200));
    QCOMPARE(show("watched")["restarts"].toInt(), 0);
    QCOMPARE(trainyardctl({"stop", "watched", "--workspace", workspace()}).code, 0);
    QCOMPARE(show("watched")["status"].toString(), QStringLiteral("stopped"));
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 20000));
}

// With one key that the hosts know.
pid_t SshOutageTest::startAgent() const {
    (void)QFile::remove(agent());
    const QByteArray said = execute("ssh-agent", {"-a", agent()}).out; // "...; SSH_AGENT_PID=12; export ..."
    const auto at = said.indexOf("SSH_AGENT_PID=");
    qputenv("SSH_AUTH_SOCK", agent().toUtf8());
    const bool isAdded = execute("ssh-add", {"-q", key("agent")}).code == 0;
    qunsetenv("SSH_AUTH_SOCK");
    return at >= 0 && isAdded ? std::atoi(said.mid(at + 14).constData()) : 0;
}

// The supervisor signs in again where the link is cut, and the agent that did it before is gone.
// Fault: A cut link after the SSH agent that signed in has ended. Reported once the host answers, with the cause and
// how to start the agent again; the ranks train on, and are found again after that. Also in host_links_test.
void SshOutageTest::anAgentThatEndsBeforeACutIsNamed() {
    const pid_t agentProcess = startAgent();
    QVERIFY(agentProcess > 0);
    QVERIFY(QFile::copy(key("agent.pub"), folder() + "/agent.pub")); // the private key is with the agent alone
    const auto add = [&](const QString& identity) {
        return trainyardctl({"hosts", "add", "root@h2", "--identity", identity, "--replace"}).code;
    };
    QCOMPARE(add(folder() + "/agent.pub"), 0);
    qputenv("SSH_AUTH_SOCK", agent().toUtf8());
    const Ended started =
        trainyardctl({"run", runFile("agent", {"h1", "h2"}), "--workspace", workspace(), "--detach", "--json"});
    qunsetenv("SSH_AUTH_SOCK");
    QVERIFY2(started.code == 0, started.said().constData());
    const QString run = started.json()["run"].toString();
    QVERIFY2(trains(run), log(run).constData());
    QCOMPARE(::kill(agentProcess, SIGKILL), 0);
    m_lab.part(2);
    QVERIFY2(test::waitFor([&] { return log(run).contains("no link for"); }, 20000), log(run).constData());
    m_lab.meet(2);
    const auto isTold = [&] { return log(run).contains("the SSH agent at SSH_AUTH_SOCK does not answer"); };
    QVERIFY2(test::waitFor(isTold, 20000), log(run).constData());
    QVERIFY2(log(run).contains("h2: cannot reconnect: root@h2") &&
                 log(run).contains("ssh-agent -a " + agent().toUtf8()),
             log(run).constData());
    QVERIFY2(trains(run, show(run)["steps"].toInt()), log(run).constData());
    QVERIFY(startAgent() > 0);
    QVERIFY2(test::waitFor([&] { return log(run).contains("the link is back after"); }, 30000), log(run).constData());
    QCOMPARE(show(run)["restarts"].toInt(), 0);
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    QCOMPARE(add(key("ed25519")), 0);
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 20000));
}

// Feature: hosts that cannot meet are named before the first step, and a slow link between them is told.
// Fault: Ranks that cannot reach one another from the start (a firewall). On hosts over SSH the run fails within some
// 10 s, and names the two hosts and the firewall; else named after failure.heartbeatSeconds, not after Gloo's five
// minutes. Also in link_test.
void SshOutageTest::hostsThatCannotMeetAreNamedAtOnce_data() {
    QTest::addColumn<QString>("rule"); // of what comes from the other host
    QTest::newRow("nothing comes through") << "drop";
    QTest::newRow("a firewall refuses") << "reject";
}

void SshOutageTest::hostsThatCannotMeetAreNamedAtOnce() {
    QFETCH(QString, rule);
    const auto session = m_lab.connect(1); // rank 1 connects to rank 0, which is there
    const auto set =
        session->script("nft add table inet t && nft add chain inet t in '{ type filter hook input "
                        "priority 0; }' && nft add rule inet t in ip saddr 10.77.0.2 tcp dport 1024-65535 ct "
                        "state new " +
                        rule.toStdString());
    if (!set.ok() || !set->ok()) QSKIP("nft cannot set a rule here");
    const double asked = monotonicSeconds();
    const Ended ended =
        trainyardctl({"run", runFile("apart-" + rule, {"h1", "h2"}), "--workspace", workspace(), "--json"});
    const double took = monotonicSeconds() - asked;
    qInfo("refused after %.1f s", took);
    const auto freed = session->script("nft delete table inet t");
    QVERIFY(freed.ok() && freed->ok());
    QVERIFY2(ended.code == 3, ended.said().constData());
    QVERIFY2(ended.err.contains("h2 cannot reach h1 at 10.77.0.1"), ended.said().constData());
    QVERIFY2(ended.err.contains("in the firewall of h1"), ended.said().constData());
    QVERIFY2(took < 30, ended.said().constData()); // it was 84 s
    // As the remedy says.
    const QString run = ended.json()["run"].toString();
    QCOMPARE(trainyardctl({"resume", run, "--detach", "--workspace", workspace()}).code, 0);
    QVERIFY2(trains(run), log(run).constData());
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
}

// Fault: A slow link between hosts. Reported when the run begins, with about how much it carries.
void SshOutageTest::aSlowLinkIsTold() {
    m_lab.slow(1);
    const Ended started =
        trainyardctl({"run", runFile("slow", {"h1", "h2"}), "--workspace", workspace(), "--detach", "--json"});
    const QString run = started.json()["run"].toString();
    const bool isTold = test::waitFor([&] { return log(run).contains("the link between "); }, 60000);
    m_lab.fast(1);
    QVERIFY2(isTold, (started.said() + log(run)).constData());
    QVERIFY2(log(run).contains("Mbit/s, and each step may wait for it"), log(run).constData());
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
}

// The rank beside it is killed, and its host is cut before the new one has the state.
// Fault: The loss of all other ranks while the host of the only rank with the state is silent. It is waited for as long
// as failure.linkSeconds, with the reason; no step is lost. Also in failure_detector_test.
void SshOutageTest::theOnlyRankWithTheStateIsWaitedFor() {
    const Ended started =
        trainyardctl({"run",
                      m_runs.file("needed", {"h1", "h2"}, 10'000'000,
                                  {{"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}}}}),
                      "--workspace", workspace(), "--detach", "--json"});
    const QString run = started.json()["run"].toString();
    QVERIFY2(trains(run), log(run).constData());
    m_lab.part(2);
    const auto killed = m_lab.connect(1)->script("kill -KILL $(pgrep -x trainyard-worke)");
    QVERIFY(killed.ok() && killed->ok());
    QVERIFY2(test::waitFor([&] { return log(run).contains("since no other host has the training state"); }, 30000),
             log(run));
    QTest::qSleep(8000); // it was given up after 7 s
    const int reached = show(run)["steps"].toInt();
    m_lab.meet(2);
    QVERIFY2(test::waitFor([&] { return show(run)["steps"].toInt() > reached + 50; }, 60000), log(run));
    QVERIFY2(!log(run).contains("restarted from"), log(run).constData());
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    const auto points = m_runs.curve(run);
    QCOMPARE(points.size(), show(run)["steps"].toInt()); // none twice, none missing
}

// Each host times its kernels for itself, and the first run's choice holds for all.
void SshOutageTest::theSameKernelsAreTakenOnEveryHost() {
    QList<QList<QByteArray>> curves;
    QStringList computed;
    const QJsonObject alone{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}};
    for (const char* host : {"h1", "h2"}) {
        const Ended ended =
            trainyardctl({"run", m_runs.file(QStringLiteral("kernels-") + host, {host}, 60, {{"scaling", alone}}),
                          "--workspace", workspace(), "--json"});
        QVERIFY2(ended.code == 0, ended.said().constData());
        curves << m_runs.curve(ended.json()["run"].toString());
        computed << ended.json()["computed"].toString();
    }
    QCOMPARE(curves[0].size(), 60);
    QCOMPARE(curves[0], curves[1]);
    QVERIFY2(computed[0].contains("kernels "), qPrintable(computed[0]));
    QCOMPARE(computed[0], computed[1]);
    QFile kept(workspace() + "/kernels.jsonl");
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray choices = kept.readAll();
    QVERIFY2(choices.count("\n") >= 1, choices.constData());
}

// That it is lost is known by then; the other rank saves for both.
// Fault: A host is switched off, and the run is stopped or killed 8 s later. Nobody waits for the host: the others
// save, and its leftovers are not waited for.
void SshOutageTest::aStopDoesNotWaitForALostHost() {
    const Ended started =
        trainyardctl({"run",
                      m_runs.file("stopped", {"h1", "h2"}, 10'000'000,
                                  {{"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}}}}),
                      "--workspace", workspace(), "--detach", "--json"});
    const QString run = started.json()["run"].toString();
    QVERIFY2(trains(run), log(run).constData());
    m_lab.powerOff(2);
    QVERIFY(test::waitFor([&] { return log(run).contains("the others keep their state"); }, 30000));
    const double asked = monotonicSeconds();
    const Ended stopped = trainyardctl({"stop", run, "--workspace", workspace()});
    const double took = monotonicSeconds() - asked;
    qInfo("stopped after %.1f s", took);
    QVERIFY2(stopped.code == 0, (stopped.said() + log(run)).constData());
    QVERIFY2(took < 4, log(run).constData()); // it took 5 s to look at the host
    const QJsonArray checkpoints = show(run)["checkpoints"].toArray();
    QVERIFY2(!checkpoints.isEmpty(), log(run).constData());
    QCOMPARE(checkpoints.last().toObject()["step"].toInt(), show(run)["steps"].toInt());
    QVERIFY2(log(run).contains("what is left on h2 cannot be seen"), log(run).constData());
    m_lab.boot(2);
}

// Last: the host stays off.
// Fault: A lost host or node, while the run is killed or asked to save and stop (a scheduler ends the job then). A kill
// waits for nobody; else the rank there is given up after 7 s of silence, and the others save, however long
// failure.heartbeatSeconds is. Also in slurm_run_test, failure_detector_test.
void SshOutageTest::aKillDoesNotWaitForADeadHost() {
    const Ended started =
        trainyardctl({"run", runFile("killed", {"h1", "h2"}), "--workspace", workspace(), "--detach", "--json"});
    const QString run = started.json()["run"].toString();
    QVERIFY2(trains(run), log(run).constData());
    m_lab.powerOff(2);
    const double asked = monotonicSeconds();
    const Ended killed = trainyardctl({"kill", run, "--workspace", workspace()});
    qInfo("killed after %.1f s", monotonicSeconds() - asked);
    QVERIFY2(killed.code == 0, (killed.said() + log(run)).constData());
    QCOMPARE(show(run)["status"].toString(), QStringLiteral("stopped"));
    QVERIFY2(killed.out.contains("what is left on h2 cannot be seen"), killed.said().constData());
    QVERIFY2(log(run).contains("what is left on h2 cannot be seen"), log(run).constData());
    QVERIFY(test::waitFor([&] { return workersOn(1) == 0; }, 10000));
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshOutageTest>(
        argc, argv,
        {test::program("trainyardctl"), test::program("trainyard-worker"), test::program("trainyard-relay")});
}

#include "ssh_outage_test.moc"
