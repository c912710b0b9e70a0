// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster commands of the terminal program on two real hosts.
#include "engine/base/unique_fd.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QSet>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <csignal>

using namespace trainyard;
using test::Ended;
using test::program;
using test::trainyardctl;

namespace {

// Nothing where nobody answers at 127.0.0.1, or not within 10 s.
UniqueFd connectHere(quint16 port) {
    UniqueFd fd(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit{10, 0};
    ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? std::move(fd)
                                                                                                 : UniqueFd();
}

} // namespace

class SshClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void upSetsUpAndAddsTheHosts();
    void upAgainChangesNothing();
    void aFailingSetupEndsThatHostAlone();
    void ctrlCEndsASetup();
    void aHostThatIsNotThereHoldsUpNoOther();
    void statusShowsEveryHost();
    void statusIsWatched();
    void aRunTakesTheHostsOfACluster();
    void execRunsOnAllAndTellsTheWorst();
    void theEndOfExecEndsTheCommands_data();
    void theEndOfExecEndsTheCommands();
    void foldersComeAndGo();
    void aPortOfAHostIsReachedHere();
    void downSavesRunsAndTakesTheHostsOut();

private:
    QString write(const char* name, const QByteArray& content) const;
    QString clusterFile(const char* name, const QJsonArray& hosts, const QJsonObject& more = {}) const;
    QJsonObject hostJson(int host, const QJsonObject& more = {}) const;
    QByteArray on(int host, const char* script); // what it prints
    QString folder() const { return QString::fromStdString(m_lab.folder()); }
    QString workspace() const { return folder() + "/workspace"; }
    test::HostLab m_lab;
};

void SshClusterTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

QString SshClusterTest::write(const char* name, const QByteArray& content) const {
    const QString path = folder() + "/" + QLatin1String(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) return {};
    return path;
}

QString SshClusterTest::clusterFile(const char* name, const QJsonArray& hosts, const QJsonObject& more) const {
    QJsonObject file{{"version", 1}, {"name", name}, {"hosts", hosts}};
    for (auto each = more.begin(); each != more.end(); ++each) file[each.key()] = each.value();
    return write((QByteArray(name) + ".json").constData(), QJsonDocument(file).toJson());
}

QJsonObject SshClusterTest::hostJson(int host, const QJsonObject& more) const {
    QJsonObject json{{"alias", QString("h%1").arg(host)},
                     {"user", "root"},
                     {"identityFile", QString::fromStdString(m_lab.key("ed25519"))}};
    for (auto each = more.begin(); each != more.end(); ++each) json[each.key()] = each.value();
    return json;
}

QByteArray SshClusterTest::on(int host, const char* script) {
    const auto result = m_lab.connect(host)->script(script);
    return result.ok() ? QByteArray::fromStdString(result->out) : QByteArray::fromStdString(result.error().text());
}

void SshClusterTest::upSetsUpAndAddsTheHosts() {
    if (!QFile::exists(program("trainyard-worker"))) QSKIP("trainyard-worker is not part of this build");
    write("code/train.sh", "echo trained\n");
    QFile::setPermissions(write("code/deep/a file", "x"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString file =
        clusterFile("lab", {hostJson(1), hostJson(2, {{"environment", QJsonObject{{"WHAT", "it's 2"}}}})},
                    {{"setup", QJsonArray{"sh ~/code/train.sh > ~/trained", "echo \"$WHAT\" >> ~/made"}},
                     {"environment", QJsonObject{{"WHAT", "all"}}},
                     {"folders", QJsonObject{{"code", "~/code"}}}});
    const Ended unknown = trainyardctl({"cluster", "up", file});
    QCOMPARE(unknown.code, 3);
    QVERIFY2(unknown.out.contains("trainyardctl cluster up " + file.toUtf8() + " --accept-new-key"), unknown.out);
    const Ended up = trainyardctl({"cluster", "up", file, "--accept-new-key", "--json"});
    QVERIFY2(up.code == 0, up.out + up.err);
    QCOMPARE(up.list().size(), 2);
    for (const int at : {0, 1}) {
        QCOMPARE(up.list().at(at)["setup"].toString(), QString("done"));
        QVERIFY(up.list().at(at)["worker_bytes"].toInt() > 0);
    }
    QCOMPARE(on(1, "cat ~/made ~/trained"), QByteArray("all\ntrained\n"));
    QCOMPARE(on(2, "cat ~/made"), QByteArray("it's 2\n"));
    QVERIFY(on(1, "stat -c %A ~/code/deep/a*").startsWith("-rwx"));
    QVERIFY(on(1, "cat ~/.cache/trainyard/clusters/lab/setup.log").contains("$ echo \"$WHAT\""));
    QCOMPARE(trainyardctl({"hosts", "list", "--json"}).list().size(), 2);
}

void SshClusterTest::upAgainChangesNothing() {
    const Ended again = trainyardctl({"cluster", "up", "lab"});
    QVERIFY2(again.code == 0, again.out + again.err);
    QCOMPARE(again.out, QByteArray("h1 unchanged\nh2 unchanged\n"));
    QCOMPARE(on(1, "cat ~/made"), QByteArray("all\n"));
    QCOMPARE(trainyardctl({"cluster", "up", "lab", "--setup", "--json"}).list().at(0)["changed"].toBool(), true);
    QCOMPARE(on(1, "cat ~/made"), QByteArray("all\nall\n"));
}

void SshClusterTest::aFailingSetupEndsThatHostAlone() {
    const QJsonObject broken{{"alias", "second"},
                             {"hostName", "h2"},
                             {"setup", QJsonArray{"echo before", "echo broken >&2; exit 7", "touch ~/never"}}};
    const QString file = clusterFile("other", {hostJson(2, broken)});
    const Ended up = trainyardctl({"cluster", "up", file, "--accept-new-key", "--json"});
    QCOMPARE(up.code, 3);
    QCOMPARE(up.list().at(0)["setup"].toString(), QString("failed"));
    QCOMPARE(up.list().at(0)["setup_exit_code"].toInt(), 7);
    QCOMPARE(on(2, "ls ~/never 2> /dev/null"), QByteArray());
    QCOMPARE(trainyardctl({"hosts", "list", "--json"}).list().size(), 2);
    const Ended told = trainyardctl({"cluster", "up", file});
    QCOMPARE(told.code, 3);
    for (const char* said :
         {"second FAILED", "setup command 2 exited with 7", "setup.log", "| broken", "| exited with 7"})
        QVERIFY2(told.out.contains(said), told.out);
    const Ended taken = trainyardctl({"cluster", "up", clusterFile("third", {hostJson(1)})});
    QCOMPARE(taken.code, 2);
    QVERIFY2(taken.err.contains("the cluster \"lab\" has brought \"h1\" up"), taken.err);
    QVERIFY2(taken.err.contains("trainyardctl cluster down lab"), taken.err);
    const Ended missing = trainyardctl({"cluster", "up", folder() + "/none.json"});
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.err.contains("(correct the path of the file)"), missing.err);
}

void SshClusterTest::ctrlCEndsASetup() {
    const QJsonObject slow{
        {"alias", "second"}, {"hostName", "h2"}, {"setup", QJsonArray{"echo > ~/begun; sleep 4321"}}};
    QProcess up;
    up.start(program("trainyardctl"), {"cluster", "up", clusterFile("other", {hostJson(2, slow)}), "--json"});
    QTRY_VERIFY_WITH_TIMEOUT(on(2, "ls ~/begun 2> /dev/null") != "", 20000);
    ::kill(static_cast<pid_t>(up.processId()), SIGINT);
    QVERIFY(up.waitForFinished(10000));
    QCOMPARE(up.exitCode(), 130);
    QVERIFY(up.readAllStandardOutput().contains("stopped in setup command 1"));
    QTRY_VERIFY_WITH_TIMEOUT(on(2, "ps -eo args= | grep -c '[s]leep 4321' || :") == "0\n", 8000);
    const Ended status = trainyardctl({"cluster", "status", "other", "--json"});
    QCOMPARE(status.list().at(0)["setup"].toString(), QString("due"));
}

void SshClusterTest::aHostThatIsNotThereHoldsUpNoOther() {
    const QJsonObject gone{{"alias", "gone"}, {"hostName", "10.77.0.99"}, {"setup", QJsonArray{"true"}}};
    const QString file = clusterFile("lab", {hostJson(1), gone});
    const Ended up = trainyardctl({"cluster", "up", file, "--json"});
    QCOMPARE(up.code, 3);
    QVERIFY(up.list().at(0)["ok"].toBool());
    QVERIFY(!up.list().at(1)["ok"].toBool());
    QVERIFY2(up.list().at(1)["error"].toString().contains("10.77.0.99"), up.out);
    const Ended status = trainyardctl({"cluster", "status", "lab"});
    QCOMPARE(status.code, 3);
    QVERIFY2(status.out.contains("gone: "), status.out);
    QCOMPARE(trainyardctl({"cluster", "up", clusterFile("lab", {hostJson(1), hostJson(2)})}).code, 0);
}

void SshClusterTest::statusShowsEveryHost() {
    const Ended status = trainyardctl({"cluster", "status", "lab", "--json"});
    QVERIFY2(status.code == 0, status.out + status.err);
    QCOMPARE(status.list().size(), 2);
    QVERIFY(status.list().at(1)["worker"].toBool());
    QVERIFY(status.list().at(1)["cores"].toInt() > 0);
    QVERIFY(status.list().at(1)["runs"].toArray().isEmpty());
    QCOMPARE(status.list().at(0)["setup"].toString(), QString("none"));
    const Ended unknown = trainyardctl({"cluster", "status", "labb"});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("did you mean \"lab\"?"), unknown.err);
}

void SshClusterTest::statusIsWatched() {
    QProcess watch;
    watch.start(program("trainyardctl"), {"cluster", "status", "lab", "--watch"});
    QByteArray said;
    const auto seen = [&](const char* text, int times) {
        return test::waitFor([&] { return (said += watch.readAllStandardOutput()).count(text) >= times; }, 60000);
    };
    QVERIFY2(seen("h1 to h2: ", 2), said + watch.readAllStandardError()); // a second look
    for (const char* title : {"load", "GPU", "disk free", "clock", "runs"}) QVERIFY2(said.contains(title), said);
    QVERIFY2(said.contains("bit/s"), said);
    QVERIFY2(said.contains(" right "), said);
    ::kill(static_cast<pid_t>(watch.processId()), SIGINT);
    QVERIFY(watch.waitForFinished(20000));
    QCOMPARE(watch.exitCode(), 0);
}

// By its name alone; the run file names none.
void SshClusterTest::aRunTakesTheHostsOfACluster() {
    const QString file = write("by-name.json",
                               R"({"version": 1, "name": "by-name", "model": "mlp", "dataset": "blobs", "steps": 20,
        "scaling": {"workers": 2, "device": "cpu", "threadsPerWorker": 1}})");
    const Ended ended = trainyardctl({"run", file, "--cluster", "lab", "--workspace", workspace(), "--json"});
    QVERIFY2(ended.code == 0, ended.said());
    QSet<QString> hosts;
    for (const auto& worker : ended.json()["workers"].toArray()) hosts << worker.toObject()["host"].toString();
    QCOMPARE(hosts, QSet<QString>({"h1", "h2"}));
    const Ended one = trainyardctl({"cluster", "submit", "lab", file, "--set", "name=submitted", "--set",
                                    "scaling.workers=1", "--workspace", workspace(), "--json"});
    QVERIFY2(one.code == 0, one.said());
    const auto shown = [&] { return trainyardctl({"show", "submitted", "--workspace", workspace(), "--json"}).json(); };
    QVERIFY2(test::waitFor([&] { return shown()["status"].toString() == "finished"; }, 60000), one.said());
    QVERIFY(hosts.contains(shown()["workers"].toArray().at(0).toObject()["host"].toString()));
    const Ended unknown = trainyardctl({"run", file, "--cluster", "labb", "--workspace", workspace()});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("did you mean \"lab\"?"), unknown.err);
}

void SshClusterTest::execRunsOnAllAndTellsTheWorst() {
    const Ended all = trainyardctl({"cluster", "exec", "lab", "--", "sh", "-c", "uname -n; exit ${1#h}", "x", "5"});
    QVERIFY2(all.out.contains("h1: h1\n") && all.out.contains("h2: h2\n"), all.out + all.err);
    QCOMPARE(all.code, 5);
    QVERIFY(all.err.contains("h2: exited with 5"));
    const Ended one = trainyardctl({"cluster", "exec", "lab", "--host", "h2", "--", "echo $((6 * 7)) '*' | cat"});
    QCOMPARE(one.code, 0);
    QCOMPARE(one.out, QByteArray("h2: 42 *\n"));
    const Ended words = trainyardctl({"cluster", "exec", "lab", "--host", "h2", "--", "printf", "%s|", "a b", "$HOME"});
    QCOMPARE(words.out, QByteArray("h2: a b|$HOME|\n"));
    QVERIFY(trainyardctl({"cluster", "exec", "lab", "--host", "h7", "--", "true"}).code == 2);
}

void SshClusterTest::theEndOfExecEndsTheCommands_data() {
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("Ctrl+C") << SIGINT;
    QTest::newRow("it is killed") << SIGKILL;
}

void SshClusterTest::theEndOfExecEndsTheCommands() {
    QFETCH(int, signalNumber);
    QProcess exec;
    exec.start(program("trainyardctl"), {"cluster", "exec", "lab", "--", "sh", "-c", "sleep 1234 & echo on; wait"});
    QByteArray out;
    for (int i = 0; i < 200 && out.count(": on\n") < 2; ++i) {
        exec.waitForReadyRead(100);
        out += exec.readAllStandardOutput();
    }
    QCOMPARE(out.count(": on\n"), 2);
    ::kill(static_cast<pid_t>(exec.processId()), signalNumber);
    QVERIFY(exec.waitForFinished(10000));
    if (signalNumber == SIGINT) QCOMPARE(exec.exitCode(), 130);
    for (const int host : {1, 2})
        QTRY_VERIFY_WITH_TIMEOUT(on(host, "ps -eo args= | grep -c '[s]leep 1234' || :") == "0\n", 8000);
}

void SshClusterTest::foldersComeAndGo() {
    write("data/one", QByteArray(300000, 'a'));
    write("data/sub/two", "2");
    write("data/empty", "");
    const QString data = folder() + "/data", back = folder() + "/back";
    const Ended up = trainyardctl({"cluster", "rsync", "up", "lab", data, "copied", "--json"});
    QVERIFY2(up.code == 0, up.out + up.err);
    QCOMPARE(up.list().at(0)["files"].toInt(), 3);
    QCOMPARE(on(1, "ls -A ~/copied"), QByteArray("empty\none\nsub\n"));
    QCOMPARE(trainyardctl({"cluster", "rsync", "up", "lab", data, "copied", "--json"}).list().at(1)["files"].toInt(),
             0);
    // A cut transfer has left a whole file and half of another.
    on(1, "cd ~/copied && rm one sub/two && mkdir -p .trainyard-part/sub && printf 2 > .trainyard-part/sub/two && "
          "printf aa > .trainyard-part/one && echo mine > other");
    const Ended rest = trainyardctl({"cluster", "rsync", "up", "lab", data, "copied", "--host", "h1", "--json"});
    QCOMPARE(rest.list().at(0)["files"].toInt(), 2);
    QCOMPARE(rest.list().at(0)["bytes"].toInt(), 300000);
    QCOMPARE(on(1, "cd ~/copied && cat sub/two other && wc -c < one && ls -A"),
             QByteArray("2mine\n300000\nempty\none\nother\nsub\n"));

    const Ended down = trainyardctl({"cluster", "rsync", "down", "lab", "~/copied", back, "--json"});
    QVERIFY2(down.code == 0, down.out + down.err);
    QFile other(back + "/h1/other"), two(back + "/h2/sub/two");
    QVERIFY(other.open(QIODevice::ReadOnly) && other.readAll() == "mine\n");
    QVERIFY(two.open(QIODevice::ReadOnly) && two.readAll() == "2");
    QVERIFY(QFile::exists(back + "/h2/empty"));
    write("back/h1/other", "changed here");
    const QStringList again{"cluster", "rsync", "down", "lab", "copied", back + "/h1", "--host", "h1"};
    const Ended refused = trainyardctl(again);
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.out.contains("newer there") && refused.out.contains("other"), refused.out);
    QVERIFY2(refused.out.contains("trainyardctl cluster rsync down takes --force"), refused.out);
    QCOMPARE(trainyardctl(again + QStringList{"--force"}).code, 0);
    QFile forced(back + "/h1/other");
    QVERIFY(forced.open(QIODevice::ReadOnly) && forced.readAll() == "mine\n");
}

void SshClusterTest::aPortOfAHostIsReachedHere() {
    const auto host = m_lab.connect(1);
    const auto server = host->start({"perl", "-MIO::Socket::INET", "-e",
                                     "$s = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => "
                                     "8123, ReuseAddr => 1); while ($c = $s->accept) { $l = <$c>; print $c \"h1 $l\" x "
                                     "50000; close $c }"});
    QVERIFY2(server.ok(), server ? "" : server.error().text().c_str());
    QTRY_VERIFY(on(1, "ss -Hltn sport = :8123").contains("8123"));
    QProcess forward;
    forward.start(program("trainyardctl"), {"cluster", "forward", "lab", "h1", "0:8123", "0:9"});
    QVERIFY(forward.waitForReadyRead(10000));
    const QByteArray line = forward.readLine();
    QVERIFY2(line.startsWith("127.0.0.1:") && line.contains("port 8123 of h1"), line);
    const auto port = static_cast<quint16>(line.mid(10).split(' ').first().toInt());
    const UniqueFd first = connectHere(port), second = connectHere(port);
    QVERIFY(first && second);
    for (const int each : {second.get(), first.get()}) QCOMPARE(::send(each, "hello\n", 6, MSG_NOSIGNAL), ssize_t(6));
    QByteArray heard, piece(100000, 0);
    for (ssize_t n; (n = ::recv(first.get(), piece.data(), size_t(piece.size()), 0)) > 0;) heard += piece.left(n);
    QCOMPARE(heard.size(), qsizetype(50000 * 9));
    QVERIFY(heard.startsWith("h1 hello\n"));
    ::kill(static_cast<pid_t>(forward.processId()), SIGINT);
    QVERIFY(forward.waitForFinished(5000));
    QCOMPARE(forward.exitCode(), 0);
    host->signalGroup((*server)->pid(), SIGKILL);
}

void SshClusterTest::downSavesRunsAndTakesTheHostsOut() {
    if (!QFile::exists(program("trainyard-worker"))) QSKIP("trainyard-worker is not part of this build");
    clusterFile("lab", {hostJson(1), hostJson(2)}, {{"environment", QJsonObject{{"WHAT", "of the ranks"}}}});
    QCOMPARE(trainyardctl({"cluster", "up", "lab"}).code, 0);
    const QString run = write("run.json", R"({"version": 1, "name": "long", "model": "mlp", "dataset": "blobs",
        "optimizer": {"name": "sgd", "lr": 0.01}, "batch": {"global": 64}, "steps": 1000000, "hosts": ["h1", "h2"],
        "scaling": {"workers": 2, "device": "cpu", "threadsPerWorker": 1}})");
    const Ended started = trainyardctl({"run", run, "--detach", "--workspace", workspace()});
    QVERIFY2(started.code == 0, started.out + started.err);
    const auto training = [&] {
        const Ended status = trainyardctl({"cluster", "status", "lab", "--json", "--workspace", workspace()});
        return !status.list().at(0)["runs"].toArray().isEmpty() && !status.list().at(1)["runs"].toArray().isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(training(), 30000);
    // The relay gives its rank all it has itself.
    const char* environment = "cat /proc/$(pgrep -n trainyard-relay)/environ | tr '\\0' '\\n'";
    QTRY_VERIFY_WITH_TIMEOUT(on(1, environment).contains("WHAT=of the ranks\n"), 10000);
    const auto step = [&] {
        const auto shown = trainyardctl({"show", "long", "--json", "--workspace", workspace()}).out;
        return QJsonDocument::fromJson(shown).object()["steps"].toInt();
    };
    QTRY_VERIFY_WITH_TIMEOUT(step() > 0, 30000);
    QCOMPARE(trainyardctl({"cluster", "down", "lab", "--workspace", workspace()}).code, 2); // nobody says yes
    const Ended down = trainyardctl({"cluster", "down", "lab", "--yes", "--json", "--workspace", workspace()});
    QVERIFY2(down.code == 0, down.out + down.err);
    QVERIFY(down.list().at(0)["freed_bytes"].toInt() > 0);
    const auto shown = trainyardctl({"show", "long", "--json", "--workspace", workspace()}).out;
    QCOMPARE(QJsonDocument::fromJson(shown).object()["status"].toString(), QString("stopped"));
    QVERIFY(!QJsonDocument::fromJson(shown).object()["checkpoint"].toString().isEmpty());
    QCOMPARE(on(1, "pgrep -c trainyard-worke; ls -A ~/.cache/trainyard/clusters"), QByteArray("0\n"));
    QCOMPARE(trainyardctl({"hosts", "list", "--json"}).list().size(), 0);
    QCOMPARE(trainyardctl({"cluster", "down", "lab", "--yes"}).code, 2); // there is none
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshClusterTest>(argc, argv, {test::program("trainyardctl")});
}
#include "ssh_cluster_test.moc"
