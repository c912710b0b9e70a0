// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of users' programs over real hosts: their code, their Python, their checkpoints, and what is lost meanwhile.
#include "engine/base/clock.h"
#include "engine/store/run_query.h"
#include "tests/ssh/lab_runs.h"
#include "tests/torchrun.h"

#include <QDir>
#include <QStandardPaths>

#include <csignal>
#include <cstdlib>

using namespace trainyard;
using test::Ended;
using test::execute;
using test::program;

class SshProgramTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void dataParallelHasTorchrunsBits();
    void ranksFindTheirPlaceAndTheirSecrets();
    void hostsThatDifferAreNamed_data();
    void hostsThatDifferAreNamed();
    void codeInPlaceIsRefusedOnHosts();
    void aRestartGoesOnFromItsCheckpointThere();
    void aLostHostIsReplacedByASpare();
    void aCutLinkLosesNothing();
    void aKilledSupervisorIsFollowedByAnother();
    void trialsRunOnHosts();

private:
    QString runFile(const QString& name, const char* script, const QJsonArray& hosts, const QJsonObject& ofProgram,
                    const QJsonObject& changes = {}) const;
    QString start(const QString& file) const {
        return m_runs.command({"run", file, "--detach"}).json()["run"].toString();
    }
    QByteArray there(int host, const std::string& script) const {
        const auto said = m_lab.connect(host)->script(script);
        return said.ok() ? QByteArray::fromStdString(said->out).trimmed() : QByteArray("no answer");
    }
    bool contiguous(const QString& run, int steps) const;
    static int programsLeft(const test::LabRuns& runs, int host) {
        return runs.onHost(host,
                           "grep -lqz '^TRAINYARD_WORKER_OF=' /proc/[0-9]*/environ 2>/dev/null && echo 1 || echo 0");
    }

    mutable test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    QString m_project; // which the hosts cannot see
    const bool m_hasTorch = QProcess::execute("/usr/bin/python3", {"-c", "import torch"}) == 0;
};

void SshProgramTest::initTestCase() {
    const QString failure = m_lab.start(4);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    for (const char* host : {"h1", "h2", "h4"}) QCOMPARE(m_runs.add(host), QByteArray());
    m_project = m_runs.folder() + "/project";
    QDir().mkpath(m_project + "/.git");
    const QDir scripts(QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/runs"));
    for (const QString& name : scripts.entryList(QDir::Files))
        QVERIFY(QFile::copy(scripts.filePath(name), m_project + "/" + name));
}

// What a test that failed leaves must fail no other.
void SshProgramTest::cleanup() {
    if (QTest::currentTestFailed()) m_runs.killAll();
}

QString SshProgramTest::runFile(const QString& name, const char* script, const QJsonArray& hosts,
                                const QJsonObject& ofProgram, const QJsonObject& changes) const {
    QJsonObject program{{"script", m_project + "/" + QLatin1String(script)}, {"interpreter", "/usr/bin/python3"}};
    for (auto each = ofProgram.begin(); each != ofProgram.end(); ++each) program[each.key()] = each.value();
    QJsonObject file{{"version", 1},
                     {"name", name},
                     {"program", program},
                     {"hosts", hosts},
                     {"scaling", QJsonObject{{"workers", hosts.size()}, {"threadsPerWorker", 1}}}};
    for (auto each = changes.begin(); each != changes.end(); ++each) file[each.key()] = each.value();
    QFile out(m_runs.folder() + "/" + name + ".json");
    const QByteArray text = QJsonDocument(file).toJson();
    return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
}

// Each step once, in order.
bool SshProgramTest::contiguous(const QString& run, int steps) const {
    const auto points = m_runs.curve(run);
    if (points.size() != steps) return false;
    for (int i = 0; i < steps; ++i)
        if (!points[i].startsWith(QByteArray::number(i + 1) + " ")) return false;
    return true;
}

// Feature: a program's ranks on hosts need no LibTorch there: code and keeper are copied, and DistributedDataParallel
// has the bits that it has with torchrun. A second run copies nothing, and its ranks are forked there.
void SshProgramTest::dataParallelHasTorchrunsBits() {
    const QString torchrun = QStandardPaths::findExecutable("torchrun");
    if (!m_hasTorch || torchrun.isEmpty()) QSKIP("python3-torch is not installed");
    QFile anew(m_project + "/notes.txt"); // whatever ran before, the hosts do not have this one
    QVERIFY(anew.open(QIODevice::WriteOnly) && anew.write("of this test alone") > 0);
    anew.close();
    const QString theirs = m_runs.folder() + "/theirs";
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMP_NUM_THREADS", "1");
    for (const QString& name : environment.keys()) // which hosts do not have, and which choose a kernel
        if (name.startsWith("OPENBLAS_")) environment.remove(name);
    // The lab's computer has no name that torchrun could look up.
    environment.insert("GLOO_SOCKET_IFNAME", "lo");
    test::TorchrunRanks peer(torchrun, environment, 2, {m_project + "/data_parallel.py", "--losses", theirs});
    const QString file =
        runFile("ddp", "data_parallel.py", {"h1", "h2"}, {{"arguments", QJsonObject{{"losses", "{output}/losses"}}}});
    const Ended ended = m_runs.command({"run", file});
    QVERIFY2(ended.code == 0, (ended.said() + m_runs.log("ddp")).constData());
    const QString run = ended.json()["run"].toString();
    QVERIFY(peer.end());
    QFile expected(theirs);
    QVERIFY(expected.open(QIODevice::ReadOnly));
    const QByteArray theirLosses = expected.readAll().trimmed();
    QCOMPARE(there(1, "cat ~/.cache/trainyard/runs/" + run.toStdString() + "/output/losses"), theirLosses);
    QVERIFY(contiguous(run, 30));
    QCOMPARE(m_runs.hostsOf(run), QStringList({"h1", "h2"}));
    QCOMPARE(there(1, "find ~/.cache/trainyard -name 'trainyard-worker*' | wc -l"), QByteArray("0"));
    QVERIFY2(m_runs.log(run).contains("h2: copied the program's code"), m_runs.log(run).constData());
    const Ended again = m_runs.command({"run", file});
    QVERIFY2(again.code == 0, again.said().constData());
    const QByteArray log = m_runs.log(again.json()["run"].toString());
    QVERIFY2(!log.contains("copied"), log.constData());
    QVERIFY2(log.contains("forked from a Python that has imported"), log.constData()); // what the first one imported
    QCOMPARE(there(1, "cat ~/.cache/trainyard/runs/" + again.json()["run"].toString().toStdString() + "/output/losses"),
             theirLosses);
    QCOMPARE(programsLeft(m_runs, 1) + programsLeft(m_runs, 2), 0);
}

// Feature: ranks on hosts meet over the hosts' cluster addresses; secrets reach them over the keeper's standard input;
// program.prepare is run once on each host.
void SshProgramTest::ranksFindTheirPlaceAndTheirSecrets() {
    qputenv("MY_TEST_TOKEN", "sesame-4711");
    const Ended ended =
        m_runs.command({"run", runFile("place", "environment.py", {"h2", "h1"},
                                       {{"secrets", QJsonArray{"MY_TEST_TOKEN"}},
                                        {"prepare", "export PREPARED=\"in $HOME\" PREPARED_AT=$PWD"}},
                                       {{"scaling", QJsonObject{{"workers", 4}, {"threadsPerWorker", 1}}}})});
    qunsetenv("MY_TEST_TOKEN");
    QVERIFY2(ended.code == 0, (ended.said() + m_runs.log("place")).constData());
    const QString run = ended.json()["run"].toString();
    QSet<QString> ports;
    for (int rank = 0; rank < 4; ++rank) {
        const QString file = "~/.cache/trainyard/runs/" + run + "/output/rank" + QString::number(rank) + ".json";
        const auto told = QJsonDocument::fromJson(there(rank < 2 ? 2 : 1, "cat " + file.toStdString())).object();
        const auto variables = told["environment"].toObject();
        const QMap<QString, QString> expected{{"RANK", QString::number(rank)},
                                              {"LOCAL_RANK", QString::number(rank % 2)},
                                              {"LOCAL_WORLD_SIZE", "2"},
                                              {"WORLD_SIZE", "4"},
                                              {"GROUP_RANK", QString::number(rank / 2)},
                                              {"GROUP_WORLD_SIZE", "2"},
                                              {"MASTER_ADDR", "10.77.0.2"},
                                              {"GLOO_SOCKET_IFNAME", "eth0"},
                                              {"PREPARED", "in /root"},
                                              {"MY_TEST_TOKEN", "sesame-4711"}};
        for (auto each = expected.begin(); each != expected.end(); ++each)
            QVERIFY2(variables[each.key()].toString() == each.value(),
                     qPrintable(each.key() + "=" + variables[each.key()].toString()));
        QVERIFY(!variables.contains("TRAINYARD_LAUNCH"));
        ports.insert(variables["MASTER_PORT"].toString());
    }
    QCOMPARE(ports.size(), 1);
    for (int host : {1, 2}) { // once each
        const QByteArray kept = there(host, "cat ~/.cache/trainyard/prepare/*.json");
        QVERIFY2(kept.count("\"PREPARED\"") == 1, kept.constData());
    }
    // Nowhere but in what the script itself has written.
    QCOMPARE(there(1, "grep -rl sesame-4711 ~/.cache/trainyard | grep -vc '/output/'"), QByteArray("0"));
    QCOMPARE(execute("grep", {"-rlF", "sesame-4711", m_runs.workspace()}).out, QByteArray());
}

// Bad inputs: Pythons of hosts.
void SshProgramTest::hostsThatDifferAreNamed_data() {
    QTest::addColumn<QString>("interpreter");
    QTest::addColumn<QStringList>("parts");
    QTest::newRow("conda missing on one")
        << "conda:gpt" << QStringList{"h2", "there is no conda environment", "conda env list"};
    QTest::newRow("no such file on one") << "/root/only1/bin/python" << QStringList{"h2", "there is no \"/root/only1"};
    QTest::newRow("another PyTorch") << "/root/torch/bin/python"
                                     << QStringList{"h1 has PyTorch 2.9.1", "h2 has PyTorch 2.8.0", "torch==2.9.1"};
    QTest::newRow("it does not start") << "/root/broken/bin/python" << QStringList{"h2", "does not start", "no luck"};
}
void SshProgramTest::hostsThatDifferAreNamed() {
    QFETCH(QString, interpreter);
    QFETCH(QStringList, parts);
    constexpr const char* kMake = R"sh(
        python() { # $1 its file, $2 the version of its PyTorch
            mkdir -p "${1%/*}" "${1%/*}/../site/torch"
            printf '__version__ = "%s+cu126"\ncuda = "12.6"\n' "$2" > "${1%/*}/../site/torch/version.py"
            : > "${1%/*}/../site/torch/__init__.py"
            printf '#!/bin/sh\nPYTHONPATH=%s exec /usr/bin/python3 "$@"\n' "${1%/*}/../site" > "$1"
            chmod +x "$1"
        }
        python /root/torch/bin/python $2
        python /root/broken/bin/python $2
        [ $1 = 1 ] || printf '#!/bin/sh\necho "no luck" >&2; exit 1\n' > /root/broken/bin/python
        [ $1 = 2 ] || python /root/only1/bin/python $2
        [ $1 = 2 ] || { python /root/miniconda3/envs/gpt/bin/python $2; mkdir -p /root/miniconda3/envs/gpt/conda-meta; }
    )sh";
    for (int host : {1, 2})
        QVERIFY(m_lab.connect(host)->script(kMake, {std::to_string(host), host == 1 ? "2.9.1" : "2.8.0"})->ok());
    const Ended ended =
        m_runs.command({"run", runFile("differs", "environment.py", {"h1", "h2"}, {{"interpreter", interpreter}})});
    QVERIFY(ended.code == 2 || ended.code == 3);
    const QByteArray error = ended.json()["error"].toString().toUtf8();
    for (const QString& part : parts) QVERIFY2(error.contains(part.toUtf8()), error.constData());
}

void SshProgramTest::codeInPlaceIsRefusedOnHosts() {
    const Ended ended = m_runs.command({"run", runFile("place", "environment.py", {"h1"}, {{"code", "inPlace"}})});
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.err.contains("\"shared\" where the hosts share the workspace's"), ended.err.constData());
    const Ended away = m_runs.command({"run", runFile("away", "environment.py", {}, {}), "--on", "h1"});
    QCOMPARE(away.code, 2);
    QVERIFY2(away.err.contains("--hosts h1"), away.err.constData());
}

// Feature: checkpoints of a program on a host stay there, are listed, and fetched on demand; a restart goes on from
// the newest whole one. Fault: a rank of a program on a host is killed.
void SshProgramTest::aRestartGoesOnFromItsCheckpointThere() {
    const QString run = start(runFile("saves", "saves.py", {"h1"},
                                      {{"arguments", QJsonObject{{"output-dir", "{output}/saved"}, {"steps", 60}}}}));
    QVERIFY2(test::waitFor([&] { return !m_runs.show(run)["checkpoints"].toArray().isEmpty(); }, 30000),
             m_runs.log(run).constData());
    QVERIFY(m_lab.connect(1)->script("pkill -KILL -f [s]aves.py")->ok());
    QVERIFY2(test::waitFor([&] { return m_runs.show(run)["status"].toString() == "finished"; }, 60000),
             m_runs.log(run).constData());
    QCOMPARE(m_runs.show(run)["restarts"].toInt(), 1);
    QVERIFY(contiguous(run, 60));
    const std::string saved = "/root/.cache/trainyard/runs/" + run.toStdString() + "/output/saved/";
    const QByteArray begun = there(1, "tail -n 1 " + saved + "begun.txt");
    QVERIFY2(begun.startsWith("model_"), begun.constData());
    const auto listed = m_runs.show(run)["checkpoints"].toArray();
    QCOMPARE(listed.size(), 15);
    QCOMPARE(listed.last().toObject()["path"].toString().toStdString(), "h1:" + saved + "model_60.pt");
    const Ended notHere = m_runs.command({"checkpoints", "inspect", run + "@60"});
    QVERIFY2(notHere.code == 2 && notHere.err.contains("trainyardctl fetch saves@60"), notHere.err.constData());
    const Ended fetched = m_runs.command({"fetch", "saves@60"});
    QVERIFY2(fetched.code == 0, fetched.err.constData());
    const QString here = fetched.json()["path"].toString();
    QCOMPARE(execute("sha256sum", {here}).out.left(64), there(1, "sha256sum " + saved + "model_60.pt").left(64));
    QCOMPARE(m_runs.command({"checkpoints", "inspect", run + "@60"}).code, 0);
    QCOMPARE(programsLeft(m_runs, 1), 0);
}

// Fault: a host with a rank of a program is lost. A spare takes its place, and all go on from the newest checkpoint,
// which is copied from the host of rank 0.
void SshProgramTest::aLostHostIsReplacedByASpare() {
    const QString run = start(runFile(
        "spare", "saves.py", {"h1", "h2"}, {{"arguments", QJsonObject{{"output-dir", "{output}"}, {"steps", 150}}}},
        {{"spareHosts", QJsonArray{"h4"}}, {"failure", QJsonObject{{"maxRestarts", 3}, {"linkSeconds", 3}}}}));
    QVERIFY2(test::waitFor([&] { return !m_runs.show(run)["checkpoints"].toArray().isEmpty(); }, 30000),
             m_runs.log(run).constData());
    m_lab.powerOff(2);
    QVERIFY2(test::waitFor([&] { return m_runs.hostsOf(run) == QStringList({"h1", "h4"}); }, 60000),
             m_runs.log(run).constData());
    QVERIFY2(test::waitFor([&] { return m_runs.show(run)["status"].toString() == "finished"; }, 60000),
             m_runs.log(run).constData());
    QVERIFY(contiguous(run, 150));
    const std::string begun = "tail -n 1 /root/.cache/trainyard/runs/" + run.toStdString() + "/output/begun.txt";
    QVERIFY2(there(4, begun).startsWith("model_") && there(4, begun) == there(1, begun), there(4, begun).constData());
    m_lab.boot(2);
    QCOMPARE(programsLeft(m_runs, 1) + programsLeft(m_runs, 4), 0);
}

// Fault: the link to a host is cut for 5 s, or for $TRAINYARD_CUT_SECONDS. The program goes on, and no point is lost or
// there twice.
void SshProgramTest::aCutLinkLosesNothing() {
    const int seconds = std::max(5, qEnvironmentVariableIntValue("TRAINYARD_CUT_SECONDS"));
    const int steps = 150 + 50 * seconds;
    const QString run =
        start(runFile("cut", "reports.py", {"h1"}, {{"arguments", QJsonObject{{"steps", steps}, {"pause", 0.02}}}},
                      {{"failure", QJsonObject{{"maxRestarts", 0}}}}));
    QVERIFY2(m_runs.reaches(run, 20), m_runs.log(run).constData());
    m_lab.cut(1);
    QTest::qWait(1000 * seconds);
    m_lab.join(1);
    QVERIFY2(test::waitFor([&] { return m_runs.show(run)["status"].toString() == "finished"; }, 60000),
             m_runs.log(run).constData());
    QVERIFY(contiguous(run, steps));
    const QByteArray log = m_runs.log(run);
    QCOMPARE(log.count("rank 0 step " + QByteArray::number(steps - 1) + "\n"), 1);
}

// Fault: SIGKILL of the supervisor of a run on hosts. Another one starts, and all ranks go on from the newest
// checkpoint.
void SshProgramTest::aKilledSupervisorIsFollowedByAnother() {
    const QString run = start(runFile("followed", "saves.py", {"h1", "h4"},
                                      {{"arguments", QJsonObject{{"output-dir", "{output}"}, {"steps", 120}}}}));
    QVERIFY2(test::waitFor([&] { return !m_runs.show(run)["checkpoints"].toArray().isEmpty(); }, 30000),
             m_runs.log(run).constData());
    const auto query = store::RunQuery::open({m_runs.workspace().toStdString()});
    QVERIFY(query.ok());
    QCOMPARE(::kill(static_cast<pid_t>((*query)->run(run.toStdString())->supervisorPid), SIGKILL), 0);
    QVERIFY2(test::waitFor([&] { return m_runs.show(run)["status"].toString() == "finished"; }, 60000),
             (m_runs.log(run) + m_runs.command({"show", run}).out).constData());
    QVERIFY(contiguous(run, 120));
    const std::string begun = "tail -n 1 /root/.cache/trainyard/runs/" + run.toStdString() + "/output/begun.txt";
    for (int host : {1, 4}) QVERIFY2(there(host, begun).startsWith("model_"), there(host, begun).constData());
    QCOMPARE(programsLeft(m_runs, 1) + programsLeft(m_runs, 4), 0);
}

// Feature: trials of a sweep of a program run on hosts.
void SshProgramTest::trialsRunOnHosts() {
    QFile run(runFile("trial", "reports.py", {"h1"}, {{"arguments", QJsonObject{{"steps", 5}}}}));
    QVERIFY(run.open(QIODevice::ReadOnly));
    auto its = QJsonDocument::fromJson(run.readAll()).object();
    its["hosts"] = QJsonArray{"h1", "h4"};
    const QJsonObject sweep{
        {"version", 1},       {"name", "trials"},
        {"run", its},         {"space", QJsonObject{{"program.arguments.lr", QJsonArray{0.1, 0.2, 0.3}}}},
        {"searcher", "grid"}, {"scoreBy", "train/loss"},
        {"mode", "min"}};
    QFile file(m_runs.folder() + "/trials.json");
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(sweep).toJson()) > 0);
    file.close();
    const Ended ended = m_runs.command({"sweep", file.fileName()});
    QVERIFY2(ended.code == 0, ended.said().constData());
    QSet<QString> hosts;
    const auto trials = m_runs.command({"sweep", "trials", "trials"}).json()["trials"].toArray();
    QCOMPARE(trials.size(), 3);
    for (const auto& each : trials) {
        const auto row = each.toObject();
        QCOMPARE(row["status"].toString(), QStringLiteral("finished"));
        QVERIFY(contiguous(row["run"].toString(), 5));
        for (const auto& host : m_runs.hostsOf(row["run"].toString())) hosts.insert(host);
    }
    QCOMPARE(hosts, QSet<QString>({"h1", "h4"}));
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshProgramTest>(argc, argv, {program("trainyard-relay"), "/usr/bin/python3"});
}
#include "ssh_program_test.moc"
