// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs of programs: scripts of Python and bash, as ranks of a run.
#include "engine/base/files/atomic_file.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/relay/relay.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/texts.h"
#include "tests/torchrun.h"

#include <nlohmann/json.hpp>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <csignal>
#include <set>

using namespace trainyard;
using test::RunLab;

namespace {

std::string script(const char* name) { return std::string(TRAINYARD_SOURCE_DIR "/tests/programs/runs/") + name; }

bool hasTorch() {
    static const bool has = QProcess::execute("/usr/bin/python3", {"-c", "import torch"}) == 0;
    return has;
}

} // namespace

class ProgramRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_lab = std::make_unique<RunLab>(); }

    // Feature: any command is a run: its metrics, its output and its end are recorded.
    void aScriptReportsToItsEnd() {
        const auto run = m_lab->startReal(reporting({{"lr", 0.4}, {"steps", std::int64_t{20}}}));
        const auto row = m_lab->waitForEnd(run);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        const auto points = m_lab->points(run);
        QCOMPARE(points.size(), std::size_t{20});
        for (std::size_t i = 0; i < points.size(); ++i) {
            QCOMPARE(points[i].step, static_cast<std::int64_t>(i) + 1);
            QCOMPARE(points[i].value, 0.4 / static_cast<double>(i + 1));
        }
        QCOMPARE(row.step, 20);
        QVERIFY(m_lab->logText(run).find("rank 0 step 20") != std::string::npos);
        QCOMPARE(left(run), std::size_t{0});
    }
    void aProgramNeedsNoPython() {
        spec::Program program;
        program.command = {"bash", script("report.sh")};
        const auto run = m_lab->startReal(spec::programRun(program));
        const auto row = m_lab->waitForEnd(run);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(m_lab->points(run).size(), std::size_t{5});
    }
    // Feature: each rank of a program finds the environment that torchrun would give it, and a port that is its own.
    void ranksFindTorchrunsEnvironment() {
        spec::Program program;
        program.script = script("environment.py");
        program.interpreter = "/usr/bin/python3";
        program.words = {"--name", "two words", "{output}", "{rank}/{worldSize}"};
        program.environment = {{"MY_PATH", "{output}/x"}};
        auto spec = spec::programRun(program);
        spec.scaling.workers = 2;
        spec.failure.maxRestarts = 1;
        const auto run = m_lab->startReal(spec);
        const auto row = m_lab->waitForEnd(run);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        const auto output = std::filesystem::path(row.folder) / "output";
        std::set<std::string> ports;
        for (int rank = 0; rank < 2; ++rank) {
            const auto told = nlohmann::json::parse(*readFile(output / ("rank" + std::to_string(rank) + ".json")));
            const auto& variables = told["environment"];
            const auto number = std::to_string(rank);
            for (const auto& [name, value] : std::map<std::string, std::string>{{"RANK", number},
                                                                                {"LOCAL_RANK", number},
                                                                                {"WORLD_SIZE", "2"},
                                                                                {"LOCAL_WORLD_SIZE", "2"},
                                                                                {"GROUP_RANK", "0"},
                                                                                {"GROUP_WORLD_SIZE", "1"},
                                                                                {"ROLE_RANK", number},
                                                                                {"ROLE_WORLD_SIZE", "2"},
                                                                                {"MASTER_ADDR", "127.0.0.1"},
                                                                                {"TORCHELASTIC_RESTART_COUNT", "0"},
                                                                                {"TORCHELASTIC_MAX_RESTARTS", "1"},
                                                                                {"TORCHELASTIC_RUN_ID", run},
                                                                                {"TRAINYARD_RUN", run},
                                                                                {"PYTHONUNBUFFERED", "1"},
                                                                                {"MY_PATH", (output / "x").string()}})
                QVERIFY2(variables.value(name, "") == value, (name + "=" + variables.value(name, "")).c_str());
            ports.insert(variables["MASTER_PORT"].get<std::string>());
            QCOMPARE(told["words"].dump(),
                     nlohmann::json({"--name", "two words", output.string(), number + "/2"}).dump());
        }
        QCOMPARE(ports.size(), std::size_t{1});
    }
    // Feature: a program is stopped with SIGTERM and its grace, and saves.
    void aStopLetsItSave() {
        const auto saved = m_lab->folder() + "/saved";
        const auto run =
            m_lab->startReal(reporting({{"steps", std::int64_t{100000}}, {"pause", 0.01}, {"save", saved}}, 2));
        QVERIFY(m_lab->waitForStep(run, 5, 30));
        const auto row = m_lab->stopped(run);
        QCOMPARE(row.status, wire::RunStatus::Stopped);
        QCOMPARE(readFile(saved).valueOr(""), std::string("saved"));
        QCOMPARE(left(run), std::size_t{0});
    }
    // Fault: a program ignores SIGTERM. It is killed when its grace is over.
    void aDeafProgramIsKilled() {
        auto spec = reporting({{"steps", std::int64_t{100000}}, {"pause", 0.01}, {"deaf", true}});
        spec.program->stop.graceSeconds = 0.3;
        const auto run = m_lab->startReal(spec);
        QVERIFY(m_lab->waitForStep(run, 5, 30));
        QCOMPARE(m_lab->stopped(run).status, wire::RunStatus::Stopped);
        QCOMPARE(left(run), std::size_t{0});
    }
    // Fault: a program leaves processes that ignore SIGTERM, in sessions and environments of their own. All are ended.
    void whatItLeavesIsEnded_data() { howItStarts(); }
    void whatItLeavesIsEnded() {
        const auto before = sleepers();
        auto spec = reporting({{"strays", std::int64_t{3}}, {"steps", std::int64_t{3}}}, 2);
        preload(spec);
        const auto run = m_lab->startReal(spec);
        const auto row = m_lab->waitForEnd(run);
        QCOMPARE(row.status, wire::RunStatus::Finished);
        QCOMPARE(sleepers(), before);
        QVERIFY(m_lab->logText(run).find("that the program had left") != std::string::npos);
        QCOMPARE(wasForked(run), isToFork());
        QCOMPARE(left(run), std::size_t{0});
    }

    // Feature: the cause of a program's failure is its own exception, with the user's line.
    void theCauseIsNamed_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* how, ErrorKind kind, const char* part) {
            QTest::newRow(how) << QString(how) << static_cast<int>(kind) << QString(part);
        };
        row("raise", ErrorKind::Run, "ValueError: the loss is wrong");
        row("exit", ErrorKind::Run, "exited with 7");
        row("module", ErrorKind::Input, "/usr/bin/python3 -m pip install a_module_that_is_not_there");
        row("peer", ErrorKind::Run, "ValueError: the true cause");
    }
    void theCauseIsNamed() {
        QFETCH(QString, how);
        QFETCH(int, kind);
        QFETCH(QString, part);
        auto spec = reporting({{"fail", how.toStdString()}, {"fail-rank", std::int64_t{1}}}, 2);
        spec.failure.maxRestarts = 0;
        const auto row = m_lab->waitForEnd(m_lab->startReal(spec));
        QCOMPARE(row.status, wire::RunStatus::Failed);
        QVERIFY2(row.error.text().find(part.toStdString()) != std::string::npos, row.error.text().c_str());
        QCOMPARE(static_cast<int>(row.error.kind), kind);
        QVERIFY2(row.error.where.find("rank 1") != std::string::npos, row.error.where.c_str());
    }
    void anUnknownArgumentIsNotTriedAgain() {
        auto spec = reporting({});
        spec.program->words = {"--no-such-thing"};
        spec.program->arguments.clear();
        const auto row = m_lab->waitForEnd(m_lab->startReal(spec));
        QCOMPARE(row.status, wire::RunStatus::Failed);
        QCOMPARE(row.error.kind, ErrorKind::Input);
        QVERIFY2(row.error.text().find("unrecognized arguments: --no-such-thing") != std::string::npos,
                 row.error.text().c_str());
        QCOMPARE(row.restarts, 0);
    }
    // Fault: SIGKILL of a program's rank. All ranks start again; no point is lost or doubled.
    void aKilledRankStartsAgain() {
        auto spec = reporting({{"fail", std::string("kill")},
                               {"fail-rank", std::int64_t{1}},
                               {"once", m_lab->folder() + "/killed"},
                               {"pause", 0.05}},
                              2);
        const auto run = m_lab->startReal(spec);
        const auto row = m_lab->waitForEnd(run, 60);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(row.restarts, 1);
        QCOMPARE(QString::fromStdString(m_lab->contiguity(run, 20)), QString());
        QCOMPARE(left(run), std::size_t{0});
    }
    // Fault: the interpreter is deleted, and then a rank is killed. The run fails, and keeps the curve that it had.
    void aRunThatCannotStartAgainKeepsItsCurve() {
        const std::filesystem::path python = m_lab->folder() + "/python";
        std::filesystem::create_symlink("/usr/bin/python3", python);
        auto spec = reporting({{"fail", std::string("kill")}, {"pause", 0.1}});
        spec.program->interpreter = python.string();
        const auto run = m_lab->startReal(spec);
        QVERIFY(m_lab->waitForStep(run, 1, 30));
        std::filesystem::remove(python);
        const auto row = m_lab->waitForEnd(run, 60);
        QCOMPARE(row.status, wire::RunStatus::Failed);
        QVERIFY2(row.error.text().find(python.string()) != std::string::npos, row.error.text().c_str());
        QVERIFY2(m_lab->points(run).size() > 3, std::to_string(m_lab->points(run).size()).c_str());
    }

    // Feature: a program's checkpoints are listed where they are, and a restart goes on from the newest whole one.
    // Fault: the checkpoint that a program goes on from turns out bad. It goes on from the one before.
    void aRestartGoesOnFromItsCheckpoint() {
        spec::Program program;
        program.script = script("saves.py");
        program.interpreter = "/usr/bin/python3";
        program.arguments = {{"output-dir", std::string("{output}/saved")},
                             {"fail-at", std::int64_t{10}},
                             {"bad", std::string("model_8.pt")}};
        auto spec = spec::programRun(program);
        spec.failure.maxRestarts = 3;
        const auto run = m_lab->startReal(spec);
        const auto row = m_lab->waitForEnd(run, 60);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(row.restarts, 2);
        const auto saved = std::filesystem::path(row.folder) / "output" / "saved";
        QCOMPARE(*readFile(saved / "begun.txt"), std::string(" \nmodel_8.pt model_8.pt\nmodel_4.pt model_4.pt\n"));
        QCOMPARE(QString::fromStdString(m_lab->contiguity(run, 12)), QString());
        const auto rows = *m_lab->query().checkpoints(run);
        QStringList paths;
        for (const auto& each : rows) paths << QString::fromStdString(each.path);
        QStringList expected;
        for (const char* name : {"model_4.pt", "model_8.pt", "model_12.pt"})
            expected << QString::fromStdString((saved / name).string());
        QCOMPARE(paths, expected);
        for (const auto& each : rows) QVERIFY(std::filesystem::exists(each.path));
    }

    // Feature: a program stops at its next checkpoint; it need not handle a signal.
    void aStopCanWaitForACheckpoint() {
        spec::Program program;
        program.script = script("saves.py");
        program.interpreter = "/usr/bin/python3";
        program.arguments = {{"output-dir", std::string("{output}/saved")},
                             {"steps", std::int64_t{100'000}},
                             {"every", std::int64_t{60}},
                             {"pause", 0.02}};
        const auto run = m_lab->startReal(spec::programRun(program));
        QVERIFY(m_lab->waitForStep(run, 5, 30));
        QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::AtCheckpoint));
        QVERIFY(m_lab->waitUntil([&] { return m_lab->row(run).status == wire::RunStatus::Stopping; }, 1));
        const auto row = m_lab->waitForEnd(run, 60);
        QCOMPARE(row.status, wire::RunStatus::Stopped);
        const auto rows = *m_lab->query().checkpoints(run);
        QVERIFY(!rows.empty());
        QVERIFY2(row.step >= 60 && row.step < 400, std::to_string(row.step).c_str());
        QCOMPARE(left(run), std::size_t{0});
    }

    // Feature: the ranks of a program print their stacks on demand, pause, go on, and stop after the same step.
    void aProgramIsAsked() {
        spec::Program program;
        program.script = script("asks.py");
        program.interpreter = "/usr/bin/python3";
        auto spec = spec::programRun(program);
        spec.scaling.workers = 2;
        const auto run = m_lab->startReal(spec);
        QVERIFY(m_lab->waitForStep(run, 5, 30));
        const auto ask = [&](wire::CommandKind kind) { return run::commandRun(m_lab->workspace(), run, kind, 0, 10); };
        QVERIFY(ask(wire::CommandKind::Stacks));
        const auto folder = std::filesystem::path(m_lab->row(run).folder);
        for (int rank = 0; rank < 2; ++rank)
            QVERIFY(m_lab->waitUntil([&] {
                const auto printed = readFile(folder / "program" / ("rank" + std::to_string(rank) + ".out"));
                return printed && printed->find("in a_step_of_training") != std::string::npos;
            }));
        QVERIFY(ask(wire::CommandKind::Pause));
        QVERIFY(m_lab->waitUntil([&] { return m_lab->row(run).status == wire::RunStatus::Paused; }));
        const auto steps = [&] { return readFile(folder / "program" / "rank1.jsonl").valueOr("").size(); };
        const auto paused = steps();
        QTest::qWait(200);
        QCOMPARE(steps(), paused);
        QVERIFY(ask(wire::CommandKind::Unpause));
        QVERIFY(m_lab->waitUntil([&] { return steps() > paused; }));
        QVERIFY(!ask(wire::CommandKind::Checkpoint));
        QCOMPARE(m_lab->stopped(run).status, wire::RunStatus::Stopped);
        const auto stoppedAt = [&](int rank) {
            return readFile(folder / "output" / ("stopped" + std::to_string(rank))).valueOr("none");
        };
        QCOMPARE(stoppedAt(0), stoppedAt(1));
        QVERIFY(stoppedAt(0) != "none");
    }
    // Bad inputs: stacks of a program that prints none. It says what to do, and the program goes on.
    void aProgramWithoutStacksGoesOn() {
        const auto run = m_lab->startReal(reporting({{"steps", std::int64_t{100'000}}, {"pause", 0.01}}));
        QVERIFY(m_lab->waitForStep(run, 5, 30));
        const auto asked = run::commandRun(m_lab->workspace(), run, wire::CommandKind::Stacks, 0, 10);
        QVERIFY(!asked);
        QVERIFY(asked.error().text().find("import trainyard") != std::string::npos);
        QVERIFY(m_lab->waitForStep(run, m_lab->row(run).step + 20, 30));
        QCOMPARE(m_lab->stopped(run).status, wire::RunStatus::Stopped);
    }

    // Fault: SIGKILL of the keeper of a program. The kernel ends its program, and all ranks start again.
    void aKilledKeeperTakesItsProgramWithIt_data() { howItStarts(); }
    void aKilledKeeperTakesItsProgramWithIt() {
        auto spec = reporting({{"steps", std::int64_t{40}}, {"pause", 0.05}}, 2);
        preload(spec);
        const auto run = m_lab->startReal(spec);
        QVERIFY(m_lab->waitForStep(run, 5, 30));
        ::kill(static_cast<pid_t>(m_lab->workerPids(run).at(1)), SIGKILL);
        const auto row = m_lab->waitForEnd(run, 60);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(row.restarts, 1);
        QCOMPARE(left(run), std::size_t{0});
    }
    // Fault: SIGKILL of a program's supervisor, twice. Its ranks go on under another one: no step, point or restart is
    // lost, and a stop still works.
    void aKilledSupervisorCostsNothing_data() {
        QTest::addColumn<int>("steps");
        QTest::newRow("to its end") << 120;
        QTest::newRow("to a stop") << 100'000;
    }
    void aKilledSupervisorCostsNothing() {
        QFETCH(int, steps);
        const auto run = m_lab->startReal(reporting({{"steps", std::int64_t{steps}}, {"pause", 0.02}}, 2));
        const auto before = killSupervisorAt(run, 10, 0);
        QVERIFY(before > 0);
        QVERIFY(killSupervisorAt(run, 50, before) > 0);
        QVERIFY(m_lab->waitForStep(run, 90, 30));
        const auto row = steps > 1000 ? m_lab->stopped(run) : m_lab->waitForEnd(run, 60);
        QCOMPARE(row.status, steps > 1000 ? wire::RunStatus::Stopped : wire::RunStatus::Finished);
        QCOMPARE(row.restarts, 0);
        QCOMPARE(QString::fromStdString(m_lab->contiguity(run, row.step)), QString());
        QVERIFY(row.step >= 90 && (steps > 1000 || row.step == steps));
        QCOMPARE(left(run), std::size_t{0});
    }
    // Fault: SIGKILL of a program's supervisor and of a keeper. The rest is ended, and all ranks start again.
    void supervisorAndKeeperAreKilled_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("rank");
        QTest::newRow("rank 0") << 2 << 0;
        QTest::newRow("rank 1") << 2 << 1;
        QTest::newRow("the only one") << 1 << 0; // nobody but the guard is left
    }
    void supervisorAndKeeperAreKilled() {
        QFETCH(int, ranks);
        QFETCH(int, rank);
        const auto run = m_lab->startReal(reporting({{"steps", std::int64_t{60}}, {"pause", 0.02}}, ranks));
        QVERIFY(m_lab->waitForStep(run, 10, 30));
        const auto keeper = static_cast<pid_t>(m_lab->workerPids(run).at(static_cast<std::size_t>(rank)));
        ::kill(static_cast<pid_t>(m_lab->row(run).supervisorPid), SIGKILL);
        ::kill(keeper, SIGKILL);
        const auto row = m_lab->waitForEnd(run, 60);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(QString::fromStdString(m_lab->contiguity(run, 60)), QString());
        QCOMPARE(left(run), std::size_t{0});
    }
    // Fault: SIGKILL of a program's supervisor while it stops. The next one ends the run as stopped.
    void aSupervisorIsKilledWhileItStops() {
        const auto run =
            m_lab->startReal(reporting({{"steps", std::int64_t{100'000}}, {"pause", 0.02}, {"deaf", true}}, 2, 2));
        QVERIFY(m_lab->waitForStep(run, 10, 30));
        const auto supervisor = static_cast<pid_t>(m_lab->row(run).supervisorPid);
        QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::SaveAndStop));
        ::kill(supervisor, SIGKILL);
        QCOMPARE(m_lab->waitForEnd(run, 60).status, wire::RunStatus::Stopped);
        QCOMPARE(left(run), std::size_t{0});
    }
    // Feature: a program that cannot be forked is started once as a program, and never forked again; one whose ranks
    // fail at a store of the keeper is forked without one from then on.
    void whatFailsForkedIsStarted_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("preload");
        QTest::newRow("alone") << 1 << "forked" << "decimal";
        QTest::newRow("with peers") << 2 << "forked" << "decimal";
        if (hasTorch()) QTest::newRow("at a store") << 2 << "store" << "torch"; // as a PyTorch without libuv
    }
    void whatFailsForkedIsStarted() {
        QFETCH(int, ranks);
        QFETCH(QString, how);
        QFETCH(QString, preload);
        const bool atStore = how == "store";
        const auto folder = std::filesystem::path(m_lab->folder()) / ("fails " + std::string(QTest::currentDataTag()));
        std::filesystem::create_directories(folder);
        const auto copy = (folder / "reports.py").string(); // its note is of this row alone
        std::filesystem::copy_file(script("reports.py"), copy);
        for (const bool isFirst : {true, false}) {
            auto spec = reporting({{"fail", how.toStdString()}, {"fail-at", std::int64_t{1}}}, ranks);
            spec.program->script = copy;
            spec.program->preload = preload.toStdString();
            const auto run = m_lab->startReal(spec);
            const auto row = m_lab->waitForEnd(run);
            QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
            QCOMPARE(row.restarts, isFirst && ranks > 1 ? 1 : 0);
            QCOMPARE(wasForked(run), isFirst || atStore);
            const auto log = m_lab->logText(run);
            const bool saysHow = log.find("to have it forked again, remove") != std::string::npos;
            QCOMPARE(log.find("it is started once as a program") != std::string::npos, isFirst);
            QCOMPARE(saysHow, !isFirst && !atStore);
            QCOMPARE(log.find("meet at a store") != std::string::npos, isFirst && atStore);
            QCOMPARE(QString::fromStdString(m_lab->contiguity(run, 20)), QString());
            QCOMPARE(left(run), std::size_t{0});
        }
    }

    // Bad inputs: program runs.
    void badProgramsSayWhatToDo_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* program, const char* part) {
            QTest::newRow(name) << QString(program).replace('\'', '"') << QString(part);
        };
        row("no script", "{'script': '/nowhere/train.py'}", "there is no such file");
        row("a folder", "{'script': '/usr'}", "name the script in it");
        row("no program", "{'command': ['no-such-program-anywhere']}", "name an installed program");
        row("no folder", "{'command': ['true'], 'folder': '/nowhere'}", "set program.folder");
        row("no interpreter", "{'script': '/etc/hostname', 'interpreter': '/nowhere/python'}", "/nowhere/python");
        row("a secret", "{'command': ['true'], 'secrets': ['NO_SUCH_SECRET_TOKEN']}", "export NO_SUCH_SECRET_TOKEN");
        row("no Python", "{'script': '/etc/passwd', 'interpreter': '/usr/bin/python3'}", "SyntaxError");
    }
    void badProgramsSayWhatToDo() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto spec = spec::parseRunSpec(R"({"program": )" + text.toStdString() + "}");
        QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
        const auto row = m_lab->waitForEnd(m_lab->startReal(*spec));
        QCOMPARE(row.status, wire::RunStatus::Failed);
        QVERIFY2(row.error.text().find(part.toStdString()) != std::string::npos, row.error.text().c_str());
        QCOMPARE(row.restarts, 0);
    }

    // Feature: DistributedDataParallel in a program run has the bits that it has with torchrun.
    void dataParallelHasTorchrunsBits_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("dataWorkers");
        QTest::newRow("2 ranks") << 2 << 0;
        QTest::newRow("4 ranks") << 4 << 0;
        QTest::newRow("2 ranks with data workers") << 2 << 2;
    }
    void dataParallelHasTorchrunsBits() {
        QFETCH(int, ranks);
        QFETCH(int, dataWorkers);
        const auto torchrun = QStandardPaths::findExecutable("torchrun");
        if (!hasTorch() || torchrun.isEmpty()) QSKIP("python3-torch is not installed");
        const auto theirs = m_lab->folder() + "/theirs" + std::to_string(ranks) + std::to_string(dataWorkers);
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("OMP_NUM_THREADS", "1");
        test::TorchrunRanks peer(torchrun, environment, ranks,
                                 {QString::fromStdString(script("data_parallel.py")), "--losses",
                                  QString::fromStdString(theirs), "--data-workers", QString::number(dataWorkers)});
        QVERIFY(peer.end());
        spec::Program program;
        program.script = script("data_parallel.py");
        program.interpreter = "/usr/bin/python3";
        program.arguments = {{"losses", std::string("{output}/losses")}, {"data-workers", std::int64_t{dataWorkers}}};
        auto spec = spec::programRun(program);
        spec.scaling.workers = ranks;
        spec.scaling.threadsPerWorker = 1;
        // What a run that is started as a program imports is noted, and the next one is forked.
        const bool isFirst = ranks == 2 && dataWorkers == 0, canMeet = test::canMeetAtAStore("/usr/bin/python3");
        std::vector<const char*> preloads{"numpy,torch"};
        if (qEnvironmentVariableIsSet("TRAINYARD_EVERY_WAY")) preloads.insert(preloads.begin(), "off"); // seconds each
        if (isFirst) preloads = {"off", "auto", "auto"};
        for (const char* preload : preloads) {
            spec.program->preload = preload;
            const auto run = m_lab->startReal(spec);
            const auto row = m_lab->waitForEnd(run, 120);
            QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
            const auto ours = readFile(std::filesystem::path(row.folder) / "output" / "losses");
            QVERIFY(ours.ok());
            QCOMPARE(*ours, *readFile(theirs));
            QCOMPARE(m_lab->points(run).size(), std::size_t{30});
            m_forked = wasForked(run);
            QVERIFY(!m_forked || std::string_view(preload) != "off");
            if (canMeet) QCOMPARE(m_lab->logText(run).find("meet at a store") != std::string::npos, m_forked);
            QVERIFY(canMeet || row.restarts <= 1); // once, and never again
            QCOMPARE(left(run), std::size_t{0});
        }
        QVERIFY(m_forked);
    }

private:
    // Waits for the step under another supervisor than `other`, kills it, and returns its process id; 0: it took too
    // long.
    pid_t killSupervisorAt(const std::string& run, std::int64_t step, pid_t other) {
        const auto supervisor = [&] { return static_cast<pid_t>(m_lab->row(run).supervisorPid); };
        if (!m_lab->waitForStep(run, step, 30)) return 0;
        if (!m_lab->waitUntil([&] { return supervisor() > 0 && supervisor() != other; })) return 0;
        const auto found = supervisor();
        return ::kill(found, SIGKILL) == 0 ? found : 0;
    }
    static spec::RunSpec reporting(const spec::ArgumentValues& arguments, int ranks = 1, double grace = 60) {
        spec::Program program;
        program.script = script("reports.py");
        program.interpreter = "/usr/bin/python3";
        program.arguments = arguments;
        auto spec = spec::programRun(program);
        spec.scaling.workers = ranks;
        spec.program->stop.graceSeconds = grace;
        return spec;
    }
    // Rows of a test whose program may be forked.
    static void howItStarts() {
        QTest::addColumn<bool>("isForked");
        QTest::newRow("started") << false;
        QTest::newRow("forked") << true;
    }
    static bool isToFork() { return *static_cast<bool*>(QTest::qData("isForked", QMetaType::Bool)); }
    static void preload(spec::RunSpec& spec) { spec.program->preload = isToFork() ? "decimal" : "off"; }
    bool wasForked(const std::string& run) {
        return m_lab->logText(run).find("forked from a Python that has imported") != std::string::npos;
    }
    static std::size_t left(const std::string& run) { return run::livingMarked(run::kRunVariable, run).size(); }
    // Processes that the script leaves.
    static std::size_t sleepers() {
        QProcess pgrep;
        pgrep.start("pgrep", {"-fc", "^sleep 1000$"});
        pgrep.waitForFinished();
        return pgrep.readAllStandardOutput().trimmed().toULongLong();
    }

    std::unique_ptr<RunLab> m_lab;
    bool m_forked = false; // the last run of data_parallel.py
};

QTEST_GUILESS_MAIN(ProgramRunTest)
#include "program_run_test.moc"
