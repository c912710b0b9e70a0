// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps from a C++ program, by the names of Ray Tune.
#include "engine/store/run_query.h"
#include "engine/sweep/control/sweep_control.h"
#include "trainyard/tune.h"

#include <nlohmann/json.hpp>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <limits>

namespace ty = trainyard::train;
namespace tune = trainyard::tune;

namespace {

const ty::RunFile kSpirals = ty::RunFile::parse(R"({
  "version": 1, "name": "spirals",
  "model": {"name": "mlp", "params": {"hidden": [16]}},
  "dataset": "spirals",
  "optimizer": {"name": "adam", "lr": 0.003},
  "batch": {"perRank": 20},
  "epochs": 4,
  "scaling": {"workers": 1, "threadsPerWorker": 1}
})");

QString refusalOf(const tune::TunerOptions& options) {
    try {
        const tune::Tuner tuner(kSpirals, options);
    } catch (const ty::InputError& e) { return QString::fromUtf8(e.what()); }
    return {};
}

} // namespace

class ApiTuneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        qputenv("TRAINYARD_WORKSPACE", m_folder.filePath("ws").toUtf8());
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
    }
    void domainsAreThoseOfTheSweepFile_data();
    void domainsAreThoseOfTheSweepFile();
    void refusesWhatCannotBe();
    void searchesAndRanks();
    void aSchedulerEndsPoorTrials();
    void aFailedTrialIsCounted();
    void restoresAStoppedSweep();
    void aTrainingFunctionIsSearched();
    void aSchedulerEndsTrialsOfAFunction();
    void aFunctionCannotTakeAnothersState();
    void snippetOfTheDocumentRuns();

private:
    // What api_tune_program prints, by name.
    static QMap<QString, QString> printedWith(const char* scheduler, const char* lr = "1e-4") {
        QProcess program;
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        program.start(API_TUNE_PROGRAM, {QString::fromLatin1(scheduler), QString::fromLatin1(lr)});
        if (!program.waitForFinished(120'000)) program.kill();
        QMap<QString, QString> printed{{"exit", QString::number(program.exitCode())}};
        for (const QString& line : QString::fromUtf8(program.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts))
            printed[line.section('=', 0, 0)] = line.section('=', 1);
        return printed;
    }

    QTemporaryDir m_folder;
};

// Feature: sweeps from a C++ program, by Ray Tune's names: domains, the best trial, failed and ended ones, a stopped
// sweep restored.
void ApiTuneTest::domainsAreThoseOfTheSweepFile_data() {
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("axis");
    const auto row = [](const char* name, const tune::Domain& domain, const char* axis) {
        QTest::newRow(name) << QString::fromStdString(domain.json()) << QString::fromUtf8(axis);
    };
    row("uniform", tune::uniform(0.1, 0.5), R"({"from":0.1,"to":0.5,"scale":"linear"})");
    row("quniform", tune::quniform(0.1, 0.5, 0.1), R"({"from":0.1,"to":0.5,"scale":"linear","step":0.1})");
    row("loguniform", tune::loguniform(1e-3, 0.1), R"({"from":0.001,"to":0.1,"scale":"log"})");
    row("qloguniform", tune::qloguniform(0.1, 0.4, 0.1), R"({"from":0.1,"to":0.4,"scale":"log","step":0.1})");
    row("randint", tune::randint(1, 4), R"({"from":1.0,"to":3.0,"scale":"linear","whole":true})");
    row("qrandint", tune::qrandint(2, 8, 2), R"({"from":2.0,"to":8.0,"scale":"linear","step":2.0,"whole":true})");
    row("lograndint", tune::lograndint(1, 9), R"({"from":1.0,"to":8.0,"scale":"log","whole":true})");
    row("qlograndint", tune::qlograndint(2, 8, 2), R"({"from":2.0,"to":8.0,"scale":"log","step":2.0,"whole":true})");
    row("randn", tune::randn(0.5, 0.01), R"({"from":0.46,"to":0.54,"mean":0.5,"sd":0.01})");
    row("qrandn", tune::qrandn(0.5, 0.01, 0.02), R"({"from":0.46,"to":0.54,"mean":0.5,"sd":0.01,"step":0.02})");
    row("choice", tune::choice({0.1, 0.2}), "[0.1,0.2]");
    row("gridSearch", tune::gridSearch({0.1, 0.2}), R"({"grid":[0.1,0.2]})");
    row("a constant", 0.25, "[0.25]");
    row("when", tune::choice({0.1}).when("optimizer.name", {"adam"}),
        R"({"choice":[0.1],"when":{"optimizer.name":["adam"]}})");
}

void ApiTuneTest::domainsAreThoseOfTheSweepFile() {
    QFETCH(QString, given);
    QFETCH(QString, axis);
    tune::TunerOptions options;
    options.tuneConfig.numSamples = 2;
    options.paramSpace = {{"optimizer.name", tune::choice({"adam", "sgd"})},
                          {"optimizer.lr", tune::Domain::ofJson(given.toStdString())}};
    const tune::Tuner tuner(kSpirals, options);
    auto read = nlohmann::json::parse(tuner.json())["space"]["optimizer.lr"];
    if (read.is_object()) read.erase("count");
    QCOMPARE(QString::fromStdString(read.dump()),
             QString::fromStdString(nlohmann::json::parse(axis.toStdString()).dump()));
}

void ApiTuneTest::refusesWhatCannotBe() {
    tune::TunerOptions options;
    options.tuneConfig.numSamples = 2;
    options.paramSpace = {{"optimizer.lr", tune::uniform(2, 1)}};
    QVERIFY2(refusalOf(options).contains("space.optimizer.lr"), qPrintable(refusalOf(options)));
    options.paramSpace = {{"optimiser.lr", tune::choice({0.1})}};
    QVERIFY2(refusalOf(options).contains("optimiser"), qPrintable(refusalOf(options)));
    options.paramSpace = {};
    QVERIFY2(refusalOf(options).contains("space"), qPrintable(refusalOf(options)));
    options.paramSpace = {{"optimizer.lr", tune::uniform(0.1, 0.2)}};
    options.tuneConfig.numSamples = -1;
    QVERIFY2(refusalOf(options).contains("trials"), qPrintable(refusalOf(options)));
    QVERIFY_THROWS_EXCEPTION(ty::InputError, tune::Tuner::restore("no such sweep"));
    QVERIFY_THROWS_EXCEPTION(ty::InputError, tune::Tuner::read(m_folder.filePath("none.json").toStdString()));
}

void ApiTuneTest::searchesAndRanks() {
    tune::Tuner tuner(kSpirals, {.paramSpace = {{"optimizer.lr", tune::loguniform(1e-4, 1e-1)},
                                                {"batch.perRank", tune::gridSearch({10, 20})}},
                                 .tuneConfig = {.metric = "train/loss", .numSamples = 2, .searchAlg = "random"},
                                 .name = "rates"});
    QVERIFY_THROWS_EXCEPTION(ty::InputError, (void)tuner.getResults());
    const auto results = tuner.fit();
    QCOMPARE(results.size(), std::size_t{4});
    QCOMPARE(results.numTerminated(), std::size_t{4});
    QCOMPARE(results.numErrors(), std::size_t{0});
    double least = std::numeric_limits<double>::infinity();
    for (const auto& trial : results) {
        QVERIFY(trial.config.number("optimizer.lr") >= 1e-4 && trial.config.number("optimizer.lr") <= 1e-1);
        QVERIFY(trial.config.integer("batch.perRank") == 10 || trial.config.integer("batch.perRank") == 20);
        QVERIFY(trial.score);
        least = std::min(least, *trial.score);
    }
    const auto& best = results.getBestResult();
    QCOMPARE(*best.score, least);
    QCOMPARE(results.ranked().front().number, best.number);
    const auto result = results.result(best);
    QVERIFY2(!result.error, result.error ? result.error->text().c_str() : "");
    QVERIFY(result.metrics.contains("val/accuracy"));
    QVERIFY(!result.metricsHistory.empty());
    QCOMPARE(results.run(best).status(), std::string("finished"));
}

void ApiTuneTest::aSchedulerEndsPoorTrials() {
    // Long enough to be told in time.
    tune::Tuner tuner(kSpirals.with({"epochs=300"}),
                      {.paramSpace = {{"optimizer.lr", tune::gridSearch({1e-2, 1e-9, 2e-9, 3e-9})}},
                       .tuneConfig = {.metric = "train/loss",
                                      .maxConcurrentTrials = 1,
                                      .scheduler = {"asha", {{"grace", 1}, {"factor", 2}}}}});
    const auto results = tuner.fit();
    QCOMPARE(results.numTerminated(), results.size());
    QCOMPARE(results.getBestResult().config.number("optimizer.lr"), 1e-2);
    const auto& poor = results[1];
    QVERIFY(!poor.reason.empty());
    QVERIFY(!poor.error);
    QVERIFY(!results.result(poor).error); // ended in time, which is no failure
}

void ApiTuneTest::aFailedTrialIsCounted() {
    const auto printed = printedWith("fifo", "-1");
    QCOMPARE(printed["exit"], QStringLiteral("0"));
    QCOMPARE(printed["errors"], QStringLiteral("1"));
    QCOMPARE(printed["ended"], QStringLiteral("3"));
    QCOMPARE(printed["best"], QStringLiteral("0.4"));
    QVERIFY2(printed["error"].contains("uphill"), qPrintable(printed["error"]));
}

void ApiTuneTest::restoresAStoppedSweep() {
    const auto workspace = *trainyard::store::Workspace::open();
    const tune::Tuner described(kSpirals.with({"epochs=400"}),
                                {.paramSpace = {{"optimizer.lr", tune::gridSearch({1e-2, 1e-3})}},
                                 .tuneConfig = {.metric = "train/loss", .maxConcurrentTrials = 1},
                                 .name = "stopped"});
    const auto id = trainyard::sweep::startSweep(workspace, *trainyard::spec::parseSweepSpec(described.json()));
    QVERIFY2(id, id ? "" : id.error().text().c_str());
    const auto steps = [&] {
        const auto results = tune::Tuner::restore("stopped").getResults();
        return results.size() == 0 ? std::size_t{0} : results.result(results[0]).metricsHistory.size();
    };
    QTRY_VERIFY_WITH_TIMEOUT(steps() > 0, 60'000);
    QVERIFY(trainyard::sweep::stopSweep(workspace, *id, trainyard::wire::StopMode::SaveAndStop));
    auto tuner = tune::Tuner::restore(*id);
    const auto query = *trainyard::store::RunQuery::open(workspace);
    QTRY_VERIFY_WITH_TIMEOUT(!trainyard::wire::isActive(query->sweep(*id)->status), 60'000);
    QVERIFY(tuner.getResults().numTerminated() < 2);
    const auto results = tuner.fit();
    QCOMPARE(results.sweepId(), *id);
    QCOMPARE(results.size(), std::size_t{2});
    QCOMPARE(results.numTerminated(), std::size_t{2});
}

void ApiTuneTest::aTrainingFunctionIsSearched() {
    const auto printed = printedWith("fifo");
    QCOMPARE(printed["exit"], QStringLiteral("0"));
    QCOMPARE(printed["trials"], QStringLiteral("4"));
    QCOMPARE(printed["ended"], QStringLiteral("4"));
    QCOMPARE(printed["errors"], QStringLiteral("0"));
    QCOMPARE(printed["best"], QStringLiteral("0.4"));
    QCOMPARE(printed["worst reports"], QStringLiteral("8"));
    QCOMPARE(printed["after"], QStringLiteral("2")); // ranks of a later fit() come past the sweep
    const auto query = trainyard::store::RunQuery::open(*trainyard::store::Workspace::open());
    const auto sweep = (*query)->sweep("descent");
    QVERIFY(sweep);
    const auto trials = (*query)->trials(sweep->id);
    QVERIFY(trials);
    for (const auto& trial : *trials) QCOMPARE(trial.status, trainyard::wire::RunStatus::Finished);
}

void ApiTuneTest::aSchedulerEndsTrialsOfAFunction() {
    const auto printed = printedWith("asha");
    QCOMPARE(printed["ended"], QStringLiteral("4"));
    QCOMPARE(printed["best"], QStringLiteral("0.4"));
    QCOMPARE(printed["reports"], QStringLiteral("40"));
    QVERIFY2(printed["worst reports"].toInt() < 40, qPrintable(printed["worst reports"]));
    QCOMPARE(printed["worst reason"], QStringLiteral("1"));
}

void ApiTuneTest::aFunctionCannotTakeAnothersState() {
    const auto printed = printedWith("pbt");
    QCOMPARE(printed["exit"], QStringLiteral("2"));
    QVERIFY2(printed["refused"].contains("taken from another trial"), qPrintable(printed["refused"]));
}

void ApiTuneTest::snippetOfTheDocumentRuns() {
    const QString path = m_folder.filePath("fashion_mnist_mlp.json"); // the name that the document uses
    std::ofstream(path.toStdString()) << kSpirals.json();
    QProcess program;
    program.setWorkingDirectory(m_folder.path());
    program.start(API_TUNE_SNIPPET, QStringList());
    QVERIFY(program.waitForFinished(120'000));
    const QString out = QString::fromUtf8(program.readAllStandardOutput());
    QVERIFY2(program.exitCode() == 0, qPrintable(QString::fromUtf8(program.readAllStandardError())));
    QVERIFY2(out.contains("of 6 trials, the best is trial"), qPrintable(out));
}

QTEST_GUILESS_MAIN(ApiTuneTest)
#include "api_tune_test.moc"
