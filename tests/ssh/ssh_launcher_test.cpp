// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on real hosts: deployed, launched, cut off and cleaned up; files there and back; the probe.
#include "engine/base/clock.h"
#include "engine/base/math/sha256.h"
#include "host_lab.h"
#include "remote/files/deploy.h"
#include "remote/hosts/host_probe.h"
#include "remote/launch/ssh_launcher.h"
#include "remote/ssh/library/library_transport.h"
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
using trainyard::test::contains;
using trainyard::test::text;

namespace {

std::string readAll(int fd, std::size_t size) {
    std::string bytes;
    char buffer[65536];
    for (const double deadline = monotonicSeconds() + 10; bytes.size() < size && monotonicSeconds() < deadline;) {
        pollfd ready{fd, POLLIN, 0};
        ::poll(&ready, 1, 100);
        const ssize_t n = ::recv(fd, buffer, std::min(sizeof buffer, size - bytes.size()), MSG_DONTWAIT);
        if (n == 0) break;
        if (n > 0) bytes.append(buffer, static_cast<std::size_t>(n));
    }
    return bytes;
}

void sendAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        pollfd ready{fd, POLLOUT, 0};
        ::poll(&ready, 1, 1000);
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

} // namespace

class SshLauncherTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void workerEchoesFrames();
    void workerProgramIsCopiedOnce();
    void workerDiesWithItsInput();
    void signalReachesTheWorker();
    void endOfTheWorkerObjectEndsTheProcess();
    void moreWorkersThanOneConnectionHolds();
    void missingLibraryNamesTheCause();
    void prepareNamesAddressFolderAndCores();
    void prepareByInterface();
    void unknownNamesAreRefused();
    void stagedFileArrivesOnceAndIntact();
    void folderOfTheHostIsUsedAsItIs();
    void stagedFolderKeepsItsShape();
    void fetchIsAtomicAndTidiesTheHost();
    void fullDiskOfTheHostIsNamed();
    void workersLeftBehindAreEnded();
    void probeOfAGoodHost();
    void probeFindsWhatIsWrong_data();
    void probeFindsWhatIsWrong();
    void probeNamesAnOlderSystem();
    void probeAsksAboutAnUnknownHost();
    void probeFindsAFirewall();
    void cshIsALoginShell();

private:
    std::unique_ptr<run::Launcher> launcher(const std::string& program);
    Result<HostBook> book();
    int processes(int host, const std::string& pattern);
    test::HostLab m_lab;
    std::vector<std::string> m_said;
};

Result<HostBook> SshLauncherTest::book() {
    TY_ASSIGN(HostBook book, HostBook::load(m_lab.folder() + "/book/hosts.json"));
    for (int n = 1; n <= 3; ++n) TY_TRY(book.add(m_lab.host(n), true));
    return book;
}

std::unique_ptr<run::Launcher> SshLauncherTest::launcher(const std::string& program) {
    SshLauncherOptions options;
    options.book = book().value();
    options.workerProgram = program;
    options.connect = m_lab.options();
    options.say = [this](const std::string& line) { m_said.push_back(line); };
    return makeSshLauncher(std::move(options));
}

int SshLauncherTest::processes(int host, const std::string& pattern) {
    const auto found = m_lab.connect(host)->script("ps -eo args= | grep -v grep | grep -c -- \"$1\"", {pattern});
    return found.ok() ? std::atoi(found->out.c_str()) : -1;
}

void SshLauncherTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

void SshLauncherTest::workerEchoesFrames() {
    const auto ssh = launcher("/bin/cat");
    auto worker = ssh->launch({HostName("h1"), {}, {}});
    QVERIFY2(worker.ok(), worker.ok() ? "" : worker.error().text().c_str());
    QVERIFY((*worker)->pid() > 1);
    QVERIFY(!(*worker)->exitStatus());
    for (int i = 0; i < 20; ++i) {
        const std::string frame(static_cast<std::size_t>(1) << i, static_cast<char>('a' + i));
        sendAll((*worker)->frameFd(), std::string_view(frame).substr(0, std::min(frame.size(), std::size_t(100'000))));
        QCOMPARE(readAll((*worker)->frameFd(), std::min(frame.size(), std::size_t(100'000))).size(),
                 std::min(frame.size(), std::size_t(100'000)));
    }
}

void SshLauncherTest::workerProgramIsCopiedOnce() {
    const auto session = m_lab.connect(2);
    const auto basics = askBasics(*session);
    QVERIFY(basics.ok());
    DigestCache digests;
    const auto first = deployWorker(*session, *basics, {.worker = "/bin/cat"}, digests);
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().text().c_str());
    QCOMPARE(first->bytesSent, QFile("/bin/cat").size());
    const auto second = deployWorker(*session, *basics, {.worker = "/bin/cat"}, digests);
    QVERIFY(second.ok());
    QCOMPARE(second->bytesSent, std::int64_t(0));
    QCOMPARE(text(second->program), text(first->program));
    // A damaged copy is replaced, not run.
    QVERIFY(session->script("echo x >> \"$1\"", {first->program})->ok());
    QCOMPARE(deployWorker(*session, *basics, {.worker = "/bin/cat"}, digests)->bytesSent, QFile("/bin/cat").size());
    QCOMPARE(text(session->exec({first->program, "/etc/hostname"})->err), QString());
}

void SshLauncherTest::workerDiesWithItsInput() {
    const auto ssh = launcher("/bin/cat");
    auto worker = ssh->launch({HostName("h1"), {}, {}});
    QVERIFY(worker.ok());
    ::shutdown((*worker)->frameFd(), SHUT_WR);
    QTRY_VERIFY((*worker)->exitStatus().has_value());
    QCOMPARE(text((*worker)->exitStatus()->text()), QStringLiteral("exited with 0"));
}

void SshLauncherTest::signalReachesTheWorker() {
    const auto ssh = launcher("/bin/sleep");
    auto worker = ssh->launch({HostName("h1"), {"7001"}, {}});
    QVERIFY(worker.ok());
    (*worker)->signal(SIGTERM);
    QTRY_VERIFY((*worker)->exitStatus().has_value());
    QCOMPARE(text((*worker)->exitStatus()->text()), QStringLiteral("was killed by SIGTERM"));
    QCOMPARE(readAll((*worker)->frameFd(), 1), std::string());
    (*worker)->signal(SIGKILL); // quiet
}

void SshLauncherTest::endOfTheWorkerObjectEndsTheProcess() {
    const auto ssh = launcher("/bin/sleep");
    auto worker = ssh->launch({HostName("h1"), {"7002"}, {}});
    QVERIFY(worker.ok());
    QCOMPARE(processes(1, "sleep 7002"), 1);
    worker->reset();
    QTRY_COMPARE(processes(1, "sleep 7002"), 0);
    // The same when the launcher goes at once with it.
    {
        const auto other = launcher("/bin/sleep");
        auto last = other->launch({HostName("h1"), {"7003"}, {}});
        QVERIFY(last.ok());
    }
    QTRY_COMPARE(processes(1, "sleep 7003"), 0);
}

void SshLauncherTest::moreWorkersThanOneConnectionHolds() {
    const auto ssh = launcher("/bin/cat");
    std::vector<std::unique_ptr<run::WorkerProcess>> workers;
    for (int i = 0; i < 20; ++i) {
        auto worker = ssh->launch({HostName("h2"), {}, {}});
        QVERIFY2(worker.ok(), worker.ok() ? "" : worker.error().text().c_str());
        workers.push_back(std::move(worker).value());
    }
    for (const auto& worker : workers) sendAll(worker->frameFd(), "hello");
    for (const auto& worker : workers) QCOMPARE(text(readAll(worker->frameFd(), 5)), QStringLiteral("hello"));
}

void SshLauncherTest::missingLibraryNamesTheCause() {
    const auto ssh = launcher(TRAINYARD_NEEDS_ABSENT);
    const auto worker = ssh->launch({HostName("h2"), {}, {}});
    QVERIFY(!worker.ok());
    QVERIFY2(contains(worker.error().message, "libtrainyard_absent.so"), worker.error().text().c_str());
    QVERIFY2(contains(worker.error().remedy, "install"), worker.error().text().c_str());
    // The package has another name in each release of Debian: what dpkg knows by it holds the library.
    const auto hint = text(installHint({"libssh2.so.1"}));
    QVERIFY2(hint.startsWith(QStringLiteral("sudo apt install libssh2")), qPrintable(hint));
    QProcess files;
    files.start(QStringLiteral("dpkg"), {QStringLiteral("-L"), hint.section(' ', -1)});
    QVERIFY(files.waitForFinished());
    QVERIFY2(files.readAll().contains("/libssh2.so.1\n"), qPrintable(hint));
}

void SshLauncherTest::prepareNamesAddressFolderAndCores() {
    const auto ssh = launcher("/bin/cat");
    const auto place = ssh->prepare(HostName("h2"), RunId("20261120-101010-abc"));
    QVERIFY2(place.ok(), place.ok() ? "" : place.error().text().c_str());
    QCOMPARE(text(place->address), QStringLiteral("10.77.0.2"));
    QCOMPARE(text(place->folder), QStringLiteral("/root/.cache/trainyard/runs/20261120-101010-abc"));
    QVERIFY(place->cores >= 1);
    QVERIFY(m_lab.connect(2)->exec({"test", "-d", place->folder})->ok());
    QVERIFY(!ssh->prepare(HostName("h2"), RunId("../escape")).ok());
}

void SshLauncherTest::prepareByInterface() {
    SshLauncherOptions options;
    options.book = book().value();
    HostEntry host = m_lab.host(1);
    host.address = "eth0";
    QVERIFY(options.book.add(host, true).ok());
    host.alias = "wrong";
    host.hostName = "h1";
    host.address = "ib0";
    QVERIFY(options.book.add(host, true).ok());
    options.workerProgram = "/bin/cat";
    options.connect = m_lab.options();
    const auto ssh = makeSshLauncher(std::move(options));
    QCOMPARE(text(ssh->prepare(HostName("h1"), RunId("r"))->address), QStringLiteral("10.77.0.1"));
    const auto wrong = ssh->prepare(HostName("wrong"), RunId("r"));
    QVERIFY(!wrong.ok());
    QVERIFY2(contains(wrong.error().message, "no network interface \"ib0\""), wrong.error().text().c_str());
}

void SshLauncherTest::unknownNamesAreRefused() {
    const auto ssh = launcher("/bin/cat");
    const auto option = ssh->launch({HostName("-oProxyCommand=id"), {}, {}});
    QVERIFY(!option.ok());
    QCOMPARE(option.error().kind, ErrorKind::Input);
    QVERIFY(!ssh->launch({HostName(), {}, {}}).ok());
    QVERIFY(!ssh->prepare(HostName("no-such-host"), RunId("r")).ok());
}

void SshLauncherTest::stagedFileArrivesOnceAndIntact() {
    const auto ssh = launcher("/bin/cat");
    const std::string local = m_lab.folder() + "/it's a $(checkpoint).bin";
    QFile file(text(local));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(3'000'000, 'c'));
    file.close();
    m_said.clear();
    const auto staged = ssh->stage(HostName("h1"), local);
    QVERIFY2(staged.ok(), staged.ok() ? "" : staged.error().text().c_str());
    QCOMPARE(m_said.size(), std::size_t(1));
    const auto session = m_lab.connect(1);
    const auto digest = remoteDigests(*session, {*staged});
    QCOMPARE(text(digest->at(0)), text(sha256HexOf(local).value()));
    QCOMPARE(text(*ssh->stage(HostName("h1"), local)), text(*staged));
    QCOMPARE(m_said.size(), std::size_t(1)); // nothing was copied again
    QVERIFY(!ssh->stage(HostName("h1"), m_lab.folder() + "/missing").ok());
}

void SshLauncherTest::folderOfTheHostIsUsedAsItIs() {
    const auto ssh = launcher("/bin/cat");
    m_said.clear();
    QCOMPARE(text(*ssh->stage(HostName("h1"), "/usr/share/common-licenses")),
             QStringLiteral("/usr/share/common-licenses"));
    QVERIFY(m_said.empty());
}

void SshLauncherTest::stagedFolderKeepsItsShape() {
    const auto ssh = launcher("/bin/cat");
    const QString folder = text(m_lab.folder()) + "/images";
    for (const char* name : {"cat/1.png", "cat/2.png", "dog/a b.png"}) {
        QDir().mkpath(QFileInfo(folder + "/" + name).path());
        QFile file(folder + "/" + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(name);
    }
    const auto staged = ssh->stage(HostName("h2"), folder.toStdString());
    QVERIFY2(staged.ok(), staged.ok() ? "" : staged.error().text().c_str());
    const auto listed =
        m_lab.connect(2)->script("cd -- \"$1\" && find . -type f | sort && cat 'dog/a b.png'", {*staged});
    QCOMPARE(text(listed->out), QStringLiteral("./cat/1.png\n./cat/2.png\n./dog/a b.png\ndog/a b.png"));
}

void SshLauncherTest::fetchIsAtomicAndTidiesTheHost() {
    const auto ssh = launcher("/bin/cat");
    const std::string folder = ssh->prepare(HostName("h1"), RunId("run1"))->folder;
    const auto session = m_lab.connect(1);
    for (const char* name : {"a", "b"})
        QVERIFY(session->script("head -c 5000000 /dev/urandom > \"$1\"", {folder + "/" + name})->ok());
    const std::string local = m_lab.folder() + "/fetched";
    const std::string digest = remoteDigests(*session, {folder + "/a"})->at(0);
    const auto fetched = ssh->fetch(HostName("h1"), folder + "/a", local);
    QVERIFY2(fetched.ok(), fetched.ok() ? "" : fetched.error().text().c_str());
    QCOMPARE(text(*sha256HexOf(local)), text(digest));

    const auto missing = ssh->fetch(HostName("h1"), folder + "/missing", local);
    QVERIFY(!missing.ok());
    QVERIFY2(contains(missing.error().text(), "/missing"), missing.error().text().c_str());
    QCOMPARE(text(*sha256HexOf(local)), text(digest)); // untouched
    QVERIFY(ssh->fetch(HostName("h1"), folder + "/b", local).ok());
    QVERIFY(!session->exec({"test", "-e", folder + "/a"})->ok()); // it is here now
    QVERIFY(session->exec({"test", "-e", folder + "/b"})->ok());
    // The newest one is used where it lies when the run goes on from it.
    QCOMPARE(text(*ssh->stage(HostName("h1"), local)), text(folder + "/b"));
}

void SshLauncherTest::fullDiskOfTheHostIsNamed() {
    const auto ssh = launcher("/bin/cat");
    const std::string local = m_lab.folder() + "/large";
    QFile file(text(local));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 20; ++i) file.write(QByteArray(1'000'000, static_cast<char>('a' + i)));
    file.close();
    const auto staged = ssh->stage(HostName("h3"), local); // its cache has room for 8 MB
    QVERIFY(!staged.ok());
    const std::string said = staged.error().text();
    QVERIFY2(contains(said, "disk is full") && contains(said, "needs 20.0 MB") && contains(said, "are free"),
             said.c_str());
    QCOMPARE(staged.error().kind, ErrorKind::Environment);
    // Nothing is left of the attempt.
    const auto used = m_lab.connect(3)->script("find /root/.cache -type f -size +1000k | wc -l");
    QCOMPARE(text(used->out).trimmed(), QStringLiteral("0"));
}

void SshLauncherTest::workersLeftBehindAreEnded() {
    const auto ssh = launcher("/bin/sleep");
    auto worker = ssh->launch({HostName("h2"), {"7004"}, {}});
    QVERIFY(worker.ok());
    m_lab.cut(2);
    const double start = monotonicSeconds();
    while (!(*worker)->exitStatus() && monotonicSeconds() - start < 12) QTest::qSleep(50);
    QVERIFY((*worker)->exitStatus().has_value());
    QVERIFY(monotonicSeconds() - start <= 10);
    (*worker)->signal(SIGKILL); // quiet: there is no way to it
    m_lab.join(2);
    auto next = ssh->launch({HostName("h2"), {"7005"}, {}});
    QVERIFY2(next.ok(), next.ok() ? "" : next.error().text().c_str());
    QCOMPARE(processes(2, "sleep 7004"), 0);
    QCOMPARE(processes(2, "sleep 7005"), 1);
}

void SshLauncherTest::probeOfAGoodHost() {
    ProbeOptions options;
    options.connect = m_lab.options();
    options.workerProgram = "/bin/cat";
    options.peer = m_lab.host(2);
    options.neededDiskBytes = 1 << 20;
    QStringList order;
    options.onCheck = [&](const HostCheck& check) { order << text(check.name); };
    const HostReport report = probeHost(m_lab.host(1), options);
    for (const auto& check : report.checks) {
        qInfo("%-8s %s %s %s", check.name.c_str(), check.ok ? "ok  " : "FAIL", check.detail.c_str(), check.fix.c_str());
        QVERIFY2(check.ok, (check.name + ": " + check.detail).c_str());
        QVERIFY(check.fix.empty());
    }
    QVERIFY(report.ok());
    QCOMPARE(order, QStringList({"reach", "sign in", "version", "devices", "ports", "disk"}));
    QCOMPARE(text(report.facts.address), QStringLiteral("10.77.0.1"));
    QVERIFY(report.facts.cores > 0 && report.facts.memoryBytes > (1 << 20) && !report.facts.system.empty());
    QVERIFY(contains(report.checks[4].detail, "h2 reaches 10.77.0.1 port "));
}

void SshLauncherTest::probeFindsWhatIsWrong_data() {
    QTest::addColumn<int>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("failing");
    QTest::addColumn<QString>("fix");
    QTest::newRow("wrong port") << 1 << 2222 << "ed25519" << "/bin/cat" << 0 << "correct the port";
    QTest::newRow("refused key") << 1 << 22 << "stranger" << "/bin/cat" << 1 << "ssh-copy-id";
    QTest::newRow("missing library") << 1 << 22 << "ed25519" << TRAINYARD_NEEDS_ABSENT << 2 << "libtrainyard_absent";
    QTest::newRow("small disk") << 3 << 22 << "ed25519" << "/bin/cat" << 5 << "free space";
}

void SshLauncherTest::probeFindsWhatIsWrong() {
    QFETCH(int, host);
    QFETCH(int, port);
    QFETCH(QString, key);
    QFETCH(QString, program);
    QFETCH(int, failing);
    QFETCH(QString, fix);
    ProbeOptions options;
    options.connect = m_lab.options();
    options.workerProgram = program.toStdString();
    options.neededDiskBytes = 10 << 20;
    HostEntry entry = m_lab.host(host, key.toStdString());
    entry.port = port;
    const HostReport report = probeHost(entry, options);
    QCOMPARE(report.checks.size(), std::size_t(6));
    for (int i = 0; i < failing; ++i) QVERIFY(report.checks[static_cast<std::size_t>(i)].ok);
    const HostCheck& check = report.checks[static_cast<std::size_t>(failing)];
    QVERIFY(!check.ok);
    QVERIFY2(contains(check.fix, fix.toUtf8().constData()), (check.detail + " / " + check.fix).c_str());
    if (failing < 2) QCOMPARE(text(report.checks.back().detail), QStringLiteral("not checked"));
}

// Of whose library the worker needs a newer version.
void SshLauncherTest::probeNamesAnOlderSystem() {
    const auto session = m_lab.connect(2);
    const auto made =
        session->script("printf '#!/bin/sh\\necho glibc 2.31\\n' > /tmp/getconf && chmod 755 /tmp/getconf && "
                        "mount --bind /tmp/getconf \"$(command -v getconf)\"");
    QVERIFY(made.ok() && made->ok());
    ProbeOptions options;
    options.connect = m_lab.options();
    options.neededDiskBytes = 1 << 20;
    const HostCheck version = probeHost(m_lab.host(2), options).checks[2];
    QVERIFY(session->script("umount \"$(command -v getconf)\"")->ok());
    QVERIFY(!version.ok);
    QVERIFY2(contains(version.detail, "glibc 2.31: trainyard-worker needs glibc "), version.detail.c_str());
    QVERIFY2(contains(version.fix, "same system release"), version.fix.c_str());
    QVERIFY(probeHost(m_lab.host(2), options).checks[2].ok);
}

void SshLauncherTest::probeAsksAboutAnUnknownHost() {
    ProbeOptions options;
    options.connect.knownHosts = m_lab.folder() + "/probe/known_hosts";
    options.neededDiskBytes = 1 << 20;
    const HostReport first = probeHost(m_lab.host(1), options);
    QVERIFY(!first.ok());
    QVERIFY(first.question.has_value());
    QVERIFY(contains(first.checks[1].detail, first.question->fingerprint.c_str()));
    QVERIFY(recordHostKey(*first.question, options.connect.knownHosts).ok());
    const HostReport second = probeHost(m_lab.host(1), options);
    QVERIFY(second.ok());
    QVERIFY(!second.question);
}

void SshLauncherTest::probeFindsAFirewall() {
    const auto session = m_lab.connect(2);
    const auto set =
        session->script("PATH=$PATH:/usr/sbin; nft add table inet t && nft add chain inet t in '{ type filter "
                        "hook input priority 0; }' && nft add rule inet t in tcp dport 1024-65535 ct state "
                        "new drop");
    if (!set.ok() || !set->ok()) QSKIP("nft cannot set a rule here");
    ProbeOptions options;
    options.connect = m_lab.options();
    options.neededDiskBytes = 1 << 20;
    const HostReport report = probeHost(m_lab.host(2), options);
    QVERIFY(session->script("PATH=$PATH:/usr/sbin; nft delete table inet t")->ok());
    QVERIFY(!report.checks[4].ok);
    QVERIFY2(contains(report.checks[4].fix, "firewall of h2"), report.checks[4].fix.c_str());
    QVERIFY(report.checks[5].ok);
}

void SshLauncherTest::cshIsALoginShell() {
    if (!QFile::exists(QStringLiteral("/bin/csh"))) QSKIP("no csh is installed");
    HostEntry host = m_lab.host(1);
    host.user = "csh";
    auto connected = connectOverLibrary(host, m_lab.options());
    QVERIFY2(connected.ok(), connected.ok() ? "" : connected.error().text().c_str());
    SshSession& session = **connected;
    QCOMPARE(text(session.script("echo \"$SHELL\"")->out), QStringLiteral("/bin/csh\n")); // set by sshd
    const std::string nasty = "it's!\n\\n \"$HOME\" `id`\n\n";
    ExecOptions options;
    options.environment["NASTY"] = nasty;
    const auto said = session.exec({"/bin/sh", "-c", "printf %s \"$1$NASTY\"", "x", nasty}, options);
    QVERIFY2(said.ok(), said.ok() ? "" : said.error().text().c_str());
    QCOMPARE(text(said->out), text(nasty + nasty));

    const auto basics = askBasics(session);
    QVERIFY2(basics.ok(), basics.ok() ? "" : basics.error().text().c_str());
    const std::string local = m_lab.folder() + "/sent", remote = basics->cache + "/csh/it's here!";
    const std::string content = std::string(3'000'000, 'y');
    QFile file(text(local));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(content)) == 3'000'000);
    file.close();
    Sha256 digest;
    digest.add(content.data(), content.size());
    const FileToSend toSend{local, digest.hex(), remote, false};
    const auto sent = sendMissing(session, {toSend});
    QVERIFY2(sent.ok(), sent.ok() ? "" : sent.error().text().c_str());
    QCOMPARE(*sent, std::int64_t(3'000'000));
    QCOMPARE(*sendMissing(session, {toSend}), std::int64_t(0)); // it is there
    const auto fetched = fetchFile(session, remote, local + ".back");
    QVERIFY2(fetched.ok(), fetched.ok() ? "" : fetched.error().text().c_str());
    QCOMPARE(*fetched, toSend.digest);
    ProbeOptions probing;
    probing.connect = m_lab.options();
    for (const auto& check : probeHost(host, probing).checks)
        if (check.name != "disk") QVERIFY2(check.ok, (check.name + ": " + check.detail).c_str());
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    SshLauncherTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "ssh_launcher_test.moc"
