// SPDX-License-Identifier: GPL-3.0-or-later
// A run over two real hosts, from the terminal program to the checkpoint on this computer.
#include "engine/base/clock.h"
#include "tests/ssh/lab_runs.h"

#include <QDir>

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
    void aFullDiskOfAHostIsNoSuccess();
    void aHostJoinsAndLeavesWhileItTrains();
    void stoppedRunLeavesNothingOnTheHosts();
    void aSlowCopyHoldsNothingUp();
    void whatIsLeftOnAHostIsFoundAndEnded();
    void resumesOnOtherHosts();
    void cleaningAHostKeepsWhatIsNotHere();

private:
    QString runFile(const char* name, int steps, QJsonObject changes = {}) const;
    QStringList command(const QString& file, bool detach = false) const;
    QString start(const QString& file) const { return trainyardctl(command(file, true)).json()["run"].toString(); }
    QJsonObject show(const QString& run) const { return m_runs.show(run); }
    bool trains(const QString& run, int steps = 1) const { return m_runs.reaches(run, steps); }
    int workersOn(int host) const { return m_runs.workersOn(host); }
    int poolsOn(int host) const { return m_runs.onHost(host, "ps -eo comm= | grep -cx trainyard-pool"); }
    QString workspace() const { return m_runs.workspace(); }
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    // The generated dataset where it is not installed.
    const QString m_images =
        QFile::exists("/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz") ? "fashion-mnist" : "blobs";
};

void SshRunTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

// What a test that failed leaves must fail no other.
void SshRunTest::cleanup() {
    if (!QTest::currentTestFailed()) return;
    m_lab.fastController();
    m_runs.killAll();
}

QString SshRunTest::runFile(const char* name, int steps, QJsonObject changes) const {
    const QJsonObject usual{{"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.1}}},
                            {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 100}, {"keep", 2}}},
                            {"failure", QJsonObject{{"maxRestarts", 0}}}};
    for (auto each = usual.begin(); each != usual.end(); ++each)
        if (!changes.contains(each.key())) changes[each.key()] = each.value();
    return m_runs.file(QLatin1String(name), {"h1", "h2"}, steps, changes);
}

QStringList SshRunTest::command(const QString& file, bool detach) const {
    QStringList arguments{"run", file, "--workspace", workspace(), "--json"};
    if (detach) arguments << "--detach";
    return arguments;
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
    const QJsonObject images{{"dataset", m_images}, {"batch", QJsonObject{{"global", 128}}}};
    const Ended ended = trainyardctl(command(runFile("pair", 300, images)));
    qunsetenv("TRAINYARD_HOST_POOL");
    QVERIFY2(ended.code == 0, ended.said().constData());
    QCOMPARE(poolsOn(1) + poolsOn(2), 0);
    const QJsonObject result = ended.json();
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(result["steps"].toInt(), 300);
    QCOMPARE(m_runs.hostsOf(result["run"].toString()), QStringList({"h1", "h2"}));
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
    QVERIFY2(ended.code == 0, ended.said().constData());
    QVERIFY(poolsOn(1) > 0 && poolsOn(2) > 0); // ranks are forked there, unless they are not to be
    const auto there = m_lab.connect(2)->script("find ~/.cache/trainyard -path '*/my data/*.gz' | wc -l");
    QCOMPARE(QString::fromStdString(there->out).trimmed(), QStringLiteral("4"));
    QFile checkpoint(ended.json()["checkpoint"].toString());
    QVERIFY(checkpoint.open(QIODevice::ReadOnly));
    const QByteArray content = checkpoint.readAll(); // its run file is that of this computer
    QVERIFY(content.contains(folder.toUtf8()) && !content.contains(".cache/trainyard"));
}

void SshRunTest::aModelOfThisComputerIsCopiedToTheHosts() {
    const Ended trained = trainyardctl(command(runFile("source", 50)));
    const QString checkpoint = trained.json()["checkpoint"].toString();
    const QString module = QString::fromStdString(m_lab.folder()) + "/module.pt"; // which the hosts cannot see
    QProcess exporter;
    exporter.start(program("trainyard-worker"), {"export", checkpoint, "--format", "torchscript", "--out", module});
    QVERIFY(exporter.waitForFinished(60000));
    QVERIFY2(exporter.exitCode() == 0, exporter.readAllStandardError().constData());
    const QJsonObject model{{"name", "torchscript"}, {"params", QJsonObject{{"path", module}}}};
    const Ended ended = trainyardctl(command(runFile("own-model", 100, {{"model", model}})));
    QVERIFY2(ended.code == 0, ended.said().constData());
    const auto there = m_lab.connect(2)->script("find ~/.cache/trainyard -name module.pt | wc -l");
    QCOMPARE(QString::fromStdString(there->out).trimmed(), QStringLiteral("1"));
}

// The folder of a host that checkpoints are written to before they come here has no room for a second one.
// Fault: The disk of a host is full from its first checkpoint on. The run trains to its last step and fails
// (environment) with host, cause and the newest saved checkpoint; with space again it resumes from that to its end.
void SshRunTest::aFullDiskOfAHostIsNoSuccess() {
    constexpr int kSteps = 600;
    const auto onHost = [&](const char* script) {
        const auto done = m_lab.connect(2)->script(script);
        return done.ok() && done->ok();
    };
    QVERIFY(onHost("mkdir -p ~/.cache/trainyard/runs && mount -t tmpfs -o size=64m tmpfs ~/.cache/trainyard/runs"));
    const QJsonObject alone{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}};
    QProcess process;
    process.start(
        program("trainyardctl"),
        command(runFile("full", kSteps,
                        {{"hosts", QJsonArray{"h2"}}, {"model", test::pacedModel(6, 20'000)}, {"scaling", alone}})));
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
          QStringLiteral("the newest saved one is from step %1").arg(newest), QStringLiteral("rank 0 on h2")})
        QVERIFY2(error.contains(part), qPrintable(error));
    QVERIFY(onHost("mount -o remount,size=64m ~/.cache/trainyard/runs"));
    const QString run = result["run"].toString();
    const Ended resumed = trainyardctl({"resume", run, "--workspace", workspace(), "--json"});
    QVERIFY2(resumed.code == 0, resumed.said().constData());
    QCOMPARE(show(run)["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(saved().last().toObject()["step"].toInt(), kSteps);
    QCOMPARE(m_runs.curve(run).size(), kSteps);
    QVERIFY(onHost("umount -l ~/.cache/trainyard/runs"));
}

void SshRunTest::aHostJoinsAndLeavesWhileItTrains() {
    const QJsonObject elastic{{"min", 1}, {"max", 2}};
    const QString run =
        start(runFile("elastic", 10'000'000,
                      {{"scaling", QJsonObject{{"workers", 1}, {"threadsPerWorker", 1}, {"elastic", elastic}}},
                       {"failure", QJsonObject{{"maxRestarts", 9}, {"heartbeatSeconds", 5}}}}));
    QVERIFY(test::waitFor([&] { return workersOn(1) == 1; }, 30000));
    QCOMPARE(workersOn(2), 0);
    for (const int workers : {2, 1}) {
        const Ended set =
            trainyardctl({"set-workers", run, QString::number(workers), "--workspace", workspace(), "--json"});
        QVERIFY2(set.code == 0, set.err.constData());
        const QJsonObject done = set.json();
        QCOMPARE(done["workers"].toInt(), workers);
        QVERIFY(test::waitFor([&] { return workersOn(2) == workers - 1; }, 10000));
        QCOMPARE(workersOn(1), 1);
        QVERIFY(m_runs.reaches(run, done["step"].toInt() + 51, 30));
    }
    QCOMPARE(trainyardctl({"kill", run, "--workspace", workspace()}).code, 0);
    QVERIFY(m_runs.nothingIsLeft());
}

void SshRunTest::stoppedRunLeavesNothingOnTheHosts() {
    const Ended started = trainyardctl(command(runFile("stopped", 1'000'000), true));
    QVERIFY2(started.code == 0, started.err.constData());
    const QString id = started.json()["run"].toString();
    QVERIFY(m_runs.reaches(id, 1, 30));
    QCOMPARE(workersOn(1) + workersOn(2), 2);
    const Ended stopped = trainyardctl({"stop", id, "--workspace", workspace()});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QVERIFY(m_runs.nothingIsLeft());
    QVERIFY(test::waitFor([&] { return show(id)["status"].toString() == "stopped"; }, 10000));
}

// Checkpoints that take minutes to come here: the run trains on, those that would be pruned do not pile up, and it
// stops when it is asked to.
void SshRunTest::aSlowCopyHoldsNothingUp() {
    const QJsonObject wide{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{1024, 1024}}}}};
    const QString run =
        start(runFile("slow-copy", 1'000'000,
                      {{"model", wide}, {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 20}}}}));
    const auto steps = [&] { return m_runs.steps(run); };
    QVERIFY(trains(run));
    m_lab.slowController();
    QVERIFY(test::waitFor([&] { return steps() > 300; }, 120000));
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
    QVERIFY(m_runs.nothingIsLeft(10));
}

// A process that a worker has left behind, out of its process group.
void SshRunTest::whatIsLeftOnAHostIsFoundAndEnded() {
    const QString run = start(runFile("left", 1'000'000));
    QVERIFY(trains(run));
    const auto left = m_lab.connect(2)->script("TRAINYARD_WORKER_OF=$1 setsid sleep 1000 > /dev/null 2>&1 < /dev/null &"
                                               "echo $!",
                                               {run.toStdString()});
    QVERIFY(left.ok() && left->ok());
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    const QByteArray log = m_runs.log(run);
    QVERIFY2(log.contains("1 processes of the run were left on h2, and are ended"), log.constData());
    QVERIFY2(log.contains("; 0 processes left"), log.constData());
    const auto gone =
        m_lab.connect(2)->script("! kill -0 $1 2> /dev/null", {left->out.substr(0, left->out.find('\n'))});
    QVERIFY(gone.ok() && gone->ok());
}

// The host that it was stopped on is not there any more.
void SshRunTest::resumesOnOtherHosts() {
    constexpr int kSteps = 700;
    const QJsonObject alone{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}};
    const QString run = start(
        runFile("moves", kSteps, {{"hosts", QJsonArray{"h2"}}, {"model", test::pacedModel()}, {"scaling", alone}}));
    QVERIFY(trains(run, 101));
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
    const int reached = m_runs.steps(run);
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
    QVERIFY2(moved.code == 0, moved.said().constData());
    QCOMPARE(m_runs.hostsOf(run), QStringList{"h1"});
    QCOMPARE(m_runs.curve(run).size(), kSteps);
}

// After all the runs of this test. One of them has a newer checkpoint there, and another is not known here.
void SshRunTest::cleaningAHostKeepsWhatIsNotHere() {
    const Ended trained = trainyardctl(command(runFile("cleaned", 100)));
    const QString run = trained.json()["run"].toString();
    const Ended other = trainyardctl(command(runFile("newer", 100)));
    const QString newer = other.json()["run"].toString();
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
    return test::runInHostLab<SshRunTest>(argc, argv, {program("trainyardctl"), program("trainyard-worker")});
}

#include "ssh_run_test.moc"
