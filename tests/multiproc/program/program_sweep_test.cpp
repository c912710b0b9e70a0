// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps over a script whose trials pause, go on from their checkpoints, and take over those of others.
#include "engine/base/files/atomic_file.h"
#include "engine/run/record/run_score.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/judge/judge.h"
#include "engine/sweep/results/sweep_result.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/texts.h"

#include <nlohmann/json.hpp>
#include <QTest>

#include <algorithm>
#include <sstream>

using namespace trainyard;
using test::compareText;
using test::RunLab;

class ProgramSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_lab = std::make_unique<RunLab>();
        if (RunLab::builtPrograms().isEmpty()) qunsetenv("TRAINYARD_BIN");
        else qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    }

    // Feature: trials of a script pause and go on from their checkpoints where it is said how: halving, ASHA with
    // promotions.
    void pausedTrialsGoOn_data() {
        QTest::addColumn<QString>("scheduler");
        QTest::newRow("halving") << "halving";
        QTest::newRow("asha") << "asha";
    }
    void pausedTrialsGoOn() {
        QFETCH(QString, scheduler);
        auto sweep = learning({0.2, 0.001, 0.1, 0.0005});
        sweep.scheduler = {scheduler.toStdString(), {{"grace", 6.0}, {"factor", 2.0}}};
        if (scheduler == "asha") sweep.scheduler.params["mode"] = std::string("promote");
        const auto ranked = ended(sweep);
        QCOMPARE(ranked.size(), std::size_t{4});
        QVERIFY2(ranked[0].row.status == wire::RunStatus::Finished, ranked[0].row.error.text().c_str()); // the best
        const auto begun = beginnings(ranked[0].row);
        QVERIFY2(begun.size() > 1, "it has paused");
        for (std::size_t i = 1; i < begun.size(); ++i) {
            QVERIFY2(begun[i]["step"].get<std::int64_t>() > begun[i - 1]["step"].get<std::int64_t>(),
                     "it went on from where it was");
        }
        for (const auto& trial : ranked) QCOMPARE(gap(trial.row).c_str(), "");
        QVERIFY(ranked[1].row.step < 24); // that one has learned too little to go on
        QCOMPARE(m_lab->points(ranked[0].row.id).size(), std::size_t{24});
        // Its checkpoints are compared as the trials are.
        const auto saved = *m_lab->query().checkpoints(ranked[0].row.id);
        QCOMPARE(std::ranges::count(saved, true, &store::CheckpointRow::best), std::ptrdiff_t{1});
        QCOMPARE(run::scoreOf(ranked[0].row).series, std::string("train/loss"));
    }

    // Feature: population based training of a script: a trial goes on from a copy of another one's checkpoint.
    void trialsTakeOverTheStateOfOthers() {
        auto sweep = learning({0.2, 0.0001, 0.15, 0.1});
        sweep.scheduler = {"pbt",
                           {{"interval", 8.0}, {"mutate", std::string("program.arguments.lr")}, {"synchronous", true}}};
        const auto ranked = ended(sweep);
        QCOMPARE(ranked.size(), std::size_t{4});
        const auto& taker = ranked[1];
        QCOMPARE(taker.row.status, wire::RunStatus::Finished);
        QVERIFY(!taker.adoptions.empty());
        const auto begun = beginnings(taker.row);
        const auto& adopted = begun.back();
        QVERIFY2(adopted["weight"].get<double>() > 0.5, adopted.dump().c_str()); // its own was hardly above 0
        QVERIFY2(adopted["resume"].get<std::string>().starts_with(taker.row.folder), adopted.dump().c_str());
        QVERIFY(adopted["lr"].get<double>() > 0.01);
        QCOMPARE(gap(taker.row).c_str(), "");
        for (const auto& trial : ranked) QCOMPARE(trial.row.error.message, std::string());
    }

    // Bad inputs: schedulers that pause trials of a program of which nothing says how it goes on.
    void whatCannotPauseIsRefused_data() {
        QTest::addColumn<QString>("scheduler");
        QTest::addColumn<QString>("says");
        QTest::newRow("halving") << "halving"
                                 << "scheduler.name: needs trials that pause and go on from their checkpoints";
        QTest::newRow("pbt") << "pbt" << "give it run.program.resume, such as [\"--resume\", \"{checkpoint}\"]";
        QTest::newRow("hyperband") << "hyperband" << "how long a program's runs are is not known";
    }
    void whatCannotPauseIsRefused() {
        QFETCH(QString, scheduler);
        QFETCH(QString, says);
        auto sweep = learning({0.1, 0.2});
        auto run = *spec::parseRunSpec(sweep.runJson, {});
        run.program->resume.clear();
        sweep.runJson = spec::toJson(run);
        sweep.scheduler = {scheduler.toStdString(), {}};
        const auto checked = sweep::checkedSweep(sweep);
        QVERIFY(!checked.ok());
        const auto text = QString::fromStdString(checked.error().text());
        QVERIFY2(text.contains(says), qPrintable(text));
    }

private:
    static spec::SweepSpec learning(const std::vector<double>& rates) {
        spec::Program program;
        program.script = TRAINYARD_SOURCE_DIR "/tests/programs/runs/learns.py";
        program.interpreter = "/usr/bin/python3";
        program.arguments = {{"output-dir", std::string("{output}")}};
        program.resume = {"--resume", "{checkpoint}"};
        spec::SweepSpec sweep;
        sweep.name = "learning";
        sweep.runJson = spec::toJson(spec::programRun(program));
        spec::Axis axis{.path = "program.arguments.lr"};
        for (const double rate : rates) axis.values.emplace_back(rate);
        sweep.space = {axis};
        sweep.scoreBy = "train/loss";
        sweep.mode = "min";
        sweep.parallel = 2;
        return sweep;
    }
    // Its trials, by number, once it is over.
    std::vector<sweep::TrialResult> ended(const spec::SweepSpec& sweep) {
        const auto id = sweep::startSweep(m_lab->workspace(), sweep);
        if (!id) qFatal("%s", id.error().text().c_str());
        const auto isOver = [&] { return !wire::isActive((*m_lab->query().sweep(*id)).status); };
        if (!m_lab->waitUntil(isOver, 60)) return {};
        return sweep::rankTrials(m_lab->query(), *m_lab->query().sweep(*id))->trials;
    }
    static std::vector<nlohmann::json> beginnings(const store::RunRow& run) {
        std::vector<nlohmann::json> begun;
        std::istringstream lines(readFile(std::filesystem::path(run.folder) / "output" / "begun.jsonl").valueOr(""));
        for (std::string line; std::getline(lines, line);) begun.push_back(nlohmann::json::parse(line));
        return begun;
    }
    std::string gap(const store::RunRow& run) { return m_lab->contiguity(run.id, run.step); }
    std::unique_ptr<RunLab> m_lab;
};

QTEST_GUILESS_MAIN(ProgramSweepTest)
#include "program_sweep_test.moc"
