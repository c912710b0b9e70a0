// SPDX-License-Identifier: GPL-3.0-or-later
// `run --resume-or-start`: what a job does that a cluster may start again.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace {

QString program(const char* name) { return qEnvironmentVariable("TRAINYARD_BIN") + "/" + QLatin1String(name); }

} // namespace

class ResumeOrStartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void withoutAKeyItIsRefused();
    void aSweepIsRefused();
    void theSameRunGoesOnUntilItHasFinished();
    void theRunEndsWithItsJob();
    void theNumberOfTheJobIsTheKey();

private:
    QString runFile(const char* name, int steps) const;
    QStringList words(const QString& file, const char* key) const;
    // Runs the command to its end; its exit code.
    int start(const QString& file, const char* key, QJsonObject* result = nullptr, QByteArray* said = nullptr);
    QJsonObject show(const QString& name) const;
    QTemporaryDir m_folder;
};

void ResumeOrStartTest::initTestCase() {
    if (!QFile::exists(program("trainyard-worker"))) QSKIP("trainyard-worker is not built");
    qunsetenv("SLURM_JOB_ID");
}

QString ResumeOrStartTest::runFile(const char* name, int steps) const {
    const QJsonObject file{{"version", 1},
                           {"name", name},
                           {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{16}}}}}},
                           {"dataset", "blobs"},
                           {"steps", steps},
                           {"scaling", QJsonObject{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
                           {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}}}};
    const QString path = m_folder.filePath(QLatin1String(name) + ".json");
    QFile out(path);
    if (out.open(QIODevice::WriteOnly)) out.write(QJsonDocument(file).toJson());
    return path;
}

QStringList ResumeOrStartTest::words(const QString& file, const char* key) const {
    QStringList words{"run", file, "--resume-or-start", "--workspace", m_folder.filePath("workspace"), "--json"};
    if (key) words << "--key" << key;
    return words;
}

int ResumeOrStartTest::start(const QString& file, const char* key, QJsonObject* result, QByteArray* said) {
    QProcess process;
    process.start(program("trainyardctl"), words(file, key));
    if (!process.waitForFinished(60000)) return -1;
    if (result) *result = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    if (said) *said = process.readAllStandardError();
    return process.exitCode();
}

QJsonObject ResumeOrStartTest::show(const QString& name) const {
    QProcess process;
    process.start(program("trainyardctl"), {"show", name, "--workspace", m_folder.filePath("workspace"), "--json"});
    process.waitForFinished(20000);
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

void ResumeOrStartTest::withoutAKeyItIsRefused() {
    QByteArray said;
    QCOMPARE(start(runFile("keyless", 10), nullptr, nullptr, &said), 2);
    QVERIFY2(said.contains("--key"), said.constData());
}

void ResumeOrStartTest::aSweepIsRefused() {
    const QString path = m_folder.filePath("sweep.json");
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({"version":1,"run":{"version":1},"space":{"optimizer.lr":[0.1,0.2]}})");
    out.close();
    QByteArray said;
    QCOMPARE(start(path, "sweep", nullptr, &said), 2);
    QVERIFY2(said.contains("sweep"), said.constData());
}

// Feature: a command that resumes the run of a key, starts it where there is none, and leaves it where it has finished.
void ResumeOrStartTest::theSameRunGoesOnUntilItHasFinished() {
    const QString file = runFile("job", 6000);
    QProcess first;
    first.start(program("trainyardctl"), words(file, "1"));
    QVERIFY(QTest::qWaitFor([&] { return show("job")["steps"].toInt() > 0; }, 30000));
    first.terminate(); // as a cluster does
    QVERIFY(first.waitForFinished(30000));
    QCOMPARE(first.exitCode(), 130);
    const QJsonObject stopped = show("job");
    QCOMPARE(stopped["status"].toString(), QStringLiteral("stopped"));
    QVERIFY2(stopped["steps"].toInt() < 6000, "the run is too short for this test");

    QJsonObject result;
    QCOMPARE(start(file, "1", &result), 0);
    QCOMPARE(result["run"], stopped["run"]);
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(result["steps"].toInt(), 6000);

    QByteArray said;
    QCOMPARE(start(file, "1", &result, &said), 0); // and does nothing
    QCOMPARE(result["run"], stopped["run"]);
    QVERIFY2(said.contains("has finished"), said.constData());

    QCOMPARE(start(runFile("other", 10), "2", &result), 0);
    QVERIFY(result["run"] != stopped["run"]);
}

// A batch system kills what it has started, and that only.
void ResumeOrStartTest::theRunEndsWithItsJob() {
    QProcess job;
    job.start(program("trainyardctl"), words(runFile("killed", 10'000'000), "3"));
    QVERIFY(QTest::qWaitFor([&] { return show("killed")["steps"].toInt() > 0; }, 30000));
    ::kill(static_cast<pid_t>(job.processId()), SIGKILL);
    QVERIFY(job.waitForFinished(30000));
    QVERIFY(QTest::qWaitFor([&] { return show("killed")["status"].toString() == "stopped"; }, 30000));
}

void ResumeOrStartTest::theNumberOfTheJobIsTheKey() {
    const QString file = runFile("numbered", 10);
    QJsonObject first, second, other;
    qputenv("SLURM_JOB_ID", "12");
    QCOMPARE(start(file, nullptr, &first), 0);
    QCOMPARE(start(file, nullptr, &second), 0);
    QCOMPARE(first["run"], second["run"]);
    qputenv("SLURM_JOB_ID", "13");
    QCOMPARE(start(file, nullptr, &other), 0);
    QVERIFY(first["run"] != other["run"]);
    qunsetenv("SLURM_JOB_ID");
}

QTEST_GUILESS_MAIN(ResumeOrStartTest)
#include "resume_or_start_test.moc"
