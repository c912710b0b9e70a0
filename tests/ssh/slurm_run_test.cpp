// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as jobs of a real Slurm cluster of two nodes on this computer (slurm_lab.sh).
// Long because: they share one start of the cluster, and the run that is trained here to compare with.
#include "engine/base/clock.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QSet>

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
    void cleanup();
    void slurmOutsideOfAJobIsRefused();
    void twoNodesTrainAsTwoRanksHere();
    void aRequeuedJobGoesOnWithItsRun();
    void aProgramRunsOnTheNodes();
    void aPreemptedJobGoesOnWithItsRun();
    void aCancelledJobHasSaved();
    void aCancelledJobSavesWhileARankIsReplaced();
    void aRunOfAJobIsFetched();
    void aSweepIsAnArrayOfItsTrials();
    void trialsAreHereWhileTheyTrainAndKeepWhatTheyHave();
    void aSweepThatNeedsAJudgeIsRefused();
    void aRefusedSweepLeavesNothing();
    void aSubmissionThatIsKilledLosesNoTrial();
    void aSubmissionThatIsKilledTooEarlyIsOver();
    void aSubmissionThatIsKilledLosesNoRun();
    void aRunThatSlurmForgotIsFetched();
    void aRunBeginsFromACheckpoint();
    void aSubmissionThatIsKilledWhileItCopiesLeavesNothing();
    void aLostNodeIsNamed();

private:
    bool lab(const char* what, int n) const;
    QString runFile(const char* name, int steps, const QJsonObject& changes = {}) const;
    QJsonObject submit(const QString& file, const QStringList& more = {}) const;
    QJsonObject status(const QJsonObject& job) const;
    QJsonObject show(const QJsonObject& job) const;
    QString sweepFile(const char* name, int steps, const QJsonObject& changes = {}) const;
    QJsonArray trialsOf(const QString& workspace, const QString& sweep) const;
    QStringList curve(const QString& workspace, const QString& run) const;
    QStringList undisturbed(const char* name, int steps) const;
    void refusesWhatNeedsASupervisor(const QString& sweep, const QString& run) const;
    QByteArray logOf(const QJsonObject& job) const;
    QByteArray inPlaceOf(const char* program, const QByteArray& lines) const;
    QJsonObject submittedByDying(const QString& file, const char* sbatch) const;
    bool waitForStep(const QJsonObject& job, int step) const;
    bool waitForState(const QJsonObject& job, const char* state, int seconds = 60) const;
    static int workersLeft() { return execute("pgrep", {"-c", "-f", "trainyard-worker rank"}).out.trimmed().toInt(); }
    static bool isEmpty() { return execute("squeue", {"--noheader"}).out.trimmed().isEmpty(); }
    static bool isIdle() { // both nodes
        return execute("sinfo", {"-h", "-t", "idle", "-p", "low", "-o", "%D"}).out.trimmed() == "2";
    }
    QString m_root;
    QTemporaryDir m_folder;
    bool m_isOff = false;                         // the second node
    mutable QMap<int, QStringList> m_undisturbed; // by the number of steps
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
    QVERIFY2(test::waitFor(isIdle, 20000), execute("sinfo", {}).out.constData());
}

// What a row that failed has left would be in the way of those after it.
void SlurmRunTest::cleanup() {
    if (m_isOff) QVERIFY(lab("boot", 2));
    m_isOff = false;
    if (QTest::currentTestFailed()) {
        execute("scancel", {"--user=root"});
        (void)test::waitFor(isEmpty, 15000); // runs save first
        execute("scancel", {"--signal=KILL", "--full", "--user=root"});
        // Of the lab alone, as it has a namespace of processes of its own.
        execute("pkill", {"-KILL", "-f", "trainyard-worker rank|trainyardctl supervise"});
    }
    QVERIFY2(test::waitFor(isEmpty, 30000), execute("squeue", {}).out.constData());
    QVERIFY2(test::waitFor(isIdle, 30000), execute("sinfo", {}).out.constData());
}

// The bits are to be those of any other computation of the run, so its kernels are fixed.
QString SlurmRunTest::runFile(const char* name, int steps, const QJsonObject& changes) const {
    QJsonObject file{
        {"version", 1},
        {"name", name},
        {"model", test::pacedModel(0)},
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
    if (!changes.contains("model")) test::paceEndless(file);
    const QString path = m_root + "/" + QLatin1String(name) + ".json";
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(file).toJson());
    return path;
}

// These lines of a shell are found in the place of that program from now on. Returns the PATH before.
QByteArray SlurmRunTest::inPlaceOf(const char* program, const QByteArray& lines) const {
    const QString folder = m_root + "/in-place-of-" + QLatin1String(program);
    QDir().mkpath(folder);
    QFile script(folder + "/" + QLatin1String(program));
    if (script.open(QIODevice::WriteOnly)) script.write("#!/bin/sh\n" + lines + "\n");
    script.setPermissions(script.permissions() | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder.toUtf8() + ":" + path);
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
    if (m_undisturbed.contains(steps)) return m_undisturbed[steps];
    const QString workspace = m_root + "/here";
    const Ended ended = trainyardctl({"run", runFile(name, steps), "--workspace", workspace, "--json"});
    if (ended.code != 0) qWarning("%s", ended.err.constData());
    return m_undisturbed[steps] = curve(workspace, ended.json()["run"].toString());
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
    return test::waitFor(there, 60000) && !ended;
}

bool SlurmRunTest::waitForState(const QJsonObject& job, const char* state, int seconds) const {
    return test::waitFor([&] { return status(job)["state"].toString() == QLatin1String(state); }, seconds * 1000);
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
    constexpr int kSteps = 350;
    const QJsonObject job = submit(runFile("again", kSteps, {{"model", test::pacedModel(12)}}), {"--requeue"});
    QVERIFY2(waitForStep(job, 40), logOf(job).constData());
    QCOMPARE(execute("scontrol", {"requeue", job["job"].toString()}).code, 0);
    QVERIFY2(test::waitFor([&] { return show(job)["status"].toString() == "stopped"; }, 30000), logOf(job).constData());
    const QJsonObject stopped = show(job);
    // Slurm lets a requeued job wait for two minutes.
    QVERIFY2(waitForState(job, "pending"), logOf(job).constData());
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("BeginTime"));
    // Nobody is told to resume it, which would train it twice.
    const Ended waits = trainyardctl({"show", "again", "--workspace", m_root + "/workspace", "--json"});
    QCOMPARE(waits.json()["status"].toString(), QStringLiteral("queued"));
    QVERIFY2(waits.json()["error"].toString().contains("is pending (BeginTime) and goes on with it"), waits.said());
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

// Feature: ranks of a program are steps of a Slurm job, which reach one another; a requeued job goes on from the newest
// checkpoint of its program.
void SlurmRunTest::aProgramRunsOnTheNodes() {
    const auto ofProgram = [&](const char* name, const char* script, const QJsonObject& arguments, int ranks) {
        const QJsonObject program{{"script", QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/runs/") + script},
                                  {"interpreter", "/usr/bin/python3"},
                                  {"arguments", arguments}};
        QFile out(m_root + "/" + name + ".json");
        const QJsonObject file{{"version", 1},
                               {"name", name},
                               {"program", program},
                               {"scaling", QJsonObject{{"workers", ranks}, {"threadsPerWorker", 1}}}};
        return out.open(QIODevice::WriteOnly) && out.write(QJsonDocument(file).toJson()) > 0 ? out.fileName()
                                                                                             : QString();
    };
    const auto saved = [&](const QJsonObject& job) {
        return job["workspace"].toString() + "/runs/" + job["run"].toString() + "/output/";
    };
    const auto contentOf = [](const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no " + path.toUtf8());
    };
    const QJsonObject saves =
        submit(ofProgram("saves", "saves.py", {{"output-dir", "{output}"}, {"steps", 100}}, 1), {"--requeue"});
    QVERIFY2(test::waitFor([&] { return !show(saves)["checkpoints"].toArray().isEmpty(); }, 60000),
             logOf(saves).constData());
    QCOMPARE(execute("scontrol", {"requeue", saves["job"].toString()}).code, 0);
    QVERIFY2(test::waitFor([&] { return show(saves)["status"].toString() == "stopped"; }, 30000),
             logOf(saves).constData());
    QVERIFY2(waitForState(saves, "pending"), logOf(saves).constData());
    if (execute("/usr/bin/python3", {"-c", "import torch"}).code == 0) { // while Slurm lets the other one wait
        const QString file = ofProgram("ddp", "data_parallel.py", {{"losses", "{output}/losses"}}, 2);
        const QJsonObject job = submit(file);
        const Ended here = trainyardctl({"run", file, "--workspace", m_root + "/here", "--json"});
        QVERIFY2(here.code == 0, here.said().constData());
        QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
        QVERIFY2(status(job)["code"].toInt() == 0, logOf(job).constData());
        const auto expected = contentOf(m_root + "/here/runs/" + here.json()["run"].toString() + "/output/losses");
        QCOMPARE(expected.count('\n'), 29);
        QCOMPARE(contentOf(saved(job) + "losses"), expected);
    }
    const auto begin = execute("scontrol", {"update", "JobId=" + saves["job"].toString(), "StartTime=now"});
    QVERIFY(begin.code == 0 || status(saves)["state"].toString() != "pending"); // it may have begun by itself
    QVERIFY2(waitForState(saves, "ended", 120), logOf(saves).constData());
    QCOMPARE(show(saves)["status"].toString(), QStringLiteral("finished"));
    const auto begun = contentOf(saved(saves) + "begun.txt").trimmed().split('\n');
    QVERIFY2(begun.last().startsWith("model_"), begun.last().constData());
    const auto points = curve(saves["workspace"].toString(), saves["run"].toString());
    QVERIFY2(points.size() == 100, qPrintable(points.join(" ") + begun.join(';') + logOf(saves)));
}

void SlurmRunTest::aPreemptedJobGoesOnWithItsRun() {
    constexpr int kSteps = 350;
    const QJsonObject job =
        submit(runFile("preempted", kSteps, {{"model", test::pacedModel(12)}}), {"--requeue", "--partition", "low"});
    QVERIFY2(waitForStep(job, 40), logOf(job).constData());
    const Ended higher = execute("sbatch", {"--parsable", "--partition=high", "--nodes=2", "--exclusive",
                                            "--output=/dev/null", "--wrap=sleep 1"});
    QVERIFY2(higher.code == 0, higher.err.constData());
    QVERIFY2(test::waitFor([&] { return show(job)["status"].toString() == "stopped"; }, 30000), logOf(job).constData());
    const int step = show(job)["steps"].toInt();
    QVERIFY2(step < kSteps, "the run is too short for this test");
    QVERIFY2(waitForState(job, "pending"), logOf(job).constData());
    const auto isOver = [&] {
        return execute("scontrol", {"show", "job", higher.out.trimmed()}).out.contains("JobState=COMPLETED");
    };
    QVERIFY(test::waitFor(isOver, 30000));
    QCOMPARE(execute("scontrol", {"update", "JobId=" + job["job"].toString(), "StartTime=now"}).code, 0);
    QVERIFY2(waitForState(job, "ended", 120), logOf(job).constData());
    const auto shownJob = [&] { return execute("scontrol", {"show", "job", job["job"].toString()}).out + logOf(job); };
    QVERIFY2(status(job)["code"].toInt() == 0, shownJob().constData());
    QCOMPARE(show(job)["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(curve(job["workspace"].toString(), job["run"].toString()), undisturbed("at-once", kSteps));
}

void SlurmRunTest::aCancelledJobHasSaved() {
    const QJsonObject job = submit(runFile("cancelled", 10'000'000));
    QVERIFY2(waitForStep(job, 40), logOf(job).constData());
    QCOMPARE(trainyardctl({"slurm", "cancel", "cancelled", "--workspace", m_root + "/workspace"}).code, 0);
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("cancelled"));
    const QJsonObject result = show(job);
    QCOMPARE(result["status"].toString(), QStringLiteral("stopped"));
    QCOMPARE(result["checkpoints"].toArray().last().toObject()["step"].toInt(), result["steps"].toInt());
    const QByteArray log =
        trainyardctl({"logs", job["run"].toString(), "--workspace", job["workspace"].toString()}).out;
    QVERIFY2(!log.contains("cannot be seen") && log.contains("; 0 processes left"), log.constData());
    QVERIFY(test::waitFor([] { return workersLeft() == 0; }, 10000));
}

// The step of the one that is to take its place hangs, as on a node that is lost: the other does not wait for it longer
// than Slurm lets it (KillWait).
void SlurmRunTest::aCancelledJobSavesWhileARankIsReplaced() {
    const QString hang = m_root + "/hang";
    const QByteArray path = inPlaceOf("srun", "case \"$*\" in *--nodelist=n2*) [ ! -e '" + hang.toUtf8() +
                                                  "' ] || exec sleep 60 ;; esac\nexec /usr/bin/srun \"$@\"");
    const QJsonObject job = submit(runFile("replaced", 10'000'000, {{"failure", QJsonObject{{"maxRestarts", 3}}}}));
    qputenv("PATH", path);
    QVERIFY2(waitForStep(job, 40), logOf(job).constData());
    QVERIFY(QFile(hang).open(QIODevice::WriteOnly));
    const Ended killed = execute("sh", {"-c", "net=$(readlink /proc/$(cat '" + m_root + R"sh(/n2.pid')/ns/net)
        for rank in $(pgrep -f 'trainyard-worker rank'); do
            [ "$(cat /proc/$rank/comm)" = trainyard-worke ] || continue # srun has these words, too
            [ "$(readlink /proc/$rank/ns/net)" != "$net" ] || kill -9 $rank
        done)sh"});
    QVERIFY2(killed.code == 0, killed.said().constData());
    const auto isReplaced = [&] { return logOf(job).contains("the others keep their state"); };
    QVERIFY2(test::waitFor(isReplaced, 20000), logOf(job).constData());
    QCOMPARE(trainyardctl({"slurm", "cancel", "replaced", "--workspace", m_root + "/workspace"}).code, 0);
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    QVERIFY2(test::waitFor([&] { return show(job)["status"].toString() == "stopped"; }, 30000), logOf(job).constData());
    const QJsonObject result = show(job);
    QVERIFY2(!result["checkpoints"].toArray().isEmpty(), logOf(job).constData());
    QCOMPARE(result["checkpoints"].toArray().last().toObject()["step"].toInt(), result["steps"].toInt());
}

void SlurmRunTest::aRunOfAJobIsFetched() {
    const QString workspace = m_root + "/workspace";
    const QJsonObject job = submit(runFile("fetched", 10'000'000), {"--requeue"});
    const QString run = job["run"].toString();
    QVERIFY2(waitForStep(job, 50), logOf(job).constData());
    const Ended early = trainyardctl({"fetch", "fetched", "--workspace", workspace});
    QCOMPARE(early.code, 2);
    QVERIFY2(early.err.contains("job " + job["job"].toString().toUtf8() + " runs on"), early.err.constData());
    QCOMPARE(trainyardctl({"stop", "fetched", "--workspace", workspace}).code, 0);
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());

    const QStringList there = curve(job["workspace"].toString(), run);
    const Ended fetched = trainyardctl({"fetch", "fetched", "--workspace", workspace, "--json"});
    QVERIFY2(fetched.code == 0, fetched.said());
    QCOMPARE(fetched.json()["status"].toString(), QStringLiteral("stopped"));
    const Ended again = trainyardctl({"fetch", "fetched", "--workspace", workspace, "--json"});
    QVERIFY2(again.code == 0, again.said()); // there is nothing more to do
    QCOMPARE(again.json()["run"].toString(), run);
    QCOMPARE(curve(workspace, run), there);
    // It goes on here, and its job does not begin again.
    const QJsonObject here{{"run", run}, {"workspace", workspace}};
    const int steps = show(here)["steps"].toInt();
    const Ended resumed =
        trainyardctl({"resume", "fetched", "--workspace", workspace, "--detach", "--set", "hosts=[]"});
    QVERIFY2(resumed.code == 0, resumed.said());
    QVERIFY(test::waitFor([&] { return show(here)["steps"].toInt() > steps; }, 60000));
    QCOMPARE(trainyardctl({"stop", "fetched", "--workspace", workspace}).code, 0);
    QCOMPARE(curve(workspace, run).first(there.size()), there);
    QCOMPARE(execute("scontrol", {"requeue", job["job"].toString()}).code, 0);
    QTest::qWait(2000); // Slurm refuses a start in the second in which it ended the job
    execute("scontrol", {"release", job["job"].toString()});
    execute("scontrol", {"update", "JobId=" + job["job"].toString(), "StartTime=now"});
    QVERIFY2(test::waitFor([&] { return logOf(job).contains("this run was fetched"); }, 60000), logOf(job).constData());
}

// Four trials of one worker, of which two train at the same time.
QString SlurmRunTest::sweepFile(const char* name, int steps, const QJsonObject& changes) const {
    QFile base(runFile(name, steps, {{"scaling", QJsonObject{{"device", "cpu"}, {"threadsPerWorker", 1}}}}));
    QJsonObject file{{"version", 1},
                     {"name", name},
                     {"space", QJsonObject{{"optimizer.lr", QJsonArray{0.01, 0.05, 0.1, 0.2}}}},
                     {"parallel", 2},
                     {"scoreBy", "train/loss"},
                     {"mode", "min"}};
    if (base.open(QIODevice::ReadOnly)) file["run"] = QJsonDocument::fromJson(base.readAll()).object();
    for (auto change = changes.begin(); change != changes.end(); ++change) file[change.key()] = change.value();
    const QString path = m_root + "/" + QLatin1String(name) + "-sweep.json";
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(file).toJson());
    return path;
}

QJsonArray SlurmRunTest::trialsOf(const QString& workspace, const QString& sweep) const {
    return trainyardctl({"sweep", "trials", sweep, "--workspace", workspace, "--json"}).json()["trials"].toArray();
}

void SlurmRunTest::aSweepIsAnArrayOfItsTrials() {
    constexpr int kSteps = 200;
    const QString file = sweepFile("array", kSteps), here = m_root + "/here", workspace = m_root + "/workspace";
    const Ended submitted = trainyardctl({"slurm", "submit", file, "--workspace", workspace, "--json"});
    QVERIFY2(submitted.code == 0, submitted.err.constData());
    const QJsonObject job = submitted.json();
    const QString sweep = job["sweep"].toString();
    QCOMPARE(status(job)["tasks"].toArray().size(), 4);
    QVERIFY(waitForState(job, "ended"));
    for (const auto& task : status(job)["tasks"].toArray()) QCOMPARE(task.toObject()["code"].toInt(), 0);
    const Ended local = trainyardctl({"sweep", file, "--workspace", here, "--json"});
    QVERIFY2(local.code == 0, local.err.constData());
    const auto expected = local.json()["trials"].toArray(), trials = trialsOf(workspace, sweep);
    QCOMPARE(trials.size(), 4);
    for (int i = 0; i < 4; ++i) {
        const QJsonObject trial = trials[i].toObject(), same = expected[i].toObject();
        QCOMPARE(trial["params"], same["params"]);
        QCOMPARE(trial["status"], same["status"]);
        const auto points = curve(workspace, trial["run"].toString());
        QCOMPARE(points.size(), kSteps);
        QCOMPARE(points, curve(here, same["run"].toString()));
    }
    const QJsonObject result = trainyardctl({"sweep", "show", "array", "--workspace", workspace, "--json"}).json();
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(result["best"].toObject()["trial"].toInt(), 3);
    // A trial is a run of the workspace like any other, with its checkpoints.
    const QJsonObject best =
        trainyardctl({"show", result["best"].toObject()["run"].toString(), "--workspace", workspace, "--json"}).json();
    QVERIFY(QFile::exists(best["checkpoint"].toString()));
    const Ended resumed = trainyardctl({"resume", sweep, "--workspace", workspace});
    QVERIFY2(resumed.code == 2 && resumed.err.contains("has finished"), resumed.err.constData());
}

// Of a sweep that is an array job, and a trial that trains in one of its tasks.
void SlurmRunTest::refusesWhatNeedsASupervisor(const QString& sweep, const QString& run) const {
    const QString workspace = m_root + "/workspace";
    const Ended resumed = trainyardctl({"resume", run, "--workspace", workspace});
    QVERIFY2(resumed.code == 2 && resumed.err.contains("trains in a Slurm task"), resumed.said().constData());
    const Ended paused = trainyardctl({"pause", run, "--workspace", workspace});
    QVERIFY2(paused.code == 2 && paused.err.contains("accepts no requests"), paused.said().constData());
    const Ended steered = trainyardctl({"sweep", "pause", sweep, "--workspace", workspace});
    QVERIFY2(steered.code == 2 && steered.err.contains("array job of Slurm"), steered.err.constData());
    const Ended queue = trainyardctl({"queue", "--workspace", workspace, "--json"}); // of this computer
    QVERIFY2(queue.json()["active"].toInt(-1) == 0, queue.said().constData());
}

void SlurmRunTest::trialsAreHereWhileTheyTrainAndKeepWhatTheyHave() {
    const QString workspace = m_root + "/workspace";
    const QJsonObject space{{"optimizer.lr", QJsonArray{0.01, 0.02, 0.05, 0.1, 0.2, 0.5}}};
    const QString file = sweepFile("endless", 10'000'000, {{"space", space}});
    const QJsonObject job = trainyardctl({"slurm", "submit", file, "--workspace", workspace, "--json"}).json();
    const QString sweep = job["sweep"].toString(), folder = workspace + "/slurm/" + sweep + "/tasks/";
    const auto trial = [&](int number) {
        const auto tasks = status(job)["tasks"].toArray(); // which has the trials told
        return show({{"run", tasks[number].toObject()["run"]}, {"workspace", workspace}});
    };
    const auto isAt = [&](int number, int step) { return trial(number)["steps"].toInt() >= step; };
    QVERIFY(test::waitFor([&] { return isAt(0, 100) && isAt(1, 100); }, 150000));
    const QString run = trial(0)["run"].toString();
    QCOMPARE(trial(0)["status"].toString(), QStringLiteral("running"));
    QCOMPARE(trialsOf(workspace, sweep).size(), 2);
    QStringList before;
    QVERIFY(test::waitFor([&] { return isAt(0, 100) && (before = curve(workspace, run)).size() >= 100; }, 150000));
    QVERIFY(test::waitFor([&] { return isAt(0, static_cast<int>(before.size()) + 100); }, 150000));
    refusesWhatNeedsASupervisor(sweep, run);
    QCOMPARE(trainyardctl({"tag", run, "mine", "--workspace", workspace}).code, 0);
    const auto pending = status(job)["tasks"].toArray()[5].toObject();
    QCOMPARE(pending["state"].toString(), QStringLiteral("pending"));
    QCOMPARE(pending["reason"].toString(), QStringLiteral("JobArrayTaskLimit"));
    QCOMPARE(trainyardctl({"slurm", "cancel", sweep, "--task", "0", "--workspace", workspace}).code, 0);
    QVERIFY(test::waitFor([&] { return trial(0)["status"].toString() == "stopped"; }, 150000));
    const auto whole = curve(workspace, run);
    QCOMPARE(whole, curve(folder + "0", run));
    QCOMPARE(whole.first(before.size()), before);
    QVERIFY(trainyardctl({"runs", "--filter", "tag:mine", "--workspace", workspace}).out.contains(run.toUtf8()));
    QCOMPARE(trainyardctl({"stop", trial(1)["run"].toString(), "--workspace", workspace}).code, 0);
    QVERIFY(test::waitFor([&] { return trial(1)["status"].toString() == "stopped"; }, 150000));
    QCOMPARE(trainyardctl({"stop", sweep, "--workspace", workspace}).code, 0);
    QVERIFY(waitForState(job, "ended"));
    const auto trials = trialsOf(workspace, sweep);
    QVERIFY(trials.size() >= 2 && trials.size() < 6); // those that have not begun leave nothing
    for (const auto& each : trials) {
        const QJsonObject shown = show({{"run", each.toObject()["run"]}, {"workspace", workspace}});
        QCOMPARE(shown["checkpoints"].toArray().last().toObject()["step"].toInt(), shown["steps"].toInt());
    }
    QCOMPARE(trainyardctl({"sweep", "show", sweep, "--workspace", workspace, "--json"}).json()["status"].toString(),
             QStringLiteral("stopped"));
    QVERIFY(test::waitFor([] { return workersLeft() == 0; }, 10000));
}

void SlurmRunTest::aSweepThatNeedsAJudgeIsRefused() {
    const QString file = sweepFile("judged", 100, {{"scheduler", "asha"}});
    const Ended refused = trainyardctl({"slurm", "submit", file, "--workspace", m_root + "/here"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("scheduler: \"asha\"") && refused.err.contains("trainyardctl sweep"),
             refused.err.constData());
    QVERIFY(QDir(m_root + "/here/slurm").isEmpty());
}

void SlurmRunTest::aRefusedSweepLeavesNothing() {
    const QString here = m_root + "/refused";
    const Ended refused =
        trainyardctl({"slurm", "submit", sweepFile("nowhere", 10), "--partition", "nowhere", "--workspace", here});
    QCOMPARE(refused.code, 3);
    QVERIFY2(refused.err.contains("nvalid partition"), refused.err.constData());
    QVERIFY(QDir(here + "/slurm").isEmpty());
    QCOMPARE(trainyardctl({"show", "nowhere", "--workspace", here}).code, 2);
}

// What is known of a run or sweep whose submission was killed by these lines of a shell, which are found in sbatch's
// place.
QJsonObject SlurmRunTest::submittedByDying(const QString& file, const char* sbatch) const {
    const QByteArray path = inPlaceOf("sbatch", sbatch);
    const Ended killed = trainyardctl({"slurm", "submit", file, "--workspace", m_root + "/workspace"});
    qputenv("PATH", path);
    if (killed.code != -1) qWarning("it was not killed: %s", killed.said().constData());
    const auto all = trainyardctl({"slurm", "status", "--workspace", m_root + "/workspace", "--json"}).list();
    return all.last().toObject();
}

void SlurmRunTest::aSubmissionThatIsKilledLosesNoTrial() {
    const QJsonObject job = submittedByDying(sweepFile("cut-short", 50), "/usr/bin/sbatch \"$@\"; kill -9 $PPID");
    QVERIFY2(waitForState(job, "ended"), QJsonDocument(status(job)).toJson().constData());
    QVERIFY(status(job)["job"].toString().toInt() > 0);
    const auto trials = trialsOf(m_root + "/workspace", job["sweep"].toString());
    QCOMPARE(trials.size(), 4);
    for (const auto& trial : trials) QCOMPARE(trial.toObject()["status"].toString(), QStringLiteral("finished"));
}

// sbatch may have been on its way: so it is waited for.
void SlurmRunTest::aSubmissionThatIsKilledTooEarlyIsOver() {
    const QString workspace = m_root + "/workspace";
    const QJsonObject job = submittedByDying(sweepFile("too-early", 50), "kill -9 $PPID");
    QCOMPARE(job["state"].toString(), QStringLiteral("pending"));
    QCOMPARE(job["reason"].toString(), QStringLiteral("being submitted"));
    const Ended cancelled = trainyardctl({"slurm", "cancel", "too-early", "--workspace", workspace});
    QVERIFY2(cancelled.code == 3 && cancelled.err.contains("its submission was cut short"), cancelled.err.constData());
    const QString script = workspace + "/slurm/" + job["id"].toString() + "/job.sh";
    QCOMPARE(execute("touch", {"-d", "10 minutes ago", script}).code, 0);
    QCOMPARE(status(job)["state"].toString(), QStringLiteral("ended"));
    const auto shown = trainyardctl({"sweep", "show", job["sweep"].toString(), "--workspace", workspace, "--json"});
    QCOMPARE(shown.json()["status"].toString(), QStringLiteral("stopped"));
}

void SlurmRunTest::aSubmissionThatIsKilledLosesNoRun() {
    const QString workspace = m_root + "/workspace";
    const QJsonObject job = submittedByDying(runFile("cut-run", 50), "/usr/bin/sbatch \"$@\"; kill -9 $PPID");
    QVERIFY2(waitForState(job, "ended"), QJsonDocument(status(job)).toJson().constData());
    QVERIFY(status(job)["job"].toString().toInt() > 0);
    QCOMPARE(show(job)["status"].toString(), QStringLiteral("finished"));
    const QJsonObject early = submittedByDying(runFile("early-run", 50), "kill -9 $PPID");
    QCOMPARE(early["reason"].toString(), QStringLiteral("being submitted"));
    const Ended shown = trainyardctl({"show", "early-run", "--workspace", workspace});
    QVERIFY2(shown.code == 2 && shown.err.contains("has not begun"), shown.said().constData());
    const QString script = workspace + "/slurm/" + early["id"].toString() + "/job.sh";
    QCOMPARE(execute("touch", {"-d", "10 minutes ago", script}).code, 0);
    QCOMPARE(status(early)["reason"].toString(), QStringLiteral("cancelled"));
}

// The record of the run before, as it is where nobody has looked in time.
void SlurmRunTest::aRunThatSlurmForgotIsFetched() {
    const QString workspace = m_root + "/workspace";
    const QJsonObject job = status(QJsonObject{{"id", "cut-run"}});
    QFile record(job["workspace"].toString() + "/slurm.json");
    QVERIFY2(record.open(QIODevice::ReadWrite), qPrintable(record.fileName()));
    QJsonObject forgotten = QJsonDocument::fromJson(record.readAll()).object();
    forgotten.remove("ended");
    forgotten["job"] = "987654";
    record.resize(0);
    record.write(QJsonDocument(forgotten).toJson());
    record.close();
    const Ended unknown = trainyardctl({"slurm", "status", "cut-run", "--workspace", workspace});
    const QByteArray log = job["workspace"].toString().toUtf8() + "/job.log";
    QVERIFY2(unknown.code == 3 && unknown.err.contains("MinJobAge; see how it went in " + log),
             unknown.said().constData());
    QVERIFY(QFile::exists(QString::fromUtf8(log)));
    // A controller that does not answer has not forgotten it.
    const QByteArray path = inPlaceOf("scontrol", "echo 'Unable to contact slurm controller' >&2; exit 1");
    inPlaceOf("squeue", "exit 1");
    const Ended silent = trainyardctl({"slurm", "status", "cut-run", "--workspace", workspace});
    qputenv("PATH", path);
    QVERIFY2(silent.code == 3 && silent.err.contains("(ask again when the controller answers: scontrol ping)"),
             silent.said().constData());
    const Ended file = trainyardctl({"fetch", "cut-run@last", "--workspace", workspace, "--json"});
    QVERIFY2(file.code == 0, file.said().constData());
    QVERIFY(file.json()["step"].toInt() == 50 && QFile::exists(file.json()["path"].toString()));
    const Ended fetched = trainyardctl({"fetch", "cut-run", "--workspace", workspace, "--json"});
    QVERIFY2(fetched.code == 0, fetched.said().constData());
    QCOMPARE(fetched.json()["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(curve(workspace, job["run"].toString()).size(), 50);
}

// Of the run that was fetched.
void SlurmRunTest::aRunBeginsFromACheckpoint() {
    const QJsonObject job = submit(runFile("forked", 100), {"--from", "cut-run@last"});
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    QVERIFY2(status(job)["code"].toInt() == 0, logOf(job).constData());
    const QJsonObject result = show(job);
    QCOMPARE(result["forked_from"].toObject()["step"].toInt(), 50);
    QCOMPARE(curve(job["workspace"].toString(), job["run"].toString()).first().section(' ', 0, 0),
             QStringLiteral("51"));
    const Ended sweep = trainyardctl(
        {"slurm", "submit", sweepFile("forked-sweep", 10), "--from", "cut-run", "--workspace", m_root + "/workspace"});
    QVERIFY2(sweep.code == 2 && sweep.err.contains("begin from scratch"), sweep.said().constData());
}

// The checkpoint of the same run is made so large, with a hole, that its copy takes seconds.
void SlurmRunTest::aSubmissionThatIsKilledWhileItCopiesLeavesNothing() {
    const QString workspace = m_root + "/workspace";
    const QDir jobs(workspace + "/slurm");
    const auto folders = [&] {
        const QStringList names = QDir(jobs.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return QSet<QString>(names.begin(), names.end());
    };
    QFile checkpoint(show({{"run", "cut-run"}, {"workspace", workspace}})["checkpoint"].toString());
    QVERIFY2(checkpoint.exists() && checkpoint.resize(64LL << 30), qPrintable(checkpoint.fileName()));
    const auto before = folders();
    QProcess submission;
    submission.start(test::program("trainyardctl"),
                     {"slurm", "submit", runFile("copied", 10), "--from", "cut-run@last", "--workspace", workspace});
    QString folder;
    const auto copies = [&] {
        for (const QString& each : folders() - before) folder = jobs.filePath(each);
        return !folder.isEmpty() && QFileInfo(folder + "/from.safetensors").size() > 0;
    };
    const bool begun = test::waitFor(copies, 20000);
    submission.kill();
    QVERIFY2(submission.waitForFinished() && begun, submission.readAllStandardError().constData());
    QVERIFY(!QFile::exists(folder + "/slurm.json"));
    QCOMPARE(trainyardctl({"slurm", "status", "--workspace", workspace}).code, 0);
    QVERIFY(QFile::exists(folder)); // whoever makes it may be on another computer
    QCOMPARE(execute("find", {folder, "-exec", "touch", "-d", "10 minutes ago", "{}", "+"}).code, 0);
    QCOMPARE(trainyardctl({"slurm", "status", "--workspace", workspace}).code, 0);
    QCOMPARE(folders(), before);
}

// Slurm ends the job then, and the rank that is left has to save before it is killed (KillWait).
void SlurmRunTest::aLostNodeIsNamed() {
    const QJsonObject job = submit(runFile("lost", 10'000'000, {{"failure", QJsonObject{{"heartbeatSeconds", 100}}}}));
    QVERIFY2(waitForStep(job, 40), logOf(job).constData());
    QVERIFY(lab("off", 2)); // the supervisor is on the other
    m_isOff = true;
    const double start = monotonicSeconds();
    QVERIFY2(waitForState(job, "ended"), logOf(job).constData());
    qInfo("the loss of a node was named after %.1f s", monotonicSeconds() - start);
    QCOMPARE(status(job)["reason"].toString(), QStringLiteral("node-lost"));
    QVERIFY(test::waitFor([] { return workersLeft() == 0; }, 20000));
    const QJsonObject result = show(job); // the rank that was left has saved for both
    const auto log = [&] {
        return trainyardctl({"logs", job["run"].toString(), "--workspace", job["workspace"].toString()}).out +
               logOf(job);
    };
    if (result["checkpoints"].toArray().isEmpty()) qWarning("%s", log().constData());
    QVERIFY(!result["checkpoints"].toArray().isEmpty());
    QCOMPARE(result["checkpoints"].toArray().last().toObject()["step"].toInt(), result["steps"].toInt());
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SlurmRunTest>(argc, argv,
                                            {test::program("trainyardctl"), test::program("trainyard-worker"),
                                             "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged"});
}
#include "slurm_run_test.moc"
