// SPDX-License-Identifier: GPL-3.0-or-later
// A run over two real hosts, from the terminal program to the checkpoint on this computer.
// Long because: one lab of hosts serves all of it.
#include "engine/base/clock.h"
#include "engine/store/run_query.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QRandomGenerator>

#include <unistd.h>

#include <csignal>
#include <cstdlib>

using namespace trainyard;
using test::Ended;
using test::program;
using test::trainyardctl;

class SshRunTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void runWithUnknownHostIsRefusedAtOnce();
    void hostsAreAddedAndTested();
    void twoHostsTrainToTheEnd();
    void dataOfThisComputerIsCopiedToTheHosts();
    void aModelOfThisComputerIsCopiedToTheHosts();
    void aLostRankLeavesTheCurvesAsTheyWouldBe();
    void aProgramThatIsGoneIsCopiedAgain();
    void aFullDiskOfAHostIsNoSuccess();
    void cutLinkIsOutlived();
    void lostHostIsNamed();
    void aHostJoinsAndLeavesWhileItTrains();
    void aHostThatIsLostComesBack();
    void stoppedRunLeavesNothingOnTheHosts();
    void aSlowCopyHoldsNothingUp();
    void whatIsLeftOnAHostIsFoundAndEnded();
    void resumesOnOtherHosts();
    void ranksOutliveTheirSupervisorToSave_data();
    void ranksOutliveTheirSupervisorToSave();
    void whatRanksSavedWhileTheirSupervisorWasCutOffIsTaken();
    void cleaningAHostKeepsWhatIsNotHere();

private:
    QString orphansFile(const char* name) const;
    QString undisturbedOrphans();
    QString startElastic(const char* name, int workers);
    QJsonObject show(const QString& run);
    QStringList curve(const QString& run, const char* series);
    QString runFile(const char* name, int steps, const QJsonObject& changes = {}) const;
    QStringList command(const QString& file, bool detach = false) const;
    int workersOn(int host) { return processesOn(host, "trainyard-worke"); } // 15 letters
    int poolsOn(int host) { return processesOn(host, "trainyard-pool"); }
    int processesOn(int host, const char* name);
    int workersLeft(); // on both hosts; -1: they cannot be reached yet
    QString workspace() const { return QString::fromStdString(m_lab.folder()) + "/workspace"; }
    test::HostLab m_lab;
};

void SshRunTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

// What a test that failed leaves must fail no other.
void SshRunTest::cleanup() {
    if (!QTest::currentTestFailed()) return;
    m_lab.fastController();
    const QStringList over{"finished", "failed", "stopped", "interrupted"};
    for (const auto& run : trainyardctl({"runs", "--workspace", workspace(), "--json"}).list())
        if (!over.contains(run.toObject()["status"].toString()))
            trainyardctl({"kill", run.toObject()["run"].toString(), "--workspace", workspace()});
}

// Small enough for any computer; the generated dataset where Fashion-MNIST is not installed.
QString SshRunTest::runFile(const char* name, int steps, const QJsonObject& changes) const {
    const bool installed =
        QFile::exists(QStringLiteral("/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"));
    QJsonObject file{
        {"version", 1},
        {"name", name},
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{64}}}}}},
        {"dataset", installed ? "fashion-mnist" : "blobs"},
        {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.1}}},
        {"batch", QJsonObject{{"global", 128}}},
        {"steps", steps},
        {"hosts", QJsonArray{"h1", "h2"}},
        {"scaling", QJsonObject{{"workers", 2}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
        {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 100}, {"keep", 2}}},
        {"failure", QJsonObject{{"maxRestarts", 0}}},
    };
    for (auto change = changes.begin(); change != changes.end(); ++change) file[change.key()] = change.value();
    if (!changes.contains("model")) test::paceEndless(file);
    const QString path = QString::fromStdString(m_lab.folder()) + "/" + QLatin1String(name) + ".json";
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(file).toJson());
    return path;
}

QStringList SshRunTest::command(const QString& file, bool detach) const {
    QStringList arguments{"run", file, "--workspace", workspace(), "--json"};
    if (detach) arguments << "--detach";
    return arguments;
}

int SshRunTest::processesOn(int host, const char* name) {
    const auto found = m_lab.connect(host)->script("ps -eo comm= | grep -cx \"$1\"", {name});
    return found.ok() ? std::atoi(found->out.c_str()) : -1;
}

int SshRunTest::workersLeft() {
    try {
        return workersOn(1) + workersOn(2);
    } catch (const std::exception&) { return -1; }
}

void SshRunTest::runWithUnknownHostIsRefusedAtOnce() {
    const Ended ended = trainyardctl(command(runFile("unknown", 100)));
    QCOMPARE(ended.code, 3);
    QVERIFY2(ended.err.contains("h1"), ended.err.constData());
}

void SshRunTest::hostsAreAddedAndTested() {
    for (const char* host : {"h1", "h2"}) {
        const Ended added = trainyardctl({"hosts", "add", QStringLiteral("root@") + host, "--identity",
                                          QString::fromStdString(m_lab.key("ed25519"))});
        QVERIFY2(added.code == 0, added.err.constData());
        const Ended tested = trainyardctl({"hosts", "test", host, "--accept-new-key", "--json"});
        QVERIFY2(tested.code == 0, tested.out.constData());
        const QJsonObject report = QJsonDocument::fromJson(tested.out).array().at(0).toObject();
        QVERIFY(report["ok"].toBool());
        QCOMPARE(report["checks"].toArray().size(), 6);
    }
}

// Feature: ranks on hosts are forked from a warm pool there: it outlives the connection, is the user's alone and of one
// worker program; exit codes, signals and the end of the channel are those of the rank; none outlives its relay;
// without a pool they are programs. Also in relay_rules_test, relay_test, ssh_relay_test.
void SshRunTest::twoHostsTrainToTheEnd() {
    qputenv("TRAINYARD_HOST_POOL", "off");
    const Ended ended = trainyardctl(command(runFile("pair", 300)));
    qunsetenv("TRAINYARD_HOST_POOL");
    QVERIFY2(ended.code == 0, (ended.err + ended.out).constData());
    QCOMPARE(poolsOn(1) + poolsOn(2), 0);
    const QJsonObject result = QJsonDocument::fromJson(ended.out).object();
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(result["steps"].toInt(), 300);
    QStringList hosts;
    for (const auto& worker : result["workers"].toArray()) hosts << worker.toObject()["host"].toString();
    QCOMPARE(hosts, QStringList({"h1", "h2"}));
    QVERIFY2(result["metrics"].toObject()["val/accuracy"].toDouble() > 0.6, ended.out.constData());
    const QString checkpoint = result["checkpoint"].toString();
    QVERIFY2(QFile::exists(checkpoint) && checkpoint.startsWith(QString::fromStdString(m_lab.folder())),
             qPrintable(checkpoint));
    QCOMPARE(workersOn(1) + workersOn(2), 0);
    qInfo("%.0f samples/s over two hosts, accuracy %.3f", result["timing"].toObject()["samples_per_s"].toDouble(),
          result["metrics"].toObject()["val/accuracy"].toDouble());
}

void SshRunTest::dataOfThisComputerIsCopiedToTheHosts() {
    const QDir installed(QStringLiteral("/usr/share/datasets/fashion-mnist"));
    if (!installed.exists()) QSKIP("Fashion-MNIST is not installed");
    const QString folder = QString::fromStdString(m_lab.folder()) + "/my data"; // which the hosts cannot see
    QDir().mkpath(folder);
    for (const QString& name : installed.entryList(QDir::Files))
        QVERIFY(QFile::copy(installed.filePath(name), folder + "/" + name));
    const QJsonObject dataset{{"name", "fashion-mnist"}, {"params", QJsonObject{{"folder", folder}}}};
    const Ended ended = trainyardctl(command(runFile("own-data", 100, {{"dataset", dataset}})));
    QVERIFY2(ended.code == 0, (ended.err + ended.out).constData());
    QVERIFY(poolsOn(1) > 0 && poolsOn(2) > 0); // ranks are forked there, unless they are not to be
    const auto there = m_lab.connect(2)->script("find ~/.cache/trainyard -path '*/my data/*.gz' | wc -l");
    QCOMPARE(QString::fromStdString(there->out).trimmed(), QStringLiteral("4"));
    QFile checkpoint(QJsonDocument::fromJson(ended.out).object()["checkpoint"].toString());
    QVERIFY(checkpoint.open(QIODevice::ReadOnly));
    const QByteArray content = checkpoint.readAll(); // its run file is that of this computer
    QVERIFY(content.contains(folder.toUtf8()) && !content.contains(".cache/trainyard"));
}

void SshRunTest::aModelOfThisComputerIsCopiedToTheHosts() {
    const Ended trained = trainyardctl(command(runFile("source", 50)));
    const QString checkpoint = QJsonDocument::fromJson(trained.out).object()["checkpoint"].toString();
    const QString module = QString::fromStdString(m_lab.folder()) + "/module.pt"; // which the hosts cannot see
    QProcess exporter;
    exporter.start(program("trainyard-worker"), {"export", checkpoint, "--format", "torchscript", "--out", module});
    QVERIFY(exporter.waitForFinished(60000));
    QVERIFY2(exporter.exitCode() == 0, exporter.readAllStandardError().constData());
    const QJsonObject model{{"name", "torchscript"}, {"params", QJsonObject{{"path", module}}}};
    const Ended ended = trainyardctl(command(runFile("own-model", 100, {{"model", model}})));
    QVERIFY2(ended.code == 0, (ended.err + ended.out).constData());
    const auto there = m_lab.connect(2)->script("find ~/.cache/trainyard -name module.pt | wc -l");
    QCOMPARE(QString::fromStdString(there->out).trimmed(), QStringLiteral("1"));
}

// "step value" of each point, all digits.
QStringList SshRunTest::curve(const QString& run, const char* series) {
    const Ended csv = trainyardctl({"metrics", run, "--workspace", workspace(), "--csv", "--series", series});
    QStringList points;
    for (const auto& line : csv.out.split('\n').mid(1)) // series,step,epoch,time_s,value
        if (const auto cells = line.split(','); cells.size() == 5) points << cells[1] + " " + cells[4];
    return points;
}

// Each host's rank is killed in turn, at any moment of a step or of a reduction.
void SshRunTest::aLostRankLeavesTheCurvesAsTheyWouldBe() {
    constexpr int kLosses = 6;
    const QJsonObject changes{{"model", test::pacedModel()}, {"failure", QJsonObject{{"maxRestarts", 2 * kLosses}}}};
    const Ended started = trainyardctl(command(runFile("disturbed", 1'000'000, changes), true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    const auto pidOf = [&](int rank) { return show(run)["workers"].toArray().at(rank).toObject()["pid"].toInt(); };
    int step = 100;
    for (int lost = 0; lost < kLosses; ++lost) {
        QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() >= step; }, 60000));
        QTest::qSleep(QRandomGenerator::global()->bounded(100));
        const int rank = lost % 2, victim = pidOf(rank);
        const auto host = m_lab.connect(1 + rank);
        const auto killed =
            host->script("kill -KILL $(ps -eo pid=,comm= | awk '$2 == \"trainyard-worke\" {print $1}')");
        QVERIFY2(killed.ok() && killed->ok(), "no rank was there to kill");
        QVERIFY(test::waitFor([&] { return pidOf(rank) != victim; }, 60000));
        step = show(run)["steps"].toInt() + 100;
    }
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() >= step; }, 60000));
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    const int steps = show(run)["steps"].toInt();
    const Ended undisturbed = trainyardctl(command(runFile("undisturbed", steps, changes)));
    QVERIFY2(undisturbed.code == 0, (undisturbed.err + undisturbed.out).constData());
    const QString expected = QJsonDocument::fromJson(undisturbed.out).object()["run"].toString();
    for (const char* series : {"train/loss", "train/accuracy"}) {
        const auto wanted = curve(expected, series), found = curve(run, series);
        QCOMPARE(wanted.size(), steps);
        QCOMPARE(found, wanted);
    }
}

// A rank is lost, and what starts another one is not there any more.
// Fault: The loss of a rank on a host whose copy of the program is gone. The program is copied again; no step is lost,
// one restart.
void SshRunTest::aProgramThatIsGoneIsCopiedAgain() {
    const Ended started =
        trainyardctl(command(runFile("tidied", 1'000'000, {{"failure", QJsonObject{{"maxRestarts", 3}}}}), true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    const auto steps = [&] { return show(run)["steps"].toInt(); };
    QVERIFY(test::waitFor([&] { return steps() > 100; }, 60000));
    const auto host = m_lab.connect(2);
    const auto gone = host->script("find ~/.cache/trainyard -name 'trainyard-*' -type f -print -delete; "
                                   "kill -KILL $(ps -eo pid=,comm= | awk '$2 == \"trainyard-worke\" {print $1}')");
    QVERIFY2(gone.ok() && gone->ok() && gone->out.find("trainyard-relay") != std::string::npos, "nothing was there");
    const auto log = [&] { return trainyardctl({"logs", run, "--workspace", workspace()}).out; };
    QVERIFY2(test::waitFor([&] { return log().contains("all ranks train again"); }, 60000), log().constData());
    const int before = steps();
    QVERIFY2(test::waitFor([&] { return steps() > before + 100; }, 60000), log().constData());
    QVERIFY2(show(run)["restarts"].toInt() == 1, log().constData());
    QCOMPARE(trainyardctl({"kill", run, "--workspace", workspace()}).code, 0);
}

// The folder of a host that checkpoints are written to before they come here has no room for a second one.
// Fault: The disk of a host is full from its first checkpoint on. The run trains to its last step and fails
// (environment) with host, cause and the newest saved checkpoint; with space again it resumes from that to its end.
void SshRunTest::aFullDiskOfAHostIsNoSuccess() {
    constexpr int kSteps = 800;
    const auto onHost = [&](const char* script) {
        const auto done = m_lab.connect(2)->script(script);
        return done.ok() && done->ok();
    };
    QVERIFY(onHost("mkdir -p ~/.cache/trainyard/runs && mount -t tmpfs -o size=64m tmpfs ~/.cache/trainyard/runs"));
    const QJsonObject wide{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{512, 512}}}}};
    const QJsonObject alone{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}};
    QProcess process;
    process.start(program("trainyardctl"),
                  command(runFile("full", kSteps, {{"hosts", QJsonArray{"h2"}}, {"model", wide}, {"scaling", alone}})));
    const auto saved = [&] { return show("full")["checkpoints"].toArray(); };
    QVERIFY(test::waitFor([&] { return !saved().isEmpty(); }, 60000));
    // Room for one checkpoint and a half: the newest stays there until the next has come here. Shrinking has to wait
    // while there are two.
    const auto bytes = saved().last().toObject()["bytes"].toInteger();
    QVERIFY2(onHost(qPrintable(QStringLiteral("for try in $(seq 2000); do mount -o remount,size=%1 "
                                              "~/.cache/trainyard/runs && exit; sleep 0.01; done 2> /dev/null; exit 1")
                                   .arg(bytes * 3 / 2))),
             "the run is too short for this test");
    QVERIFY(process.waitForFinished(100000));
    QCOMPARE(process.exitCode(), 3);
    const QJsonObject result = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(result["status"].toString(), QStringLiteral("failed"));
    QCOMPARE(result["error_code"].toString(), QStringLiteral("checkpoint-not-saved"));
    const int newest = saved().last().toObject()["step"].toInt();
    QVERIFY(newest < kSteps);
    const QString error = result["error"].toString();
    for (const QString& part :
         {QStringLiteral("trained to step %1, but its last checkpoint could not be saved: "
                         "the disk is full: ")
              .arg(kSteps),
          QStringLiteral("the newest saved one is of step %1").arg(newest), QStringLiteral("rank 0 on h2")})
        QVERIFY2(error.contains(part), qPrintable(error));
    QVERIFY(onHost("mount -o remount,size=64m ~/.cache/trainyard/runs"));
    const QString run = result["run"].toString();
    const Ended resumed = trainyardctl({"resume", run, "--workspace", workspace(), "--json"});
    QVERIFY2(resumed.code == 0, (resumed.err + resumed.out).constData());
    QCOMPARE(show(run)["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(saved().last().toObject()["step"].toInt(), kSteps);
    QCOMPARE(curve(run, "train/loss").size(), kSteps);
    QVERIFY(onHost("umount -l ~/.cache/trainyard/runs"));
}

// The link to one host is silent for longer than it takes to notice: the run goes on from its last checkpoint.
// Fault: A host that is switched off, or cut off from all others. After 7 s its ranks are given up, and replaced or
// left out as after a kill. Also in ssh_relay_test, failure_detector_test.
void SshRunTest::cutLinkIsOutlived() {
    QProcess process;
    process.start(
        program("trainyardctl"),
        command(runFile("cut", 1'500, {{"model", test::pacedModel()}, {"failure", QJsonObject{{"maxRestarts", 5}}}})));
    QVERIFY(test::waitFor([&] { return show("cut")["steps"].toInt() > 0; }, 30000));
    QVERIFY2(process.state() == QProcess::Running, "the run is too short for this test");
    m_lab.cut(2);
    QTest::qSleep(9000);
    m_lab.join(2);
    QVERIFY(process.waitForFinished(100000));
    const QByteArray out = process.readAllStandardOutput();
    QVERIFY2(process.exitCode() == 0, (process.readAllStandardError() + out).constData());
    const QJsonObject result = QJsonDocument::fromJson(out).object();
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(result["steps"].toInt(), 1'500);
    QCOMPARE(workersOn(1) + workersOn(2), 0); // none is left of the first group either
}

void SshRunTest::lostHostIsNamed() {
    QProcess process;
    process.start(program("trainyardctl"), command(runFile("lost", 1'000'000)));
    QVERIFY(test::waitFor([&] { return show("lost")["steps"].toInt() > 0; }, 30000));
    m_lab.powerOff(2);
    const double start = monotonicSeconds();
    QVERIFY(process.waitForFinished(60000));
    qInfo("the loss of a host ended the run after %.1f s", monotonicSeconds() - start);
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(said.contains("h2"), said.constData());
    QCOMPARE(workersOn(1), 0);
    m_lab.boot(2);
}

// The id of a run that may have one worker or two, and trains without an end.
QString SshRunTest::startElastic(const char* name, int workers) {
    const QJsonObject elastic{{"min", 1}, {"max", 2}};
    const Ended started = trainyardctl(
        command(runFile(name, 10'000'000,
                        {{"scaling", QJsonObject{{"workers", workers}, {"threadsPerWorker", 1}, {"elastic", elastic}}},
                         {"failure", QJsonObject{{"maxRestarts", 9}, {"heartbeatSeconds", 5}}}}),
                true));
    return QJsonDocument::fromJson(started.out).object()["run"].toString();
}

QJsonObject SshRunTest::show(const QString& run) {
    return QJsonDocument::fromJson(trainyardctl({"show", run, "--workspace", workspace(), "--json"}).out).object();
}

void SshRunTest::aHostJoinsAndLeavesWhileItTrains() {
    const QString run = startElastic("elastic", 1);
    QVERIFY(test::waitFor([&] { return workersOn(1) == 1; }, 30000));
    QCOMPARE(workersOn(2), 0);
    for (const int workers : {2, 1}) {
        const Ended set =
            trainyardctl({"set-workers", run, QString::number(workers), "--workspace", workspace(), "--json"});
        QVERIFY2(set.code == 0, set.err.constData());
        const QJsonObject done = QJsonDocument::fromJson(set.out).object();
        QCOMPARE(done["workers"].toInt(), workers);
        QVERIFY(test::waitFor([&] { return workersOn(2) == workers - 1; }, 10000));
        QCOMPARE(workersOn(1), 1);
        QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > done["step"].toInt() + 50; }, 30000));
    }
    QCOMPARE(trainyardctl({"kill", run, "--workspace", workspace()}).code, 0);
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 30000));
}

// One worker goes on alone; the other comes back to its host once that is there again.
// Fault: A host is switched off, and the run may continue with fewer ranks. Noticed after 7 s, given up after another
// 4: the others continue, and it is tried again after 20 s, 40 s, ….
void SshRunTest::aHostThatIsLostComesBack() {
    const QString run = startElastic("comes-back", 2);
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > 50; }, 30000));
    m_lab.powerOff(2);
    const auto workers = [&] { return show(run)["world_size"].toInt(); };
    QVERIFY(test::waitFor([&] { return workers() == 1; }, 60000));
    const int step = show(run)["steps"].toInt();
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > step + 50; }, 30000));
    m_lab.boot(2);
    QVERIFY(test::waitFor([&] { return workers() == 2 && workersOn(2) == 1; }, 120000));
    const int grown = show(run)["steps"].toInt();
    QVERIFY(grown > step);
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > grown + 50; }, 30000));
    QCOMPARE(trainyardctl({"kill", run, "--workspace", workspace()}).code, 0);
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 30000));
}

void SshRunTest::stoppedRunLeavesNothingOnTheHosts() {
    const Ended started = trainyardctl(command(runFile("stopped", 1'000'000), true));
    QVERIFY2(started.code == 0, started.err.constData());
    const QString id = QJsonDocument::fromJson(started.out).object()["run"].toString();
    QVERIFY(test::waitFor([&] { return show(id)["steps"].toInt() > 0; }, 30000));
    QCOMPARE(workersOn(1) + workersOn(2), 2);
    const Ended stopped = trainyardctl({"stop", id, "--workspace", workspace()});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 30000));
    const auto status = [&] {
        return QJsonDocument::fromJson(trainyardctl({"show", id, "--workspace", workspace(), "--json"}).out)
            .object()["status"]
            .toString();
    };
    QVERIFY(test::waitFor([&] { return status() == "stopped"; }, 10000));
}

// Checkpoints that take minutes to come here: the run trains on, those that would be pruned do not pile up, and it
// stops when it is asked to.
void SshRunTest::aSlowCopyHoldsNothingUp() {
    const QJsonObject wide{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{1024, 1024}}}}};
    const Ended started = trainyardctl(
        command(runFile("slow-copy", 1'000'000,
                        {{"model", wide}, {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 50}}}}),
                true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    const auto steps = [&] { return show(run)["steps"].toInt(); };
    QVERIFY(test::waitFor([&] { return steps() > 0; }, 60000));
    m_lab.slowController();
    QVERIFY(test::waitFor([&] { return steps() > 750; }, 120000));
    const auto there = m_lab.connect(1)->script(
        "ls ~/.cache/trainyard/runs/\"$1\"/checkpoints/step-*.safetensors | wc -l", {run.toStdString()});
    // The last one that came, that on its way, the best, two that are kept, one that was saved just now.
    QVERIFY2(std::atoi(there->out.c_str()) <= 6, there->out.c_str());
    const int before = steps();
    QVERIFY(test::waitFor([&] { return steps() > before; }, 10000));
    QProcess stop;
    const double asked = monotonicSeconds();
    stop.start(program("trainyardctl"), {"stop", run, "--workspace", workspace()});
    QVERIFY(test::waitFor([&] { return show(run)["status"].toString() == "stopping"; }, 5000));
    const double answered = monotonicSeconds() - asked;
    QVERIFY2(answered < 1.5, qPrintable(QString::number(answered))); // the start of two programs among it
    const double again = monotonicSeconds();                         // without waiting for the copy
    QCOMPARE(trainyardctl({"stop", run, "--now", "--workspace", workspace()}).code, 0);
    QVERIFY2(monotonicSeconds() - again < 12, qPrintable(QString::number(monotonicSeconds() - again)));
    QVERIFY(stop.waitForFinished(20000));
    m_lab.fastController();
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 10000));
}

// A process that a worker has left behind, out of its process group.
void SshRunTest::whatIsLeftOnAHostIsFoundAndEnded() {
    const Ended started = trainyardctl(command(runFile("left", 1'000'000), true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > 0; }, 60000));
    const auto left = m_lab.connect(2)->script("TRAINYARD_WORKER_OF=$1 setsid sleep 1000 > /dev/null 2>&1 < /dev/null &"
                                               "echo $!",
                                               {run.toStdString()});
    QVERIFY(left.ok() && left->ok());
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    const Ended log = trainyardctl({"logs", run, "--workspace", workspace()});
    QVERIFY2(log.out.contains("1 processes of the run were left on h2, and are ended"), log.out.constData());
    QVERIFY2(log.out.contains("; 0 processes left"), log.out.constData());
    const auto gone =
        m_lab.connect(2)->script("! kill -0 $1 2> /dev/null", {left->out.substr(0, left->out.find('\n'))});
    QVERIFY(gone.ok() && gone->ok());
}

// The host that it was stopped on is not there any more.
void SshRunTest::resumesOnOtherHosts() {
    constexpr int kSteps = 3000;
    const QJsonObject alone{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}};
    const Ended started =
        trainyardctl(command(runFile("moves", kSteps, {{"hosts", QJsonArray{"h2"}}, {"scaling", alone}}), true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > 100; }, 60000));
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    const int reached = show(run)["steps"].toInt();
    QVERIFY(reached < kSteps);
    const auto resume = [&](const QString& set) {
        return trainyardctl({"resume", run, "--set", set, "--workspace", workspace(), "--json"});
    };
    const Ended other = resume("optimizer.lr=0.5");
    QCOMPARE(other.code, 2);
    QVERIFY2(other.err.contains("a run keeps its optimizer.lr when it is resumed"), other.err.constData());
    QCOMPARE(resume(R"(hosts=["-oProxyCommand=x"])").code, 2);
    m_lab.powerOff(2);
    const Ended moved = resume(R"(hosts=["h1"])");
    m_lab.boot(2);
    QVERIFY2(moved.code == 0, (moved.err + moved.out).constData());
    QCOMPARE(show(run)["workers"].toArray().at(0).toObject()["host"].toString(), QStringLiteral("h1"));
    QCOMPARE(curve(run, "train/loss").size(), kSteps);
}

// Fault: The supervisor, or its computer, dies with ranks on two hosts, also while a rank hangs. No worker is left on a
// host after failure.linkSeconds and the save; a resume takes the checkpoint from the host.
void SshRunTest::ranksOutliveTheirSupervisorToSave_data() {
    QTest::addColumn<bool>("cut");
    QTest::addColumn<bool>("hangs");
    QTest::newRow("the supervisor is killed") << false << false;
    QTest::newRow("this computer is switched off") << true << false;
    QTest::newRow("the supervisor is killed, and a rank hangs") << false << true;
}

constexpr int kOrphanSteps = 3000; // some two milliseconds each: longer than they are left alone

// No checkpoint is due before the last step.
QString SshRunTest::orphansFile(const char* name) const {
    return runFile(name, kOrphanSteps,
                   {{"model", test::pacedModel()},
                    {"failure", QJsonObject{{"linkSeconds", 4}, {"heartbeatSeconds", 60}, {"maxRestarts", 20}}},
                    {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", kOrphanSteps}}}});
}

// The id of a run of that file whose supervisor is never silent, the same for all tests; empty when it fails.
QString SshRunTest::undisturbedOrphans() {
    static QString run;
    if (run.isEmpty())
        if (const Ended ended = trainyardctl(command(orphansFile("undisturbed"))); ended.code == 0)
            run = QJsonDocument::fromJson(ended.out).object()["run"].toString();
    return run;
}

// No checkpoint comes here before the run is resumed.
void SshRunTest::ranksOutliveTheirSupervisorToSave() {
    QFETCH(bool, cut);
    QFETCH(bool, hangs);
    const QString expected = undisturbedOrphans();
    QVERIFY(!expected.isEmpty());
    const Ended started = trainyardctl(command(orphansFile("orphans"), true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() >= 200; }, 60000));
    const auto store = store::Workspace::open(workspace().toStdString());
    QVERIFY(store.ok());
    const auto row = (*store::RunQuery::open(*store))->run(run.toStdString());
    QVERIFY(row.ok() && row->supervisorPid > 0);
    if (hangs) {
        const auto stopped =
            m_lab.connect(2)->script("kill -STOP $(ps -eo pid=,comm= | awk '$2 == \"trainyard-worke\" {print $1}')");
        QVERIFY2(stopped.ok() && stopped->ok(), "no rank was there to stop");
    }
    if (cut) m_lab.cutController(); // nobody tells the hosts that the connections are gone
    ::kill(static_cast<pid_t>(row->supervisorPid), SIGKILL);
    const double from = monotonicSeconds();
    if (cut) {
        QTest::qSleep(6000); // linkSeconds, and a save
        m_lab.joinController();
    }
    // One that hangs has its 20 s to save, and is ended then.
    QVERIFY(test::waitFor([&] { return workersLeft() == 0; }, hangs ? 60000 : 15000));
    qInfo("no worker is left after %.1f s", monotonicSeconds() - from);
    const int reached = show(run)["steps"].toInt();
    QVERIFY(show(run)["checkpoints"].toArray().isEmpty());
    const Ended resumed = trainyardctl({"resume", run, "--workspace", workspace(), "--json"});
    QVERIFY2(resumed.code == 0, (resumed.err + resumed.out).constData());
    const Ended log = trainyardctl({"logs", run, "--workspace", workspace()});
    QVERIFY2(log.out.contains("without a supervisor"), log.out.constData());
    QVERIFY(reached > 0 && reached < kOrphanSteps);
    for (const char* series : {"train/loss", "train/accuracy"}) {
        const auto wanted = curve(expected, series), found = curve(run, series);
        QCOMPARE(wanted.size(), kOrphanSteps);
        QCOMPARE(found, wanted);
    }
}

// The network of this computer is gone for so long that the ranks save and end. Nobody resumes the run.
// Fault: The network of the supervisor's computer is down for longer than failure.linkSeconds, with ranks on two hosts,
// and comes back. They save and end; the supervisor takes their checkpoint from the host and continues from it,
// bit-equal to an undisturbed run.
void SshRunTest::whatRanksSavedWhileTheirSupervisorWasCutOffIsTaken() {
    const QString expected = undisturbedOrphans();
    QVERIFY(!expected.isEmpty());
    const Ended started = trainyardctl(command(orphansFile("cut-off"), true));
    const QString run = QJsonDocument::fromJson(started.out).object()["run"].toString();
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() >= 200; }, 60000));
    m_lab.cutController();
    QTest::qSleep(9000); // linkSeconds, a save, and the time to notice it here
    m_lab.joinController();
    QVERIFY(test::waitFor([&] { return show(run)["status"].toString() == "finished"; }, 120000));
    const Ended log = trainyardctl({"logs", run, "--workspace", workspace()});
    QVERIFY2(log.out.contains("without a supervisor"), log.out.constData());
    QVERIFY2(!log.out.contains("from the beginning"), log.out.constData());
    for (const char* series : {"train/loss", "train/accuracy"}) {
        const auto wanted = curve(expected, series), found = curve(run, series);
        QCOMPARE(wanted.size(), kOrphanSteps);
        QCOMPARE(found, wanted);
    }
}

// After all the runs of this test. One of them has a newer checkpoint there, and another is not known here.
void SshRunTest::cleaningAHostKeepsWhatIsNotHere() {
    const Ended trained = trainyardctl(command(runFile("cleaned", 100)));
    const QString run = QJsonDocument::fromJson(trained.out).object()["run"].toString();
    const Ended other = trainyardctl(command(runFile("newer", 100)));
    const QString newer = QJsonDocument::fromJson(other.out).object()["run"].toString();
    const auto onHost = [&](const char* script) {
        return m_lab.connect(1)->script(script, {newer.toStdString()})->out;
    };
    onHost("cd ~/.cache/trainyard/runs && cp \"$1\"/checkpoints/step-00000100.safetensors "
           "\"$1\"/checkpoints/step-00000200.safetensors && cp -r \"$1\" unknown");
    const auto clean = [&](const QStringList& more) {
        const Ended ended =
            trainyardctl(QStringList{"hosts", "clean", "h1", "--workspace", workspace(), "--json"} + more);
        QMap<QString, QString> keptFor; // name -> why; "": freed
        for (const auto& item : QJsonDocument::fromJson(ended.out).array().at(0).toObject()["items"].toArray())
            keptFor[item.toObject()["name"].toString()] = item.toObject()["kept_for"].toString();
        return keptFor;
    };
    const QString before = QString::fromStdString(onHost("find ~/.cache/trainyard | sort"));
    const auto foreseen = clean({"--dry-run"});
    QCOMPARE(QString::fromStdString(onHost("find ~/.cache/trainyard | sort")), before);
    QCOMPARE(clean({}), foreseen);
    QCOMPARE(foreseen[run], QString());
    QVERIFY(foreseen.contains(run) && foreseen.contains("trainyard-worker"));
    QCOMPARE(foreseen[newer], QStringLiteral("newer"));
    QCOMPARE(foreseen["unknown"], QStringLiteral("unknown-run"));
    const QString left =
        QString::fromStdString(onHost("cd ~/.cache/trainyard && ls runs && find . -name trainyard-worker"));
    QVERIFY2(left.contains(newer) && left.contains("unknown"), qPrintable(left));
    QVERIFY2(!left.contains(run) && !left.contains("trainyard-worker"), qPrintable(left));
    QCOMPARE(trainyardctl(command(runFile("again", 100))).code, 0); // all is copied anew
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshRunTest>(argc, argv,
                                          {test::program("trainyardctl"), test::program("trainyard-worker")});
}

#include "ssh_run_test.moc"
