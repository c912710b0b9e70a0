// SPDX-License-Identifier: GPL-3.0-or-later
// Signing in to real hosts, host keys, and programs run on them.
#include "engine/base/clock.h"
#include "engine/base/text/base64.h"
#include "engine/base/unique_fd.h"
#include "host_lab.h"
#include "remote/book/known_hosts.h"
#include "remote/ssh/library/library_transport.h"
#include "tests/texts.h"

#include <libssh2.h>
#include <QFile>
#include <QMessageAuthenticationCode>
#include <QTest>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <csignal>
#include <thread>

using namespace trainyard;
using namespace trainyard::remote;
using trainyard::test::text;

namespace {

// From 1.11 on libssh2 signs with RSA keys as servers of today ask for it (SHA-2).
constexpr bool kSignsWithRsa = LIBSSH2_VERSION_NUM >= 0x010b00;

std::string pattern(std::size_t size) {
    std::string bytes(size, '\0');
    std::uint32_t state = 12345;
    for (char& c : bytes) {
        state = state * 1664525 + 1013904223;
        c = static_cast<char>(state >> 24);
    }
    return bytes;
}

} // namespace

class SshSessionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void unknownKeyIsAskedThenKnown();
    void unknownKeyWithoutAnAnswerSaysHowToAcceptIt();
    void hashedAndReadOnlyKnownHostsAreHonoured();
    void keysSignIn_data();
    void keysSignIn();
    void agentSignsIn();
    void refusalsSayWhatToDo_data();
    void refusalsSayWhatToDo();
    void unreachableHostsSayWhy_data();
    void unreachableHostsSayWhy();
    void otherServersAreRecognised_data();
    void otherServersAreRecognised();
    void argumentsArriveUnchanged_data();
    void argumentsArriveUnchanged();
    void tooLongCommandIsRefused();
    void talkativeProfileDoesNotReachTheOutput();
    void exitStatusIsExact_data();
    void exitStatusIsExact();
    void scriptsSpeakOneLanguage();
    void largeStreamsArriveIntact();
    void slowReaderDoesNotStopOthers();
    void killEndsTheProcessGroup();
    void manyProgramsAtOnce();
    void silentProgramIsGivenUpAndEnded();
    void cutLinkIsNoticed();
    void shortCutIsSurvived();
    void poweredOffHostIsNoticedAndComesBack();
    void changedKeyIsRefused();

private:
    test::HostLab m_lab;
};

void SshSessionTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

void SshSessionTest::unknownKeyIsAskedThenKnown() {
    ConnectOptions options;
    options.knownHosts = m_lab.folder() + "/asked/known_hosts";
    std::vector<HostKeyQuestion> questions;
    bool answer = false;
    options.askHostKey = [&](const HostKeyQuestion& question) {
        questions.push_back(question);
        return answer;
    };
    const auto refused = connectOverLibrary(m_lab.host(1), options);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text().find("was not accepted") != std::string::npos, refused.error().text().c_str());
    QVERIFY(!QFile::exists(text(options.knownHosts)));

    answer = true;
    QVERIFY(connectOverLibrary(m_lab.host(1), options).ok());
    QVERIFY(connectOverLibrary(m_lab.host(1), options).ok());
    QCOMPARE(questions.size(), std::size_t(2)); // the second yes was kept
    QCOMPARE(text(questions[0].type), QStringLiteral("ssh-ed25519"));
    // The fingerprint is the one ssh-keygen shows.
    QFile key(text(m_lab.key("host1-ed25519.pub")));
    QVERIFY(key.open(QIODevice::ReadOnly));
    const std::string blob = fromBase64(key.readAll().split(' ')[1].toStdString());
    QCOMPARE(text(questions[0].fingerprint), text(keyFingerprint(blob)));
    QCOMPARE(QFile::permissions(text(options.knownHosts)) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
}

void SshSessionTest::unknownKeyWithoutAnAnswerSaysHowToAcceptIt() {
    ConnectOptions options;
    options.knownHosts = m_lab.folder() + "/none";
    const auto session = connectOverLibrary(m_lab.host(2), options);
    QVERIFY(!session.ok());
    QVERIFY(session.error().message.find("not known yet") != std::string::npos);
    QVERIFY(session.error().remedy.find("hosts test root@h2 --accept-new-key") != std::string::npos);
    QCOMPARE(session.error().kind, ErrorKind::Environment);
}

void SshSessionTest::hashedAndReadOnlyKnownHostsAreHonoured() {
    QFile key(text(m_lab.key("host2-ecdsa.pub"))); // only the type that would not be asked for first
    QVERIFY(key.open(QIODevice::ReadOnly));
    const QByteArray salt(20, 's');
    const QByteArray hash = QMessageAuthenticationCode::hash("h2", salt, QCryptographicHash::Sha1);
    QFile known(text(m_lab.folder() + "/hashed"));
    QVERIFY(known.open(QIODevice::WriteOnly));
    known.write("this line is malformed\n@cert-authority * ssh-ed25519 AAAA\n");
    known.write("|1|" + salt.toBase64() + "|" + hash.toBase64() + " " + key.readAll());
    known.close();
    ConnectOptions options;
    options.knownHosts = m_lab.folder() + "/none";
    options.readOnlyKnownHosts = {m_lab.folder() + "/hashed"};
    const auto session = connectOverLibrary(m_lab.host(2), options);
    QVERIFY2(session.ok(), session.ok() ? "" : session.error().text().c_str());
    QCOMPARE(text((*session)->facts().hostKeyType), QStringLiteral("ecdsa-sha2-nistp256"));
}

void SshSessionTest::keysSignIn_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QStringList>("passphrases");
    QTest::addColumn<bool>("works");
    QTest::newRow("ed25519") << "ed25519" << QStringList() << true;
    QTest::newRow("ecdsa") << "ecdsa" << QStringList() << true;
    if (kSignsWithRsa) QTest::newRow("rsa") << "rsa" << QStringList() << true;
    QTest::newRow("encrypted") << "encrypted" << QStringList{"open sesame"} << true;
    QTest::newRow("encrypted, right at the third try") << "encrypted" << QStringList{"a", "b", "open sesame"} << true;
    QTest::newRow("encrypted, wrong") << "encrypted" << QStringList{"a", "b", "c"} << false;
    QTest::newRow("encrypted, given up") << "encrypted" << QStringList() << false;
}

void SshSessionTest::keysSignIn() {
    QFETCH(QString, key);
    QFETCH(QStringList, passphrases);
    QFETCH(bool, works);
    ConnectOptions options = m_lab.options();
    options.askPassphrase = [&](const PassphraseQuestion& question) -> std::optional<std::string> {
        if (question.attempt > passphrases.size()) return std::nullopt;
        return passphrases[question.attempt - 1].toStdString();
    };
    const auto session = connectOverLibrary(m_lab.host(1, key.toStdString()), options);
    QVERIFY2(session.ok() == works, session.ok() ? "signed in" : session.error().text().c_str());
    if (works) QCOMPARE(text((*session)->facts().authMethod), text("key file " + m_lab.key(key.toStdString())));
    if (works) return;
    QVERIFY2(session.error().message.find("passphrase") != std::string::npos, session.error().text().c_str());
    QVERIFY2(session.error().remedy.find("ssh-add " + m_lab.key(key.toStdString())) != std::string::npos,
             session.error().text().c_str());
}

void SshSessionTest::agentSignsIn() {
    qputenv("SSH_AUTH_SOCK", QByteArray::fromStdString(m_lab.folder() + "/agent.socket"));
    HostEntry host = m_lab.host(1);
    host.identityFile.clear();
    const auto session = connectOverLibrary(host, m_lab.options());
    qunsetenv("SSH_AUTH_SOCK");
    QVERIFY2(session.ok(), session.ok() ? "" : session.error().text().c_str());
    QCOMPARE(text((*session)->facts().authMethod), QStringLiteral("agent key agent"));
}

void SshSessionTest::refusalsSayWhatToDo_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("says");
    QTest::newRow("key the host does not know") << "stranger" << "ssh-copy-id";
    if (!kSignsWithRsa)
        QTest::newRow("rsa") << "rsa"
                             << "ssh-keygen -t ed25519, then ssh-copy-id -i ~/.ssh/id_ed25519 root@h1; then name it: "
                                "trainyardctl hosts add root@h1 --replace --identity ~/.ssh/id_ed25519";
    QTest::newRow("missing file") << "nothing" << "(correct the path, or make one with: ssh-keygen -t ed25519 -f /";
    QTest::newRow("public key") << "ed25519.pub" << "(give the file without .pub, or add that one with ssh-add)";
    QTest::newRow("text") << "done" << "(name the file of a private key, or make one with: ssh-keygen -t ed25519)";
    QTest::newRow("folder") << "." << "(name a file)";
    QTest::newRow("encrypted, nobody to ask") << "encrypted" << "ssh-add";
}

void SshSessionTest::refusalsSayWhatToDo() {
    QFETCH(QString, key);
    QFETCH(QString, says);
    const auto session = connectOverLibrary(m_lab.host(1, key.toStdString()), m_lab.options());
    QVERIFY(!session.ok());
    QVERIFY2(session.error().text().find(says.toStdString()) != std::string::npos, session.error().text().c_str());
    QCOMPARE(session.error().code, ErrorCode::SignInRefused);
}

void SshSessionTest::unreachableHostsSayWhy_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("code");
    QTest::newRow("closed port") << "h1" << 2222 << "refuses connections at port 2222" << "host-unreachable";
    QTest::newRow("no such address") << "10.77.0.77" << 22 << "10.77.0.77" << "host-unreachable";
    QTest::newRow("other network") << "192.0.2.1" << 22 << "no route" << "host-unreachable";
    QTest::newRow("option instead of a name") << "-oProxyCommand=id" << 22 << "starts with '-'" << "general";
    QTest::newRow("shell characters") << "a;rm -rf" << 22 << "holds the character ';'" << "general";
}

void SshSessionTest::unreachableHostsSayWhy() {
    QFETCH(QString, name);
    QFETCH(int, port);
    QFETCH(QString, says);
    QFETCH(QString, code);
    HostEntry host = m_lab.host(1);
    host.hostName = name.toStdString();
    host.port = port;
    ConnectOptions options = m_lab.options();
    options.timeoutSeconds = 2;
    const auto session = connectOverLibrary(host, options);
    QVERIFY(!session.ok());
    QVERIFY2(session.error().text().find(says.toStdString()) != std::string::npos, session.error().text().c_str());
    QCOMPARE(QString(toString(session.error().code)), code);
}

void SshSessionTest::otherServersAreRecognised_data() {
    QTest::addColumn<QByteArray>("greeting");
    QTest::addColumn<bool>("endless");
    QTest::addColumn<QString>("says");
    QTest::newRow("silent") << QByteArray() << false << "did not end within 1 s";
    QTest::newRow("web server") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << false << "not an SSH server";
    QTest::newRow("hangs up") << QByteArray("bye") << false << "SSH";
    QTest::newRow("endless banner") << QByteArray(1000, 'x') << true << "SSH";
    QTest::newRow("endless lines") << QByteArray("hello\r\n") << true << "SSH";
    QTest::newRow("garbage after the version")
        << QByteArray("SSH-2.0-x\r\n" + QByteArray(200, '\xff')) << false << "handshake";
}

void SshSessionTest::otherServersAreRecognised() {
    QFETCH(QByteArray, greeting);
    QFETCH(bool, endless);
    QFETCH(QString, says);
    const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QCOMPARE(::bind(listener.get(), reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    QCOMPARE(::listen(listener.get(), 1), 0);
    socklen_t size = sizeof name;
    ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&name), &size);
    const bool hangsUp = greeting == "bye";
    std::thread server([&] {
        UniqueFd client(::accept(listener.get(), nullptr, nullptr));
        const auto length = static_cast<std::size_t>(greeting.size());
        do {
            if (length > 0 && ::send(client.get(), greeting.constData(), length, MSG_NOSIGNAL) < 0) return;
        } while (endless);
        for (char byte; !hangsUp && ::recv(client.get(), &byte, 1, 0) > 0;) {}
    });
    HostEntry host = m_lab.host(1);
    host.hostName = "127.0.0.1";
    host.port = ntohs(name.sin_port);
    ConnectOptions options = m_lab.options();
    options.timeoutSeconds = 1;
    const double start = monotonicSeconds();
    const auto session = connectOverLibrary(host, options);
    const double seconds = monotonicSeconds() - start;
    server.join();
    QVERIFY(!session.ok());
    QVERIFY2(session.error().text().find(says.toStdString()) != std::string::npos, session.error().text().c_str());
    QVERIFY2(seconds < 2.5, "the deadline does not hold");
}

void SshSessionTest::argumentsArriveUnchanged_data() {
    QTest::addColumn<QByteArray>("argument");
    QTest::newRow("plain") << QByteArray("plain");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("spaces") << QByteArray("  two  spaces ");
    QTest::newRow("quotes") << QByteArray("it's \"quoted\" `here`");
    QTest::newRow("substitution") << QByteArray("$(id) ${HOME} $PATH");
    QTest::newRow("semicolon") << QByteArray("; rm -rf ~");
    QTest::newRow("backslashes") << QByteArray("a\\b\\\\c\\'d\\");
    QTest::newRow("history") << QByteArray("!! wow!");
    QTest::newRow("newline and tab") << QByteArray("line\nnext\tcell\r");
    QTest::newRow("escape codes") << QByteArray("\x1b[31mred\x07");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80");
    QTest::newRow("right to left") << QByteArray("\xe2\x80\xaeoof");
    QTest::newRow("option") << QByteArray("-oProxyCommand=id");
    QTest::newRow("glob") << QByteArray("* ? [a-z] ~ {a,b}");
    QTest::newRow("long") << QByteArray(10000, 'x');
}

void SshSessionTest::argumentsArriveUnchanged() {
    QFETCH(QByteArray, argument);
    const auto session = m_lab.connect(1);
    ExecOptions options;
    options.environment["NASTY"] = argument.toStdString();
    const auto result =
        session->exec({"/bin/sh", "-c", "printf '%s' \"$1$NASTY\"", "x", argument.toStdString()}, options);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(QByteArray::fromStdString(result->out), argument + argument);
}

void SshSessionTest::tooLongCommandIsRefused() {
    const auto session = m_lab.connect(1);
    const auto result = session->exec({"echo", std::string(60000, 'x')});
    QVERIFY(!result.ok());
    QVERIFY2(result.error().message.find("too long") != std::string::npos, result.error().text().c_str());
    QVERIFY(session->exec({"true"}).ok());
}

void SshSessionTest::talkativeProfileDoesNotReachTheOutput() {
    const auto result = m_lab.connect(3)->exec({"printf", "only this"}); // its profile and banner talk
    QVERIFY(result.ok());
    QCOMPARE(text(result->out), QStringLiteral("only this"));
    QCOMPARE(text(result->err), QString());
}

void SshSessionTest::exitStatusIsExact_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("status");
    QTest::newRow("good") << "true" << "exited with 0";
    QTest::newRow("seven") << "exit 7" << "exited with 7";
    QTest::newRow("killed") << "kill -KILL $$" << "was killed by SIGKILL";
    QTest::newRow("crashed") << "kill -SEGV $$" << "was killed by SIGSEGV";
    QTest::newRow("not there") << "exec /no/such/program" << "exited with 127";
}

void SshSessionTest::exitStatusIsExact() {
    QFETCH(QString, script);
    QFETCH(QString, status);
    const auto result = m_lab.connect(1)->script(script.toStdString());
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(text(result->status.text()), status);
}

// Whatever language the account speaks: what scripts print is parsed.
void SshSessionTest::scriptsSpeakOneLanguage() {
    const auto result = m_lab.connect(1)->script("echo \"$LC_ALL\"; ls /no/such/file");
    QVERIFY(result.ok());
    QCOMPARE(text(result->out), QStringLiteral("C\n"));
    QVERIFY2(text(result->err).contains("No such file or directory"), result->err.c_str());
}

void SshSessionTest::largeStreamsArriveIntact() {
    const std::string bytes = pattern(20'000'000);
    ExecOptions options;
    options.input = bytes;
    options.maxOutput = 64u << 20;
    const auto result = m_lab.connect(1)->exec({"/bin/sh", "-c", "tee /dev/stderr"}, options);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QVERIFY(result->out == bytes);
    QVERIFY(result->err == bytes);
}

void SshSessionTest::slowReaderDoesNotStopOthers() {
    const auto session = m_lab.connect(1);
    const auto flood = session->start({"/bin/sh", "-c", "yes"});
    QVERIFY(flood.ok());
    QTest::qSleep(300); // without a reader it stops at the channel's window
    const double start = monotonicSeconds();
    for (int i = 0; i < 5; ++i) QCOMPARE(text(session->exec({"echo", "hello"})->out), QStringLiteral("hello\n"));
    QVERIFY2(monotonicSeconds() - start < 2, "other channels wait for a slow reader");
    session->signalGroup((*flood)->pid(), SIGKILL);
    // What was on its way is still there to be read, and then the end.
    char bytes[4096];
    while (::poll(nullptr, 0, 1), ::recv((*flood)->dataFd(), bytes, sizeof bytes, 0) != 0) {}
    QVERIFY((*flood)->waitForEnd(3));
    QCOMPARE((*flood)->exitStatus()->code, SIGKILL);
}

void SshSessionTest::killEndsTheProcessGroup() {
    const auto session = m_lab.connect(1);
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

void SshSessionTest::manyProgramsAtOnce() {
    const auto session = m_lab.connect(2);
    std::vector<std::unique_ptr<SshChannel>> channels;
    for (int i = 0; i < 9; ++i) {
        auto channel = session->start({"cat"});
        QVERIFY2(channel.ok(), channel.ok() ? "" : channel.error().text().c_str());
        channels.push_back(std::move(channel).value());
    }
    for (int round = 0; round < 50; ++round) {
        for (const auto& channel : channels) QCOMPARE(::send(channel->dataFd(), "frame", 5, MSG_NOSIGNAL), 5);
        for (const auto& channel : channels) {
            pollfd ready{channel->dataFd(), POLLIN, 0};
            QCOMPARE(::poll(&ready, 1, 3000), 1);
            char bytes[16];
            QCOMPARE(::recv(channel->dataFd(), bytes, sizeof bytes, 0), 5);
        }
    }
    const auto extra = session->start({"cat"});
    const auto tooMany = session->start({"cat"});
    QVERIFY(!tooMany.ok());
    QVERIFY2(tooMany.error().text().find("MaxSessions") != std::string::npos, tooMany.error().text().c_str());
    QVERIFY(session->alive());
    channels.clear(); // cat ends with its input
    QTRY_VERIFY_WITH_TIMEOUT(session->openChannels() <= 1, 3000);
}

void SshSessionTest::silentProgramIsGivenUpAndEnded() {
    const auto session = m_lab.connect(1);
    ExecOptions options;
    options.silenceSeconds = 1;
    const auto result = session->exec({"sleep", "4321"}, options);
    QVERIFY(!result.ok());
    QVERIFY(result.error().message.find("no sign of life") != std::string::npos);
    const auto left = [&] { return session->script("ps -eo args= | grep -c '^sleep 432[1]'")->out; };
    QTRY_COMPARE(text(left()).trimmed(), QStringLiteral("0"));
}

void SshSessionTest::cutLinkIsNoticed() {
    const auto session = m_lab.connect(2);
    const auto channel = session->start({"cat"});
    QVERIFY(channel.ok());
    m_lab.cut(2);
    const double start = monotonicSeconds();
    pollfd ended{(*channel)->dataFd(), POLLIN, 0};
    const int ready = ::poll(&ended, 1, 10000);
    const double seconds = monotonicSeconds() - start;
    m_lab.join(2);
    QCOMPARE(ready, 1);
    char byte;
    QCOMPARE(::recv((*channel)->dataFd(), &byte, 1, 0), 0);
    qInfo("a cut link was noticed after %.1f s", seconds);
    QVERIFY((*channel)->waitForEnd(1));
    QCOMPARE((*channel)->exitStatus()->code, 255);
    QVERIFY2((*channel)->lossReason().find("does not answer") != std::string::npos, (*channel)->lossReason().c_str());
    char log[200] = "";
    QVERIFY(::recv((*channel)->logFd(), log, sizeof log - 1, 0) > 0);
    QVERIFY2(std::string(log).find("connection lost") != std::string::npos, log);
    QVERIFY(!session->alive());
    QVERIFY(!session->exec({"true"}).ok());
}

void SshSessionTest::shortCutIsSurvived() {
    const auto session = m_lab.connect(1);
    m_lab.cut(1);
    QTest::qSleep(2500);
    m_lab.join(1);
    const auto result = session->exec({"echo", "still here"});
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(text(result->out), QStringLiteral("still here\n"));
}

void SshSessionTest::poweredOffHostIsNoticedAndComesBack() {
    const auto session = m_lab.connect(2);
    m_lab.powerOff(2);
    const double start = monotonicSeconds();
    while (session->alive() && monotonicSeconds() - start < 10) QTest::qSleep(50);
    QVERIFY(!session->alive());
    m_lab.boot(2);
    QCOMPARE(text(m_lab.connect(2)->exec({"hostname"})->out), QStringLiteral("h2\n"));
}

void SshSessionTest::changedKeyIsRefused() {
    QVERIFY(m_lab.connect(2) != nullptr);
    m_lab.powerOff(2);
    m_lab.changeIdentity(2);
    m_lab.boot(2);
    const auto session = connectOverLibrary(m_lab.host(2), m_lab.options()); // would accept any new host
    QVERIFY(!session.ok());
    QCOMPARE(session.error().code, ErrorCode::HostKeyChanged);
    const std::string said = session.error().text();
    QVERIFY2(said.find("HAS CHANGED") != std::string::npos, said.c_str());
    QVERIFY2(said.find(m_lab.folder() + "/accepted_hosts line ") != std::string::npos, said.c_str());
    QVERIFY2(said.find("ssh-keygen -f") != std::string::npos && said.find("-R 'h2'") != std::string::npos,
             said.c_str());
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    SshSessionTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "ssh_session_test.moc"
