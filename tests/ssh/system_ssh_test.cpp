// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that only the system's ssh can reach, and that what runs over it is as over the library.
#include "engine/base/clock.h"
#include "host_lab.h"
#include "remote/book/ssh_config.h"
#include "remote/hosts/connect.h"
#include "remote/ssh/library/library_transport.h"
#include "remote/ssh/port_forward.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <poll.h>
#include <sys/socket.h>

#include <csignal>

using namespace trainyard;
using namespace trainyard::remote;
using trainyard::test::text;

namespace {

constexpr const char* kCertificatesOnly = "TrustedUserCAKeys /mnt/lab/keys/agent.pub"; // by the key "signed"

// Masters of this test that are still there.
QStringList mastersLeft() {
    QProcess list;
    list.start("ps", {"-eo", "args="});
    list.waitForFinished();
    QStringList masters;
    for (const auto& line : QString::fromLocal8Bit(list.readAllStandardOutput()).split('\n'))
        if (line.contains(" -M -S ")) masters << line;
    return masters;
}

} // namespace

class SystemSshTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void hostsThatTheLibraryCannotReach_data();
    void hostsThatTheLibraryCannotReach();
    void aForcedChannelIsKept();
    void withoutSshTheTextSaysWhatToInstall();
    void keysOfHostsAreJudgedAsByTheLibrary();
    void exitStatusIsExact_data();
    void exitStatusIsExact();
    void largeStreamsArriveIntact();
    void manyProgramsAtOnce();
    void killEndsTheProcessGroup();
    void connectionsToPortsOfTheHost();
    void cutLinkIsNoticed();
    void shortCutIsSurvived();
    void nothingIsLeft();

private:
    void write(const std::string& file, const std::string& content) const;
    HostEntry forced(int n) const {
        HostEntry host = m_lab.host(n);
        host.channel = ChannelWish::SystemSsh;
        return host;
    }
    std::shared_ptr<SshSession> connect(const HostEntry& host) const {
        auto session = connectToHost(host, m_lab.options());
        if (!session) throw std::runtime_error(session.error().text());
        return std::move(session).value();
    }
    test::HostLab m_lab;
};

void SystemSshTest::write(const std::string& file, const std::string& content) const {
    QFile out(text(m_lab.folder() + "/" + file));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(content.c_str());
    out.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

void SystemSshTest::initTestCase() {
    const QString failure = m_lab.start(2);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    // A key that is signed for root, and no other way in for it.
    const QString keys = text(m_lab.folder() + "/keys");
    QVERIFY(QFile::copy(keys + "/stranger", keys + "/signed"));
    QVERIFY(QFile::copy(keys + "/stranger.pub", keys + "/signed.pub"));
    QCOMPARE(
        QProcess::execute("ssh-keygen", {"-q", "-s", keys + "/agent", "-I", "lab", "-n", "root", keys + "/signed.pub"}),
        0);
}

void SystemSshTest::hostsThatTheLibraryCannotReach_data() {
    QTest::addColumn<QString>("sshd");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("reason");
    const QString keys = text(m_lab.folder() + "/keys/");
    const bool isNew = libraryDoesRsa(); // libssh2 of Debian 13, which has AES-GCM, too
    QTest::newRow("host key") << "HostKey /mnt/lab/keys/rsa\nHostKeyAlgorithms rsa-sha2-512,rsa-sha2-256" << QString()
                              << "ed25519" << "methods";
    QTest::newRow("ciphers") << "Ciphers aes256-gcm@openssh.com,chacha20-poly1305@openssh.com" << QString() << "ed25519"
                             << (isNew ? "" : "methods");
    QTest::newRow("MACs") << "Ciphers aes256-ctr\nMACs umac-128-etm@openssh.com" << QString() << "ed25519" << "methods";
    QTest::newRow("RSA key") << "#" << QString() << "rsa" << (isNew ? "" : "rsa-key");
    QTest::newRow("certificate") << kCertificatesOnly << QString() << "signed"
                                 << "certificate";
    QTest::newRow("ProxyJump") << "AllowUsers root@10.77.0.1"
                               << "Host h2\n  ProxyJump root@h1\nHost *\n  IdentityFile " + keys + "ed25519\n"
                               << "ed25519" << "proxy-jump";
    QTest::newRow("ProxyCommand")
        << "AllowUsers root@10.77.0.1"
        << "Host h2\n  ProxyCommand ssh -i " + keys +
               "ed25519 -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -W %h:%p root@h1\n"
        << "ed25519" << "proxy-command";
}

void SystemSshTest::hostsThatTheLibraryCannotReach() {
    QFETCH(QString, sshd);
    QFETCH(QString, config);
    QFETCH(QString, key);
    QFETCH(QString, reason);
    m_lab.bootWith(2, sshd.toStdString());
    write("home/.ssh/config", config.toStdString());
    ConnectOptions options = m_lab.options();
    options.knownHosts = m_lab.folder() + "/known-" + QTest::currentDataTag();
    HostEntry host = m_lab.host(2, key.toStdString());
    QVERIFY(config.isEmpty() ? true : !sshConfigHost("h2")->proxyJump.empty());
    const double start = monotonicSeconds();
    const auto session = connectToHost(host, options);
    QVERIFY2(session.ok(), session.ok() ? "" : session.error().text().c_str());
    qInfo("connected after %.2f s, %s", monotonicSeconds() - start, (*session)->facts().authMethod.c_str());
    QCOMPARE(QString(toString((*session)->facts().overSystem)), reason);
    ExecOptions fed;
    fed.input = "fed";
    const auto result = (*session)->script("hostname; cat; echo no >&2; exit 3", {}, fed);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(text(result->out), QStringLiteral("h2\nfed"));
    QCOMPARE(text(result->err), QStringLiteral("no\n"));
    QCOMPARE(result->status.code, 3);
}

void SystemSshTest::aForcedChannelIsKept() {
    write("home/.ssh/config", "");
    m_lab.bootWith(2, kCertificatesOnly);
    QCOMPARE(connect(m_lab.host(1))->facts().overSystem, ChannelReason::None);
    QCOMPARE(connect(forced(1))->facts().overSystem, ChannelReason::Asked);
    HostEntry host = m_lab.host(2, "signed");
    host.channel = ChannelWish::Library;
    const auto session = connectToHost(host, m_lab.options());
    QVERIFY(!session.ok());
    QCOMPARE(session.error().code, ErrorCode::SignInRefused);
}

void SystemSshTest::withoutSshTheTextSaysWhatToInstall() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    const auto session = connectToHost(m_lab.host(2, "signed"), m_lab.options());
    const auto asked = connectToHost(forced(1), m_lab.options());
    qputenv("PATH", path);
    QVERIFY(!session.ok() && !asked.ok());
    QVERIFY2(text(session.error().remedy).contains("apt install openssh-client"), session.error().text().c_str());
    QVERIFY2(text(asked.error().remedy).contains("apt install openssh-client"), asked.error().text().c_str());
}

void SystemSshTest::keysOfHostsAreJudgedAsByTheLibrary() {
    ConnectOptions options;
    options.knownHosts = m_lab.folder() + "/asked";
    const auto unknown = connectToHost(forced(2), options);
    const auto theSame = connectOverLibrary(m_lab.host(2), options);
    QVERIFY(!unknown.ok() && !theSame.ok());
    QCOMPARE(text(unknown.error().text()), text(theSame.error().text()));
    QCOMPARE(unknown.error().code, ErrorCode::HostKeyUnknown);
    std::vector<HostKeyQuestion> questions;
    options.askHostKey = [&](const HostKeyQuestion& question) {
        questions.push_back(question);
        return true;
    };
    QVERIFY(connectToHost(forced(2), options).ok());
    QVERIFY(connectToHost(forced(2), options).ok());
    QCOMPARE(questions.size(), std::size_t(1));
    QVERIFY(connectOverLibrary(m_lab.host(2), options).ok()); // the library knows it, too
    m_lab.powerOff(2);
    m_lab.changeIdentity(2);
    m_lab.boot(2);
    const auto changed = connectToHost(forced(2), options);
    const auto alike = connectOverLibrary(m_lab.host(2), options);
    QVERIFY(!changed.ok() && !alike.ok());
    QCOMPARE(text(changed.error().text()), text(alike.error().text()));
    QCOMPARE(changed.error().code, ErrorCode::HostKeyChanged);
}

void SystemSshTest::exitStatusIsExact_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("status");
    QTest::newRow("good") << "true" << "exited with 0";
    QTest::newRow("seven") << "exit 7" << "exited with 7";
    QTest::newRow("255") << "exit 255" << "exited with 255";
    QTest::newRow("killed") << "kill -KILL $$" << "was killed by a signal";
    QTest::newRow("not there") << "exec /no/such/program" << "exited with 127";
}

void SystemSshTest::exitStatusIsExact() {
    QFETCH(QString, script);
    QFETCH(QString, status);
    const auto result = connect(forced(1))->script(script.toStdString());
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(text(result->status.text()), status);
}

void SystemSshTest::largeStreamsArriveIntact() {
    std::string bytes(20'000'000, '\0');
    std::uint32_t state = 12345;
    for (char& c : bytes) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    ExecOptions options;
    options.input = bytes;
    options.maxOutput = 64u << 20;
    const double start = monotonicSeconds();
    const auto result = connect(forced(1))->exec({"/bin/sh", "-c", "tee /dev/stderr"}, options);
    qInfo("20 MB there and twice back in %.2f s", monotonicSeconds() - start);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QVERIFY(result->out == bytes);
    QVERIFY(result->err == bytes);
}

void SystemSshTest::manyProgramsAtOnce() {
    const auto session = connect(forced(1));
    std::vector<std::unique_ptr<SshChannel>> channels;
    for (int i = 0; i < 10; ++i) {
        auto channel = session->start({"cat"});
        QVERIFY2(channel.ok(), channel.ok() ? "" : channel.error().text().c_str());
        channels.push_back(std::move(channel).value());
    }
    for (int round = 0; round < 20; ++round)
        for (const auto& channel : channels) {
            QCOMPARE(::send(channel->dataFd(), "frame", 5, MSG_NOSIGNAL), 5);
            pollfd ready{channel->dataFd(), POLLIN, 0};
            QCOMPARE(::poll(&ready, 1, 3000), 1);
            char bytes[16];
            QCOMPARE(::recv(channel->dataFd(), bytes, sizeof bytes, 0), 5);
        }
    const auto tooMany = session->start({"cat"});
    QVERIFY(!tooMany.ok());
    QVERIFY2(tooMany.error().text().find("MaxSessions") != std::string::npos, tooMany.error().text().c_str());
    QVERIFY(session->alive());
    channels.clear(); // cat ends with its input
    QTRY_COMPARE_WITH_TIMEOUT(session->openChannels(), 0, 3000);
}

void SystemSshTest::killEndsTheProcessGroup() {
    const auto session = connect(forced(1));
    const auto channel = session->start({"/bin/sh", "-c", "sleep 1000 & sleep 1000 & wait"});
    QVERIFY(channel.ok());
    const std::string group = std::to_string((*channel)->pid());
    const auto members = [&] {
        return text(session->script("ps -eo pgid= | grep -cx \" *$1\"", {group})->out).trimmed().toInt();
    };
    QTRY_COMPARE(members(), 3);
    session->signalGroup((*channel)->pid(), SIGTERM);
    QVERIFY((*channel)->waitForEnd(3));
    QCOMPARE(text((*channel)->exitStatus()->text()), QStringLiteral("was killed by SIGTERM"));
    QCOMPARE(members(), 0);
}

void SystemSshTest::connectionsToPortsOfTheHost() {
    const auto session = connect(forced(1));
    const auto nobody = session->connectTo("127.0.0.1", 4);
    QVERIFY(!nobody.ok());
    QVERIFY2(text(nobody.error().message).contains("nothing answers at 127.0.0.1 port 4"),
             nobody.error().text().c_str());
    const auto link = session->connectTo("127.0.0.1", 22);
    QVERIFY2(link.ok(), link.ok() ? "" : link.error().text().c_str());
    pollfd ready{(*link)->dataFd(), POLLIN, 0};
    QCOMPARE(::poll(&ready, 1, 3000), 1);
    char bytes[4];
    QCOMPARE(::recv((*link)->dataFd(), bytes, 4, 0), 4);
    QCOMPARE(QByteArray(bytes, 4), QByteArray("SSH-"));
    QCOMPARE(::send((*link)->dataFd(), "bye\n", 4, MSG_NOSIGNAL), 4); // the server ends it
    char rest[4096];
    QTRY_VERIFY(::recv((*link)->dataFd(), rest, sizeof rest, MSG_DONTWAIT) == 0);
    QVERIFY((*link)->waitForEnd(1));
}

void SystemSshTest::cutLinkIsNoticed() {
    const auto session = connect(forced(1));
    const auto channel = session->start({"cat"});
    QVERIFY(channel.ok());
    m_lab.cut(1);
    const double start = monotonicSeconds();
    pollfd ended{(*channel)->dataFd(), POLLIN, 0};
    const int ready = ::poll(&ended, 1, 30000);
    const double seconds = monotonicSeconds() - start;
    m_lab.join(1);
    QCOMPARE(ready, 1);
    qInfo("a cut link was noticed after %.1f s", seconds);
    QVERIFY(seconds < 30);
    QVERIFY((*channel)->waitForEnd(2));
    QVERIFY((*channel)->exitStatus()->hostLost);
    QVERIFY2((*channel)->lossReason().find("does not answer") != std::string::npos, (*channel)->lossReason().c_str());
    char log[200] = "";
    QVERIFY(::recv((*channel)->logFd(), log, sizeof log - 1, 0) > 0);
    QVERIFY2(std::string(log).find("connection lost") != std::string::npos, log);
    QVERIFY(!session->alive());
    QVERIFY(!session->exec({"true"}).ok());
}

void SystemSshTest::shortCutIsSurvived() {
    const auto session = connect(forced(1));
    m_lab.cut(1);
    QTest::qSleep(2500);
    m_lab.join(1);
    const auto result = session->exec({"echo", "still here"});
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(text(result->out), QStringLiteral("still here\n"));
}

void SystemSshTest::nothingIsLeft() { QCOMPARE(mastersLeft(), QStringList()); }

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    SystemSshTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "system_ssh_test.moc"
