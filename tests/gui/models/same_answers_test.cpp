// SPDX-License-Identifier: GPL-3.0-or-later
// The window and the terminal program are asked the same of one workspace, and give the same answer.
#include "engine/base/clock.h"
#include "engine/run/launch/programs.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/files/safetensors.h"
#include "engine/store/store.h"
#include "engine/store/trial_log.h"
#include "ui/models/actions/run_actions.h"
#include "ui/models/feed/workspace_feed.h"
#include "ui/models/runs/compare_table.h"
#include "ui/models/runs/run_filter.h"
#include "ui/models/runs/run_item.h"
#include "ui/models/sweeps/trials_model.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::ui;
using wire::RunStatus;

namespace {

struct Place {
    QTemporaryDir folder;
    store::Workspace workspace{folder.path().toStdString()};
    std::unique_ptr<store::Store> store = *store::Store::open(workspace);

    QString file(const QString& name) const { return folder.filePath(name); }
    QByteArray contentOf(const QString& name) const {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void add(store::RunRow row, const std::map<std::string, std::vector<double>>& series) const {
        if (row.specJson.empty()) row.specJson = spec::toJson(spec::RunSpec{});
        row.createdMs = 1'795'171'512'000;
        row.folder = workspace.runFolder(row.id).string();
        if (!store->createRun(row).ok()) qFatal("no run");
        std::vector<wire::SeriesPoints> deltas;
        for (const auto& [name, values] : series) {
            wire::SeriesPoints delta;
            delta.series = name;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const auto at = static_cast<double>(i + 1);
                delta.points.push_back({static_cast<std::int64_t>(i + 1) * 10, at / 3, at * 0.7, values[i]});
            }
            deltas.push_back(std::move(delta));
        }
        if (!store->appendPoints(row.id, deltas).ok()) qFatal("no points");
    }

    // What trainyardctl prints; empty when it fails.
    QByteArray ctl(QStringList words) const {
        const QString program = QString::fromStdString((run::programFolder() / "trainyardctl").string());
        QProcess process;
        process.start(program, words << QStringLiteral("--workspace") << folder.path());
        if (!process.waitForFinished(30000) || process.exitCode() != 0) {
            qWarning().noquote() << words << process.readAllStandardError();
            return {};
        }
        return process.readAllStandardOutput();
    }
    bool exported(const QString& run, const QString& format, const QString& out) const {
        return !ctl({"export", run, "--format", format, "--out", file(out)}).isEmpty();
    }
    QJsonObject json(const QStringList& words) const {
        return QJsonDocument::fromJson(ctl(words + QStringList{QStringLiteral("--json")})).object();
    }
};

// The names of the runs that `trainyardctl runs` lists, in the order of the alphabet.
QStringList listedIn(const Place& place) {
    QStringList names;
    const auto list = QJsonDocument::fromJson(place.ctl({"runs", "--json"})).array();
    for (const auto& run : list) names << run.toObject()["name"].toString();
    names.sort();
    return names;
}

store::RunRow rowOf(const std::string& id, RunStatus status = RunStatus::Finished) {
    store::RunRow row;
    row.id = id;
    row.name = "run-" + id;
    row.status = status;
    return row;
}

} // namespace

class SameAnswersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(run::programFolder() / "trainyardctl")) QSKIP("there is no trainyardctl");
    }

    // Feature: window and terminal give the same answers: the best value of a series, the best trial of a sweep and why
    // another was stopped, the bytes of an export; what forks are. Also in run_export_test, run_form_test,
    // spec_rules_test, spec_sections_test, sweep_result_test, window_test.
    void whatTheBestValueOfASeriesIs_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<double>("best");
        const auto row = [](const char* name, const char* series, double best, const char* policy = "") {
            QTest::newRow(name) << series << policy << best;
        };
        row("a loss", "val/loss", 0.25);
        row("an absolute error", "val/mae", 0.25);
        row("a perplexity", "val/perplexity", 0.25);
        row("a time", "time/step", 0.25);
        row("an accuracy", "val/accuracy", 0.75);
        row("a series of a program", "val/bleu", 0.75);
        row("as the run file says", "val/bleu", 0.25, R"("scoreBy":"val/bleu","mode":"min")");
        row("as the series' name says", "val/mae", 0.25, R"("scoreBy":"val/mae")");
    }
    void whatTheBestValueOfASeriesIs() {
        QFETCH(QString, series);
        QFETCH(QString, policy);
        QFETCH(double, best);
        const Place place;
        auto row = rowOf("20260101-000000-000001");
        const auto spec = spec::parseRunSpec("{\"version\":1,\"checkpoint\":{" + policy.toStdString() + "}}");
        QVERIFY(spec.ok());
        row.specJson = spec::toJson(*spec);
        place.add(row, {{series.toStdString(), {0.5, 0.25, std::nan(""), 0.75, 0.5}}});
        const auto shown = place.json({QStringLiteral("show"), QString::fromStdString(row.id)});
        QCOMPARE(shown["best"][series]["value"].toDouble(-1), best);
        const auto query = *store::RunQuery::open(place.workspace);
        const auto item = makeRunItem(*query->run(row.id));
        item->series = *query->summaries(row.id);
        QCOMPARE(item->bestOf(series.toStdString()), best);
    }

    void whichRunsAFilterFinds_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("a setting") << "lr<0.2" << QStringList{"run-a"};
        QTest::newRow("a series") << "val/accuracy>0.7 and not name=run-a" << QStringList{"run-b"};
        QTest::newRow("its last value") << "val/accuracy.last>0.4" << QStringList{"run-a"};
        QTest::newRow("a word, or a status") << "run-a or status:failed" << (QStringList{"run-b", "run-a"});
        QTest::newRow("a list") << "hidden=\"[512, 256]\"" << QStringList{"run-b"};
        QTest::newRow("nothing") << "epochs>100" << QStringList{};
    }
    void whichRunsAFilterFinds() {
        QFETCH(QString, filter);
        QFETCH(QStringList, names);
        const Place place;
        for (const char* id : {"a", "b"}) {
            auto row = rowOf(id, *id == 'a' ? RunStatus::Finished : RunStatus::Failed);
            auto spec = spec::RunSpec{};
            spec.optimizer = {"sgd", {{"lr", *id == 'a' ? 0.1 : 0.3}}};
            if (*id == 'b') spec.model = {"mlp", {{"hidden", std::vector<double>{512, 256}}}};
            row.specJson = spec::toJson(spec);
            place.add(row, {{"val/accuracy", {0.25, 0.75, *id == 'a' ? 0.5 : 0.3}}});
        }
        const auto query = *store::RunQuery::open(place.workspace);
        QStringList shown, told;
        const auto rows = *query->runs();
        for (const auto& row : rows) {
            const auto item = makeRunItem(row);
            item->series = *query->summaries(row.id);
            if (RunFilter(filter).matches(*item)) shown << item->name;
        }
        const auto list = QJsonDocument::fromJson(place.ctl({"runs", "--filter", filter, "--json"})).array();
        for (const auto& run : list) told << run.toObject()["name"].toString();
        QCOMPARE(shown, told);
        QCOMPARE(QSet<QString>(shown.begin(), shown.end()), QSet<QString>(names.begin(), names.end()));
    }

    void howRunsDiffer() {
        const Place place;
        for (const char* id : {"a", "b"}) {
            auto row = rowOf(id);
            spec::RunSpec spec;
            spec.optimizer = {"sgd", {{"lr", *id == 'a' ? 0.1 : 0.3}}};
            row.specJson = spec::toJson(spec);
            place.add(row, {{"val/loss", {0.5, *id == 'a' ? 0.25 : 0.125}}});
        }
        const auto told = place.json({"compare", "a", "b"});
        QCOMPARE(told["settings"]["optimizer.lr"].toArray(), (QJsonArray{"0.1", "0.3"}));
        const auto query = *store::RunQuery::open(place.workspace);
        std::vector<RunItemPtr> runs;
        for (const char* id : {"a", "b"}) {
            auto item = makeRunItem(*query->run(id));
            item->series = *query->summaries(id);
            runs.push_back(item);
        }
        CompareTable table;
        table.setColumns(columnsOf(runs));
        table.setFolded({});
        QHash<QString, int> rowOfName;
        for (int row = 0; row < table.rowCount(); ++row)
            rowOfName.insert(table.headerData(row, Qt::Vertical, Qt::ToolTipRole).toString(), row);
        int rows = 0;
        for (const char* part : {"results", "settings", "timings", "environment"}) {
            const auto values = told[part].toObject();
            for (const QString& name : values.keys()) {
                QVERIFY2(rowOfName.contains(name), qPrintable(name));
                QCOMPARE(table.index(rowOfName[name], 1).data(Qt::ToolTipRole).toString(), values[name][1].toString());
                ++rows;
            }
        }
        QCOMPARE(rows, table.differences());
    }

    void archivedRunsLeaveTheList() {
        const Place place;
        for (const char* id : {"a", "b"}) place.add(rowOf(id), {});
        QVERIFY(!place.ctl({"archive", "a"}).isEmpty());
        QCOMPARE(listedIn(place), QStringList{"run-b"});
        QVERIFY(!place.ctl({"restore", "a"}).isEmpty());
        QCOMPARE(listedIn(place), (QStringList{"run-a", "run-b"}));
        QVERIFY(place.ctl({"delete", "a"}).isEmpty()); // it is not archived
        QVERIFY(!place.ctl({"tag", "b", "good"}).isEmpty() && !place.ctl({"notes", "b", "wide layers"}).isEmpty());
        const auto row = *(*store::RunQuery::open(place.workspace))->run("b");
        QCOMPARE(row.tags, std::string("good"));
        QCOMPARE(row.notes, std::string("wide layers"));
        QVERIFY(!place.ctl({"archive", "a"}).isEmpty() && !place.ctl({"delete", "a"}).isEmpty());
        QVERIFY(!(*store::RunQuery::open(place.workspace))->run("a").ok());
    }

    void whichTrialIsBest_data() {
        QTest::addColumn<QString>("sweep");
        QTest::addColumn<QStringList>("trials"); // status of each, and its values of val/mae
        QTest::addColumn<QList<int>>("order");
        QTest::addColumn<int>("best");
        const QString mae = R"("scoreBy":"val/mae","mode":"min")";
        QTest::newRow("the least error") << mae << QStringList{"finished 0.4", "finished 0.2", "finished 0.3"}
                                         << QList<int>{1, 2, 0} << 1;
        QTest::newRow("a mode that follows from the series")
            << R"("scoreBy":"val/mae")" << QStringList{"finished 0.4", "finished 0.2", "finished 0.3"}
            << QList<int>{1, 2, 0} << 1;
        QTest::newRow("failed ones and NaN are not the best")
            << mae << QStringList{"failed 0.1", "finished nan", "finished 0.4", "stopped 0.3"} << QList<int>{3, 2, 0, 1}
            << 3;
        QTest::newRow("none has a score") << mae << QStringList{"failed 0.1", "finished nan"} << QList<int>{0, 1} << -1;
        QTest::newRow("the last value") << mae + QStringLiteral(R"(,"score":"last")")
                                        << QStringList{"finished 0.1 0.4", "finished 0.3 0.2"} << QList<int>{1, 0} << 1;
        QTest::newRow("the runs' own score") << R"("seed":1)" << QStringList{"finished 0.4", "finished 0.2"}
                                             << QList<int>{0, 1} << 0; // val/accuracy equals val/mae here
    }
    void whichTrialIsBest() {
        QFETCH(QString, sweep);
        QFETCH(QStringList, trials);
        QFETCH(QList<int>, order);
        QFETCH(int, best);
        const Place place;
        store::SweepRow row;
        row.id = "20260101-000000-00000a";
        row.name = "by-error";
        row.status = RunStatus::Finished;
        row.specJson = "{\"version\":1,\"run\":{},\"space\":{\"optimizer.lr\":[0.1]}," + sweep.toStdString() + "}";
        row.trials = static_cast<int>(trials.size());
        QVERIFY(place.store->createSweep(row).ok());
        QStringList ids;
        for (int number = 0; number < trials.size(); ++number) {
            const QStringList words = trials[number].split(' ');
            auto trial = rowOf("20260101-000000-00001" + std::to_string(number),
                               *wire::runStatusFromString(words[0].toStdString()));
            trial.sweep = row.id;
            trial.trial = number;
            trial.paramsJson = "{\"optimizer.lr\": " + std::to_string(0.1 * (number + 1)) + "}";
            std::vector<double> mae;
            for (const QString& word : words.mid(1)) mae.push_back(word.toDouble()); // which reads nan as well
            place.add(trial, {{"val/mae", mae}, {"val/accuracy", mae}});
            ids << QString::fromStdString(trial.id);
        }
        const auto shown = place.json({QStringLiteral("show"), QString::fromStdString(row.id)});
        QCOMPARE(shown["best_trial"].toString(), best < 0 ? QString() : ids[best]);

        WorkspaceFeed feed(place.workspace);
        feed.start();
        TrialList model(feed);
        model.setSweep(QString::fromStdString(row.id));
        const auto listed = [&] {
            QStringList found;
            for (const auto& trial : model.trials())
                if (trial.run->detailed) found << trial.run->id;
            return found;
        };
        QStringList wanted;
        for (const int number : order) wanted << ids[number];
        QTRY_COMPARE_WITH_TIMEOUT(listed(), wanted, 20000);
        QCOMPARE(model.best() ? model.best()->run->id : QString(), shown["best_trial"].toString());
        QCOMPARE(model.scoreSeries(), QString(sweep.contains("val/mae") ? "val/mae" : "val/accuracy"));
        QCOMPARE(model.trials().front().run->scoreSeries, model.scoreSeries()); // also outside the sweep's page
    }

    void whyATrialWasStoppedEarly() {
        const Place place;
        store::SweepRow row;
        row.id = "20260101-000000-00000b";
        row.name = "early";
        row.status = RunStatus::Finished;
        row.specJson = R"({"version":1,"run":{"epochs":9},"space":{"optimizer.lr":[0.1]},"scheduler":"asha"})";
        row.trials = 1;
        QVERIFY(place.store->createSweep(row).ok());
        auto trial = rowOf("20260101-000000-00001b", RunStatus::Stopped);
        trial.sweep = row.id;
        trial.trial = 0;
        place.add(trial, {{"val/accuracy", {0.25}}});
        const QString reason = "stopped early by asha at epoch 1: val/accuracy 0.25 came 3rd of 3, and 0.5 was needed";
        QVERIFY(store::appendTrialRecord(place.workspace, row.id,
                                         {{},
                                          {{0, store::TrialDecision::Stopped, "asha", 1, -0.25, -0.5, 3, 3}},
                                          {{trial.id, reason.toStdString()}}})
                    .ok());
        const auto shown = place.json({QStringLiteral("show"), QString::fromStdString(row.id)});
        QCOMPARE(shown["trials"][0]["reason"].toString(), reason);

        WorkspaceFeed feed(place.workspace);
        feed.start(); // no view follows the trial
        TrialList trials(feed);
        const TrialFilter filter(trials);
        const TrialsModel model(feed, trials, filter);
        trials.setSweep(QString::fromStdString(row.id));
        const auto told = [&](int role) {
            return model.rowCount() == 0 ? QString() : model.index(0, model.statusColumn()).data(role).toString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(told(Qt::ToolTipRole), reason, 20000);
        QCOMPARE(told(Qt::DisplayRole), QString("stopped at epoch 1: 0.25, worse than the cut 0.5"));
    }

    void whatAnExportOfThePointsHolds() {
        const Place place;
        const auto row = rowOf("20260101-000000-000001");
        place.add(row, {{"train/loss", {1.0 / 3, 1e-30, std::nan("")}}, {"val/accuracy", {0.1}}});
        const QString run = QString::fromStdString(row.id);
        RunActions actions(place.workspace);
        QSignalSpy done(&actions, &RunActions::done);
        actions.exportCsv(run, place.file("window.csv"));
        actions.exportTensorBoard(run, place.file("window"));
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 2, 20000);
        QVERIFY(place.exported(run, "csv", "terminal.csv") && place.exported(run, "tensorboard", "terminal"));
        const QByteArray csv = place.contentOf("window.csv");
        QVERIFY2(csv.startsWith("series,step,epoch,time_s,value\ntrain/loss,10,0.3333333333333333,0.7,"), csv);
        QCOMPARE(place.contentOf("terminal.csv"), csv);
        QCOMPARE(place.ctl({"metrics", run, "--csv"}), csv);
        const auto events = QDir(place.file("window")).entryList(QDir::Files);
        QCOMPARE(events.size(), 1);
        const QByteArray bytes = place.contentOf("window/" + events[0]);
        QVERIFY(!bytes.isEmpty());
        QCOMPARE(place.contentOf("terminal/" + events[0]), bytes);
    }

    void whatAnExportOfTheModelHolds() {
        const Place place;
        auto row = rowOf("20260101-000000-000001");
        place.add(row, {{"val/accuracy", {0.5}}});
        const std::vector<float> trained{1, 2}, average{3, 4};
        const auto bytes = [](const std::vector<float>& values) { return std::as_bytes(std::span(values)); };
        const auto checkpoint = place.file("checkpoint.safetensors").toStdString();
        QVERIFY(store::writeSafetensors(checkpoint,
                                        {{"ema.w", "F32", {2}, bytes(average)},
                                         {"model.b", "F32", {2}, bytes(trained)},
                                         {"model.w", "F32", {2}, bytes(trained)}},
                                        {{"format", "trainyard-checkpoint"}, {"step", "40"}, {"modelInfo", "{}"}})
                    .ok());
        store::CheckpointRow saved;
        saved.path = checkpoint;
        saved.step = 40;
        saved.last = true;
        QVERIFY(place.store->setCheckpoints(row.id, {saved}).ok());
        RunActions actions(place.workspace);
        QSignalSpy done(&actions, &RunActions::done);
        actions.exportCheckpoint(QString::fromStdString(checkpoint), "safetensors", place.file("window.safetensors"));
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 20000);
        const QByteArray written = place.contentOf("window.safetensors");
        QVERIFY(written.contains("\"producer\""));
        QVERIFY(!place
                     .ctl({"export", QString::fromStdString(row.id), "--format", "safetensors", "--out",
                           place.file("terminal.safetensors")})
                     .isEmpty());
        QCOMPARE(place.contentOf("terminal.safetensors"), written);
        if (!std::filesystem::exists(run::workerProgram())) QSKIP("there is no trainyard-worker");
        QProcess worker;
        worker.start(QString::fromStdString(run::workerProgram().string()),
                     {"export", QString::fromStdString(checkpoint), "--format", "safetensors", "--out",
                      place.file("worker.safetensors")});
        QVERIFY2(worker.waitForFinished(30000) && worker.exitCode() == 0, worker.readAllStandardError());
        QCOMPARE(place.contentOf("worker.safetensors"), written);
    }
};

QTEST_MAIN(SameAnswersTest)
#include "same_answers_test.moc"
