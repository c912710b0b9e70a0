// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs of programs whose files are edited after the start. Each script writes another value into its own project.
#include "engine/queue/queue_starts.h"
#include "engine/queue/run_queue.h"
#include "engine/run/program/facts/program_record.h"
#include "engine/run/record/run_code.h"
#include "engine/run/start/run_start.h"
#include "engine/sweep/control/sweep_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFile>
#include <QTest>

using namespace trainyard;
using test::RunLab;

namespace {

// Reports the value of its module, changes that in the user's project, and then does what it is told.
constexpr const char* kScript = R"(
import json, os, signal, sys
sys.dont_write_bytecode = True
import value

again = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
with open(os.environ["TRAINYARD_METRICS"], "a") as metrics:
    point = {"step": again + 1, "value": value.VALUE, "here": float(os.path.exists("data.txt"))}
    metrics.write(json.dumps(point) + "\n")
with open("value.py", "w") as file:
    file.write("VALUE = 22\n")
if "kill" in sys.argv and again == 0:
    os.kill(os.getpid(), signal.SIGKILL)
if "raise" in sys.argv:
    raise ValueError("wrong on purpose")
)";

} // namespace

class ProgramCodeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_lab = std::make_unique<RunLab>();
        QVERIFY(QDir().mkpath(project("pkg")));
        write("pyproject.toml", "");
        write("train.py", kScript);
        write("pkg/__init__.py", "");
        write("pkg/train.py", kScript);
        write("value.py", "VALUE = 1\n");
        write("data.txt", "data");
    }
    void cleanup() {
        (void)store::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true});
        (void)store::RunLock::waitUntilFree(queue::queueFolder(m_lab->workspace()), 20);
        m_lab.reset();
    }

    // Feature: a restart runs the code of the start, whatever was edited meanwhile; in place it runs the new one.
    void aRestartRunsTheCodeOfTheStart_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("isModule");
        QTest::addColumn<double>("value"); // of the restart
        QTest::newRow("script") << "snapshot" << false << 1.0;
        QTest::newRow("module") << "snapshot" << true << 1.0;
        QTest::newRow("in place") << "inPlace" << false << 22.0;
    }
    void aRestartRunsTheCodeOfTheStart() {
        QFETCH(QString, code);
        QFETCH(bool, isModule);
        QFETCH(double, value);
        auto spec = spec::programRun(program({"kill"}, isModule));
        spec.program->code = code.toStdString();
        spec.failure.maxRestarts = 1;
        const auto run = m_lab->startReal(spec);
        const auto row = m_lab->waitForEnd(run, 60);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(row.restarts, 1);
        const auto points = m_lab->points(run, "value");
        QCOMPARE(points.size(), std::size_t{1}); // a restart from the beginning takes back those before
        QCOMPARE(points[0].step, 2);
        QCOMPARE(points[0].value, value);
        for (const auto& point : m_lab->points(run, "here")) QCOMPARE(point.value, 1.0); // it runs in its folder
    }
    // Feature: what waits in the queue runs the code that was there when it was added.
    void theQueueKeepsTheCode() {
        QVERIFY(store::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = true}).ok());
        qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
        const auto added = queue::enqueue(m_lab->workspace(), spec::programRun(program({})));
        QVERIFY2(added.ok(), added.ok() ? "" : added.error().text().c_str());
        write("value.py", "VALUE = 3\n");
        QVERIFY(queue::setQueueSettings(m_lab->workspace(), {.slots = 1, .paused = false}).ok());
        std::string run;
        QVERIFY(m_lab->waitUntil(
            [&] {
                const auto rows = m_lab->query().runs();
                if (!rows || rows->empty()) return false;
                run = rows->front().id;
                return true;
            },
            30));
        QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
        QCOMPARE(m_lab->points(run, "value").at(0).value, 1.0);
    }
    // Feature: every trial of a sweep runs the code that was there when the sweep began, and has the record of it.
    void aSweepKeepsTheCode() {
        spec::SweepSpec sweep;
        sweep.name = "kept";
        sweep.runJson = spec::toJson(spec::programRun(program({})));
        spec::Axis axis;
        axis.path = "program.environment.TRY";
        for (const char* each : {"1", "2", "3"}) axis.values.emplace_back(std::string(each));
        sweep.space = {axis};
        sweep.parallel = 1;
        sweep.scoreBy = "value";
        qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
        const auto id = sweep::startSweep(m_lab->workspace(), sweep);
        QVERIFY2(id.ok(), id.ok() ? "" : id.error().text().c_str());
        QVERIFY(m_lab->waitUntil(
            [&] {
                const auto row = m_lab->query().sweep(*id);
                return row && !wire::isActive(row->status);
            },
            60));
        const auto rows = m_lab->query().runs();
        QVERIFY(rows.ok());
        QCOMPARE(rows->size(), std::size_t{3});
        for (const auto& row : *rows) {
            QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
            QCOMPARE(m_lab->points(row.id, "value").at(0).value, 1.0);
            const auto record = run::readProgramRecord(run::RunFolder{row.folder}); // each has its own
            QVERIFY2(run::pythonOfRecord(record), record.dump().c_str());
        }
    }
    // Feature: a traceback names the user's file, not the copy that has run.
    void errorsNameTheUsersFile() {
        auto spec = spec::programRun(program({"raise"}));
        spec.failure.maxRestarts = 0;
        const auto run = m_lab->startReal(spec);
        const auto row = m_lab->waitForEnd(run);
        QCOMPARE(row.status, wire::RunStatus::Failed);
        const auto script = project("train.py").toStdString();
        QVERIFY2(row.error.where.find(script + ", line ") != std::string::npos, row.error.text().c_str());
        const auto log = m_lab->logText(run);
        QVERIFY2(log.find("File \"" + script) != std::string::npos, log.c_str());
        QVERIFY2(log.find((m_lab->workspace().root / "code").string()) == std::string::npos, log.c_str());
    }
    // Bad inputs: the snapshot of a run is gone when it is resumed.
    void aLostSnapshotSaysWhatToDo() {
        auto spec = spec::programRun(program({"raise"}));
        spec.failure.maxRestarts = 0;
        const auto run = m_lab->startReal(spec);
        QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Failed);
        QVERIFY(QDir(QString::fromStdString((m_lab->workspace().root / "code").string())).removeRecursively());
        QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
        const auto row = m_lab->waitForEnd(run);
        QCOMPARE(row.status, wire::RunStatus::Failed);
        QVERIFY2(row.error.text().find("start the run anew") != std::string::npos, row.error.text().c_str());
    }

    // Feature: program.prepare sets the environment of a rank, and program.config gives it a changed copy of a file of
    // settings; the user's file stays as it is.
    void aRankIsPrepared() {
        write("settings.yaml", "lr: 0.1 # the rate\nname: x\n");
        write("show.py", "import os, sys\nprint(open(sys.argv[2]).read())\n"
                         "print('CUDA', os.environ['MY_CUDA'], os.environ.get('MY_OLD'), sys.argv[1])\n");
        qputenv("MY_OLD", "old");
        auto made = program({});
        made.script = project("show.py").toStdString();
        made.prepare = "export MY_CUDA=12.4; unset MY_OLD";
        made.config = spec::ProgramConfig{"settings.yaml", "config", {{"lr", 0.25}}};
        made.words = {};
        const auto run = m_lab->startReal(spec::programRun(made));
        qunsetenv("MY_OLD");
        const auto row = m_lab->waitForEnd(run);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        const auto log = m_lab->logText(run);
        QVERIFY2(log.find("lr: 0.25 # the rate") != std::string::npos, log.c_str());
        QVERIFY2(log.find("CUDA 12.4 None --config") != std::string::npos, log.c_str());
        QFile file(project("settings.yaml"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("lr: 0.1 # the rate\nname: x\n"));
    }
    // Bad inputs: a value of program.config that its file does not have is refused before there is a run.
    void anUnknownSettingIsRefused() {
        write("settings.yaml", "lr: 0.1\n");
        auto made = program({});
        made.config = spec::ProgramConfig{"settings.yaml", "config", {{"lrr", 0.25}}};
        const auto run = run::startRun(m_lab->workspace(), spec::programRun(made));
        QVERIFY(!run.ok());
        QVERIFY2(run.error().text().find("the nearest is \"lr\"") != std::string::npos, run.error().text().c_str());
    }
    // Feature: a run's record names its code, its Python with its packages, and its command line; a run from the code
    // of another one runs that code.
    void theRecordTellsWhatItWasMadeOf() {
        const auto run = m_lab->startReal(spec::programRun(program({})));
        const auto row = m_lab->waitForEnd(run);
        QCOMPARE(row.status, wire::RunStatus::Finished);
        const run::RunFolder folder{row.folder};
        const auto record = run::readProgramRecord(folder);
        const auto python = run::pythonOfRecord(record);
        QVERIFY(python.has_value());
        QVERIFY(python->version.starts_with("3."));
        QCOMPARE(run::readStarted(run::startedFile(folder))->words.back(), project("train.py").toStdString());
        QVERIFY(run::changesSince(folder, program({})).empty());
        const auto code = run::readLaunchRecord(folder)->code;
        QVERIFY(code.has_value());
        run::StartOptions start;
        start.code = code; // the user's file says 22 by now
        const auto again = run::startRun(m_lab->workspace(), spec::programRun(program({})), start);
        QVERIFY(again.ok());
        QCOMPARE(m_lab->waitForEnd(*again).status, wire::RunStatus::Finished);
        QCOMPARE(m_lab->points(*again, "value").at(0).value, 1.0);
    }

private:
    QString project(const QString& name) const { return QString::fromStdString(m_lab->folder() + "/project/") + name; }
    void write(const QString& name, const QByteArray& bytes) const {
        QFile file(project(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    spec::Program program(std::vector<std::string> words, bool isModule = false) const {
        spec::Program made;
        if (isModule) made.module = "pkg.train";
        else made.script = project("train.py").toStdString();
        made.folder = project("").toStdString();
        made.interpreter = "/usr/bin/python3";
        made.words = std::move(words);
        return made;
    }

    std::unique_ptr<RunLab> m_lab;
};

QTEST_GUILESS_MAIN(ProgramCodeTest)
#include "program_code_test.moc"
