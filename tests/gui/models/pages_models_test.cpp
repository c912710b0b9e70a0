// SPDX-License-Identifier: GPL-3.0-or-later
// The models behind the window: filter language, status groups, the feed on a real store.
#include "tests/gui/sample_workspace.h"
#include "ui/models/actions/failure_fix.h"
#include "ui/models/desktop/run_selection.h"
#include "ui/models/feed/log_model.h"
#include "ui/models/feed/workspace_feed.h"
#include "ui/models/runs/runs_model.h"
#include "ui/models/text/format.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

std::shared_ptr<RunItem> item(const QString& name, const QString& status, double lr, double best,
                              const QString& tags = {}) {
    store::RunRow row;
    row.id = name.toStdString();
    row.name = name.toStdString();
    row.status = *wire::runStatusFromString(status.toStdString());
    row.tags = tags.toStdString();
    row.createdMs = 1000;
    row.specJson = testing::sampleRunJson({name, status, lr});
    if (lr > 0.2) row.specJson.replace(row.specJson.find("\"mlp\""), 5, R"("mlp", "params": {"dropout": 0.1})");
    auto run = makeRunItem(row);
    store::SeriesSummary summary;
    summary.series = "val/accuracy";
    summary.count = 3;
    summary.max = best;
    summary.last = best - 0.1;
    run->series = {summary};
    return run;
}

// What the model keeps as lines arrive must be what counting the whole log anew gives.
void tellsTheLog(WorkspaceFeed& feed, const QString& id) {
    LogModel model(feed);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns({id});
    const auto& log = feed.log(id);
    const auto expect = [&] {
        int warnings = 0;
        QSet<int> ranks;
        for (const auto& line : log) {
            warnings += line.level == "warn" || line.level == "warning" || line.level == store::kNoticeLevel ? 1 : 0;
            if (line.rank >= 0) ranks.insert(line.rank);
        }
        QCOMPARE(model.total(), static_cast<int>(log.size()));
        QCOMPARE(model.count(LogModel::Warnings), warnings);
        QCOMPARE(QSet<int>(model.ranks().begin(), model.ranks().end()), ranks);
        QCOMPARE(model.ranks().size(), ranks.size());
    };
    expect();
    const QString word = QString::fromStdString(log.back().text);
    model.setSearch(word);
    QVERIFY(!model.hits().isEmpty());
    QCOMPARE(model.hits().last(), model.rowCount() - 1);
    Q_EMIT feed.logArrived(id, static_cast<int>(log.size())); // the same lines once more, at the end
    QCOMPARE(model.rowCount(), 2 * static_cast<int>(log.size()));
    QCOMPARE(model.hits().last(), model.rowCount() - 1);
    QCOMPARE(model.hits().size() % 2, 0);
    Q_EMIT feed.logReset(id);
    expect();
    model.setRank(log.back().rank);
    for (const int row : model.hits())
        QVERIFY(QString::fromStdString(model.line(row).line->text).contains(word, Qt::CaseInsensitive));
    QCOMPARE(model.rank(), log.back().rank);
}

} // namespace

class PagesModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filterFindsRuns_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("found");
        const QStringList all{"otter", "finch", "lynx"};
        QTest::newRow("empty finds all") << "" << all;
        QTest::newRow("a word in the name") << "ott" << QStringList{"otter"};
        QTest::newRow("a status word") << "failed" << QStringList{"lynx"};
        QTest::newRow("less") << "lr<0.1" << QStringList{"finch"};
        QTest::newRow("less, with spaces") << "lr < 0.1" << QStringList{"finch"};
        QTest::newRow("at most") << "lr<=0.1" << (QStringList{"otter", "finch"});
        QTest::newRow("full path") << "optimizer.lr>0.2" << QStringList{"lynx"};
        QTest::newRow("a parameter by its override path") << "model.params.dropout>0.05" << QStringList{"lynx"};
        QTest::newRow("a parameter without params") << "model.dropout>0.05" << QStringList{"lynx"};
        QTest::newRow("a parameter by its last word") << "dropout>0.05" << QStringList{"lynx"};
        QTest::newRow("a parameter by the end of its path") << "params.dropout>0.05" << QStringList{"lynx"};
        QTest::newRow("a parameter in capitals") << "Model.DropOut>0.05" << QStringList{"lynx"};
        QTest::newRow("the end of a word is no name") << "out>0.05" << QStringList{};
        QTest::newRow("accumulation is no size of a batch") << "batch<=1" << QStringList{};
        QTest::newRow("series by its best value") << "val/accuracy>0.9" << (QStringList{"otter", "finch"});
        QTest::newRow("and") << "lr<=0.1 and val/accuracy>0.92" << QStringList{"otter"};
        QTest::newRow("and in capitals") << "lr<=0.1 AND val/accuracy>0.92" << QStringList{"otter"};
        QTest::newRow("spaces join too") << "lr<=0.1 val/accuracy>0.92" << QStringList{"otter"};
        QTest::newRow("tag") << "tag:baseline" << QStringList{"otter"};
        QTest::newRow("status") << "status:finished" << (QStringList{"otter", "finch"});
        QTest::newRow("not") << "status!=finished" << QStringList{"lynx"};
        QTest::newRow("range") << "lr in 0.05..0.2" << QStringList{"otter"};
        QTest::newRow("text setting") << "model=mlp" << all;
        QTest::newRow("batch by either count") << "batch>=128" << all;
        QTest::newRow("unknown key finds none") << "nothing>1" << QStringList{};
        QTest::newRow("a run without the series is not above") << "val/loss<9" << QStringList{};
    }

    void filterFindsRuns() {
        QFETCH(QString, filter);
        QFETCH(QStringList, found);
        const QList<std::shared_ptr<RunItem>> runs{item("otter", "finished", 0.1, 0.95, "baseline best"),
                                                   item("finch", "finished", 0.03, 0.91),
                                                   item("lynx", "failed", 0.3, 0.5)};
        const RunFilter parsed(filter);
        QVERIFY2(parsed.error().isEmpty(), qPrintable(parsed.error()));
        QStringList names;
        for (const auto& run : runs)
            if (parsed.matches(*run)) names << run->name;
        QCOMPARE(names, found);
    }

    // Feature: the filter offers numbers of many digits by four of them, and finds them so.
    void completionOffersShortNumbersThatMatch() {
        QHash<QString, RunItemPtr> runs;
        for (const double lr : {0.0012345678901234, 0.30000000000000004, 0.1, 12345.678901234})
            runs.insert(QString::number(lr), item(QString::number(lr), "finished", lr, 0.9));
        const auto offered = settingValues(runs, run::filterName("lr"));
        QStringList texts;
        for (const std::string& value : offered) texts << QString::fromStdString(value);
        QCOMPARE(texts.join(' '), QString("0.001235 0.1 0.3 1.235e+04"));
        for (const std::string& value : offered) {
            const RunFilter filter("lr=" + QString::fromStdString(value));
            QCOMPARE(std::count_if(runs.begin(), runs.end(), [&](const auto& run) { return filter.matches(*run); }), 1);
        }
    }

    void filterSaysWhatIsWrong_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("says");
        QTest::newRow("no value") << "lr<" << "needs a value";
        QTest::newRow("words compared") << "lr<small" << "not a number";
        QTest::newRow("half a range") << "lr in 0.1" << "not a range";
        QTest::newRow("no name") << "<3" << "no name";
    }

    void filterSaysWhatIsWrong() {
        QFETCH(QString, filter);
        QFETCH(QString, says);
        QVERIFY2(RunFilter(filter).error().contains(says), qPrintable(RunFilter(filter).error()));
    }

    void theBestOfSeveralRunsIsOfOneSeries_data() {
        QTest::addColumn<QString>("secondSeries");
        QTest::addColumn<bool>("max");
        QTest::addColumn<QString>("text");
        QTest::newRow("the largest") << "val/accuracy" << true << "best val accuracy 0.9";
        QTest::newRow("the smallest of losses") << "val/loss" << false << "best val loss 0.2";
        QTest::newRow("none of different ones") << "val/loss" << true << "";
    }

    void theBestOfSeveralRunsIsOfOneSeries() {
        QFETCH(QString, secondSeries);
        QFETCH(bool, max);
        QFETCH(QString, text);
        const auto first = item("a", "finished", 0.1, 0.2);
        const auto second = item("b", "finished", 0.1, 0.9);
        first->best = 0.2;
        second->best = 0.9;
        first->scoreSeries = max ? QStringLiteral("val/accuracy") : secondSeries;
        second->scoreSeries = secondSeries;
        first->better = second->better = max ? spec::Better::Larger : spec::Better::Smaller;
        const QString told = bestText({first, second});
        QVERIFY2(text.isEmpty() ? told.isEmpty() : told.startsWith(text), qPrintable(told));
    }

    void ranksOfThisComputerAreFound_data() {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<int>("workers");
        QTest::addColumn<QList<int>>("here");
        QTest::newRow("no hosts") << "[]" << 2 << QList<int>{0, 1};
        QTest::newRow("this computer by name") << R"(["local"])" << 2 << QList<int>{0, 1};
        QTest::newRow("this computer and another") << R"(["lab1", "localhost"])" << 4 << QList<int>{2, 3};
        QTest::newRow("another alone") << R"(["lab1"])" << 2 << QList<int>{};
        QTest::newRow("fewer workers than hosts") << R"(["local", "lab1", "lab2"])" << 2 << QList<int>{0};
    }
    void ranksOfThisComputerAreFound() {
        QFETCH(QString, hosts);
        QFETCH(int, workers);
        QFETCH(QList<int>, here);
        store::RunRow row;
        row.specJson = "{\"hosts\": " + hosts.toStdString() + "}";
        row.worldSize = workers;
        auto item = *makeRunItem(row);
        QCOMPARE(ranksHere(item), here);
        item.home.host = QStringLiteral("lab1");
        QCOMPARE(ranksHere(item), QList<int>());
    }

    void runsStandInStatusGroups() {
        RunsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<RunItemPtr> runs{item("a", "running", 0.1, 0.9), item("b", "finished", 0.1, 0.9),
                                     item("c", "failed", 0.1, 0.9), item("d", "finished", 0.1, 0.9)};
        model.apply({runs, {}});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Running"));
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("Finished"));
        QCOMPARE(model.rowCount(model.index(1, 0)), 2);
        QCOMPARE(model.indexOf("c").parent().data().toString(), QStringLiteral("Failed"));

        model.apply({{item("a", "finished", 0.1, 0.9)}, {}}); // it ends: the row moves, and the empty group goes
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowCount(model.index(0, 0)), 3);
        QCOMPARE(model.indexOf("a").parent().row(), 0);

        model.setFilter(RunFilter("failed"));
        QCOMPARE(model.shown(), 1);
        model.setFilter(RunFilter());
        QCOMPARE(model.shown(), 4);
        model.apply({{}, {"c", "unknown"}}); // archived
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.shown(), 3);
        QVERIFY(!model.indexOf("c").isValid());
    }

    // Feature: what waits stands under Queued, jobs and arrays of Slurm, too; ranks that tell no shares have no line
    // for them. Also in runs_table_test.
    void whatWaitsStandsUnderQueued() {
        store::SweepRow array;
        array.id = "array";
        array.name = "array";
        array.status = wire::RunStatus::Queued; // as an array of jobs, before the first of them has begun
        RunsModel model;
        model.setSweeps({array});
        auto trial = std::make_shared<RunItem>(*item("trial", "queued", 0.1, 0.9));
        trial->row.sweep = "array";
        model.apply({{item("job", "queued", 0.1, 0.9), item("running", "running", 0.1, 0.9), trial}, {}});
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Running"));
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("Queued"));
        QCOMPARE(model.indexOf("job").parent(), model.index(1, 0));
        QCOMPARE(model.indexOf("trial").parent().parent(), model.index(1, 0)); // under its sweep
    }

    void aChangeTouchesItsRowAlone() {
        RunsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.apply(
            {{item("a", "running", 0.1, 0.9), item("b", "finished", 0.1, 0.9), item("c", "finished", 0.1, 0.9)}, {}});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged),
            inserted(&model, &QAbstractItemModel::rowsInserted), removed(&model, &QAbstractItemModel::rowsRemoved),
            reset(&model, &QAbstractItemModel::modelReset);
        const RunItemPtr now = item("b", "finished", 0.1, 0.95);
        model.apply({{now}, {}});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex(), model.indexOf("b"));
        QCOMPARE(model.item(model.indexOf("b")), now);
        QCOMPARE(inserted.count() + removed.count() + reset.count(), 0);
        model.apply({{item("d", "finished", 0.1, 0.9)}, {}});
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(removed.count() + reset.count(), 0);
    }

    void tenThousandRunsAreFiltered() {
        std::vector<RunItemPtr> runs;
        for (int i = 0; i < 10000; ++i)
            runs.push_back(item(QStringLiteral("run-%1").arg(i), "finished", i * 1e-4, 0.9));
        RunsModel model;
        model.apply({runs, {}});
        model.setFilter(RunFilter("lr<0.5 and val/accuracy>0.8"));
        QCOMPARE(model.shown(), 5000);
    }

    void selectionKeepsTheCurrentRun() {
        RunSelection selection;
        selection.show("a");
        QCOMPARE(selection.current(), QStringLiteral("a"));
        selection.setSelected({"a", "b"});
        QCOMPARE(selection.current(), QStringLiteral("a"));
        selection.toggle("b");
        QCOMPARE(selection.selected(), QStringList{"a"});
    }

    void differencesNameWhatChanged() {
        const auto before = item("a", "finished", 0.1, 0.9);
        const auto after = item("b", "finished", 0.05, 0.9);
        const auto list = differences(*before, *after);
        QCOMPARE(list.size(), 1);
        QCOMPARE(shortPath(list[0].path), QStringLiteral("lr"));
        QCOMPARE(list[0].before, QStringLiteral("0.1"));
        QCOMPARE(list[0].after, QStringLiteral("0.05"));
    }

    void failuresSuggestOneFix_data() {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<int>("batch");
        QTest::addColumn<bool>("checkpoint");
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("batchAfter"); // 0: it goes on from its checkpoint
        QTest::newRow("memory") << ErrorCode::OutOfMemory << 65 << true << "Halve the batch and retry" << 32;
        QTest::newRow("memory for one sample") << ErrorCode::OutOfMemory << 1 << false << "Retry" << 1;
        QTest::newRow("not finite") << ErrorCode::LossNotFinite << 64 << true << "Retry with lr 0.01" << 64;
        QTest::newRow("no data") << ErrorCode::DatasetMissing << 64 << false << "Set the path…" << 0;
        QTest::newRow("a file that is gone") << ErrorCode::FileMissing << 64 << true << "Set the path…" << 0;
        QTest::newRow("data that has changed") << ErrorCode::DataChanged << 64 << true << "Resume with this data" << 0;
        QTest::newRow("data of other classes")
            << ErrorCode::CheckpointMisfit << 64 << true << "Start with new weights" << 64;
        QTest::newRow("anything else, with a checkpoint") << ErrorCode::WorkerKilled << 64 << true << "Resume" << 0;
        QTest::newRow("anything else, from the start") << ErrorCode::WorkerKilled << 64 << false << "Retry" << 64;
    }

    void failuresSuggestOneFix() {
        QFETCH(ErrorCode, code);
        QFETCH(int, batch);
        QFETCH(bool, checkpoint);
        QFETCH(QString, label);
        QFETCH(int, batchAfter);
        auto run = item("a", "failed", 0.1, 0.9);
        auto spec = *spec::parseRunSpec(run->row.specJson);
        spec.batch.perRank = batch;
        spec.batch.global.reset();
        run->row.specJson = spec::toJson(spec);
        run->row.error.code = code;
        const FailureFix fix = fixFor(*run, checkpoint, nullptr);
        QCOMPARE(fix.label, label);
        QCOMPARE(fix.asksForPath, label.startsWith("Set"));
        QCOMPARE(fix.acceptsData, label.endsWith("this data"));
        QCOMPARE(fix.retry ? *fix.retry->batch.perRank : 0, std::int64_t{batchAfter});
    }

    // A fork begins with its checkpoint again; with one that does not fit it would fail as it did.
    void aForkThatIsRetriedStaysOne() {
        const QTemporaryDir folder;
        auto run = item("a", "failed", 0.1, 0.9);
        run->row.folder = folder.path().toStdString();
        const QString start = folder.filePath(QStringLiteral("start.safetensors"));
        QFile file(start);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(fixFor(*run, false, nullptr).options.resumeFrom.empty()); // it is none
        run->row.forkedFrom = "b";
        const QString anew = QStringLiteral("Start with new weights"), none;
        for (const auto& [code, checkpoint, label, from] :
             {std::tuple(ErrorCode::CheckpointMisfit, false, anew, none),
              std::tuple(ErrorCode::CheckpointMisfit, true, anew, none),
              std::tuple(ErrorCode::WorkerKilled, false, QStringLiteral("Retry"), start),
              std::tuple(ErrorCode::OutOfMemory, false, QStringLiteral("Halve the batch and retry"), start),
              std::tuple(ErrorCode::LossNotFinite, true, QStringLiteral("Retry with lr 0.01"), start),
              std::tuple(ErrorCode::WorkerKilled, true, QStringLiteral("Resume"), none)}) {
            run->row.error.code = code;
            const FailureFix fix = fixFor(*run, checkpoint, nullptr);
            QCOMPARE(fix.label, label);
            QCOMPARE(QString::fromStdString(fix.options.resumeFrom), from);
            QCOMPARE(fix.options.forkedFrom, std::string(fix.retry ? "b" : ""));
        }
    }

    // A run file may leave the learning rate to the optimizer.
    void theFixKnowsTheOptimizersLearningRate() {
        auto run = item("a", "failed", 0.1, 0.9);
        auto spec = *spec::parseRunSpec(run->row.specJson);
        spec.optimizer = {"adam", {}};
        run->row.specJson = spec::toJson(spec);
        run->row.error.code = ErrorCode::LossNotFinite;
        spec::ParamInfo lr;
        lr.name = "lr";
        lr.defaultValue = 0.002;
        spec::Entry adam;
        adam.name = "adam";
        adam.params = {lr};
        spec::Catalog catalog;
        catalog.optimizers = {adam};
        QCOMPARE(fixFor(*run, false, &catalog).label, QStringLiteral("Retry with lr 0.0002"));
        QCOMPARE(fixFor(*run, false, nullptr).label, QStringLiteral("Retry")); // not yet known
    }

    void numbersReadAlike_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("accuracy") << 0.94381 << "0.9438";
        QTest::newRow("tiny") << 3.1e-5 << "3.1e-05";
        QTest::newRow("throughput") << 20612.0 << "20.6k";
        QTest::newRow("none") << std::nan("") << "–";
    }

    void numbersReadAlike() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(metricText(value), text);
    }

    void feedTellsRunsAndEveryPoint() {
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        testing::fillSampleWorkspace(workspace);
        auto store = store::Store::open(workspace);
        QVERIFY(store.ok());
        testing::SampleRun grown{QStringLiteral("growing"), QStringLiteral("finished")};
        grown.steps = 120;
        const auto id = QString::fromStdString(testing::addRun(**store, workspace, grown));

        WorkspaceFeed feed(workspace);
        const auto loss = feed.series().series(id, QStringLiteral("train/loss"));
        feed.start();
        QTRY_COMPARE(static_cast<int>(feed.runs().size()), 13);
        QTRY_VERIFY(feed.run(id) && feed.run(id)->detailed);
        QCOMPARE(feed.run(id)->spark.size(), 2);
        feed.watch({id});
        QTRY_COMPARE(loss->size(), std::size_t{120}); // none missing, none doubled
        QTRY_COMPARE(static_cast<int>(feed.checkpoints(id).size()), 3);
        QCOMPARE(static_cast<int>(feed.log(id).size()), 4);
        tellsTheLog(feed, id);

        QVERIFY((*store)->rename(RunId(id.toStdString()), "renamed").ok());
        QTRY_COMPARE(feed.run(id)->name, QStringLiteral("renamed"));
        QSignalSpy told(&feed, &WorkspaceFeed::runsChanged);
        QVERIFY((*store)->setArchived(id.toStdString(), true).ok());
        QTRY_VERIFY(!feed.run(id));
        QCOMPARE(static_cast<int>(feed.runs().size()), 12);
        const auto delta = told.last()[0].value<RunsDelta>();
        QCOMPARE(delta.removed, QStringList{id});
        QVERIFY(delta.runs.empty()); // the others were not read again
        QVERIFY((*store)->setArchived(id.toStdString(), false).ok());
        QTRY_VERIFY(feed.run(id));
        QCOMPARE(static_cast<int>(feed.runs().size()), 13);
    }

    void aHiddenWindowHearsOnceASecond() {
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        auto store = store::Store::open(workspace);
        QVERIFY(store.ok());
        const auto id = testing::addRun(**store, workspace, {QStringLiteral("name"), QStringLiteral("finished")});
        WorkspaceFeed feed(workspace);
        QSignalSpy told(&feed, &WorkspaceFeed::runsChanged);
        feed.start();
        const auto item = [&] { return feed.run(QString::fromStdString(id)); };
        QTRY_VERIFY(item() && item()->detailed);
        feed.setHidden(true);
        told.clear();
        for (int i = 0; i < 12; ++i) {
            QVERIFY((*store)->rename(RunId(id), "name-" + std::to_string(i)).ok());
            QTest::qWait(50);
        }
        QVERIFY2(told.count() <= 2, qPrintable(QString::number(told.count())));
        feed.setHidden(false);
        QTRY_COMPARE(item()->name, QStringLiteral("name-11"));
    }
};

QTEST_GUILESS_MAIN(PagesModelsTest)
#include "pages_models_test.moc"
