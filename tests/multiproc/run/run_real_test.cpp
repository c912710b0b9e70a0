// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the real worker: two processes that really train, one of which really dies.
#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/cores.h"
#include "engine/base/unique_fd.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/start/run_start.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/values/pinned_split.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>

#include <cmath>
#include <csignal>
#include <filesystem>

using namespace trainyard;
using test::RunLab;

class RunRealTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_programs = qgetenv("TRAINYARD_BIN"); }
    void init() {
        m_lab = std::make_unique<RunLab>();
        qputenv("TRAINYARD_BIN", m_programs);
    }
    void cleanup() { m_lab.reset(); }

    void trainsThroughTheDeathOfARank();
    void aForkedRankComputesAsAStartedOne();
    void obeysWhatIsAskedBeforeItsRanksAreThere();
    void obeysWhileItTrains();
    void runsThatStartTogetherComputeAlike();
    void sweepsLearningRates();
    void aRollbackVoidsPointsAndTheEvaluationIsKept();
    void aTestIsKeptAndShown();
    void aTestThatWasCutShortIsTakenLater();
    void theSplitOfASweepIsPinned_data();
    void theSplitOfASweepIsPinned();
    void findsALearningRate();
    void measuresScaling();
    void scalingTellsOfOtherPrograms();
    void comparesAnEstimateWithTheRun();
    void estimatesTheCopyForCheckpoints_data();
    void estimatesTheCopyForCheckpoints();

private:
    QJsonObject ctl(const QStringList& arguments);
    QString runFile(const spec::RunSpec& spec);
    spec::RunSpec spirals(std::int64_t epochs) const;
    QByteArray m_programs;
    std::unique_ptr<RunLab> m_lab;
};

spec::RunSpec RunRealTest::spirals(std::int64_t epochs) const {
    spec::RunSpec spec;
    spec.model = {"mlp", {{"hidden", std::vector<double>{64, 64}}}};
    spec.dataset = {"spirals", {}};
    spec.optimizer = {"adam", {{"lr", 0.01}}};
    spec.batch = {std::nullopt, 60, 1};
    spec.epochs = epochs;
    spec.checkpoint.everyEpochs = 5;
    return spec;
}

void RunRealTest::trainsThroughTheDeathOfARank() {
    const auto run = run::startRun(m_lab->workspace(), spirals(60));
    QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
    QVERIFY(m_lab->waitForStep(*run, 450, 60));
    const auto pids = m_lab->workerPids(*run);
    QCOMPARE(pids.size(), std::size_t{2});
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    const auto row = m_lab->waitForEnd(*run, 120);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 1);
    QCOMPARE(m_lab->contiguity(*run, row.step), std::string());
    const auto log = m_lab->logText(*run);
    QVERIFY2(log.find("was killed by SIGKILL") != std::string::npos, log.c_str());
    const auto accuracy = m_lab->points(*run, "val/accuracy");
    QVERIFY(!accuracy.empty() && accuracy.back().value > 0.9);
    QVERIFY(m_lab->gone(pids, 1));
}

// The pool has one thread; what is forked from it has as many as a program would, and computes the same.
void RunRealTest::aForkedRankComputesAsAStartedOne() {
    auto spec = spirals(4);
    spec.model.params["hidden"] = std::vector<double>{512, 512}; // products that are shared between threads
    spec.batch = {256, std::nullopt, 1};
    spec.scaling.workers = 1;
    spec.scaling.threadsPerWorker = 2;
    spec.tuning.kernels = "stock";
    std::vector<std::string> runs;
    for (const char* pool : {"", "off"}) {
        qputenv("TRAINYARD_POOL", pool);
        const auto run = run::startRun(m_lab->workspace(), spec);
        qunsetenv("TRAINYARD_POOL");
        QVERIFY(run.ok());
        runs.push_back(*run);
        QCOMPARE(m_lab->waitForEnd(*run, 60).status, wire::RunStatus::Finished);
    }
    const auto wrong = m_lab->difference(runs[0], runs[1]);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

// It is there for the ranks when they come.
void RunRealTest::obeysWhatIsAskedBeforeItsRanksAreThere() {
    qputenv("TRAINYARD_POOL", "off"); // so that they take a while
    const auto run = run::startRun(m_lab->workspace(), spirals(100'000));
    qunsetenv("TRAINYARD_POOL");
    QVERIFY(run.ok());
    const auto paused = run::commandRun(m_lab->workspace(), *run, wire::CommandKind::Pause);
    QVERIFY2(paused.ok(), paused ? "" : paused.error().text().c_str());
    QVERIFY(m_lab->waitUntil([&] { return m_lab->row(*run).status == wire::RunStatus::Paused; }));
    QVERIFY2(paused->step < 20, std::to_string(paused->step).c_str());
    QVERIFY(run::stopRun(m_lab->workspace(), *run, wire::StopMode::StopNow).ok());
    QCOMPARE(m_lab->waitForEnd(*run, 60).status, wire::RunStatus::Stopped);
}

// Pause, another rate, a checkpoint, a stop in the pause; resumed, the rate is still the one that was set.
void RunRealTest::obeysWhileItTrains() {
    auto spec = spirals(100'000);
    spec.checkpoint.everyEpochs = 0;
    spec.tensorBoard = true;
    const auto run = run::startRun(m_lab->workspace(), spec);
    QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
    QVERIFY(m_lab->waitForStep(*run, 20, 60));
    const auto command = [&](wire::CommandKind kind, double value = 0) {
        const auto done = run::commandRun(m_lab->workspace(), *run, kind, value);
        if (!done) qWarning("%s", done.error().text().c_str());
        return done.ok() ? done->step : -1;
    };
    const auto paused = command(wire::CommandKind::Pause);
    QVERIFY(paused > 0);
    QVERIFY(m_lab->waitUntil([&] { return m_lab->row(*run).status == wire::RunStatus::Paused; }));
    QCOMPARE(command(wire::CommandKind::SetLearningRate, 0.0025), paused); // also while it is paused
    QCOMPARE(command(wire::CommandKind::Checkpoint), paused);
    const auto saved = m_lab->query().checkpoints(*run);
    QCOMPARE(saved->size(), std::size_t{1});
    QCOMPARE(saved->front().step, paused);
    QCOMPARE(command(wire::CommandKind::Unpause), paused);
    QVERIFY(m_lab->waitForStep(*run, paused + 20, 30));
    QVERIFY(command(wire::CommandKind::Pause) >= paused + 1);
    QVERIFY(run::stopRun(m_lab->workspace(), *run, wire::StopMode::SaveAndStop).ok());
    const auto stopped = m_lab->waitForEnd(*run, 60);
    QCOMPARE(stopped.status, wire::RunStatus::Stopped);
    for (const auto& point : m_lab->points(*run, "lr")) QCOMPARE(point.value, point.step <= paused ? 0.01 : 0.0025);
    QVERIFY(run::resumeRun(m_lab->workspace(), *run).ok());
    QVERIFY(m_lab->waitForStep(*run, stopped.step + 20, 60));
    QVERIFY(run::stopRun(m_lab->workspace(), *run, wire::StopMode::Kill).ok());
    m_lab->waitForEnd(*run);
    QCOMPARE(m_lab->points(*run, "lr").back().value, 0.0025);
    QCOMPARE(m_lab->contiguity(*run, m_lab->points(*run).back().step), std::string());
    const auto folder = std::filesystem::path(stopped.folder) / "tensorboard";
    const auto files =
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
    QCOMPARE(files, std::ptrdiff_t{2}); // one of each supervisor
}

// What is chosen by timing depends on what else goes on; one of them times, and the other takes what it has chosen.
void RunRealTest::runsThatStartTogetherComputeAlike() {
    m_lab->shareNothing(); // nothing has been timed yet
    const auto cache = std::filesystem::path(m_lab->folder()) / "cache/trainyard";
    std::filesystem::create_directories(cache);
    UniqueFd turn(::open((cache / "tuning.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    QCOMPARE(::flock(turn.get(), LOCK_EX), 0); // as one that times would hold it
    const auto spec = RunLab::spirals(2, 60);
    const auto one = m_lab->startReal(spec), other = m_lab->startReal(spec);
    for (const auto& run : {one, other}) QCOMPARE(m_lab->workerPids(run).size(), std::size_t{2});
    QVERIFY(!m_lab->waitForStep(one, 1, 1) && !m_lab->waitForStep(other, 1, 0.1));
    turn.reset();
    for (const auto& run : {one, other}) QCOMPARE(m_lab->waitForEnd(run, 60).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->difference(one, other), std::string());
}

void RunRealTest::sweepsLearningRates() {
    spec::SweepSpec sweep;
    sweep.name = "rates";
    sweep.runJson = spec::toJson(spirals(4));
    spec::Axis axis;
    axis.path = "optimizer.lr";
    axis.values = {1e-6, 0.01, 1e-5};
    sweep.space = {axis};
    const auto id = sweep::startSweep(m_lab->workspace(), sweep);
    QVERIFY2(id.ok(), id ? "" : id.error().text().c_str());
    QVERIFY(m_lab->waitUntil([&] { return m_lab->query().sweep(*id)->status == wire::RunStatus::Finished; }, 120));
    const auto ranking = sweep::rankTrials(m_lab->query(), *m_lab->query().sweep(*id));
    QVERIFY(ranking.ok());
    QCOMPARE(ranking->order.front(), std::size_t{1});
}

// A rate that is far too high: the run goes back to its beginning, and every step is there once.
void RunRealTest::aRollbackVoidsPointsAndTheEvaluationIsKept() {
    spec::RunSpec spec = spirals(3);
    spec.model.params["hidden"] = std::vector<double>{64, 64, 64, 64, 64};
    spec.optimizer = {"sgd", {{"lr", 100.0}}};
    spec.failure.nonFinite = "rollback";
    spec.failure.rollbackLrFactor = 1e-4;
    const auto run = run::startRun(m_lab->workspace(), spec);
    QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
    const auto row = m_lab->waitForEnd(*run, 120);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    QCOMPARE(row.restarts, 0);
    QCOMPARE(m_lab->contiguity(*run, row.step), std::string());
    QCOMPARE(m_lab->points(*run, "lr").back().value, 100 * 1e-4);
    const auto log = m_lab->logText(*run);
    QVERIFY2(log.find("went back to step 0") != std::string::npos, log.c_str());
    QFile file(QString::fromStdString((m_lab->workspace().runFolder(*run) / "evaluation.json").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto evaluation = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(evaluation["step"].toInt(), static_cast<int>(row.step));
    QCOMPARE(evaluation["confusion"].toArray().size(), 3);
    QCOMPARE(evaluation["accuracy"].toDouble(), m_lab->points(*run, "val/accuracy").back().value);
}

void RunRealTest::aTestIsKeptAndShown() {
    auto spec = spirals(6);
    spec.dataset.params["test"] = 10.0;
    spec.checkpoint.everyEpochs = 2;
    const auto run = run::startRun(m_lab->workspace(), spec);
    QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
    const auto row = m_lab->waitForEnd(*run, 120);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const auto show = [&](const QStringList& more) {
        QProcess ctl;
        ctl.start(QString::fromLocal8Bit(m_programs) + "/trainyardctl",
                  QStringList{"show", QString::fromStdString(*run), "--workspace",
                              QString::fromStdString(m_lab->workspace().root.string())} +
                      more);
        return ctl.waitForFinished(30'000) && ctl.exitCode() == 0 ? ctl.readAllStandardOutput()
                                                                  : ctl.readAllStandardError();
    };
    const auto shown = QJsonDocument::fromJson(show({"--json"})).object();
    const auto evaluation = shown["evaluation"].toObject(), test = evaluation["test"].toObject();
    QCOMPARE(evaluation["step"].toInt(), static_cast<int>(row.step)); // of the last validation, as ever
    QCOMPARE(evaluation["samples"].toDouble(), 600.0);
    QCOMPARE(test.keys(), (QStringList{"best", "last"}));
    QCOMPARE(test["last"]["samples"].toDouble(), 300.0);
    QCOMPARE(test["last"]["step"].toInt(), static_cast<int>(row.step));
    QCOMPARE(test["best"]["samples"].toDouble(), 300.0);
    int best = -1;
    for (const QJsonValue checkpoint : shown["checkpoints"].toArray())
        if (checkpoint["best"].toBool()) best = checkpoint["step"].toInt();
    QCOMPARE(test["best"]["step"].toInt(), best);
    const auto text = QString::fromUtf8(show({}));
    QVERIFY2(text.contains(QString("test of the best checkpoint (step %1): accuracy ").arg(best)), qPrintable(text));
    QVERIFY2(text.contains("test of the last checkpoint"), qPrintable(text));
    const auto accuracy = m_lab->points(*run, "test/accuracy"); // a value by which runs are filtered and compared
    QCOMPARE(accuracy.size(), std::size_t{1});
    QCOMPARE(accuracy[0].value, test["best"]["accuracy"].toDouble());
    QCOMPARE(accuracy[0].step, row.step);
}

// The last checkpoint is there and the test has begun: whatever dies then, the same weights are tested afterwards.
void RunRealTest::aTestThatWasCutShortIsTakenLater() {
    auto spec = spirals(1);
    spec.model.params["hidden"] = std::vector<double>{512, 512};
    spec.dataset.params = {{"samples", std::int64_t{100'000}}, {"validation", 1.0}, {"test", 90.0}};
    spec.batch = {std::nullopt, 3000, 1};
    const auto start = [&] { return run::startRun(m_lab->workspace(), spec).valueOr(std::string()); };
    const auto testOf = [&](const std::string& run) -> QJsonValue {
        const auto text = readFile(m_lab->workspace().runFolder(run) / "evaluation.json");
        return QJsonDocument::fromJson(QByteArray::fromStdString(text.valueOr(std::string())))
            .object()
            .value(QLatin1String("test"));
    };
    const auto undisturbed = start();
    QCOMPARE(m_lab->waitForEnd(undisturbed, 120).status, wire::RunStatus::Finished);
    QCOMPARE(testOf(undisturbed)["best"]["samples"].toDouble(), 90'000.0);
    const auto steps = m_lab->row(undisturbed).step;
    for (const bool all : {false, true}) {
        const auto run = start();
        const auto folder = m_lab->workspace().runFolder(run);
        QVERIFY(m_lab->waitUntil([&] { return test::newestCheckpoint(folder) == steps; }, 60));
        const auto pids = m_lab->workerPids(run);
        QCOMPARE(pids.size(), std::size_t{2});
        QVERIFY(testOf(run).isUndefined()); // there was enough to test
        if (all) ::kill(static_cast<pid_t>(m_lab->row(run).supervisorPid), SIGKILL);
        for (std::size_t rank = all ? 0 : 1; rank < 2; ++rank) ::kill(static_cast<pid_t>(pids[rank]), SIGKILL);
        if (all) {
            QVERIFY(m_lab->waitUntil([&] { return !store::RunLock::isHeld(folder); }));
            QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
        }
        const auto row = m_lab->waitForEnd(run, 120);
        QCOMPARE(row.status, wire::RunStatus::Finished);
        QCOMPARE(row.restarts, all ? 0 : 1);
        QCOMPARE(testOf(run), testOf(undisturbed));
        QCOMPARE(m_lab->curveDifference(run, undisturbed, "test/loss"), std::string());
        QCOMPARE(m_lab->curveDifference(run, undisturbed, "val/loss"), std::string());
    }
}

void RunRealTest::theSplitOfASweepIsPinned_data() {
    QTest::addColumn<QByteArray>("run");
    QTest::addColumn<QString>("axis");
    QTest::addColumn<QByteArray>("now");  // what the dataset keeps when the sweep is started; empty: as it was
    QTest::addColumn<QByteArray>("then"); // what one keeps that an earlier version recorded
    const auto row = [](const char* name, const char* run, const char* axis, const char* now, const char* then) {
        QTest::newRow(name) << QByteArray(run) << QString(axis) << QByteArray(now) << QByteArray(then);
    };
    row("a name", R"({"dataset": "mnist"})", "optimizer.lr", "10", "0");
    row("an object", R"({"dataset": {"name": "cifar10", "params": {"limit": 500}}})", "optimizer.lr", "10", "0");
    row("the default", R"({"model": "mlp"})", "dataset.params.limit", "10", "0");
    row("it says so", R"({"dataset": {"name": "mnist", "params": {"validation": 30}}})", "optimizer.lr", "30", "30");
    row("no test part", R"({"dataset": "spirals"})", "optimizer.lr", "", "");
    row("the space chooses", R"({"dataset": "mnist"})", "dataset", "", "");
}

void RunRealTest::theSplitOfASweepIsPinned() {
    QFETCH(QByteArray, run);
    QFETCH(QString, axis);
    QFETCH(QByteArray, now);
    QFETCH(QByteArray, then);
    spec::SweepSpec sweep;
    sweep.runJson = run.toStdString();
    sweep.space = {{.path = axis.toStdString()}};
    const auto kept = [](const Result<spec::SweepSpec>& pinned) {
        const auto read = pinned ? spec::parseRunSpec(pinned->runJson) : pinned.error();
        const auto share = read ? read->dataset.params.find("validation") : spec::Params::const_iterator();
        return !read || share == read->dataset.params.end() ? std::string() : spec::toText(share->second);
    };
    QCOMPARE(kept(sweep::withPinnedSplit(sweep)), now.toStdString());
    QCOMPARE(kept(sweep::withEarlierSplit(sweep)), then.toStdString());
    QCOMPARE(sweep::withPinnedSplit(sweep::withEarlierSplit(sweep).valueOr(sweep)).valueOr({}),
             sweep::withEarlierSplit(sweep).valueOr(sweep)); // what is pinned stays
}

// What the terminal program prints with --json; empty when it fails.
QJsonObject RunRealTest::ctl(const QStringList& arguments) {
    QProcess process;
    process.start(QString::fromLocal8Bit(m_programs) + "/trainyardctl",
                  arguments +
                      QStringList{"--json", "--workspace", QString::fromStdString(m_lab->workspace().root.string())});
    if (!process.waitForFinished(120'000) || process.exitCode() != 0) {
        qWarning("%s: %s", qPrintable(arguments.join(' ')), process.readAllStandardError().constData());
        return {};
    }
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

QString RunRealTest::runFile(const spec::RunSpec& spec) {
    const QString name = QString::fromStdString((m_lab->workspace().root / "run.json").string());
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray::fromStdString(spec::toJson(spec)));
    return name;
}

// Feature: learning rate finder, overfitting few batches, fast dev run, early stop. Also in worker_policy_test.
void RunRealTest::findsALearningRate() {
    const auto found = ctl({"lr-find", runFile(spirals(1)), "--from", "1e-5", "--to", "3", "--steps", "80"});
    const double rate = found["suggested"].toDouble();
    QVERIFY2(rate > 1e-4 && rate < 0.3, qPrintable(QString::number(rate)));
    QCOMPARE(found["workers"].toInt(), 2);
    const auto points = found["points"].toArray();
    QVERIFY(points.size() > 40);
    QVERIFY(std::abs(points[0].toObject()["lr"].toDouble() - 1e-5) < 1e-12);
    QVERIFY(m_lab->query().runs()->empty()); // none of the user's runs
}

// One card for one and two workers: rates of real steps, shares that are shares, and what follows from them.
// Feature: scaling card, estimate compared with the run. Also in run_books_test, torch_preview_test.
void RunRealTest::measuresScaling() {
    const auto card = ctl({"scaling", runFile(spirals(1000)), "--workers", "1,2", "--steps", "60", "--seconds", "20"});
    QCOMPARE(card["batch"].toString(), QString("global"));
    const auto points = card["points"].toArray();
    QCOMPARE(points.size(), 2);
    const double alone = points[0].toObject()["samples_per_s"].toDouble();
    for (int i = 0; i < 2; ++i) {
        const auto point = points[i].toObject();
        QCOMPARE(point["workers"].toInt(), i + 1);
        QCOMPARE(point["ranks"].toArray().size(), i + 1);
        const double rate = point["samples_per_s"].toDouble(), step = point["step_s"].toDouble();
        QVERIFY(rate > 0 && step > 0);
        QVERIFY(std::abs(rate * step / 60 - 1) < 0.01); // samples of a step, however they are split
        QVERIFY(std::abs(point["speed_up"].toDouble() - rate / alone) < 1e-6);
        QVERIFY(std::abs(point["efficiency"].toDouble() - rate / alone / (i + 1)) < 1e-6);
        double shares = 0;
        for (const auto& share : point["shares"].toObject()) {
            QVERIFY(share.toDouble() >= 0 && share.toDouble() <= 1);
            shares += share.toDouble();
        }
        QVERIFY2(shares > 0.5 && shares < 1.05, qPrintable(QString::number(shares)));
        QVERIFY(!point["binds"].toString().isEmpty());
    }
    QVERIFY(m_lab->query().runs()->empty());
}

// A busy process takes a share of the cores that the card must not pass off as the workers' own doing.
void RunRealTest::scalingTellsOfOtherPrograms() {
    QProcess other;
    other.setStandardOutputFile(QProcess::nullDevice());
    other.start("yes");
    QVERIFY(other.waitForStarted());
    const auto card = ctl({"scaling", runFile(spirals(1000)), "--workers", "1", "--steps", "4000", "--seconds", "2"});
    other.kill();
    other.waitForFinished();
    const auto point = card["points"].toArray().at(0).toObject();
    const double half = 1.0 / availableCores() / 2; // of the core that it would have for itself
    QVERIFY2(point["others_share"].toDouble() > half, qPrintable(QString::number(point["others_share"].toDouble())));
    QCOMPARE(point["disturbed"].toBool(), point["others_share"].toDouble() > 0.1);
}

void RunRealTest::comparesAnEstimateWithTheRun() {
    auto spec = spirals(6);
    spec.name = "estimated";
    const QString file = runFile(spec);
    const auto estimate = ctl({"estimate", file, "--steps", "60", "--seconds", "20"});
    const double steps = estimate["steps"].toDouble(), step = estimate["step_s"].toDouble();
    QVERIFY(steps > 0 && step > 0);
    QVERIFY(std::abs(estimate["train_s"].toDouble() - steps * step) < 1e-9);
    QVERIFY(estimate["memory_bytes"].toDouble() >= estimate["memory_calculated_bytes"].toDouble());
    QVERIFY(estimate["memory_calculated_bytes"].toDouble() > 0);
    const auto run = ctl({"run", file});
    QCOMPARE(run["steps"].toDouble(), steps); // it knew how many
    const auto compared = ctl({"show", "estimated"})["estimate"].toObject();
    QCOMPARE(compared["train_s"]["estimated"].toDouble(), estimate["train_s"].toDouble());
    QCOMPARE(compared["train_s"]["happened"].toDouble(), run["timing"]["train_s"].toDouble());
    QVERIFY(compared["memory_bytes"]["happened"].toDouble() > 0);
}

void RunRealTest::estimatesTheCopyForCheckpoints_data() {
    QTest::addColumn<QString>("averaging");
    QTest::addColumn<int>("rank"); // that keeps it
    QTest::newRow("shared memory: pinned, mapped by all") << "shared" << 1;
    QTest::newRow("buckets: kept by rank 0") << "buckets" << 0;
}

// A run that saves on its way has a copy of weights and optimizer state more than rank 1 of one that does not: as much
// as its estimate is larger. Half of it is 25 MB, which two runs do not differ by otherwise.
void RunRealTest::estimatesTheCopyForCheckpoints() {
    QFETCH(QString, averaging);
    QFETCH(int, rank);
    qputenv("TRAINYARD_POOL", "off"); // a rank that was forked has what its parent had
    const auto back = qScopeGuard([] { qunsetenv("TRAINYARD_POOL"); });
    auto spec = spirals(1);
    spec.model.params["hidden"] = std::vector<double>{2048, 2048};
    spec.epochs.reset();
    spec.steps = RunLab::kEndless;
    spec.checkpoint.everyEpochs = 0;
    spec.scaling.averaging = averaging.toStdString();
    spec.scaling.threadsPerWorker = 1;
    spec.tuning = {"contiguous", "stock"}; // nothing is timed, which would take memory
    double estimated[2]{}, happened[2]{};
    for (const int saves : {0, 1}) {
        spec.checkpoint.everySteps = saves * 5;
        const auto estimate = ctl({"estimate", runFile(spec), "--steps", "5", "--seconds", "20"});
        estimated[saves] = estimate["memory_calculated_bytes"].toDouble();
        const auto run = run::startRun(m_lab->workspace(), spec);
        QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
        const auto isTold = [&] { // each half second; what was told after the first save
            const auto workers = m_lab->query().workers(*run);
            if (!workers) return false;
            for (const auto& worker : *workers)
                if (worker.rank == (saves ? rank : 1) && worker.beat.step >= 8)
                    happened[saves] = static_cast<double>(worker.beat.residentBytes);
            return happened[saves] > 0;
        };
        QVERIFY(m_lab->waitUntil(isTold, 120));
        QVERIFY(run::stopRun(m_lab->workspace(), *run, wire::StopMode::StopNow).ok());
        QCOMPARE(m_lab->waitForEnd(*run, 120).status, wire::RunStatus::Stopped);
    }
    const double copy = estimated[1] - estimated[0], more = happened[1] - happened[0];
    QCOMPARE(copy, 3 * 4.0 * (2 * 2048 + 2048 + 2048 * 2048 + 2048 + 2048 * 3 + 3)); // Adam keeps two numbers more
    QVERIFY2(std::abs(more - copy) < copy / 2, qPrintable(QStringLiteral("%1 MB more, and not %2: %3 after %4")
                                                              .arg(more / 1e6)
                                                              .arg(copy / 1e6)
                                                              .arg(happened[1] / 1e6)
                                                              .arg(happened[0] / 1e6)));
}

QTEST_GUILESS_MAIN(RunRealTest)
#include "run_real_test.moc"
