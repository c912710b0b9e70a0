// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as jobs of a real Slurm cluster of two nodes on this computer (slurm_lab.sh).
#include "engine/base/clock.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>

#include <unistd.h>

#include <cstdlib>

using namespace trainyard;
using test::Ended;
using test::execute;
using test::trainyardctl;

class SlurmRunTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void slurmOutsideOfAJobIsRefused();
    void twoNodesTrainAsTwoRanksHere();
    void aRequeuedJobGoesOnWithItsRun();
    void aCancelledJobHasSaved();
    void aLostNodeIsNamed();

private:
    bool lab(const char* what, int n) const;
    QString runFile(const char* name, int steps, const QJsonObject& changes = {}) const;
    QJsonObject submit(const QString& file, const QStringList& more = {}) const;
    QJsonObject status(const QJsonObject& job) const;
    QJsonObject show(const QJsonObject& job) const;
    QStringList curve(const QString& workspace, const QString& run) const;
    QStringList undisturbed(const char* name, int steps) const;
    QByteArray logOf(const QJsonObject& job) const;
    bool waitForStep(const QJsonObject& job, int step) const;
    bool waitForState(const QJsonObject& job, const char* state, int seconds = 60) const;
    static int workersLeft() { return execute("pgrep", {"-c", "-f", "trainyard-worker rank"}).out.trimmed().toInt(); }
    QString m_root;
    QTemporaryDir m_folder;
};

bool SlurmRunTest::lab(const char* what, int n) const {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardOutputFile(m_root + "/lab.log"); // a file: what it starts keeps it open
    process.start("sh", {QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/ssh/slurm_lab.sh"), QLatin1String(what), m_root,
                         QString::number(n)});
    return process.waitForFinished(30000) && process.exitCode() == 0;
}

void SlurmRunTest::initTestCase() {
    m_root = m_folder.path();
    QFile::setPermissions(m_root, QFile::permissions(m_root) | QFile::ReadOther | QFile::ExeOther);
    qputenv("HOME", (m_root + "/home").toUtf8());
    qputenv("XDG_CONFIG_HOME", (m_root + "/home/.config").toUtf8());
    qputenv("XDG_CACHE_HOME", (m_root + "/home/.cache").toUtf8());
    qputenv("TRAINYARD_POOL", "off"); // what is left is to be counted
    qputenv("SLURM_CONF", (m_root + "/slurm.conf").toUtf8());
    QDir().mkpath(m_root + "/home");
    QVERIFY2(lab("up", 2), "the cluster does not start");
    const auto idle = [] {
        return execute("sinfo", {"-h", "-t", "idle", "-p", "low", "-o", "%D"}).out.trimmed() == "2";
    };
    QVERIFY2(QTest::qWaitFor(idle, 20000), execute("sinfo", {}).out.constData());
}

// The bits are to be those of any other computation of the run, so its kernels are fixed.
QString SlurmRunTest::runFile(const char* name, int steps, const QJsonObject& changes) const {
    QJsonObject file{
        {"version", 1},
        {"name", name},
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{32}}}}}},
        {"dataset", "blobs"},
        {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.1}}},
        {"batch", QJsonObject{{"global", 64}}},
        {"deterministic", true},
        {"steps", steps},
        {"scaling", QJsonObject{{"workers", 2}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
        {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}, {"keep", 2}}},
        {"failure", QJsonObject{{"maxRestarts", 0}}},
    };
    for (auto change = changes.begin(); change != changes.end(); ++change) file[change.key()] = change.value();
    const QString path = m_root + "/" + QLatin1String(name) + ".json";
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(file).toJson());
    return path;
}

QJsonObject SlurmRunTest::submit(const QString& file, const QStringList& more) const {
    const Ended ended = trainyardctl(
        QStringList{"slurm", "submit", file, "--nodes", "2", "--workspace", m_root + "/workspace", "--json"} + more);
    if (ended.code != 0) qWarning("%s", ended.err.constData());
    return ended.json();
}

QJsonObject SlurmRunTest::status(const QJsonObject& job) const {
    return trainyardctl({"slurm", "status", job["id"].toString(), "--workspace", m_root + "/workspace", "--json"})
        .json();
}

QJsonObject SlurmRunTest::show(const QJsonObject& job) const {
    return trainyardctl({"show", job["run"].toString(), "--workspace", job["workspace"].toString(), "--json"}).json();
}

// "step value" of each point, all digits.
QStringList SlurmRunTest::curve(const QString& workspace, const QString& run) const {
    QStringList points;
    for (const auto& line : trainyardctl({"metrics", run, "--workspace", workspace, "--csv", "--series", "train/loss"})
                                .out.split('\n')
                                .mid(1))
        if (const auto cells = line.split(','); cells.size() == 5) points << cells[1] + " " + cells[4];
    return points;
}

// Of the same run with two ranks on this computer.
QStringList SlurmRunTest::undisturbed(const char* name, int steps) const {
    const QString workspace = m_root + "/here";
    const Ended ended = trainyardctl({"run", runFile(name, steps), "--workspace", workspace, "--json"});
    if (ended.code != 0) qWarning("%s", ended.err.constData());
    return curve(workspace, ended.json()["run"].toString());
}

QByteArray SlurmRunTest::logOf(const QJsonObject& job) const {
    QFile log(job["workspace"].toString() + "/job.log");
    return log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray("no log");
}

bool SlurmRunTest::waitForStep(const QJsonObject& job, int step) const {
    bool ended = false;
    const auto there = [&] {
        ended = status(job)["state"].toString() == "ended";
        return ended || show(job)["steps"].toInt() >= step;
    };
    return QTest::qWaitFor(there, 60000) && !ended;
}

bool SlurmRunTest::waitForState(const QJsonObject& job, const char* state, int seconds) const {
    return QTest::qWaitFor([&] { return status(job)["state"].toString() == QLatin1String(state); }, seconds * 1000);
}

void SlurmRunTest::slurmOutsideOfAJobIsRefused() {
    const QString file = runFile("outside", 10, {{"hosts", QJsonArray{"slurm"}}});
    const Ended ended = trainyardctl({"run", file, "--workspace", m_root + "/here"});
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.err.contains("slurm submit"), ended.err.constData());
    const Ended unknown =
        trainyardctl({"slurm", "submit", file, "--partition", "nowhere", "--workspace", m_root + "/here"});
    QCOMPARE(unknown.code, 3);
    QVERIFY2(unknown.err.contains("nvalid partition"), unknown.err.constData());
    QVERIFY(QDir(m_root + "/here/slurm").isEmpty());
}

void SlurmRunTest::twoNodesTrainAsTwoRanksHere() {
    constexpr int kSteps = 300;
    const QJsonObject job = submit(runFile("pair", kSteps));
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("exited"));
    QVERIFY2(status(job)["code"].toInt() == 0, logOf(job).constData());
    const QJsonObject result = show(job);
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QStringList hosts;
    for (const auto& worker : result["workers"].toArray()) hosts << worker.toObject()["host"].toString();
    QCOMPARE(hosts, QStringList({"slurm:n1", "slurm:n2"}));
    QVERIFY(QFile::exists(result["checkpoint"].toString()));
    const auto expected = undisturbed("here", kSteps);
    QCOMPARE(expected.size(), kSteps);
    QCOMPARE(curve(job["workspace"].toString(), job["run"].toString()), expected);
    QCOMPARE(workersLeft(), 0);
    // Once more by hand: there is nothing left to do.
    const Ended again = trainyardctl({"run", job["workspace"].toString() + "/run.json", "--resume-or-start", "--key",
                                      job["id"].toString(), "--workspace", job["workspace"].toString()});
    QVERIFY2(again.code == 0 && again.err.contains("has finished"), again.err.constData());
}

void SlurmRunTest::aRequeuedJobGoesOnWithItsRun() {
    constexpr int kSteps = 2500;
    const QJsonObject job = submit(runFile("again", kSteps), {"--requeue"});
    QVERIFY2(waitForStep(job, 100), logOf(job).constData());
    QCOMPARE(execute("scontrol", {"requeue", job["job"].toString()}).code, 0);
    QVERIFY2(QTest::qWaitFor([&] { return show(job)["status"].toString() == "stopped"; }, 30000),
             logOf(job).constData());
    const QJsonObject stopped = show(job);
    // Slurm lets a requeued job wait for two minutes.
    QVERIFY2(waitForState(job, "pending"), logOf(job).constData());
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("BeginTime"));
    // Not in the second in which it was ended: a node compares whole seconds, and refuses "Job credential revoked".
    QTest::qWait(2000);
    QCOMPARE(execute("scontrol", {"update", "JobId=" + job["job"].toString(), "StartTime=now"}).code, 0);
    const int step = stopped["steps"].toInt();
    QVERIFY2(step < kSteps, "the run is too short for this test");
    QCOMPARE(stopped["checkpoints"].toArray().last().toObject()["step"].toInt(), step); // no step is lost
    QVERIFY2(waitForState(job, "ended", 120), logOf(job).constData());
    const auto shownJob = [&] { return execute("scontrol", {"show", "job", job["job"].toString()}).out + logOf(job); };
    QVERIFY2(status(job)["code"].toInt() == 0, shownJob().constData());
    QCOMPARE(show(job)["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(QDir(job["workspace"].toString() + "/runs").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
    QCOMPARE(curve(job["workspace"].toString(), job["run"].toString()), undisturbed("at-once", kSteps));
}

void SlurmRunTest::aCancelledJobHasSaved() {
    const QJsonObject job = submit(runFile("cancelled", 10'000'000));
    QVERIFY2(waitForStep(job, 100), logOf(job).constData());
    QCOMPARE(trainyardctl({"slurm", "cancel", "cancelled", "--workspace", m_root + "/workspace"}).code, 0);
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("cancelled"));
    const QJsonObject result = show(job);
    QCOMPARE(result["status"].toString(), QStringLiteral("stopped"));
    QCOMPARE(result["checkpoints"].toArray().last().toObject()["step"].toInt(), result["steps"].toInt());
    QVERIFY(QTest::qWaitFor([] { return workersLeft() == 0; }, 10000));
}

void SlurmRunTest::aLostNodeIsNamed() {
    const QJsonObject job = submit(runFile("lost", 10'000'000, {{"failure", QJsonObject{{"heartbeatSeconds", 100}}}}));
    QVERIFY2(waitForStep(job, 100), logOf(job).constData());
    QVERIFY(lab("off", 2)); // the supervisor is on the other
    const double start = monotonicSeconds();
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    qInfo("the loss of a node was named after %.1f s", monotonicSeconds() - start);
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("node-lost"));
    QVERIFY(QTest::qWaitFor([] { return workersLeft() == 0; }, 20000));
    const QJsonObject result = show(job); // the rank that was left has saved for both
    QVERIFY(!result["checkpoints"].toArray().isEmpty());
    QCOMPARE(result["checkpoints"].toArray().last().toObject()["step"].toInt(), result["steps"].toInt());
}

int main(int argc, char** argv) {
    return test::runInHostLab<SlurmRunTest>(argc, argv,
                                            {test::program("trainyardctl"), test::program("trainyard-worker"),
                                             "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged"});
}
#include "slurm_run_test.moc"
