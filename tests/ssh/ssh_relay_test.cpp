// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks on real hosts, forked there from a pool that outlives the connections.
#include "engine/run/launch/programs.h"
#include "host_lab.h"
#include "remote/launch/ssh_launcher.h"
#include "tests/multiproc/lab/hello_of.h"

#include <QFile>
#include <QTest>

#include <sys/socket.h>

#include <csignal>
#include <cstdio>

using namespace trainyard;
using namespace trainyard::remote;

class SshRelayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aPoolOutlivesTheConnectionThatStartedIt();
    void nobodyElseReachesThePool();
    void theChannelIsTheRanks();
    void signalsReachTheRank();
    void endOfTheWorkerObjectEndsTheRank();
    void ranksLeftBehindByALostConnectionAreEnded();
    void aRankThatIsHeldIsFoundAgain();
    void aHeldRankThatIsGivenUpIsEnded();
    void aHostThatWasSwitchedOffHoldsNothing();
    void manyRanksOfOneHost();
    void anotherWorkerHasAPoolOfItsOwn();

private:
    struct Rank {
        std::unique_ptr<run::WorkerProcess> process;
        std::int64_t pid = 0;  // on its host
        std::int64_t pool = 0; // its parent
    };
    std::unique_ptr<run::Launcher> launcher(const std::filesystem::path& worker = run::workerProgram()) const;
    Rank launch(run::Launcher& ssh, int host, double linkSeconds = 0);
    std::string on(int host, const std::string& script, std::int64_t pid = 0);
    bool lives(int host, std::int64_t pid) { return on(host, "kill -0 \"$1\" && echo yes", pid) == "yes"; }
    test::HostLab m_lab;
};

void SshRelayTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

std::unique_ptr<run::Launcher> SshRelayTest::launcher(const std::filesystem::path& worker) const {
    SshLauncherOptions options;
    auto book = HostBook::load(m_lab.folder() + "/book/hosts.json");
    for (int n = 1; n <= 2; ++n)
        if (!book->add(m_lab.host(n), true).ok()) return nullptr;
    options.book = std::move(*book);
    options.workerProgram = worker;
    options.relayProgram = run::relayProgram();
    options.connect = m_lab.options();
    return makeSshLauncher(std::move(options));
}

SshRelayTest::Rank SshRelayTest::launch(run::Launcher& ssh, int host, double linkSeconds) {
    run::LaunchRequest request{HostName("h" + std::to_string(host)), {"rank"}, {}};
    request.runJson = "{}";
    request.run = RunId("a-run");
    request.linkSeconds = linkSeconds;
    auto process = ssh.launch(request);
    if (!process) {
        qWarning("%s", process.error().text().c_str());
        return {};
    }
    Rank rank{std::move(*process)};
    const auto hello = test::helloOf(rank.process->frameFd());
    if (!hello) return {};
    rank.pid = hello->pid;
    rank.pool = std::atoll(on(host, "ps -o ppid= -p \"$1\"", rank.pid).c_str());
    return rank;
}

// The first line of what it prints.
std::string SshRelayTest::on(int host, const std::string& script, std::int64_t pid) {
    const auto said = m_lab.connect(host)->script(script, {std::to_string(pid)});
    return said.ok() ? said->out.substr(0, said->out.find('\n')) : "?";
}

void SshRelayTest::aPoolOutlivesTheConnectionThatStartedIt() {
    std::int64_t pool = 0;
    {
        const auto ssh = launcher();
        const auto rank = launch(*ssh, 1);
        QVERIFY(rank.process);
        pool = rank.pool;
        QCOMPARE(QString::fromStdString(on(1, "cat /proc/$1/comm", pool)), QStringLiteral("trainyard-pool"));
    }
    QVERIFY(lives(1, pool));
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 1);
    QVERIFY(rank.process);
    QCOMPARE(rank.pool, pool);
    QVERIFY(rank.process->pid() != rank.pid); // the relay's
}

void SshRelayTest::nobodyElseReachesThePool() {
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 1);
    const std::string socket = on(1, "tr '\\0' '\\n' < /proc/$1/cmdline | tail -n 1", rank.pool);
    QVERIFY2(socket.starts_with("/root/.cache/trainyard/") && socket.ends_with(".sock"), socket.c_str());
    const auto asked = m_lab.connect(1)->script("stat -c '%a %u %F' \"$1\" \"${1%/*}\"", {socket});
    QVERIFY2(asked.ok() && asked->out.ends_with("700 0 directory\n"), asked->out.c_str());
    QVERIFY2(asked->out.find(" 0 socket\n") != std::string::npos, asked->out.c_str());
}

void SshRelayTest::theChannelIsTheRanks() {
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 2);
    QVERIFY(rank.process && !rank.process->exitStatus());
    const std::string noise = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    QCOMPARE(::send(rank.process->frameFd(), noise.data(), noise.size(), MSG_NOSIGNAL),
             static_cast<ssize_t>(noise.size()));
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->exitStatus().has_value(), 10000);
    QCOMPARE(rank.process->exitStatus()->text(), std::string("exited with 2"));
    std::string log(1000, '\0');
    const auto got = ::recv(rank.process->logFd(), log.data(), log.size(), MSG_DONTWAIT);
    QVERIFY(got > 0);
    QVERIFY2(log.find("leaving: ") != std::string::npos, log.c_str());
}

void SshRelayTest::signalsReachTheRank() {
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 2);
    QVERIFY(rank.process);
    rank.process->signal(SIGUSR1);
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->exitStatus().has_value(), 10000);
    QCOMPARE(rank.process->exitStatus()->text(), std::string("was killed by SIGUSR1"));
    QVERIFY(!lives(2, rank.pid));
    QVERIFY(lives(2, rank.pool));
}

void SshRelayTest::endOfTheWorkerObjectEndsTheRank() {
    const auto ssh = launcher();
    auto rank = launch(*ssh, 2);
    QVERIFY(rank.process && lives(2, rank.pid));
    QCOMPARE(on(2, "kill -STOP $1; echo done", rank.pid), std::string("done"));
    rank.process.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!lives(2, rank.pid), 10000);
}

void SshRelayTest::ranksLeftBehindByALostConnectionAreEnded() {
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 2);
    QVERIFY(rank.process);
    m_lab.cut(2);
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->exitStatus().has_value(), 15000);
    QVERIFY(rank.process->exitStatus()->hostLost);
    m_lab.join(2);
    const auto next = launch(*ssh, 2);
    QVERIFY(next.process);
    QVERIFY(!lives(2, rank.pid));
    QCOMPARE(next.pool, rank.pool);
}

// What is sent while the link is cut arrives, and so does the answer.
void SshRelayTest::aRankThatIsHeldIsFoundAgain() {
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 2, 60);
    QVERIFY(rank.process && !rank.process->awaySince());
    m_lab.cut(2);
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->awaySince().has_value(), 15000);
    const std::string noise = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    QCOMPARE(::send(rank.process->frameFd(), noise.data(), noise.size(), MSG_NOSIGNAL),
             static_cast<ssize_t>(noise.size()));
    QTest::qSleep(6000); // the connection is given up
    QVERIFY(rank.process->awaySince() && !rank.process->exitStatus());
    m_lab.join(2);
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->exitStatus().has_value(), 20000);
    QCOMPARE(rank.process->exitStatus()->text(), std::string("exited with 2"));
    QVERIFY(!lives(2, rank.pid));
    QCOMPARE(ssh->signalAll(HostName("h2"), RunId("a-run"), 0).valueOr(-1), 0); // nor its relay
}

void SshRelayTest::aHeldRankThatIsGivenUpIsEnded() {
    const auto ssh = launcher();
    const auto other = launch(*ssh, 2, 60);
    const auto rank = launch(*ssh, 2, 60);
    const auto asked = launch(*ssh, 2, 60);
    QVERIFY(other.process && rank.process && asked.process);
    m_lab.cut(2);
    asked.process->signal(SIGUSR1); // goes over the connection that is cut, and reaches it once the link is back
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->awaySince() && other.process->awaySince() && asked.process->awaySince(),
                             15000);
    rank.process->giveUp();
    QVERIFY(rank.process->exitStatus() && rank.process->exitStatus()->hostLost);
    QTest::qSleep(7000);
    QVERIFY(!asked.process->exitStatus());
    m_lab.join(2);
    const auto next = launch(*ssh, 2, 60);
    QVERIFY(next.process);
    QVERIFY(!lives(2, rank.pid));
    QVERIFY(lives(2, other.pid)); // somebody waits for it
    QTRY_VERIFY_WITH_TIMEOUT(asked.process->exitStatus().has_value(), 20000);
    QCOMPARE(asked.process->exitStatus()->text(), std::string("was killed by SIGUSR1"));
    QTRY_VERIFY_WITH_TIMEOUT(!other.process->awaySince(), 20000);
    QVERIFY(!other.process->exitStatus());
}

void SshRelayTest::aHostThatWasSwitchedOffHoldsNothing() {
    const auto ssh = launcher();
    const auto rank = launch(*ssh, 2, 60);
    QVERIFY(rank.process);
    m_lab.powerOff(2);
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->awaySince().has_value(), 15000);
    m_lab.boot(2);
    QTRY_VERIFY_WITH_TIMEOUT(rank.process->exitStatus().has_value(), 30000);
    QVERIFY(rank.process->exitStatus()->hostLost);
}

void SshRelayTest::manyRanksOfOneHost() {
    const auto ssh = launcher();
    std::vector<Rank> ranks;
    for (int i = 0; i < 12; ++i) { // more than one connection holds
        ranks.push_back(launch(*ssh, 1));
        QVERIFY(ranks.back().process);
        QCOMPARE(ranks.back().pool, ranks.front().pool);
    }
    QCOMPARE(ssh->signalAll(HostName("h1"), RunId("a-run"), 0).valueOr(-1), 12);
    QCOMPARE(ssh->signalAll(HostName("h1"), RunId("a-run"), SIGKILL).valueOr(-1), 12);
    for (const auto& rank : ranks) QTRY_VERIFY_WITH_TIMEOUT(rank.process->exitStatus().has_value(), 10000);
    for (const auto& rank : ranks) QVERIFY(!lives(1, rank.pid));
    QCOMPARE(ssh->signalAll(HostName("h1"), RunId("a-run"), 0).valueOr(-1), 0);
}

void SshRelayTest::anotherWorkerHasAPoolOfItsOwn() {
    const auto ssh = launcher();
    const auto first = launch(*ssh, 1);
    const QString other = QString::fromStdString(m_lab.folder()) + "/trainyard-worker";
    QVERIFY(QFile::copy(QString::fromStdString(run::workerProgram()), other));
    QFile file(other);
    QVERIFY(file.open(QIODevice::Append) && file.write("another") == 7);
    file.close();
    const auto upgraded = launcher(other.toStdString());
    const auto second = launch(*upgraded, 1);
    QVERIFY(first.process && second.process);
    QVERIFY(first.pool != second.pool);
    QVERIFY(lives(1, first.pid));
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    for (const auto& program : {run::workerProgram(), run::relayProgram()})
        if (!std::filesystem::exists(program)) {
            std::printf("SKIP: %s is not built\n", program.c_str());
            return 77;
        }
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    SshRelayTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "ssh_relay_test.moc"
