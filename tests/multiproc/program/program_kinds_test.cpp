// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of many kinds as runs: what each leaves becomes curves and checkpoints. All run at the same time.
#include "engine/base/clock.h"
#include "engine/run/actions/choose_printed.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/program/follow/source_record.h"
#include "engine/run/program/rank_environment.h"
#include "engine/run/record/series/source_series.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/pause.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace trainyard;
using test::RunLab;

namespace {

std::string kind(const char* name) { return std::string(TRAINYARD_SOURCE_DIR "/tests/programs/kinds/") + name; }

constexpr const char* kNoCompiler = "no C compiler";

// What is started, and what the run has to show at its end.
struct Kind {
    const char* name;
    std::vector<std::string> words; // of Python where the first ends in .py
    const char* feeds;              // the source of the curves
    const char* series;
    std::size_t points;
    double last;
    QStringList checkpoints{}; // "checkpoint-10@10"
    const char* beside = "";   // a series that is kept beside the curves
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"W&B, offline", {kind("wandb_offline.py")}, "wandb", "loss", 20, 0.05, {}, "source/printed/running loss"},
        {"TensorBoard", {kind("tensorboard.py")}, "event-files", "Loss/train", 20, 0.05, {}, "source/printed/loss"},
        {"printed lines alone", {kind("only_prints.py")}, "printed", "Loss", 20, 2.0 / 29, {}},
        {"bash", {"bash", kind("prints.sh")}, "printed", "error", 8, 0.50, {}},
        {"C", {"{folder}/loop", "0.1"}, "metrics-file", "train/loss", 50, 2.656139889e-05, {}},
        {"Hugging Face",
         {kind("hf_trainer.py"), "{output}"},
         "json-log",
         "loss",
         4,
         0.05,
         {"checkpoint-10@10", "checkpoint-20@20"},
         "source/printed/loss"},
        {"Lightning",
         {kind("lightning.py")},
         "table",
         "val_acc",
         2,
         0.6,
         {"epoch=0-step=10.ckpt@10", "epoch=1-step=20.ckpt@20"}},
    };
    return all;
}

// What abuses.py does, how many of its six points are read, and what the run says of it.
struct Abuse {
    const char* how;
    std::size_t points;
    const char* said = "";
};
constexpr Abuse kAbuses[] = {
    {"half", 6},
    {"long", 6, "a line has more than 16 MiB"},
    {"names", 6},
    {"more names", 6, "more than 10000 names"},
    {"binary", 6, "is no JSON object"},
    {"text step", 6, "step"},
    {"no step", 6},
    {"nan", 6},
    {"removed", 6},
    {"truncated", 6},
    {"link", 3},
    {"fifo", 3},
    {"folder", 3},
    {"fast", 6},
    {"no newline", 6},
    {"NUL", 6},
    {"carriage returns", 6},
    {"escapes", 6},
};

// What faults.py meets with, and how its run ends: status and restarts.
struct Misfortune {
    const char* how;
    int ranks;
    const char* end;
    const char* said; // in its log
    ErrorCode code = ErrorCode::General;
};
constexpr Misfortune kMisfortunes[] = {
    {"abort", 2, "finished 1", "SIGABRT"},
    {"stopped", 2, "finished 1", "the program stands still: it is aborted"},
    {"leaves", 2, "finished 0", ""},
    {"early", 2, "failed 0", "exited with 3"},
    {"files", 1, "failed 0", "Too many open files"},
    {"disk", 1, "failed 0", "No space left on device", ErrorCode::DiskFull},
    {"memory", 1, "failed 0", "MemoryError", ErrorCode::OutOfMemory},
    {"swarm", 1, "finished 0", "200 processes that the program had left were ended"},
};

} // namespace

class ProgramKindsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_lab = std::make_unique<RunLab>();
        for (const Kind& each : kinds()) m_runs[each.name] = started(each);
        m_ranks["mean"] = startedRanks("mean");
        m_ranks["each"] = startedRanks("each");
        m_anew = startedAnew();
        for (const Abuse& each : kAbuses) m_abuses[each.how] = startedAbuse(each.how);
        for (const Misfortune& each : kMisfortunes) m_misfortunes[each.how] = startedUnlucky(each);
        for (const auto* all : {&m_runs, &m_ranks, &m_abuses, &m_misfortunes})
            for (const auto& [name, run] : *all) QVERIFY2(!run.empty(), name.c_str());
        QVERIFY(!m_anew.empty());
    }

    // Feature: programs with W&B, TensorBoard, Hugging Face or Lightning, ones that only print, of bash and of C.
    void itsCurvesAndCheckpointsAreThere_data() {
        QTest::addColumn<int>("index");
        for (std::size_t at = 0; at < kinds().size(); ++at) QTest::newRow(kinds()[at].name) << static_cast<int>(at);
    }
    void itsCurvesAndCheckpointsAreThere() {
        QFETCH(int, index);
        const Kind& kind = kinds()[static_cast<std::size_t>(index)];
        if (m_runs[kind.name] == kNoCompiler) QSKIP("no C compiler here");
        const auto row = m_lab->waitForEnd(m_runs[kind.name]);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        const auto points = m_lab->points(row.id, kind.series);
        QCOMPARE(points.size(), kind.points);
        QVERIFY2(std::abs(points.back().value - kind.last) < 1e-6 * std::max(1.0, kind.last),
                 qPrintable(QString::number(points.back().value, 'g', 12)));
        const auto record = run::readSourceRecord(run::RankFiles{row.folder}.sources());
        QVERIFY(record.memory.feeds.has_value());
        QCOMPARE(program::wordOf(*record.memory.feeds), kind.feeds);
        QStringList saved;
        const auto checkpoints = m_lab->query().checkpoints(row.id);
        QVERIFY(checkpoints.ok());
        for (const auto& each : *checkpoints)
            saved << QString("%1@%2")
                         .arg(QString::fromStdString(std::filesystem::path(each.path).filename().string()))
                         .arg(each.step);
        saved.sort();
        QCOMPARE(saved, kind.checkpoints);
        if (*kind.beside) QVERIFY(!m_lab->points(row.id, kind.beside).empty());
    }

    // Feature: a program that diverges is told of, stopped, or goes on from the checkpoint before; one that gets no
    // better ends early; copies of its checkpoints are kept.
    void itsValuesDecide_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("end"); // status, restarts
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("listed");
        const auto row = [](const char* name, const char* settings, const char* arguments, const char* end,
                            const char* said, const char* listed) {
            QTest::newRow(name) << settings << arguments << end << said << listed;
        };
        row("it is told of", "", "--nan-at=6", "finished 0", "train/loss is NaN at step 6",
            "model_4.pt model_8.pt model_12.pt");
        row("it is stopped", R"("failure":{"nonFinite":"stop"},)", "--nan-at=6 --steps=4000", "failed 0",
            "step 6: train/loss is NaN", "model_4.pt");
        row("it goes back", R"("failure":{"nonFinite":"rollback"},)", "--nan-at=9 --every=2", "finished 1",
            "restarted from step 8", "model_2.pt model_4.pt model_6.pt model_8.pt model_10.pt model_12.pt");
        row("it ends early", R"("earlyStop":{"metric":"train/loss","patience":3},)", "--worse-from=5 --steps=4000",
            "finished 0", "stopped early: train/loss has not been better than 0.25 in 3 points", "model_4.pt");
        row("copies", R"("checkpoint":{"keep":1,"scoreBy":"train/loss"},)", "--worse-from=5", "finished 0", "",
            "4-model_4.pt 12-model_12.pt");
    }
    void itsValuesDecide() {
        QFETCH(QString, settings);
        QFETCH(QString, arguments);
        const bool copies = settings.contains("keep");
        QStringList words{"--output-dir", "{output}"};
        words += arguments.split(' ');
        const auto json =
            QString(R"({%1 "program": {"script": "%2", "interpreter": "/usr/bin/python3", "code": "inPlace",
            "checkpoints": {"copy": "%3"}, "arguments": ["%4"], "resume": ["--resume", "{checkpoint}"]}})")
                .arg(settings, TRAINYARD_SOURCE_DIR "/tests/programs/runs/saves.py", copies ? "all" : "none",
                     words.join("\", \""));
        const auto spec = spec::parseRunSpec(json.toStdString());
        QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
        const auto row = m_lab->waitForEnd(m_lab->startReal(*spec));
        QTEST(QString("%1 %2").arg(wire::toString(row.status)).arg(row.restarts), "end");
        const bool isLong = arguments.contains("4000"); // and comes to an end all the same
        QVERIFY(isLong ? row.step < 1000 : row.step == 12);
        QFETCH(QString, said);
        QVERIFY2(m_lab->logText(row.id).find(said.toStdString()) != std::string::npos, m_lab->logText(row.id).c_str());
        QStringList found;
        const auto checkpoints = m_lab->query().checkpoints(row.id);
        QVERIFY(checkpoints.ok());
        for (const auto& each : *checkpoints) {
            QVERIFY2(std::filesystem::exists(each.path), each.path.c_str());
            found << QString::fromStdString(std::filesystem::path(each.path).filename().string());
        }
        QFETCH(QString, listed);
        if (!listed.isEmpty()) QCOMPARE(found.mid(0, isLong ? 1 : found.size()).join(' '), listed); // else by chance
        if (!copies) return;
        const auto saved = std::filesystem::path(row.folder) / "output";
        for (const char* name : {"model_4.pt", "model_8.pt", "model_12.pt"})
            QVERIFY(std::filesystem::exists(saved / name));
        QVERIFY(!std::filesystem::exists(std::filesystem::path(row.folder) / "checkpoints" / "8-model_8.pt"));
    }

    // Feature: what a lesser source has told the curves stands beside them once a better one speaks.
    void allRanksMayCount_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QStringList>("series");
        QTest::newRow("mean") << "mean" << QStringList{"source/printed/loss 20", "train/loss 15"};
        QTest::newRow("each") << "each"
                              << QStringList{"rank0/train/loss 15", "rank1/train/loss 15", "source/printed/loss"};
    }
    void allRanksMayCount() {
        QFETCH(QString, policy);
        QFETCH(QStringList, series);
        const auto row = m_lab->waitForEnd(m_ranks[policy.toStdString()]);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QStringList told;
        const auto summaries = m_lab->query().summaries(row.id);
        QVERIFY(summaries.ok());
        for (const auto& each : *summaries)
            if (!each.series.starts_with("system/"))
                told << QString("%1 %2").arg(QString::fromStdString(each.series)).arg(each.count);
        told.sort();
        for (const QString& each : series)
            QVERIFY2(std::any_of(told.begin(), told.end(), [&](const QString& is) { return is.startsWith(each); }),
                     qPrintable(told.join(", ")));
        QVERIFY2(std::none_of(told.begin(), told.end(), [](const QString& is) { return is.startsWith("loss"); }),
                 qPrintable(told.join(", ")));
        if (policy == "mean") QVERIFY(std::abs(m_lab->points(row.id, "train/loss").back().value - 0.55) < 1e-9);
        const auto record = run::readSourceRecord(run::RankFiles{row.folder}.sources());
        QVERIFY(record.summary.at("best") == imports::Setting(0.25));
        QVERIFY(record.summary.at("kind") == imports::Setting(std::string("ranks")));
    }

    // Feature: a program that goes on from its checkpoint and counts its steps from 0 again has one curve.
    void oneThatCountsFromZeroIsShifted() {
        const auto row = m_lab->waitForEnd(m_anew);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(row.restarts, 1);
        const auto points = m_lab->points(m_anew);
        QCOMPARE(points.size(), std::size_t{15}); // 0 to 5, then 5 + 1 to 5 + 9
        for (std::size_t at = 0; at < points.size(); ++at) QCOMPARE(points[at].step, static_cast<std::int64_t>(at));
        QVERIFY(m_lab->logText(m_anew).find("their steps are shifted") != std::string::npos);
    }

    // Feature: a name is taken or dropped while its program runs, and its run file keeps that: also for a restart.
    void namesAreTakenWhileItRuns() {
        spec::Program program;
        program.script = TRAINYARD_SOURCE_DIR "/tests/programs/runs/counts.py";
        program.interpreter = "/usr/bin/python3";
        const auto run = m_lab->startReal(spec::programRun(program));
        QTRY_VERIFY(m_lab->points(run, "loss").size() > 5);
        QVERIFY(m_lab->points(run, "tokens").empty()); // a count
        const auto choose = [&](const char* name, program::PrintedChoice choice) {
            return run::choosePrinted(m_lab->workspace(), RunId(run), name, choice).ok();
        };
        QVERIFY(choose("tokens", program::PrintedChoice::Taken) && choose("loss", program::PrintedChoice::Dropped));
        QTRY_VERIFY(m_lab->points(run, "tokens").size() > 3);
        QVERIFY(m_lab->points(run, "tokens").front().step > 5); // from then on
        ::kill(static_cast<pid_t>(m_lab->workerPids(run).at(0)), SIGKILL);
        const auto row = m_lab->waitForEnd(run);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(row.restarts, 1);
        const auto tokens = m_lab->points(run, "tokens");
        QCOMPARE(tokens.size(), std::size_t{150}); // all begin again
        QCOMPARE(tokens.back().value, 150.0 * 32);
        QVERIFY(m_lab->points(run, "loss").empty());
        const auto spec = spec::parseRunSpec(row.specJson);
        QVERIFY(spec.ok());
        QCOMPARE(spec->program->metrics.patterns, (std::vector<std::string>{"+tokens", "-loss"}));
        // Of one that has ended, its row has the choice at once.
        QVERIFY(choose("loss", program::PrintedChoice::Automatic));
        QVERIFY(m_lab->query().run(run)->specJson.find("-loss") == std::string::npos);
        const auto unknown =
            run::choosePrinted(m_lab->workspace(), RunId("none"), "loss", program::PrintedChoice::Taken);
        QVERIFY(!unknown.ok() && unknown.error().kind == ErrorKind::Input);
    }

    // Feature: a point that a program writes is with those who watch the run within some milliseconds.
    void aPointIsSoonWithItsWatchers() {
        spec::Program program;
        program.script = kind("clocked.py");
        program.interpreter = "/usr/bin/python3";
        const auto run = m_lab->startReal(spec::programRun(program));
        const auto follower = run::RunFollower::open(m_lab->workspace(), run);
        QVERIFY(follower.ok());
        std::vector<double> delays;
        for (bool ended = false; !ended;) {
            const auto update = (*follower)->poll(1000);
            QVERIFY(update.ok());
            for (const auto& series : update->points)
                for (const auto& point : series.points)
                    if (series.series == "written") delays.push_back(double(wallClockMs()) - point.value * 1000);
            ended = update->ended;
        }
        QCOMPARE(delays.size(), std::size_t{40});
        std::sort(delays.begin(), delays.end());
        qInfo("written to told: median %.1f ms, 90 %% %.1f ms", delays[20], delays[36]);
        QVERIFY(delays[20] < 200);
    }

    // Bad inputs: metrics that are cut, endless, binary, replaced or gone; output of any kind, at any rate. The run
    // goes on, and what is right is read.
    void badMetricsCostThemselves_data() {
        QTest::addColumn<int>("index");
        for (std::size_t at = 0; at < std::size(kAbuses); ++at) QTest::newRow(kAbuses[at].how) << static_cast<int>(at);
    }
    void badMetricsCostThemselves() {
        QFETCH(int, index);
        const Abuse& abuse = kAbuses[static_cast<std::size_t>(index)];
        const auto row = m_lab->waitForEnd(m_abuses[abuse.how], 60);
        QVERIFY2(row.status == wire::RunStatus::Finished, row.error.text().c_str());
        QCOMPARE(m_lab->points(row.id).size(), abuse.points);
        const auto log = m_lab->logText(row.id);
        QVERIFY2(log.find(abuse.said) != std::string::npos, log.c_str());
        QVERIFY(log.size() < (std::size_t{1} << 20)); // of a flood the log has a part
    }

    // Fault: a rank aborts, is stopped, leaves early, or meets a limit of files, disk or memory; a program leaves 200
    // processes. What can go on does; the cause is named, and nothing is left.
    void misfortunesAreMet_data() {
        QTest::addColumn<int>("index");
        for (std::size_t at = 0; at < std::size(kMisfortunes); ++at)
            QTest::newRow(kMisfortunes[at].how) << static_cast<int>(at);
    }
    void misfortunesAreMet() {
        QFETCH(int, index);
        const Misfortune& fault = kMisfortunes[static_cast<std::size_t>(index)];
        const auto row = m_lab->waitForEnd(m_misfortunes[fault.how], 60);
        const auto log = m_lab->logText(row.id);
        QVERIFY2(QString("%1 %2").arg(wire::toString(row.status)).arg(row.restarts) == fault.end, log.c_str());
        QVERIFY2(log.find(fault.said) != std::string::npos, log.c_str());
        if (row.status == wire::RunStatus::Finished)
            QCOMPARE(QString::fromStdString(m_lab->contiguity(row.id, 6)), QString());
        else QCOMPARE(static_cast<int>(row.error.code), static_cast<int>(fault.code));
        QCOMPARE(run::livingMarked(run::kRunVariable, row.id).size(), std::size_t{0});
    }

private:
    QString madeFolder(const QString& name) const {
        const QString path = QString::fromStdString(m_lab->folder()) + "/" + name;
        QDir().mkpath(path);
        return path;
    }
    std::string started(const Kind& kind) {
        const QString folder = madeFolder(QString(kind.name).replace(' ', '_'));
        spec::Program program;
        program.folder = folder.toStdString();
        auto words = kind.words;
        if (words.front() == "{folder}/loop") {
            if (QProcess::execute(
                    "cc", {"-O1", "-o", folder + "/loop", TRAINYARD_SOURCE_DIR "/examples/programs/descent.c"}) != 0)
                return {};
            words.front() = program.folder + "/loop";
        }
        if (words.front().ends_with(".py")) {
            program.script = words.front();
            program.interpreter = "/usr/bin/python3";
            program.words.assign(words.begin() + 1, words.end());
        } else {
            program.command = words;
        }
        return m_lab->startReal(spec::programRun(program));
    }
    std::string startedRanks(const std::string& policy) {
        spec::Program program;
        program.script = kind("ranks.py");
        program.interpreter = "/usr/bin/python3";
        program.folder = madeFolder("ranks").toStdString();
        program.metrics.ranks = policy;
        auto spec = spec::programRun(program);
        spec.scaling.workers = 2;
        return m_lab->startReal(spec);
    }
    std::string startedAbuse(const std::string& how) {
        spec::Program program;
        program.script = kind("abuses.py");
        program.interpreter = "/usr/bin/python3";
        program.folder = madeFolder("abuses").toStdString();
        program.words = {how};
        return m_lab->startReal(spec::programRun(program));
    }
    std::string startedUnlucky(const Misfortune& fault) {
        spec::Program program;
        program.script = kind("faults.py");
        program.interpreter = "/usr/bin/python3";
        program.folder = madeFolder("faults").toStdString();
        program.words = {fault.how, "{output}/met"};
        auto spec = spec::programRun(program);
        spec.scaling.workers = fault.ranks;
        spec.failure.maxRestarts = std::string_view(fault.end).starts_with("finished") ? 1 : 0;
        spec.failure.heartbeatSeconds = 1.5 * test::patience(); // for 200 processes to start in
        return m_lab->startReal(spec);
    }
    std::string startedAnew() {
        spec::Program program;
        program.script = kind("counts_anew.py");
        program.interpreter = "/usr/bin/python3";
        program.folder = madeFolder("anew").toStdString();
        program.words = {"{output}"};
        auto spec = spec::programRun(program);
        spec.failure.maxRestarts = 1;
        return m_lab->startReal(spec);
    }

    std::unique_ptr<RunLab> m_lab;
    std::map<std::string, std::string> m_runs{}, m_ranks{}, m_abuses{}, m_misfortunes{};
    std::string m_anew{};
};

QTEST_GUILESS_MAIN(ProgramKindsTest)
#include "program_kinds_test.moc"
