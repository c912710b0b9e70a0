// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of runs that a store holds: what they say, that they are safe to open, and what is refused.
#include "engine/base/files/atomic_file.h"
#include "engine/chart/drawing.h"
#include "engine/report/report_html.h"
#include "engine/report/run_report.h"
#include "engine/report/write_report.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace trainyard;

namespace {

constexpr const char* kEvaluation =
    R"({"version": 2, "task": "classification", "step": 40, "epoch": 2, "accuracy": 0.75,
    "classes": [{"name": "cat", "precision": 1, "recall": 0.5, "f1": 0.6, "samples": 2},
                {"name": "<dog>", "precision": 0.6, "recall": 1, "f1": 0.8, "samples": 2}],
    "confusion": [[1, 1], [0, 2]]})";

// A value that has to be there.
template <class T>
T need(Result<T> result) {
    if (!result) qFatal("%s", result.error().text().c_str());
    return std::move(result).value();
}
void need(const Result<void>& result) {
    if (!result) qFatal("%s", result.error().text().c_str());
}

const report::Section* sectionOf(const report::Report& report, const std::string& title) {
    for (const auto& each : report.sections)
        if (each.title == title) return &each;
    return nullptr;
}

template <class Block>
std::vector<Block> blocksOf(const report::Report& report, const std::string& title) {
    std::vector<Block> blocks;
    if (const auto* section = sectionOf(report, title))
        for (const auto& each : section->blocks)
            if (const auto* block = std::get_if<Block>(&each)) blocks.push_back(*block);
    return blocks;
}

// The texts of a row that begins so; empty when there is none.
QStringList rowOf(const report::Table& table, const QString& first) {
    for (const auto& row : table.rows) {
        QStringList texts;
        for (const auto& cell : row) texts << QString::fromStdString(cell.text);
        if (texts.value(0) == first) return texts;
    }
    return {};
}

} // namespace

class ReportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = m_folder->path().toStdString();
        m_store = need(store::Store::open(m_workspace));
        m_query = need(store::RunQuery::open(m_workspace));
    }
    void cleanup() {
        m_query.reset();
        m_store.reset();
        m_folder.reset();
    }

    // Feature: reports of a run, or of several side by side, as one HTML file: curves, evaluation, settings, events,
    // digests; mean ± std over seeds; hostile names stay text, nothing is loaded, the same run gives the same bytes.
    void aRunIsReported() {
        const auto run = addRun("a", "first", 1, 0.125, 0);
        const auto report = need(report::reportOf(*m_query, run));
        QCOMPARE(report.title, std::string("first"));
        QCOMPARE(report.tone, report::Tone::Good);
        QCOMPARE(report.tiles.front().value, std::string("0.75"));
        QCOMPARE(report.tiles.front().name, std::string("best val/accuracy"));
        const auto charts = blocksOf<report::Charts>(report, "Curves").front().charts;
        QCOMPARE(charts.size(), std::size_t{2});
        QCOMPARE(charts[0].title, std::string("loss")); // comes first
        QCOMPARE(charts[1].lines[0].points.size(), std::size_t{4});
        QCOMPARE(charts[1].x.title, std::string("epoch"));
        const auto results = blocksOf<report::Table>(report, "Results").front();
        QCOMPARE(rowOf(results, "val/accuracy"),
                 (QStringList{"val/accuracy", "0.75 at step 40", "0.75", "0.3", "0.75", "4"}));
        const auto settings = blocksOf<report::Table>(report, "Configuration").front();
        QCOMPARE(rowOf(settings, "optimizer.lr").value(1), QString("0.125"));
        const auto files = blocksOf<report::Table>(report, "Files").front();
        QCOMPARE(rowOf(files, "best and last checkpoint").value(3),
                 QString("3608bca1e44ea6c4d268eb6db02260269892c0b42b86bbf1e77a6fa16c3c9282")); // of "xyz"
        const auto code = blocksOf<report::Code>(report, "Repeat it");
        QCOMPARE(code.back().text, run.specJson);
    }

    // Feature: report of a sweep; reports as PDF with curves as vectors, names and numbers whole, no row alone on a
    // page, also without a display. Also in pdf_report_test.
    void aSweepIsReported() {
        spec::SweepSpec spec;
        spec.name = "search";
        spec.runJson = "{}";
        spec.space = {{.path = "optimizer.lr", .from = 0.001, .to = 1, .logScale = true},
                      {.path = "model.params.activation", .values = {std::string("relu"), std::string("gelu")}}};
        spec.searcher = {"random", {}};
        spec.trials = 12;
        store::SweepRow sweep;
        sweep.id = "s";
        sweep.name = "search";
        sweep.status = wire::RunStatus::Finished;
        sweep.specJson = spec::toJson(spec);
        need(m_store->createSweep(sweep));
        for (int trial = 0; trial < 12; ++trial) {
            const bool fails = trial == 11;
            const std::string activation = trial % 2 == 0 ? "\"relu\"" : "\"gelu\"";
            addTrial(trial,
                     "{\"optimizer.lr\": " + std::to_string(0.01 * (trial + 1) + 0.000123) +
                         ", \"model.params.activation\": " + activation + "}",
                     fails        ? std::nan("")
                     : trial == 7 ? 0.9
                                  : 0.5 + 0.01 * trial);
        }
        const auto report = need(report::findReport(*m_query, {"search"}));
        QCOMPARE(report.kind, std::string("Sweep report"));
        QCOMPARE(report.tiles.front().value, std::string("0.9"));
        const auto best = blocksOf<report::Table>(report, "Best trial").front();
        QCOMPARE(rowOf(best, "model.params.activation").value(1), QString("gelu"));
        QCOMPARE(rowOf(best, "optimizer.lr").value(1), QString("0.08012")); // not all digits of what was drawn
        const auto charts = blocksOf<report::Charts>(report, "Search").front().charts;
        QCOMPARE(charts.size(), std::size_t{3}); // over time, and a slice of each axis
        QCOMPARE(charts[0].lines[1].points.back().y, 0.9);
        QVERIFY(charts[1].x.log);
        QCOMPARE(charts[1].lines[0].points.size(), std::size_t{12});
        QCOMPARE(charts[2].x.title, std::string("0 relu, 1 gelu"));
        QCOMPARE(charts[2].lines[0].points[1].x, 1.0);
        const auto shares = blocksOf<report::Table>(report, "Importance").front();
        QCOMPARE(shares.rows.size(), std::size_t{2});
        const auto trials = blocksOf<report::Table>(report, "Trials").front();
        QCOMPARE(trials.rows.size(), std::size_t{12});
        QCOMPARE(rowOf(trials, "1").value(1), QString("7"));
        QCOMPARE(trials.rows.back()[1].text, std::string("11")); // without a score: last
        QCOMPARE(blocksOf<report::Code>(report, "Repeat it").back().text, sweep.specJson);
        QCOMPARE(report::toHtml(report), report::toHtml(need(report::findReport(*m_query, {"search"}))));
    }

    void whatHappenedIsListed() {
        const auto run = addRun("a", "first", 1, 0.1, 0);
        store::RunEventRow event;
        event.kind = store::RunEventKind::LearningRate;
        event.step = 20;
        event.before = 0.1;
        event.after = 0.05;
        need(m_store->appendEvents(run.id, {event}));
        need(m_store->appendLog(run.id, {{1, "warning", "is slow", 1000}, {-1, "info", "began", 1000}}));
        const auto tables = blocksOf<report::Table>(need(report::reportOf(*m_query, run)), "Events");
        QCOMPARE(tables.size(), std::size_t{2});
        QCOMPARE(rowOf(tables[0], "20").value(2), QString::fromStdString(store::describe(event).text()));
        QCOMPARE(tables[1].rows.size(), std::size_t{1});
        QCOMPARE(tables[1].rows[0][2].text, std::string("is slow"));
    }

    void theEvaluationIsShown() {
        const auto run = addRun("a", "first", 1, 0.1, 0);
        QVERIFY(!sectionOf(need(report::reportOf(*m_query, run)), "Evaluation"));
        need(writeFileAtomic(std::filesystem::path(run.folder) / "evaluation.json", kEvaluation));
        const auto tables = blocksOf<report::Table>(need(report::reportOf(*m_query, run)), "Evaluation");
        QCOMPARE(tables.size(), std::size_t{3});
        QCOMPARE(rowOf(tables[0], "accuracy").value(1), QString("0.75"));
        QCOMPARE(rowOf(tables[1], "cat"), (QStringList{"cat", "1", "0.5", "0.6", "2"}));
        QVERIFY(tables[2].matrix);
        QCOMPARE(rowOf(tables[2], "<dog>"), (QStringList{"<dog>", "·", "2"}));
        QCOMPARE(tables[2].rows[0][2].share, 0.5);
        QVERIFY(blocksOf<report::Charts>(need(report::reportOf(*m_query, run)), "Evaluation").empty());
    }

    // Feature: reliability and ROC curves in a report.
    void whatProbabilitiesAreWorthIsDrawn() {
        const auto run = addRun("a", "first", 1, 0.1, 0);
        need(writeFileAtomic(std::filesystem::path(run.folder) / "evaluation.json",
                             R"({"version": 2, "task": "classification", "auc": 0.9, "classes": [
                                 {"name": "cat", "samples": 2, "roc": [0.5, 0.75, 1]}, {"name": "dog", "samples": 0}],
                                 "reliability": [{"confidence": 0.6, "accuracy": 0.5, "samples": 4},
                                                 {"confidence": 0.9, "accuracy": 1, "samples": 2}]})"));
        const auto report = need(report::reportOf(*m_query, run));
        QCOMPARE(rowOf(blocksOf<report::Table>(report, "Evaluation")[0], "auc").value(1), QString("0.9"));
        const auto charts = blocksOf<report::Charts>(report, "Evaluation").at(0).charts;
        QCOMPARE(charts.size(), std::size_t{2});
        QCOMPARE(charts[0].lines[0].points, (std::vector<chart::XY>{{0.6, 0.5}, {0.9, 1}}));
        QCOMPARE(charts[1].lines.size(), std::size_t{1}); // nothing can be told of a class that does not occur
        QCOMPARE(charts[1].lines[0].points, (std::vector<chart::XY>{{0, 0.5}, {0.25, 0.75}, {1, 1}}));
    }

    // Bad inputs: a damaged evaluation in a report. The error takes its place.
    void aDamagedEvaluationIsNamedAndTheRestIsThere() {
        const auto run = addRun("a", "first", 1, 0.1, 0);
        need(writeFileAtomic(std::filesystem::path(run.folder) / "evaluation.json", "{"));
        const auto report = need(report::reportOf(*m_query, run));
        const auto texts = blocksOf<report::Text>(report, "Evaluation");
        QCOMPARE(texts.size(), std::size_t{1});
        QVERIFY(texts[0].text.find("evaluation.json") != std::string::npos);
        QVERIFY(texts[0].text.find("is not a JSON object") != std::string::npos);
        QVERIFY(sectionOf(report, "Repeat it"));
    }

    void runsThatDifferByTheirSeedAreOneLineWithABand() {
        const std::vector<store::RunRow> runs{addRun("a", "small", 1, 0.1, 0), addRun("b", "small", 2, 0.1, 0.2),
                                              addRun("c", "large", 1, 0.2, 0)};
        const auto report = need(report::reportOf(*m_query, runs));
        const auto curves = blocksOf<report::Charts>(report, "Curves").front();
        const auto& accuracy = curves.charts.front(); // the score comes first
        QCOMPARE(accuracy.title, std::string("val/accuracy"));
        QCOMPARE(accuracy.note, std::string("mean ± std"));
        QCOMPARE(accuracy.lines.size(), std::size_t{2});
        QCOMPARE(curves.legend[0].label, std::string("lr 0.1, 2 runs"));
        QCOMPARE(accuracy.lines[0].points.front().y, 0.4); // of 0.3 and 0.5
        QVERIFY(std::abs(accuracy.lines[0].band.front().low - (0.4 - 0.1 * std::sqrt(2.0))) < 1e-12);
        QCOMPARE(curves.legend[1].label, std::string("large"));
        QVERIFY(accuracy.lines[1].band.empty());
        const auto tables = blocksOf<report::Table>(report, "Differences");
        QCOMPARE(tables[0].columns.size(), std::size_t{3}); // a column each, with the mean
        QCOMPARE(tables[0].columns[1].title, std::string("lr 0.1, 2 runs"));
        QCOMPARE(tables[0].columns[2].title, std::string("large"));
        QVERIFY(rowOf(tables[0], "val/accuracy.best")[1].contains(" ± "));
        QCOMPARE(rowOf(tables[1], "optimizer.lr").mid(0, 2), (QStringList{"optimizer.lr", "0.1"}));
        QCOMPARE(rowOf(tables[1], "seed"), (QStringList{"seed", "1, 2", "1"}));
    }

    // However many charts there are, each run is named once above them.
    void allChartsHaveOneLegend() {
        const std::vector<store::RunRow> runs{addRun("a", "first", 1, 0.1, 0), addRun("b", "second", 1, 0.2, 0)};
        const auto report = need(report::reportOf(*m_query, runs));
        const auto curves = blocksOf<report::Charts>(report, "Curves").front();
        QVERIFY(curves.charts.size() > 1);
        QCOMPARE(curves.legend.size(), std::size_t{2});
        for (const auto& chart : curves.charts)
            for (std::size_t i = 0; i < 2; ++i) {
                QVERIFY(chart.lines[i].label.empty());
                QCOMPARE(chart.lines[i].color, curves.legend[i].color);
            }
        const auto html = QString::fromStdString(report::toHtml(report));
        QCOMPARE(html.count(QStringLiteral(">second</text>")), 1);
        const auto legend = chart::drawLegend(std::vector<chart::Line>(40, {.label = "a rather long name"}), 820);
        QVERIFY(legend.height > 100); // in rows
        for (const auto& words : legend.words) QVERIFY(words.at.x < 820 && words.at.y < legend.height);
    }

    void aReportCanBeStopped() {
        const std::vector<store::RunRow> runs{addRun("a", "first", 1, 0.1, 0), addRun("b", "second", 1, 0.2, 0)};
        std::vector<double> told;
        need(report::reportOf(*m_query, runs, [&](double share) {
            told.push_back(share);
            return true;
        }));
        QVERIFY(told.size() > 1 && told.back() < 1 && std::is_sorted(told.begin(), told.end()));
        const auto stopped = report::reportOf(*m_query, runs, [](double share) { return share < 0.5; });
        QVERIFY(!stopped && stopped.error().kind == ErrorKind::Stopped);
    }

    // Other programs log the whole number of the epoch with each point.
    void importedCurvesAreNoStaircases() {
        auto run = addRun("a", "first", 1, 0.1, 0);
        const auto titleOf = [&] {
            const auto report = need(report::reportOf(*m_query, run));
            return blocksOf<report::Charts>(report, "Curves").front().charts.front().x.title;
        };
        run.environmentJson = R"({"import": {"kind": "csv", "path": "/a.csv", "digest": ""}})";
        QCOMPARE(titleOf(), std::string("epoch")); // a point in each
        run.epoch = 1;                             // several
        QCOMPARE(titleOf(), std::string("step"));
        run.environmentJson = "{}";
        QCOMPARE(titleOf(), std::string("epoch")); // of ours they have fractions
    }

    void chosenColoursAreKept() {
        std::vector<store::RunRow> runs{addRun("a", "first", 1, 0.1, 0), addRun("b", "second", 1, 0.2, 0),
                                        addRun("c", "third", 1, 0.3, 0), addRun("d", "fourth", 1, 0.4, 0)};
        need(m_store->setColor(RunId("b"), "#8c05ff"));
        need(m_store->setColor(RunId("c"), "1"));
        for (auto& run : runs) run = need(m_query->run(run.id));
        const auto report = need(report::reportOf(*m_query, runs));
        const auto lines = blocksOf<report::Charts>(report, "Curves").front().charts.front().lines;
        QCOMPARE(lines[1].rgb, std::string("#8c05ff"));
        QCOMPARE(lines[2].color, 0);
        QCOMPARE(lines[0].color, 1); // the first of the palette that is left
        QCOMPARE(lines[3].color, 2);
        QVERIFY(QString::fromStdString(report::toHtml(report)).contains("stroke:#8c05ff"));
    }

    void theWholePaletteHasItsInks() {
        std::vector<store::RunRow> runs{addRun("a", "first", 1, 0.1, 0), addRun("b", "second", 1, 0.2, 0)};
        need(m_store->setColor(RunId("a"), "11"));
        need(m_store->setColor(RunId("b"), "40"));
        for (auto& run : runs) run = need(m_query->run(run.id));
        const auto report = need(report::reportOf(*m_query, runs));
        const auto lines = blocksOf<report::Charts>(report, "Curves").front().charts.front().lines;
        QCOMPARE(lines[0].color, 10);
        QCOMPARE(lines[1].color, 39);
        QVERIFY(!lines[0].dashed && !lines[1].dashed);
        const QString html = QString::fromStdString(report::toHtml(report));
        QVERIFY(html.contains("class='s39'") && html.contains("path.s39{stroke:var(--s39)}"));
    }

    void hostileNamesAreText() {
        const std::string bad = "</title><script src=x>\"'\x1b[2J\xe2\x80\xae\xff";
        auto run = addRun("a", bad, 1, 0.1, 0);
        need(m_store->setNotes(RunId("a"), "one <img src=x onerror=y>\ntwo"));
        need(m_store->appendLog("a", {{0, "error", bad, 1000}}));
        need(m_store->appendPoints("a", {{bad, 0, {{1, 1, 1, 0.5}}}}));
        for (const std::string& html : {htmlOf({"a"}), htmlOf({"a", addRun("b", bad, 1, 0.2, 0).id})}) {
            const QString text = QString::fromStdString(html);
            QVERIFY(text.contains("&lt;/title&gt;&lt;script src=x&gt;&quot;&#39;\\x1b[2J\\u202e"));
            QVERIFY(!text.contains("<script") && !text.contains("<img") && !text.contains(QChar(0x202e)));
            QCOMPARE(text.count("<title>"), 1);
        }
        QVERIFY(QString::fromStdString(htmlOf({"a"})).contains("one &lt;img src=x onerror=y&gt;\ntwo"));
    }

    void aReportAsksForNothing() {
        addRun("a", "first", 1, 0.1, 0);
        QString html = QString::fromStdString(htmlOf({"a"}));
        QVERIFY(html.startsWith("<!DOCTYPE html>") && html.endsWith("</html>\n"));
        html.remove("xmlns='http://www.w3.org/2000/svg'"); // a name, not an address
        for (const char* word : {"http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"})
            QVERIFY2(!html.contains(word), word);
        QVERIFY(html.contains("default-src 'none'"));
        QVERIFY(html.contains("prefers-color-scheme:dark") && html.contains("--s9:#"));
        QVERIFY(!html.contains(QRegularExpression("@[a-z_]+@"))); // the style sheet is filled in
    }

    void equalRunsGiveEqualBytes() {
        addRun("a", "first", 1, 0.1, 0);
        addRun("b", "first", 2, 0.1, 0.2);
        QCOMPARE(htmlOf({"a"}), htmlOf({"a"}));
        QCOMPARE(htmlOf({"a", "b"}), htmlOf({"a", "b"}));
    }

    void aRunWithoutAnythingIsReported() {
        store::RunRow row;
        row.id = "empty";
        row.name = "empty";
        row.specJson = "not JSON";
        need(m_store->createRun(row));
        const QString html = QString::fromStdString(htmlOf({"empty"}));
        QVERIFY(!html.contains("Curves") && html.contains("trainyardctl run run.json"));
    }

    // Bad inputs: reports. Nothing is written.
    void refusesToWrite_data() {
        QTest::addColumn<QStringList>("runs");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("message");
        QTest::newRow("a file that exists") << QStringList{"a"} << "there.html" << "exists already";
        QTest::newRow("a folder") << QStringList{"a"} << "." << "is a folder";
        QTest::newRow("a folder that does not exist") << QStringList{"a"} << "no/r.html" << "does not exist";
        QTest::newRow("no file name") << QStringList{"a"} << "" << "has no name";
        QTest::newRow("a PDF") << QStringList{"a"} << "r.pdf" << "trainyard --report RUN --pdf FILE";
        QTest::newRow("an unknown run") << QStringList{"a", "frist"} << "r.html" << "frist";
        QTest::newRow("a run twice") << QStringList{"a", "first"} << "r.html" << "is named twice";
        QTest::newRow("no run") << QStringList{} << "r.html" << "is of no run";
    }
    void refusesToWrite() {
        QFETCH(QStringList, runs);
        QFETCH(QString, file);
        QFETCH(QString, message);
        addRun("a", "first", 1, 0.1, 0);
        const std::filesystem::path folder = m_workspace.root;
        need(writeFileAtomic(folder / "there.html", "kept"));
        std::vector<std::string> names;
        for (const QString& run : runs) names.push_back(run.toStdString());
        const auto written = report::writeReport(
            *m_query, names, file.isEmpty() ? std::filesystem::path() : folder / file.toStdString(), false);
        QVERIFY(!written.ok());
        QCOMPARE(written.error().kind, ErrorKind::Input);
        QVERIFY2(written.error().text().find(message.toStdString()) != std::string::npos,
                 written.error().text().c_str());
        QCOMPARE(need(readFile(folder / "there.html")), std::string("kept"));
        QVERIFY(!std::filesystem::exists(folder / "r.html"));
    }

    void aFileIsReplacedWhenThatIsAsked() {
        addRun("a", "first", 1, 0.1, 0);
        const std::filesystem::path file = m_workspace.root / "there.html";
        need(writeFileAtomic(file, "old"));
        const auto bytes = need(report::writeReport(*m_query, {"first"}, file, true));
        QCOMPARE(need(readFile(file)), htmlOf({"a"}));
        QCOMPARE(static_cast<std::int64_t>(std::filesystem::file_size(file)), bytes);
    }

private:
    // A run with four points, and a checkpoint that is its best and last.
    store::RunRow addRun(const std::string& id, const std::string& name, int seed, double lr, double more) {
        spec::RunSpec spec;
        spec.name = "run";
        spec.model = {"mlp", {}};
        spec.optimizer = {"sgd", {{"lr", lr}}};
        spec.seed = seed;
        store::RunRow row;
        row.id = id;
        row.name = name;
        row.status = wire::RunStatus::Finished;
        row.specJson = spec::toJson(spec);
        row.environmentJson = R"({"torch": "1.13"})";
        row.startedMs = 1'763'635'512'000;
        row.step = 40;
        row.epoch = 4;
        row.trainSeconds = 12;
        row.worldSize = 2;
        row.folder = m_workspace.runFolder(id).string();
        std::filesystem::create_directories(row.folder);
        need(m_store->createRun(row));
        std::vector<wire::SeriesPoints> series{{"val/accuracy", 0, {}}, {"train/loss", 0, {}}};
        for (int i = 1; i <= 4; ++i) {
            series[0].points.push_back({i * 10, double(i), double(i), 0.15 * (i + 1) + more});
            series[1].points.push_back({i * 10, double(i), double(i), 1.0 / i});
        }
        need(m_store->appendPoints(id, series));
        store::CheckpointRow checkpoint;
        checkpoint.path = row.folder + "/best.safetensors";
        need(writeFileAtomic(checkpoint.path, "xyz"));
        checkpoint.step = 40;
        checkpoint.bytes = 3;
        checkpoint.best = checkpoint.last = true;
        need(m_store->setCheckpoints(id, {checkpoint}));
        return need(m_query->run(id));
    }

    void addTrial(int trial, const std::string& params, double score) {
        store::RunRow row;
        row.id = "t" + std::to_string(trial);
        row.name = "search-" + std::to_string(trial);
        row.status = wire::RunStatus::Finished;
        row.specJson = "{}";
        row.paramsJson = params;
        row.sweep = "s";
        row.trial = trial;
        need(m_store->createRun(row));
        need(m_store->appendPoints(row.id, {{"val/accuracy", 0, {{10, 1, 1, score - 0.1}, {20, 2, 2, score}}}}));
    }

    std::string htmlOf(const std::vector<std::string>& ids) {
        std::vector<store::RunRow> rows;
        for (const std::string& id : ids) rows.push_back(need(m_query->run(id)));
        return report::toHtml(rows.size() == 1 ? need(report::reportOf(*m_query, rows.front()))
                                               : need(report::reportOf(*m_query, rows)));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<store::RunQuery> m_query;
};

QTEST_GUILESS_MAIN(ReportTest)
#include "report_test.moc"
