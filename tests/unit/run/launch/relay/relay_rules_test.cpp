// SPDX-License-Identifier: GPL-3.0-or-later
// What decides which pool a relay asks, and what it reads before the frames.
#include "engine/run/launch/pool/pool_fingerprint.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/relay/relay.h"

#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

using namespace trainyard;
using namespace trainyard::run;

class RelayRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void signInsShareAPool_data();
    void signInsShareAPool();
    void aPoolIsOfOneProgramAndEnvironment_data();
    void aPoolIsOfOneProgramAndEnvironment();
    void theRunFileIsReadToTheByte_data();
    void theRunFileIsReadToTheByte();
    void whatIsNoRunFileIsRefused_data();
    void whatIsNoRunFileIsRefused();
    void ranksGetAllDescriptorsOrNone();
    void socketsOfTheDeadAreRemoved();
};

void RelayRulesTest::signInsShareAPool_data() {
    QTest::addColumn<QByteArray>("cgroups");
    QTest::addColumn<QByteArray>("kept");
    QTest::newRow("a sign-in") << QByteArray("0::/user.slice/user-1000.slice/session-12.scope\n")
                               << QByteArray("0::/user.slice/user-1000.slice\n");
    QTest::newRow("a group within it") << QByteArray("0::/user.slice/session-c3.scope/limited\n")
                                       << QByteArray("0::/user.slice/limited\n");
    QTest::newRow("version 1") << QByteArray("2:cpu:/\n1:name=systemd:/user.slice/session-1.scope\n0::/\n")
                               << QByteArray("2:cpu:/\n1:name=systemd:/user.slice\n0::/\n");
    QTest::newRow("no end of a line") << QByteArray("0::/session-1.scope") << QByteArray("0::");
    for (const char* same : {"", "0::/\n", "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-7.scope\n",
                             "0::/slurm/job_7/step_0\n", "0::/session-1.slice/tasks\n"})
        QTest::newRow(same) << QByteArray(same) << QByteArray(same);
}

void RelayRulesTest::signInsShareAPool() {
    QFETCH(QByteArray, cgroups);
    QFETCH(QByteArray, kept);
    QCOMPARE(QByteArray::fromStdString(withoutSessions(cgroups.toStdString())), kept);
}

void RelayRulesTest::aPoolIsOfOneProgramAndEnvironment_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<bool>("same");
    QTest::newRow("the same") << "/bin/cat" << "A=1" << true;
    QTest::newRow("a variable that is read later") << "/bin/cat" << "A=2" << true;
    QTest::newRow("a variable that is read at load") << "/bin/cat" << "LD_LIBRARY_PATH=/x" << false;
    QTest::newRow("a job of Slurm's") << "/bin/cat" << "SLURM_JOB_ID=7" << false;
    QTest::newRow("another variable of Slurm's") << "/bin/cat" << "SLURM_STEP_ID=7" << true;
    QTest::newRow("another program") << "/bin/ls" << "A=1" << false;
}

void RelayRulesTest::aPoolIsOfOneProgramAndEnvironment() {
    QFETCH(QString, program);
    QFETCH(QString, variable);
    QFETCH(bool, same);
    const auto first = poolSocket("/folder", "/bin/cat", {"A=1"});
    QCOMPARE(first.parent_path().string(), std::string("/folder"));
    QCOMPARE(poolSocket("/folder", program.toStdString(), {variable.toStdString()}) == first, same);
}

void RelayRulesTest::theRunFileIsReadToTheByte_data() {
    QTest::addColumn<QByteArray>("run");
    QTest::addColumn<QByteArray>("read");
    QTest::newRow("one") << QByteArray("{\"version\": 1}") << QByteArray("{\"version\": 1}");
    QTest::newRow("none") << QByteArray() << QByteArray();
    QTest::newRow("lines and zeros") << QByteArray("a\n\0b", 4) << QByteArray("a\n\0b", 4);
    QTest::newRow("more than the pool takes") << QByteArray(100'000, 'x') << QByteArray();
}

void RelayRulesTest::theRunFileIsReadToTheByte() {
    QFETCH(QByteArray, run);
    QFETCH(QByteArray, read);
    int pipe[2];
    QCOMPARE(::pipe(pipe), 0);
    const std::string bytes = relayHead(run.toStdString()) + "frames";
    QCOMPARE(::write(pipe[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    const auto got = readRelayHead(pipe[0]);
    QVERIFY(got.ok());
    QCOMPARE(QByteArray::fromStdString(*got), read);
    char rest[7] = {};
    QCOMPARE(::read(pipe[0], rest, sizeof rest), ssize_t(6));
    QCOMPARE(rest, "frames");
    for (const int fd : pipe) ::close(fd);
}

void RelayRulesTest::whatIsNoRunFileIsRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    for (const char* each : {"", "\n", "12", "x\n", "-1\n", "4\nabc", "999999999\n", "99999999\n", "7 \nabcdefg"})
        QTest::newRow(each) << QByteArray(each);
}

void RelayRulesTest::whatIsNoRunFileIsRefused() {
    QFETCH(QByteArray, bytes);
    int pipe[2];
    QCOMPARE(::pipe(pipe), 0);
    QCOMPARE(::write(pipe[1], bytes.data(), static_cast<std::size_t>(bytes.size())), bytes.size());
    ::close(pipe[1]);
    const auto got = readRelayHead(pipe[0]);
    QVERIFY(!got.ok());
    QCOMPARE(got.error().kind, ErrorKind::Input);
    ::close(pipe[0]);
}

void RelayRulesTest::ranksGetAllDescriptorsOrNone() {
    for (const auto& fds : {std::vector<int>{5, 6, 7}, std::vector<int>{5, 6, 7, 8}}) {
        const auto of = RankFds::of(fds);
        QVERIFY(of.has_value());
        QCOMPARE(of->list(), fds);
    }
    for (const auto& fds : {std::vector<int>{}, std::vector<int>{5, 6}, std::vector<int>{5, 6, 7, 8, 9}})
        QVERIFY(!RankFds::of(fds));
}

// As killed pools and supervisors leave them, with the log of a pool.
void RelayRulesTest::socketsOfTheDeadAreRemoved() {
    namespace fs = std::filesystem;
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    UniqueFd lives = listenAt(folder / "lives.sock"), dead = listenAt(folder / "dead.sock"),
             fresh = listenAt(folder / "fresh.sock");
    QVERIFY(lives && dead && fresh);
    dead.reset();
    fresh.reset(); // it may be about to listen
    for (const char* file : {"lives.log", "dead.log", "other.sock"}) std::ofstream(folder / file) << "x";
    for (const char* file : {"lives.sock", "dead.sock", "other.sock"})
        fs::last_write_time(folder / file, fs::file_time_type::clock::now() - std::chrono::minutes(1));
    removeDeadSockets(folder);
    std::set<std::string> left;
    for (const auto& each : fs::directory_iterator(folder)) left.insert(each.path().filename().string());
    QCOMPARE(left, (std::set<std::string>{"fresh.sock", "lives.log", "lives.sock", "other.sock"}));
    QVERIFY(connectToOwn(folder / "lives.sock"));
}

QTEST_GUILESS_MAIN(RelayRulesTest)
#include "relay_rules_test.moc"
