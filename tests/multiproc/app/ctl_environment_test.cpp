// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal in surroundings that are not as they should be: output that goes nowhere, folders of the user that
// cannot be entered, limits, a disk that is full, a database that is gone.
#include "engine/run/record/run_folder.h"
#include "engine/run/start/run_start.h"
#include "tests/faults/storage_fault.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <sqlite3.h>

#include <csignal>
#include <fstream>

using namespace trainyard;
using test::RunLab;
using test::StorageFault;
namespace fs = std::filesystem;

namespace {

struct Said {
    int code = -1;
    QString out, err;
};

constexpr const char* kCtl = SCRIPTED_PROGRAMS "/trainyardctl";

// The words behind `script` are its $0, $1, …
Said shell(const QString& script, const QStringList& words, const QProcessEnvironment& environment) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral("bash"), QStringList{QStringLiteral("-c"), script} + words);
    if (!process.waitForFinished(60'000)) process.kill();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

Said ctl(const QStringList& words, const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    return shell(QStringLiteral("exec \"$0\" \"$@\""), QStringList{QLatin1String(kCtl)} + words, environment);
}

} // namespace

class CtlEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void outputThatCannotBeWrittenIsTold_data();
    void outputThatCannotBeWrittenIsTold();
    void aReaderThatIsGoneIsNoError();
    void runsWithoutFoldersOfTheUser_data();
    void runsWithoutFoldersOfTheUser();
    void findsItsProgramsFromAnyFolder();
    void tellsThatTheDiskIsFull();
    void tellsThatInodesAreUsed_data();
    void tellsThatInodesAreUsed();
    void aLostDatabaseIsMadeAgain_data();
    void aLostDatabaseIsMadeAgain();
    void aDamagedDatabaseIsMadeAgain();

private:
    QString runFile(int epochs = 2, const std::string& plan = "ms=1 perEpoch=10");
    std::string startSteps(int steps);
    std::unique_ptr<RunLab> m_lab;
};

QString CtlEnvironmentTest::runFile(int epochs, const std::string& plan) {
    const std::string file = m_lab->folder() + "/run.json";
    std::ofstream(file) << spec::toJson(m_lab->spec({.plan = plan, .epochs = epochs}));
    return QString::fromStdString(file);
}

// Measured in steps, since the checkpoints of the scripted worker tell no epoch.
std::string CtlEnvironmentTest::startSteps(int steps) {
    auto spec = m_lab->spec({.plan = "ms=5 perEpoch=10"});
    spec.epochs.reset();
    spec.steps = steps;
    const auto run = run::startRun(m_lab->workspace(), spec);
    return run ? *run : std::string();
}

// Feature: output that cannot be written, folders of the user that cannot be used, limits of file sizes, a disk that
// stays full. Also in process_faults_test, store_process_test.
void CtlEnvironmentTest::outputThatCannotBeWrittenIsTold_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("runs") << QStringList{"runs"};
    QTest::newRow("runs --json") << QStringList{"runs", "--json"};
    QTest::newRow("show") << QStringList{"show", "scripted"};
    QTest::newRow("metrics") << QStringList{"metrics", "scripted", "--csv"};
    QTest::newRow("checkpoints") << QStringList{"checkpoints", "--json"};
    QTest::newRow("models") << QStringList{"models"};
    QTest::newRow("completion") << QStringList{"completion", "bash"};
    QTest::newRow("help") << QStringList{"--help"};
    QTest::newRow("version") << QStringList{"--version"};
    QTest::newRow("a run that goes well") << QStringList{"run", "="};
}

void CtlEnvironmentTest::outputThatCannotBeWrittenIsTold() {
    QFETCH(QStringList, words);
    const auto run = m_lab->start({.plan = "ms=1 perEpoch=10", .epochs = 2});
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    words.replaceInStrings(QStringLiteral("="), runFile());
    const auto environment = QProcessEnvironment::systemEnvironment();
    const QStringList all = QStringList{QLatin1String(kCtl)} + words;
    for (const char* where : {"> /dev/full", ">&-"}) {
        const auto said = shell(QStringLiteral("\"$0\" \"$@\" ") + QLatin1String(where), all, environment);
        QVERIFY2(said.code == 3, qPrintable(QStringLiteral("%1: %2 %3").arg(where).arg(said.code).arg(said.err)));
        QVERIFY2(said.err.contains("trainyardctl: standard output: "), qPrintable(said.err));
    }
    const auto failed = shell(QStringLiteral("\"$0\" \"$@\" > /dev/full"),
                              {QLatin1String(kCtl), "show", "nobody", "--json"}, environment);
    QCOMPARE(failed.code, 2); // what went wrong first
}

void CtlEnvironmentTest::aReaderThatIsGoneIsNoError() {
    const auto run = m_lab->start({.plan = "ms=0 perEpoch=2000", .epochs = 5});
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    for (const char* trap : {"", "trap '' PIPE; "}) { // SIGPIPE ends it, or is ignored
        const auto said =
            shell(QLatin1String(trap) + QStringLiteral("\"$0\" metrics scripted --csv | head -n 1 > /dev/null; "
                                                       "exit ${PIPESTATUS[0]}"),
                  {QLatin1String(kCtl)}, QProcessEnvironment::systemEnvironment());
        QVERIFY2(said.code == 0 || said.code == 128 + SIGPIPE, qPrintable(QString::number(said.code)));
        QCOMPARE(said.err, QString());
    }
}

// Of the folders of a user that is not the one who owns them, as with docker --user.
void CtlEnvironmentTest::runsWithoutFoldersOfTheUser_data() {
    QTest::addColumn<QString>("home");
    QTest::addColumn<QString>("config");
    QTest::newRow("home does not exist") << "nowhere/at/all" << "";
    QTest::newRow("home is a file") << "file" << "";
    QTest::newRow("home is a link that leads nowhere") << "dangling" << "";
    QTest::newRow("config is a file") << "home" << "file";
    QTest::newRow("config is a link that leads nowhere") << "home" << "dangling";
    QTest::newRow("the list of hosts is broken") << "home" << "broken";
}

void CtlEnvironmentTest::runsWithoutFoldersOfTheUser() {
    QFETCH(QString, home);
    QFETCH(QString, config);
    const fs::path folder = m_lab->folder();
    std::ofstream(folder / "file") << "x";
    fs::create_symlink("/nowhere/at/all", folder / "dangling");
    fs::create_directories(folder / "home");
    fs::create_directories(folder / "broken/trainyard");
    std::ofstream(folder / "broken/trainyard/hosts.json") << "{";
    auto environment = QProcessEnvironment::systemEnvironment();
    const auto at = [&](const QString& name) { return QString::fromStdString((folder / name.toStdString()).string()); };
    environment.insert("HOME", at(home));
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) environment.remove(name);
    if (!config.isEmpty()) environment.insert("XDG_CONFIG_HOME", at(config));
    const auto said = ctl({"run", runFile()}, environment);
    QVERIFY2(said.code == 0, qPrintable(said.err));
    environment.remove("TRAINYARD_WORKSPACE");
    const auto without = ctl({"runs"}, environment);
    if (without.code == 0) return; // made there
    QCOMPARE(without.code, 3);
    QVERIFY2(without.err.contains("cannot use the workspace") && without.err.contains("--workspace"),
             qPrintable(without.err));
}

// The supervisor works in another folder than the terminal.
void CtlEnvironmentTest::findsItsProgramsFromAnyFolder() {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TRAINYARD_BIN", QDir::current().relativeFilePath(SCRIPTED_PROGRAMS));
    const auto said = ctl({"run", runFile()}, environment);
    QVERIFY2(said.code == 0, qPrintable(said.err));
}

// From the first write that fails on, by whoever asks; and in the end, though nothing could be stored.
// Fault: No space for the database, for good, while a run trains. show, watchers and the window say at once that
// nothing can be recorded; the run ends with exit code 3; its row says disk-full as soon as it can be written; it
// resumes without a gap.
void CtlEnvironmentTest::tellsThatTheDiskIsFull() {
    if (const char* why = StorageFault::cannotBe()) QSKIP(why);
    StorageFault full({.program = "trainyardctl",
                       .path = "trainyard.db",
                       .fault = "ENOSPC",
                       .calls = "write truncate",
                       .times = 0,
                       .armed = false},
                      m_lab->folder());
    const auto run = m_lab->start({.plan = "ms=20 perEpoch=20", .epochs = 8});
    QVERIFY(m_lab->waitForStep(run, 10));
    full.arm();
    QVERIFY(m_lab->waitUntil([&] { return full.wasHit(); }));
    QString shown;
    QVERIFY(m_lab->waitUntil([&] {
        shown = ctl({"show", "scripted"}).out;
        return shown.contains("nothing can be recorded at present") && shown.contains("disk is full");
    }));
    const auto watched = ctl({"attach", "scripted"});
    QCOMPARE(watched.code, 3);
    QVERIFY2(watched.err.contains("disk is full") && watched.err.contains("could not be recorded"),
             qPrintable(watched.err));
    QVERIFY(store::RunLock::waitUntilFree(m_lab->row(run).folder, 5));
    QCOMPARE(m_lab->row(run).status, wire::RunStatus::Running); // as it was recorded last
    for (const bool isFull : {true, false}) {
        if (!isFull) full.disarm();
        shown = ctl({"show", "scripted"}).out;
        QVERIFY2(shown.contains("is failed") && shown.contains("the disk is full"), qPrintable(shown));
    }
    QCOMPARE(m_lab->row(run).error.code, ErrorCode::DiskFull);
    QCOMPARE(ctl({"resume", "scripted"}).code, 0);
    QCOMPARE(m_lab->row(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, 160), std::string());
}

// A disk with room for bytes and for no more files, whichever file of a run is the first that cannot be made; and once
// files are deleted, as it says, the run goes well.
void CtlEnvironmentTest::tellsThatInodesAreUsed_data() {
    QTest::addColumn<int>("left");
    for (const int left : {0, 2, 4, 5, 7, 8, 9}) QTest::addRow("%d left", left) << left;
}

void CtlEnvironmentTest::tellsThatInodesAreUsed() {
    QFETCH(int, left);
    const auto environment = QProcessEnvironment::systemEnvironment();
    const QString disk = QString::fromStdString(m_lab->folder() + "/disk");
    fs::create_directories(disk.toStdString());
    const QString small = QStringLiteral("mount -t tmpfs -o nr_inodes=60 small \"$1\" && ");
    const QStringList words{QLatin1String(kCtl), disk, runFile(), QString::number(left)};
    const auto inNamespace = [&](const QString& script) {
        return shell(QStringLiteral("exec unshare --user --map-root-user --mount bash -c '%1' \"$@\"").arg(script),
                     QStringList{QStringLiteral("bash")} + words, environment);
    };
    if (inNamespace(small + QStringLiteral("true")).code != 0) QSKIP("no disk can be mounted here");
    const QString run = QStringLiteral("\"$0\" run \"$2\" --workspace \"$1\"/ws");
    const auto said =
        inNamespace(small +
                    QStringLiteral("mkdir \"$1\"/ws && n=0 && while touch \"$1\"/f$n 2> /dev/null; do "
                                   "n=$((n + 1)); done; for i in $(seq \"$3\"); do rm \"$1\"/f$i; done; ") +
                    run + QStringLiteral("; echo code $?; rm -f \"$1\"/f*; ") + run);
    QVERIFY2(said.out.contains("code 3\n"), qPrintable(said.out + said.err));
    QVERIFY2(said.err.section('\n', 0, 0).contains("inodes"), qPrintable(said.err));
    QVERIFY2(said.code == 0, qPrintable(said.err));
}

// Feature: a lost or damaged database made again from the runs' folders. Also in runs_page_test.
// Fault: The database is deleted, or one of its pages is damaged. Reported, with the remedy; workspace repair makes the
// record again, and the run continues.
void CtlEnvironmentTest::aLostDatabaseIsMadeAgain_data() {
    QTest::addColumn<int>("steps"); // of a run that was stopped after 20, or has finished
    QTest::newRow("finished") << 20;
    QTest::newRow("stopped") << 400;
}

void CtlEnvironmentTest::aLostDatabaseIsMadeAgain() {
    QFETCH(int, steps);
    const auto run = startSteps(steps);
    const bool stops = steps > 20;
    if (stops) {
        QVERIFY(m_lab->waitForStep(run, 20));
        QCOMPARE(m_lab->stopped(run).status, wire::RunStatus::Stopped);
    } else QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const auto before = *m_lab->query().checkpoints(run);
    const fs::path folder = m_lab->row(run).folder;
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(m_lab->workspace().database().string() + end);
    fs::last_write_time(run::RunFolder{folder}.runFile(), fs::file_time_type::clock::now() - std::chrono::minutes(1));
    const auto told = ctl({"runs"});
    QVERIFY2(told.err.contains("does not know 1 run") && told.err.contains("trainyardctl workspace repair"),
             qPrintable(told.err));
    const auto repaired = ctl({"workspace", "repair", "--json"});
    QVERIFY2(repaired.code == 0, qPrintable(repaired.err));
    const auto found = QJsonDocument::fromJson(repaired.out.toUtf8())["runs"].toArray();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0]["id"].toString().toStdString(), run);
    QCOMPARE(found[0]["name"].toString(), QStringLiteral("scripted"));
    const auto query = *store::RunQuery::open(m_lab->workspace());
    const auto row = query->run(run);
    QVERIFY(row.ok());
    QCOMPARE(row->status, stops ? wire::RunStatus::Interrupted : wire::RunStatus::Finished);
    const auto after = *query->checkpoints(run);
    QCOMPARE(after.size(), before.size());
    QCOMPARE(after.back().path, before.back().path);
    QCOMPARE(after.back().step, before.back().step);
    QCOMPARE(query->points(RunId(run), "val/accuracy")->back().step, before.back().step); // as the checkpoint has it
    QCOMPARE(ctl({"runs"}).err, QString());
    const auto again = ctl({"workspace", "repair"});
    QVERIFY2(again.out.contains("every run with a folder is recorded"), qPrintable(again.out));
    if (!stops) return;
    const auto goesOn = ctl({"resume", "scripted"});
    QVERIFY2(goesOn.code == 0, qPrintable(goesOn.err));
    QCOMPARE((*store::RunQuery::open(m_lab->workspace()))->run(run)->status, wire::RunStatus::Finished);
}

// What of it can be read is taken over, with every point; the rest comes from the folders.
void CtlEnvironmentTest::aDamagedDatabaseIsMadeAgain() {
    const auto run = startSteps(20);
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const fs::path database = m_lab->workspace().database();
    sqlite3* db = nullptr; // all that is in its log goes into the file
    QCOMPARE(sqlite3_open(database.c_str(), &db), SQLITE_OK);
    QCOMPARE(sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    fs::last_write_time(run::RunFolder{m_lab->row(run).folder}.runFile(),
                        fs::file_time_type::clock::now() - std::chrono::minutes(1));
    std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096 + 8);
    file << std::string(4000, '\7'); // the second page
    file.close();
    const auto told = ctl({"runs"});
    QCOMPARE(told.code, 3);
    QVERIFY2(told.err.contains("the database is damaged") && told.err.contains("workspace repair"),
             qPrintable(told.err));
    const auto repaired = ctl({"workspace", "repair"});
    QVERIFY2(repaired.code == 0, qPrintable(repaired.err));
    QVERIFY2(repaired.out.contains("the database was damaged") && repaired.out.contains("scripted"),
             qPrintable(repaired.out));
    const auto query = *store::RunQuery::open(m_lab->workspace());
    QCOMPARE(query->run(run)->status, wire::RunStatus::Finished);
    QCOMPARE(query->checkpoints(run)->size(), std::size_t{2});
}

QTEST_GUILESS_MAIN(CtlEnvironmentTest)
#include "ctl_environment_test.moc"
