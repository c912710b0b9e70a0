// SPDX-License-Identifier: GPL-3.0-or-later
// Names of hosts, the host book, ssh_config, known_hosts and quoting: what needs no host.
#include "engine/base/text/base64.h"
#include "remote/book/host_book.h"
#include "remote/book/key_file.h"
#include "remote/book/known_hosts.h"
#include "remote/book/shell_quote.h"
#include "remote/book/ssh_config.h"
#include "remote/hosts/host_facts.h"
#include "remote/ssh/system/ssh_client.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::remote;
using trainyard::test::text;

namespace {

HostEntry hostOf(const char* alias, const char* hostName, const char* user = "", int port = 22) {
    HostEntry host;
    host.alias = alias;
    host.hostName = hostName;
    host.user = user;
    host.port = port;
    return host;
}

} // namespace

class HostNamesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void bookKeepsHosts();
    void bookRefuses_data();
    void bookRefuses();
    void malformedBookIsAnInputError_data();
    void malformedBookIsAnInputError();
    void namesAreResolved_data();
    void namesAreResolved();
    void commandsNameTheHost_data();
    void commandsNameTheHost();
    void badNamesAreRefused_data();
    void badNamesAreRefused();
    void sshConfigGivesAliases();
    void matchBlocksHold_data();
    void matchBlocksHold();
    void reservedNamesAreRefused_data();
    void reservedNamesAreRefused();
    void clocksAreTold_data();
    void clocksAreTold();
    void includeLoopIsAnError();
    void knownHostsLines_data();
    void knownHostsLines();
    void quotedWordsComeBack_data();
    void quotedWordsComeBack();
    void commandLinesRunAsTheyAre_data();
    void commandLinesRunAsTheyAre();
    void keyFilesAreInspected();

private:
    void write(const QString& name, const QByteArray& content) const;
    std::string path(const char* name) const { return (m_folder->path() + "/" + name).toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void HostNamesTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("HOME", m_folder->path().toLocal8Bit());
    qunsetenv("XDG_CONFIG_HOME");
    QDir(m_folder->path()).mkdir(".ssh");
}

void HostNamesTest::write(const QString& name, const QByteArray& content) const {
    QFile file(m_folder->path() + "/" + name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

void HostNamesTest::bookKeepsHosts() {
    auto book = HostBook::load();
    QVERIFY(book.ok());
    QVERIFY(book->hosts().empty());
    HostEntry gpu;
    gpu.alias = "gpu-box";
    gpu.hostName = "10.0.0.7";
    gpu.user = "anna";
    gpu.port = 2222;
    gpu.identityFile = "/home/anna/.ssh/id_ed25519";
    gpu.address = "eth1";
    QVERIFY(book->add(gpu).ok());
    HostEntry plain;
    plain.alias = "node2";
    QVERIFY(book->add(plain).ok());
    const QString file = m_folder->path() + "/.config/trainyard/hosts.json";
    QVERIFY(QFile::exists(file));
    QCOMPARE(QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());

    const auto again = HostBook::load();
    QVERIFY(again.ok());
    QVERIFY(again->hosts() == (std::vector<HostEntry>{gpu, plain}));
    QVERIFY(!book->add(gpu).ok()); // taken
    gpu.port = 22;
    QVERIFY(book->add(gpu, true).ok());
    QCOMPARE(HostBook::load()->find("gpu-box")->port, 22);
    const auto typo = book->remove("gpu-bx");
    QVERIFY(!typo.ok());
    QVERIFY(typo.error().remedy.find("gpu-box") != std::string::npos);
    HostEntry channelled;
    channelled.alias = "channelled";
    channelled.sshName = "gate.gpu";
    channelled.channel = ChannelWish::SystemSsh;
    channelled.sshReason = ChannelReason::Methods;
    QVERIFY(book->add(channelled).ok());
    QCOMPARE(*HostBook::load()->find("channelled"), channelled);
    QVERIFY(book->remove("channelled").ok());
    QVERIFY(book->remove("gpu-box").ok());
    QCOMPARE(HostBook::load()->hosts().size(), std::size_t(1));
}

void HostNamesTest::bookRefuses_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::newRow("no alias") << "alias" << "";
    for (const char* bad : {"-oProxyCommand=id", "a b", "a;b", "$(id)", "`id`", "a\nb", "a\x1b[31m", "../x", "a'b",
                            "\xe2\x80\xaex", "a*"}) {
        QTest::addRow("alias %s", QByteArray(bad).toPercentEncoding().constData()) << "alias" << QString::fromUtf8(bad);
        QTest::addRow("hostName %s", QByteArray(bad).toPercentEncoding().constData())
            << "hostName" << QString::fromUtf8(bad);
        QTest::addRow("user %s", QByteArray(bad).toPercentEncoding().constData()) << "user" << QString::fromUtf8(bad);
    }
    QTest::newRow("long") << "alias" << QString(300, 'x');
    QTest::newRow("port 0") << "port" << "0";
    QTest::newRow("port 65536") << "port" << "65536";
    QTest::newRow("relative key") << "identityFile" << "id_ed25519";
    QTest::newRow("address") << "address" << "eth0;id";
}

void HostNamesTest::bookRefuses() {
    QFETCH(QString, field);
    QFETCH(QString, value);
    HostEntry host;
    host.alias = "good";
    host.hostName = "good.example";
    if (field == "alias") host.alias = value.toStdString();
    if (field == "hostName") host.hostName = value.toStdString();
    if (field == "user") host.user = value.toStdString();
    if (field == "port") host.port = value.toInt();
    if (field == "identityFile") host.identityFile = value.toStdString();
    if (field == "address") host.address = value.toStdString();
    auto book = HostBook::load();
    const auto added = book->add(host);
    QVERIFY(!added.ok());
    QCOMPARE(added.error().kind, ErrorKind::Input);
    QCOMPARE(text(added.error().where), field);
    QVERIFY(added.error().text().find('\x1b') == std::string::npos); // safe to print
    QVERIFY(book->hosts().empty());
}

void HostNamesTest::malformedBookIsAnInputError_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray("") << "malformed JSON";
    QTest::newRow("list") << QByteArray("[]") << "malformed JSON";
    QTest::newRow("version") << QByteArray(R"({"version": 2, "hosts": []})") << "version";
    QTest::newRow("no hosts") << QByteArray(R"({"version": 1})") << "\"hosts\" must be a list";
    QTest::newRow("unknown key") << QByteArray(R"({"version":1,"hosts":[{"alias":"a","prot":22}]})")
                                 << "did you mean \"port\"";
    QTest::newRow("port text") << QByteArray(R"({"version":1,"hosts":[{"alias":"a","port":"22"}]})") << "hosts[0].port";
    QTest::newRow("huge port") << QByteArray(R"({"version":1,"hosts":[{"alias":"a","port":99999999999}]})")
                               << "not a port";
    QTest::newRow("twice") << QByteArray(R"({"version":1,"hosts":[{"alias":"a"},{"alias":"a"}]})") << "twice";
    QTest::newRow("bad name") << QByteArray(R"({"version":1,"hosts":[{"alias":"-x"}]})") << "starts with '-'";
    QTest::newRow("channel") << QByteArray(R"({"version":1,"hosts":[{"alias":"a","channel":"telnet"}]})")
                             << "hosts[0].channel";
    QTest::newRow("reason") << QByteArray(R"({"version":1,"hosts":[{"alias":"a","sshReason":"whim"}]})")
                            << "hosts[0].sshReason";
    QTest::newRow("deep") << QByteArray(10000, '[') << "malformed JSON";
}

void HostNamesTest::malformedBookIsAnInputError() {
    QFETCH(QByteArray, json);
    QFETCH(QString, says);
    const auto book = HostBook::parse(json.toStdString(), "/x/hosts.json");
    QVERIFY(!book.ok());
    QCOMPARE(book.error().kind, ErrorKind::Input);
    QVERIFY2(book.error().text().find(says.toStdString()) != std::string::npos, book.error().text().c_str());
    QVERIFY(book.error().text().find("/x/hosts.json") != std::string::npos);
}

void HostNamesTest::namesAreResolved_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("label");
    QTest::newRow("alias of the book") << "gpu" << "anna@10.0.0.7:2222";
    QTest::newRow("alias with another user") << "root@gpu" << "root@10.0.0.7:2222";
    QTest::newRow("plain") << "node9" << "node9";
    QTest::newRow("user and port") << "bob@node9:2200" << "bob@node9:2200";
    QTest::newRow("address") << "bob@10.1.2.3" << "bob@10.1.2.3";
    QTest::newRow("IPv6") << "[fe80::1]:2200" << "[fe80::1]:2200";
    QTest::newRow("IPv6 without brackets") << "fe80::1" << "fe80::1";
    QTest::newRow("IPv6 with an interface") << "me@[fe80::1%eth0]:22" << "me@fe80::1%eth0";
    QTest::newRow("IPv6 with an interface, without brackets") << "fe80::1%enp3s0.7" << "fe80::1%enp3s0.7";
    QTest::newRow("alias of the SSH config") << "lab" << "eve@lab.example.org:22022";
}

void HostNamesTest::namesAreResolved() {
    QFETCH(QString, name);
    QFETCH(QString, label);
    write(".ssh/config", "Host lab\n  HostName lab.example.org\n  User eve\n  Port 22022\n");
    const auto book = HostBook::parse(
        R"({"version":1,"hosts":[{"alias":"gpu","hostName":"10.0.0.7","user":"anna","port":2222}]})", "/x");
    const auto host = book->resolve(name.toStdString());
    QVERIFY2(host.ok(), host.ok() ? "" : host.error().text().c_str());
    QCOMPARE(text(host->label()), label);
}

// What a remedy gives to `trainyardctl hosts` and to `ssh` leads to the host, whether or not the book has it.
void HostNamesTest::commandsNameTheHost_data() {
    QTest::addColumn<HostEntry>("host");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("ssh");
    const auto row = [](const char* name, const HostEntry& host, const char* word, const char* ssh) {
        QTest::newRow(name) << host << word << ssh;
    };
    row("of the book", hostOf("gpu", "10.0.0.7", "anna", 2222), "gpu", "-o HostName=10.0.0.7 -p 2222 anna@gpu");
    row("of the SSH config", hostOf("lab", "lab.example.org", "eve", 22022), "lab",
        "-o HostName=lab.example.org -p 22022 eve@lab");
    row("of the SSH config, another user", hostOf("lab", "lab.example.org", "root", 22022), "root@lab:22022",
        "-o HostName=lab.example.org -p 22022 root@lab");
    row("plain", hostOf("node9", "node9"), "node9", "node9");
    row("a user", hostOf("h1", "h1", "root"), "root@h1", "root@h1");
    row("of a cluster file alone", hostOf("aa", "10.77.0.2", "root"), "root@10.77.0.2",
        "-o HostName=10.77.0.2 root@aa");
    row("an alias of the book that is another host", hostOf("gpu", "10.0.0.8"), "10.0.0.8", "-o HostName=10.0.0.8 gpu");
    HostEntry keyed = hostOf("node9", "");
    keyed.identityFile = "/my keys/id";
    row("a key", keyed, "node9", "-i '/my keys/id' node9");
}

void HostNamesTest::commandsNameTheHost() {
    QFETCH(HostEntry, host);
    write(".ssh/config", "Host lab\n  HostName lab.example.org\n  User eve\n  Port 22022\n");
    auto book = HostBook::load();
    QVERIFY(book->add(hostOf("gpu", "10.0.0.7", "anna", 2222)).ok());
    QTEST(text(commandWord(host)), "word");
    QTEST(text(sshWords(host)), "ssh");
    const auto found = HostBook::load()->resolve(commandWord(host));
    QVERIFY(found.ok());
    QCOMPARE(text(found->label()), text(host.label()));
}

void HostNamesTest::badNamesAreRefused_data() {
    QTest::addColumn<QString>("name");
    for (const char* bad : {"", "-x", "user@", "user@-x", "a b", "host:0", "host:99999", "host:22x", "host:", "a@b@c;d",
                            "[", "]:22", ":22", "x\ny"})
        QTest::addRow("%s", QByteArray(bad).toPercentEncoding().constData()) << QString::fromUtf8(bad);
}

void HostNamesTest::badNamesAreRefused() {
    QFETCH(QString, name);
    const auto host = HostBook::load()->resolve(name.toStdString());
    QVERIFY2(!host.ok(), host.ok() ? host->label().c_str() : "");
    QCOMPARE(host.error().kind, ErrorKind::Input);
}

void HostNamesTest::sshConfigGivesAliases() {
    QDir(m_folder->path()).mkpath(".ssh/conf.d");
    write(".ssh/conf.d/lab.conf", "Host lab1 lab2\n\tHostName=%h.lab.example\n  IdentityFile \"~/.ssh/my key\"\n");
    write(".ssh/config", "# comment\nInclude conf.d/*.conf\nHost gpu !gpu9\n  HostName 10.0.0.7\n  user anna\n"
                         "  ProxyJump gate\nMatch host gpu exec \"true\"\n  User wrong\nHost lab?\n  Port 2200\n"
                         "Host *\n  User everybody\n  Port 2222\n  IdentityFile ~/.ssh/id_common\n");
    const auto hosts = sshConfigHosts();
    QVERIFY2(hosts.ok(), hosts.ok() ? "" : hosts.error().text().c_str());
    QCOMPARE(hosts->size(), std::size_t(3));
    const HostEntry& lab1 = hosts->at(0);
    QCOMPARE(text(lab1.label()), QStringLiteral("everybody@lab1.lab.example:2200"));
    QCOMPARE(text(lab1.identityFile), m_folder->path() + "/.ssh/my key");
    const HostEntry& gpu = hosts->at(2);
    QCOMPARE(text(gpu.label()), QStringLiteral("anna@10.0.0.7:2222"));
    QCOMPARE(text(gpu.proxyJump), QStringLiteral("gate"));
    QCOMPARE(gpu.sshReason, ChannelReason::ProxyJump);
    QCOMPARE(lab1.sshReason, ChannelReason::None);
    QCOMPARE(text(sshConfigHost("other")->label()), QStringLiteral("everybody@other:2222"));
    QVERIFY(sshConfigHosts(path("missing"))->empty());
}

// Feature: hosts that can be added can be named in run files: IPv6 with an interface, Match blocks of the SSH config;
// names that mean something else are refused. Also in spec_validate_test.
void HostNamesTest::matchBlocksHold_data() {
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("label");
    const QByteArray lab = "  HostName 10.0.0.9\n  User eve\n  Port 2222\n";
    QTest::newRow("host") << "Match host lab\n" + lab << "lab" << "eve@10.0.0.9:2222";
    QTest::newRow("original host, with a list") << "Match originalhost x,la*\n" + lab << "lab" << "eve@10.0.0.9:2222";
    QTest::newRow("a program says yes") << "Match exec \"true\"\n" + lab << "lab" << "eve@10.0.0.9:2222";
    QTest::newRow("a program says no") << "Match exec \"false\"\n" + lab << "lab" << "lab";
    QTest::newRow("another host") << "Match host other\n" + lab << "lab" << "lab";
    QTest::newRow("what comes first holds") << "Host lab\n  Port 22022\nMatch host lab\n" + lab << "lab"
                                            << "eve@10.0.0.9:22022";
    QTest::newRow("all") << "Match all\n" + lab << "lab" << "eve@10.0.0.9:2222";
}

void HostNamesTest::matchBlocksHold() {
    QFETCH(QByteArray, config);
    QFETCH(QString, name);
    write(".ssh/config", config + "  IdentityFile ~/.ssh/id_lab\n");
    const auto host = HostBook::load()->resolve(name.toStdString());
    QVERIFY2(host.ok(), host.ok() ? "" : host.error().text().c_str());
    QTEST(text(host->label()), "label");
    const bool applies = host->hostName != "lab";
    QCOMPARE(text(host->identityFile), applies ? m_folder->path() + "/.ssh/id_lab" : QString());
}

void HostNamesTest::reservedNamesAreRefused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("meaning");
    QTest::newRow("local") << "local" << "this computer";
    QTest::newRow("localhost") << "localhost" << "this computer";
    QTest::newRow("slurm") << "slurm" << "the nodes of a Slurm job";
    QTest::newRow("a name like it") << "slurmy" << "";
    QTest::newRow("another like it") << "local2" << "";
}

void HostNamesTest::reservedNamesAreRefused() {
    QFETCH(QString, name);
    QFETCH(QString, meaning);
    HostEntry host;
    host.alias = name.toStdString();
    host.hostName = "10.0.0.7";
    auto book = HostBook::load();
    const auto added = book->add(host);
    QCOMPARE(added.ok(), meaning.isEmpty());
    if (!added) QVERIFY2(text(added.error().text()).contains(meaning), added.error().text().c_str());
    if (added) return;
    host.alias = "other"; // as the remedy says
    QVERIFY(book->add(host).ok());
}

void HostNamesTest::clocksAreTold_data() {
    QTest::addColumn<double>("ahead"); // seconds
    QTest::addColumn<QString>("told");
    QTest::newRow("right") << 0.0 << "";
    QTest::newRow("as exact as a question can tell") << -1.9 << "";
    QTest::newRow("ahead") << 3.0 << "3.0 s ahead";
    QTest::newRow("an hour behind") << -3600.0 << "1 h 00 min behind";
}

void HostNamesTest::clocksAreTold() {
    QFETCH(double, ahead);
    QTEST(text(clockText(ahead)), "told");
}

void HostNamesTest::includeLoopIsAnError() {
    write(".ssh/config", "Include config\n");
    const auto hosts = sshConfigHosts();
    QVERIFY(!hosts.ok());
    QVERIFY2(hosts.error().text().find("Include goes deeper") != std::string::npos, hosts.error().text().c_str());
}

void HostNamesTest::knownHostsLines_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("verdict");
    const auto blob = [](char fill) {
        return std::string("\0\0\0\x0bssh-ed25519", 15) + std::string("\0\0\0\x20", 4) + std::string(32, fill);
    };
    const QByteArray same = " ssh-ed25519 " + QByteArray::fromStdString(toBase64(blob('k')));
    const QByteArray other = " ssh-ed25519 " + QByteArray::fromStdString(toBase64(blob('x')));
    const QByteArray ecdsa =
        " ecdsa-sha2-nistp256 " + QByteArray::fromStdString(toBase64(std::string("\0\0\0\x13"
                                                                                 "ecdsa-sha2-nistp256",
                                                                                 23)));
    using V = KnownHosts::Verdict;
    QTest::newRow("same") << QByteArray("box" + same) << int(V::Known);
    QTest::newRow("other case") << QByteArray("BOX" + same) << int(V::Known);
    QTest::newRow("list") << QByteArray("a,box,10.0.0.1" + same) << int(V::Known);
    QTest::newRow("wildcard") << QByteArray("b?x,*.org" + same) << int(V::Known);
    QTest::newRow("negated") << QByteArray("*,!box" + same) << int(V::Unknown);
    QTest::newRow("other host") << QByteArray("boxer" + same) << int(V::Unknown);
    QTest::newRow("other port") << QByteArray("[box]:2222" + same) << int(V::Unknown);
    QTest::newRow("changed") << QByteArray("box" + other) << int(V::Changed);
    QTest::newRow("changed, and right elsewhere") << QByteArray("box" + other + "\nbox" + same) << int(V::Known);
    QTest::newRow("other type") << QByteArray("box" + ecdsa) << int(V::OtherType);
    QTest::newRow("other type, then changed") << QByteArray("box" + ecdsa + "\nbox" + other) << int(V::Changed);
    QTest::newRow("revoked") << QByteArray("box" + same + "\n@revoked *" + same) << int(V::Revoked);
    QTest::newRow("revoked other") << QByteArray("@revoked box" + other + "\nbox" + same) << int(V::Known);
    QTest::newRow("certificate authority") << QByteArray("@cert-authority *" + same) << int(V::Unknown);
    QTest::newRow("comment") << QByteArray("# box" + same) << int(V::Unknown);
    QTest::newRow("malformed before it") << QByteArray("box ssh-ed25519\nbox ssh-ed25519 !!!\n\n\x01\nbox" + same)
                                         << int(V::Known);
    QTest::newRow("type that does not fit") << QByteArray("box ssh-rsa " + same.mid(13)) << int(V::Unknown);
}

void HostNamesTest::knownHostsLines() {
    QFETCH(QByteArray, line);
    QFETCH(int, verdict);
    KnownHosts known;
    known.addText(line.toStdString(), "/k");
    const std::string blob =
        std::string("\0\0\0\x0bssh-ed25519", 15) + std::string("\0\0\0\x20", 4) + std::string(32, 'k');
    QCOMPARE(int(known.check("box", 22, blob).verdict), verdict);
}

void HostNamesTest::quotedWordsComeBack_data() {
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"sh", "bash", "dash", "zsh", "fish", "tcsh"}) QTest::newRow(shell) << shell;
}

void HostNamesTest::quotedWordsComeBack() {
    QFETCH(QString, shell);
    QByteArray nasty;
    for (char c = 1; c < 127; ++c)
        if (c != '\n') nasty += c; // csh has no way to quote a line break
    nasty += "''\\\\!!\\'\\!";
    if (shell != "tcsh") nasty += "\n\n";
    const auto quoted = shellQuote(nasty.toStdString());
    QVERIFY(quoted.ok());
    QProcess process;
    process.start(shell, {"-c", "/usr/bin/printf %s " + text(*quoted)});
    if (!process.waitForStarted()) QSKIP("this shell is not installed");
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.readAllStandardOutput(), nasty);
    QVERIFY(!shellQuote(std::string("a\0b", 3)).ok());
}

void HostNamesTest::commandLinesRunAsTheyAre_data() {
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("argument");
    QTest::addColumn<QByteArray>("value");
    const QByteArray breaks = "\n! it's \\n \\\\c $(id) `id` %s \"two\"\n\nlines\\\n\n",
                     flat = "-n ! it's \\n \\c %s x";
    const QByteArray oneLine = R"(printf '%s|%s|%s|%s|' "$0" "$#" "$1" "$VALUE"; cat; exit 7)";
    const QByteArray script = R"sh(
# It isn't one line!
trap 'printf "\nbye!"; exit 7' EXIT
printf '%s|%s|%s|%s|' "$0" "$#" "$1" "$VALUE"
! false && cat
)sh";
    for (const char* shell : {"sh", "bash", "dash", "zsh", "fish", "tcsh"}) {
        const QByteArray name(shell);
        QTest::newRow(name + ", one line") << shell << oneLine << flat << flat;
        QTest::newRow(name + ", lines in the script") << shell << script << flat << flat;
        QTest::newRow(name + ", lines in the argument") << shell << oneLine << breaks << flat;
        QTest::newRow(name + ", lines in the variable") << shell << oneLine << flat << breaks;
        QTest::newRow(name + ", lines in all") << shell << script << breaks << breaks;
    }
}

void HostNamesTest::commandLinesRunAsTheyAre() {
    QFETCH(QString, shell);
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, argument);
    QFETCH(QByteArray, value);
    const auto line = shellCommand({"/bin/sh", "-c", script.toStdString(), "trainyard", argument.toStdString(), ""},
                                   {{"VALUE", value.toStdString()}}, "mark");
    QVERIFY2(line.ok(), line.ok() ? "" : line.error().text().c_str());
    QVERIFY2(line->find('\n') == std::string::npos, line->c_str());
    for (auto at = line->find('!'); at != std::string::npos; at = line->find('!', at + 1))
        QVERIFY2(line->substr(at - 2, 4) == "'\\!'", line->c_str());
    QProcess process;
    process.start(shell, {"-c", text(*line)});
    if (!process.waitForStarted()) QSKIP("this shell is not installed");
    process.write("input");
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QByteArray output = process.readAllStandardOutput();
    QVERIFY2(output.startsWith("\nmark "), output + process.readAllStandardError());
    output.remove(0, output.indexOf('\n', 1) + 1);
    const bool talks = script.contains("bye");
    QCOMPARE(output, "trainyard|2|" + argument + "|" + value + "|input" + (talks ? "\nbye!" : ""));
    QCOMPARE(process.exitCode(), 7);
}

void HostNamesTest::keyFilesAreInspected() {
    const auto make = [&](const char* type, const char* passphrase, const char* name) {
        return QProcess::execute("ssh-keygen", {"-q", "-t", type, "-N", passphrase, "-f", text(path(name))}) == 0;
    };
    if (!make("ed25519", "", "plain")) QSKIP("ssh-keygen is not installed");
    QVERIFY(make("ed25519", "secret", "locked"));
    QCOMPARE(text(inspectKeyFile(path("plain"))->type), QStringLiteral("ssh-ed25519"));
    QVERIFY(!inspectKeyFile(path("plain"))->encrypted);
    QVERIFY(inspectKeyFile(path("locked"))->encrypted);
    QVERIFY(!inspectKeyFile(path("plain.pub")).ok());
    QFile file(text(path("plain")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    for (qsizetype length = 0; length < whole.size() - 60; length += 7) { // a torn file is an error, never a crash
        write("torn", whole.left(length) + "\n-----END OPENSSH PRIVATE KEY-----\n");
        const auto torn = inspectKeyFile(path("torn"));
        QVERIFY2(!torn.ok(), qPrintable(QString::number(length)));
    }
}

QTEST_GUILESS_MAIN(HostNamesTest)
#include "host_names_test.moc"
