// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-relay and the real pool behind it, without the connection to a host.
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/relay/relay.h"
#include "tests/multiproc/lab/hello_of.h"
#include "tests/multiproc/lab/process_look.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace trainyard;
using trainyard::test::commandLine;
using trainyard::test::parentOf;

namespace {

bool write(int fd, const std::string& bytes) {
    return ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

// The process of the rank behind a relay, or 0: its first frame tells it.
std::int64_t rankBehind(const run::WorkerProcess& relay) {
    const auto hello = test::helloOf(relay.frameFd());
    return hello ? hello->pid : 0;
}

bool isFromPool(std::int64_t pid) { return commandLine(parentOf(pid)).find(" pool ") != std::string::npos; }

} // namespace

class RelayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void ranksOfSeveralRelaysAreOfOnePool();
    void endsAsTheRankDoes_data();
    void endsAsTheRankDoes();
    void passesSignalsOn();
    void takesTheRankWithIt_data();
    void takesTheRankWithIt();
    void outlivesThePool();
    void theNextOneHasAnotherPool();
    void startsAProgramWhereThereIsNoPool_data();
    void startsAProgramWhereThereIsNoPool();
    void isNotCountedAmongTheRunsProcesses();

private:
    std::unique_ptr<run::WorkerProcess> start(std::map<std::string, std::string> environment = {});
    std::string worker() const { return m_folder.filePath("trainyard-worker").toStdString(); }
    QTemporaryDir m_folder; // the pool ends with it
};

void RelayTest::initTestCase() {
    if (!QFile::exists(QString::fromStdString(run::relayProgram()))) QSKIP("trainyard-relay is not part of this build");
    QVERIFY(QFile::copy(QString::fromStdString(run::workerProgram()), QString::fromStdString(worker())));
}

std::unique_ptr<run::WorkerProcess> RelayTest::start(std::map<std::string, std::string> environment) {
    auto launcher = run::makeLocalLauncher(run::relayProgram());
    auto relay = launcher->launch({{}, {worker(), "rank"}, std::move(environment)});
    if (!relay || !write((*relay)->frameFd(), run::relayHead("{}"))) return nullptr;
    return std::move(*relay);
}

void RelayTest::ranksOfSeveralRelaysAreOfOnePool() {
    const auto first = start(), second = start();
    QVERIFY(first && second);
    const auto one = rankBehind(*first), other = rankBehind(*second);
    QVERIFY(one > 0 && other > 0 && one != other);
    QVERIFY2(isFromPool(one), commandLine(parentOf(one)).c_str());
    QCOMPARE(parentOf(one), parentOf(other));
}

void RelayTest::endsAsTheRankDoes_data() {
    QTest::addColumn<int>("signal"); // to the rank; 0: garbage on its channel, -1: the end of it
    QTest::addColumn<QString>("end");
    QTest::newRow("of its own") << 0 << "exited with 2";
    QTest::newRow("the channel ends") << -1 << "exited with 3"; // it has nothing to save yet
    QTest::newRow("killed") << SIGKILL << "was killed by SIGKILL";
    QTest::newRow("crashed") << SIGSEGV << "was killed by SIGSEGV";
}

void RelayTest::endsAsTheRankDoes() {
    QFETCH(int, signal);
    QFETCH(QString, end);
    const auto relay = start();
    QVERIFY(relay);
    const auto rank = rankBehind(*relay);
    QVERIFY(isFromPool(rank));
    if (signal > 0) QCOMPARE(::kill(static_cast<pid_t>(rank), signal), 0);
    else if (signal == 0) QVERIFY(write(relay->frameFd(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    else QCOMPARE(::shutdown(relay->frameFd(), SHUT_WR), 0);
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
    QCOMPARE(QString::fromStdString(relay->exitStatus()->text()), end);
    QVERIFY(!run::isAlive(rank));
}

void RelayTest::passesSignalsOn() {
    const auto relay = start();
    QVERIFY(relay);
    const auto rank = rankBehind(*relay);
    QCOMPARE(::kill(static_cast<pid_t>(rank), SIGSTOP), 0);
    relay->signal(SIGUSR1);
    relay->signal(SIGCONT); // without it the other would wait
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
    QCOMPARE(relay->exitStatus()->text(), std::string("was killed by SIGUSR1"));
}

// Fault: SIGKILL of the relay of a rank on a host, also of a stopped rank, or after its pool. The rank is killed with
// it, and replaced like any other. Also in hold_test.
void RelayTest::takesTheRankWithIt_data() {
    QTest::addColumn<bool>("stopped");
    QTest::addColumn<bool>("poolLost");
    QTest::newRow("one that works") << false << false;
    QTest::newRow("one that is stopped") << true << false;
    QTest::newRow("the pool is gone") << false << true;
}

void RelayTest::takesTheRankWithIt() {
    QFETCH(bool, stopped);
    QFETCH(bool, poolLost);
    const auto relay = start();
    QVERIFY(relay);
    const auto rank = rankBehind(*relay);
    QVERIFY(run::isAlive(rank));
    if (poolLost) QCOMPARE(::kill(static_cast<pid_t>(parentOf(rank)), SIGKILL), 0);
    if (stopped) QCOMPARE(::kill(static_cast<pid_t>(rank), SIGSTOP), 0);
    const auto pid = relay->pid();
    QVERIFY(pid != rank);
    relay->signal(SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
    QTRY_VERIFY_WITH_TIMEOUT(!run::isAlive(rank), 5000);
}

// Fault: SIGKILL of the pool on a host. Its ranks continue, each with its relay; the next rank starts another pool. How
// a rank of the lost pool ended is unknown (255).
void RelayTest::outlivesThePool() {
    const auto relay = start();
    QVERIFY(relay);
    const auto rank = rankBehind(*relay);
    const auto pool = parentOf(rank);
    // The rank may say hello before the pool has told the relay of it, which then lets go of its own channel.
    const QString input = QString("/proc/%1/fd/0").arg(relay->pid());
    QTRY_COMPARE(QFile::symLinkTarget(input), QString("/dev/null"));
    QCOMPARE(::kill(static_cast<pid_t>(pool), SIGKILL), 0);
    QTRY_VERIFY(!run::isAlive(pool));
    QVERIFY(run::isAlive(rank) && !relay->exitStatus());
    QCOMPARE(::shutdown(relay->frameFd(), SHUT_WR), 0);
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
    QCOMPARE(relay->exitStatus()->text(), std::string("exited with 255"));
    QVERIFY(!run::isAlive(rank));
}

void RelayTest::theNextOneHasAnotherPool() {
    const auto first = start();
    QVERIFY(first);
    const auto rank = rankBehind(*first);
    const auto pool = parentOf(rank);
    QVERIFY(isFromPool(rank));
    QCOMPARE(::kill(static_cast<pid_t>(pool), SIGKILL), 0);
    const auto second = start();
    QVERIFY(second);
    const auto other = rankBehind(*second);
    QVERIFY(isFromPool(other));
    QVERIFY(parentOf(other) != pool);
}

void RelayTest::startsAProgramWhereThereIsNoPool_data() {
    QTest::addColumn<QByteArray>("variable");
    QTest::addColumn<uint>("mode"); // of the folder
    QTest::newRow("it is not wanted") << QByteArray("TRAINYARD_POOL=off") << 0700u;
    QTest::newRow("others may enter its folder") << QByteArray("A=1") << 0755u;
    QTest::newRow("something is preloaded") << QByteArray("LD_PRELOAD=libc.so.6") << 0700u;
    QTest::newRow("the environment is too large") << "A=" + QByteArray(100'000, 'x') << 0700u;
}

void RelayTest::startsAProgramWhereThereIsNoPool() {
    QFETCH(QByteArray, variable);
    QFETCH(uint, mode);
    QCOMPARE(::chmod(m_folder.path().toLocal8Bit().constData(), mode), 0);
    const auto parts = variable.toStdString();
    const auto relay = start({{parts.substr(0, parts.find('=')), parts.substr(parts.find('=') + 1)}});
    QVERIFY(relay);
    const auto rank = rankBehind(*relay); // from then on it has looked at the folder
    QCOMPARE(::chmod(m_folder.path().toLocal8Bit().constData(), 0700), 0);
    QCOMPARE(rank, relay->pid());
    QCOMPARE(::shutdown(relay->frameFd(), SHUT_WR), 0);
    QTRY_VERIFY_WITH_TIMEOUT(relay->exitStatus().has_value(), 20000);
    QCOMPARE(relay->exitStatus()->text(), std::string("exited with 3"));
}

// Hosts tell by the environment which processes work for a run: the relay, not a pool that it has started.
void RelayTest::isNotCountedAmongTheRunsProcesses() {
    const auto mark = [](std::int64_t pid) {
        QFile file(QStringLiteral("/proc/%1/environ").arg(pid));
        return file.open(QIODevice::ReadOnly) && file.readAll().contains("TRAINYARD_WORKER_OF=");
    };
    const auto earlier = start();
    QVERIFY(earlier);
    ::kill(static_cast<pid_t>(parentOf(rankBehind(*earlier))), SIGKILL);
    const auto relay = start({{run::kRunVariable, "a-run"}, {run::kLaunchVariable, "a-launch"}});
    QVERIFY(relay);
    const auto rank = rankBehind(*relay);
    QVERIFY(isFromPool(rank));
    QVERIFY(mark(relay->pid()));
    QVERIFY(!mark(parentOf(rank)));
}

QTEST_GUILESS_MAIN(RelayTest)
#include "relay_test.moc"
