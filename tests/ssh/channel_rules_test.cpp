// SPDX-License-Identifier: GPL-3.0-or-later
// Which program speaks SSH with a host, how the system's is called, and what it answers.
#include "remote/book/channel_choice.h"
#include "remote/book/host_book.h"
#include "remote/ssh/system/mux_protocol.h"
#include "remote/ssh/system/ssh_client.h"
#include "tests/texts.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::remote;
using Reason = ChannelReason;
using trainyard::test::text;

Q_DECLARE_METATYPE(ChannelFacts)

namespace {

// A message as a master frames it.
std::string framed(std::initializer_list<std::uint32_t> numbers, const std::string& tail = {}) {
    std::string body;
    const auto put = [](std::string& to, std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift & 0xff);
    };
    for (const auto number : numbers) put(body, number);
    body += tail;
    std::string all;
    put(all, static_cast<std::uint32_t>(body.size()));
    return all + body;
}

} // namespace

class ChannelRulesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstChannel_data();
    void theFirstChannel();
    void theChannelAfterAFailure();
    void wordsComeBack();
    void messagesAreReadInPieces();
    void malformedMessagesAreRefused_data();
    void malformedMessagesAreRefused();
    void requestsAreFramed();
    void theConfigurationQuotesItsValues();
    void theDestinationIsOneWord();
    void troubleIsRecognised_data();
    void troubleIsRecognised();
};

// Feature: hosts that only the system's ssh reaches, chosen by itself and said; the same streams, exit codes, loss of
// the link, host keys; a run over them, a password for its supervisor; nothing is left. Also in system_ssh_run_test,
// system_ssh_test.
void ChannelRulesTest::theFirstChannel_data() {
    QTest::addColumn<ChannelFacts>("facts");
    QTest::addColumn<int>("reason");
    const auto row = [](const char* name, Reason reason, auto change) {
        ChannelFacts facts;
        change(facts);
        QTest::newRow(name) << facts << int(reason);
    };
    row("plain", Reason::None, [](auto&) {});
    row("as asked", Reason::Asked, [](auto& f) { f.wish = ChannelWish::SystemSsh; });
    row("as asked, not installed", Reason::Asked, [](auto& f) {
        f.wish = ChannelWish::SystemSsh;
        f.installed = false;
    });
    row("library asked for", Reason::None, [](auto& f) {
        f.wish = ChannelWish::Library;
        f.configured = Reason::ProxyJump;
        f.leftOpen = true;
    });
    row("not installed", Reason::None, [](auto& f) {
        f.installed = false;
        f.configured = Reason::ProxyJump;
    });
    row("left open", Reason::LeftOpen, [](auto& f) {
        f.leftOpen = true;
        f.configured = Reason::ProxyJump;
    });
    row("ProxyJump", Reason::ProxyJump, [](auto& f) {
        f.configured = Reason::ProxyJump;
        f.noted = Reason::SignIn;
    });
    row("certificate beside the key", Reason::Certificate, [](auto& f) { f.hasCertificate = true; });
    row("FIDO key", Reason::SecurityKey, [](auto& f) { f.keyType = "sk-ssh-ed25519@openssh.com"; });
    row("RSA key", Reason::RsaKey, [](auto& f) { f.keyType = "ssh-rsa"; });
    row("RSA key, new library", Reason::None, [](auto& f) {
        f.keyType = "ssh-rsa";
        f.libraryDoesRsa = true;
    });
    row("noted", Reason::Methods, [](auto& f) { f.noted = Reason::Methods; });
}

void ChannelRulesTest::theFirstChannel() {
    QFETCH(ChannelFacts, facts);
    QFETCH(int, reason);
    QCOMPARE(int(chooseChannel(facts)), reason);
}

void ChannelRulesTest::theChannelAfterAFailure() {
    ChannelFacts facts;
    QCOMPARE(channelAfter(LibraryFailure::Methods, facts), Reason::Methods);
    QCOMPARE(channelAfter(LibraryFailure::SignIn, facts), Reason::SignIn);
    QCOMPARE(channelAfter(LibraryFailure::Other, facts), Reason::None);
    facts.wish = ChannelWish::Library;
    QCOMPARE(channelAfter(LibraryFailure::SignIn, facts), Reason::None);
    facts.wish = ChannelWish::Auto;
    facts.installed = false;
    QCOMPARE(channelAfter(LibraryFailure::Methods, facts), Reason::None);
    QVERIFY(isWorthNoting(Reason::Methods, Reason::None) && isWorthNoting(Reason::SignIn, Reason::Methods));
    QVERIFY(!isWorthNoting(Reason::Methods, Reason::Methods) && !isWorthNoting(Reason::ProxyJump, Reason::None));
    QVERIFY(!isWorthNoting(Reason::None, Reason::Methods));
}

void ChannelRulesTest::wordsComeBack() {
    for (int i = 0; i <= int(Reason::SignIn); ++i) QCOMPARE(int(*channelReason(toString(Reason(i)))), i);
    for (const auto wish : {ChannelWish::Auto, ChannelWish::Library, ChannelWish::SystemSsh})
        QCOMPARE(*channelWish(toString(wish)), wish);
    QVERIFY(!channelReason("nonsense") && !channelWish("nonsense"));
    QCOMPARE(text(channelText(Reason::ProxyJump)), QStringLiteral("over the system's ssh: ProxyJump"));
    QCOMPARE(text(channelText(Reason::None)), QStringLiteral("over the library"));
}

void ChannelRulesTest::messagesAreReadInPieces() {
    const std::string all = framed({1, 4}) + framed({0x80000006, 0, 7}) + framed({0x80000004, 7, 255}) +
                            framed({0x80000003, 0, 3}, "why") + framed({0x80000009, 1});
    mux::Reader reader;
    std::vector<mux::Message> messages;
    for (const char byte : all) {
        reader.accept({&byte, 1});
        auto next = reader.next();
        QVERIFY(next.ok());
        if (*next) messages.push_back(std::move(**next));
    }
    QCOMPARE(messages.size(), std::size_t(5));
    QVERIFY(messages[0].kind == mux::Kind::Hello && messages[0].code == mux::kVersion);
    QVERIFY(messages[1].kind == mux::Kind::Opened);
    QVERIFY(messages[2].kind == mux::Kind::Exit && messages[2].code == 255);
    QVERIFY(messages[3].kind == mux::Kind::Refused && messages[3].reason == "why");
    QVERIFY(messages[4].kind == mux::Kind::Other);
}

void ChannelRulesTest::malformedMessagesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    row("endless", std::string(4, '\xff'));
    row("without a type", framed({}));
    row("hello without its version", framed({1}));
    row("exit without its code", framed({0x80000004, 7}));
    row("reason longer than the message", framed({0x80000003, 0, 300}, "why"));
}

void ChannelRulesTest::malformedMessagesAreRefused() {
    QFETCH(QByteArray, bytes);
    mux::Reader reader;
    reader.accept(bytes.toStdString());
    const auto next = reader.next();
    QVERIFY(!next.ok());
    QVERIFY(next.error().message.find("malformed") != std::string::npos);
}

void ChannelRulesTest::requestsAreFramed() {
    QCOMPARE(QByteArray::fromStdString(mux::hello()), QByteArray::fromHex("000000080000000100000004"));
    QCOMPARE(QByteArray::fromStdString(mux::newConnection("h", 80)), QByteArray::fromHex("00000015"
                                                                                         "10000008"
                                                                                         "00000000"
                                                                                         "00000000"
                                                                                         "00000001"
                                                                                         "68"
                                                                                         "00000050"));
    const std::string session = mux::newSession("id");
    QCOMPARE(session.size(), std::size_t(4 + 4 * 10 + 2));
    QVERIFY(session.ends_with(std::string("\0\0\0\x02id", 6)));
}

void ChannelRulesTest::theConfigurationQuotesItsValues() {
    ConnectOptions options;
    options.knownHosts = "/a b/100% \"known\"";
    options.readOnlyKnownHosts = {"/c"};
    const QString config = text(sshConfigText(options, false));
    QVERIFY2(config.contains("UserKnownHostsFile \"/a b/100%% \\\"known\\\"\" \"/c\""), qPrintable(config));
    QVERIFY(config.startsWith("BatchMode yes\n") && config.contains("\nStrictHostKeyChecking yes\n"));
    QVERIFY(text(sshConfigText(options, true)).startsWith("BatchMode no\n"));
    QVERIFY(config.indexOf("Include ") > config.indexOf("ServerAliveInterval")); // the first value holds
}

void ChannelRulesTest::theDestinationIsOneWord() {
    HostEntry host;
    host.alias = "lab";
    host.hostName = "fe80::1%eth0";
    host.user = "anna";
    host.port = 2200;
    host.identityFile = "/k e y";
    QCOMPARE(sshDestination(host), (std::vector<std::string>{"-o", "HostName=fe80::1%%eth0", "-l", "anna", "-p", "2200",
                                                             "-i", "/k e y", "--", "lab"}));
    host = {};
    host.alias = "lab";
    host.sshName = "gpu";
    QCOMPARE(sshDestination(host), (std::vector<std::string>{"--", "gpu"}));
}

void ChannelRulesTest::troubleIsRecognised_data() {
    QTest::addColumn<QString>("said");
    QTest::addColumn<int>("trouble");
    const auto row = [](SshTrouble trouble, const char* said) { QTest::newRow(said) << said << int(trouble); };
    row(SshTrouble::HostKey, "No ED25519 host key is known for h1 and you have requested strict checking.\r\n"
                             "Host key verification failed.\r\nConnection closed by UNKNOWN port 65535\r\n");
    row(SshTrouble::SignIn, "root@h1: Permission denied (publickey).\r\n");
    row(SshTrouble::LinkCut, "Timeout, server h1 not responding.\r\n");
    row(SshTrouble::LinkReset, "client_loop: send disconnect: Broken pipe\r\n");
    row(SshTrouble::Unreachable, "ssh: connect to host h1 port 22: Connection refused\r\n");
    row(SshTrouble::Unreachable, "Unable to negotiate with 10.0.0.1 port 22: no matching cipher found.");
    row(SshTrouble::Unreachable, "ssh: Could not resolve hostname nobody: Name or service not known");
    row(SshTrouble::Other, "Connection to h1 closed by remote host.\r\n");
    row(SshTrouble::Other, "");
}

void ChannelRulesTest::troubleIsRecognised() {
    QFETCH(QString, said);
    QFETCH(int, trouble);
    QCOMPARE(int(sshTrouble(said.toStdString())), trouble);
}

QTEST_APPLESS_MAIN(ChannelRulesTest)

#include "channel_rules_test.moc"
