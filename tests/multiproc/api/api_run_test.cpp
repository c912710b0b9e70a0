// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the engine's own trainer from a C++ program: what a run file can ask for, control, forks, export.
#include "engine/store/files/safetensors.h"
#include "engine/store/run_query.h"
#include "trainyard/run.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace ty = trainyard::train;
using namespace std::chrono_literals;

namespace {

const std::string kSpirals = R"({
  "version": 1, "name": "spirals",
  "model": {"name": "mlp", "params": {"hidden": [32, 32]}},
  "dataset": "spirals",
  "optimizer": {"name": "adam", "lr": 0.003},
  "batch": {"perRank": 20},
  "steps": 400,
  "scaling": {"workers": 2, "threadsPerWorker": 1},
  "checkpoint": {"everyEpochs": 0, "everySteps": 100, "keep": 3}
})";

// What it throws, or nothing.
template <class Error, class Work>
QString thrownBy(const Work& work) {
    try {
        work();
    } catch (const Error& e) { return QString::fromUtf8(e.what()); }
    return {};
}

} // namespace

class ApiRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        qputenv("TRAINYARD_WORKSPACE", m_folder.filePath("ws").toUtf8());
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
    }
    void trainsWhatARunFileSays();
    void refusesWhatCannotBe();
    void readsAFileWithOverrides();
    void isControlledWhileItTrains();
    void stopsAndGoesOn();
    void forksFromACheckpoint();
    void goesOnWithoutTheObject();
    void findsALearningRate();
    void snippetOfTheDocumentRuns();

private:
    // The last value of a series, and the number of its points.
    static std::pair<double, std::size_t> curve(const ty::Result& result, const std::string& series) {
        std::pair<double, std::size_t> found{0, 0};
        for (const auto& row : result.metricsHistory)
            if (const auto value = row.metrics.find(series); value != row.metrics.end())
                found = {value->second, found.second + 1};
        return found;
    }
    static void waitForStep(ty::Run& run, std::int64_t step) {
        QTRY_VERIFY_WITH_TIMEOUT(
            run.waitFor(0ms) || curve(run.result(), "train/loss").second >= static_cast<std::size_t>(step), 60'000);
    }

    QTemporaryDir m_folder;
};

// Feature: every feature of a run file from C++: start, follow, pause, learning rate, checkpoint, stop, resume, fork,
// export, a learning rate found.
void ApiRunTest::trainsWhatARunFileSays() {
    const auto file =
        ty::RunFile::parse(kSpirals, {"schedule=cosine", "gradient.clipNorm=1", "ema=0.9", "batch.accumulate=2",
                                      "batch.perRank=10", "scaling.averaging=buckets", "scaling.compression=fp16"});
    auto run = ty::Run::start(file);
    const auto result = run.wait();
    QVERIFY2(!result.error, result.error ? result.error->text().c_str() : "");
    QCOMPARE(run.status(), std::string("finished"));
    QCOMPARE(curve(result, "train/loss").second, std::size_t{400});
    QCOMPARE(curve(result, "lr").second, std::size_t{400});
    QVERIFY(curve(result, "lr").first < 1e-4); // the cosine came down
    QVERIFY(result.metrics.at("val/accuracy") > 0.8);
    QVERIFY(result.checkpoint);
    QCOMPARE(run.checkpointFile("last"), result.checkpoint->path());
    QVERIFY(run.file().json().find("\"heartbeatSeconds\"") != std::string::npos); // every default is written down
    const auto out = std::filesystem::path(m_folder.filePath("model.safetensors").toStdString());
    run.exportModel(out);
    const auto model = trainyard::store::SafetensorsFile::open(out);
    const auto trained = trainyard::store::SafetensorsFile::open(run.checkpointFile());
    QVERIFY(model && trained);
    QCOMPARE(model->tensors().size(), std::size_t{6});
    for (const auto& tensor : model->tensors()) { // the averaged weights
        const auto* average = trained->find("ema." + tensor.name);
        QVERIFY2(average, tensor.name.c_str());
        const auto got = model->bytes(tensor), want = trained->bytes(*average);
        QVERIFY(std::equal(got.begin(), got.end(), want.begin(), want.end()));
    }
    const auto refusal = thrownBy<ty::InputError>([&] { run.exportModel(out); });
    QVERIFY2(refusal.contains("exists already"), qPrintable(refusal));
    run.exportModel(out, "state-dict", "300", true);
    QVERIFY(!trainyard::store::SafetensorsFile::open(out)); // now another format
}

void ApiRunTest::refusesWhatCannotBe() {
    const auto says = [](const QString& words, const auto& work) {
        const QString text = thrownBy<ty::InputError>(work);
        return text.contains(words) ? QString() : "\"" + text + "\"";
    };
    QCOMPARE(says("scaling.wrokers", [] { ty::RunFile::parse(kSpirals, {"scaling.wrokers=1"}); }), QString());
    QCOMPARE(says("optimizer.lrr", [] { ty::Run::start(ty::RunFile::parse(kSpirals, {"optimizer.lrr=1"})); }),
             QString());
    QCOMPARE(says("no path=value", [] { ty::RunFile::parse(kSpirals, {"optimizer.lr"}); }), QString());
    QCOMPARE(says("scaling.workers", [] { ty::Run::start(ty::RunFile::parse(kSpirals).with({"scaling.workers=0"})); }),
             QString());
    QCOMPARE(says("did you mean \"mlp\"", [] { ty::Run::start(ty::RunFile::parse(kSpirals, {"model.name=mpl"})); }),
             QString());
    QCOMPARE(says("there is no run", [] { ty::Run::open("nowhere"); }), QString());
    auto run = ty::Run::start(ty::RunFile::parse(kSpirals, {"steps=20", "checkpoint.everySteps=10"}));
    QVERIFY(!run.wait().error);
    QVERIFY(!thrownBy<ty::InputError>([&] { run.pause(); }).isEmpty()); // it is over
    QCOMPARE(says("there are best, last and the steps", [&] { (void)run.checkpointFile("7"); }), QString());
}

void ApiRunTest::readsAFileWithOverrides() {
    const QString path = m_folder.filePath("run.json");
    std::ofstream(path.toStdString()) << kSpirals;
    const auto file = ty::RunFile::read(path.toStdString(), {"name=\"of a file\"", "steps=15"});
    auto run = ty::Run::start(file);
    QVERIFY(!run.wait().error);
    QCOMPARE(ty::Run::open("of a file").id(), run.id());
    QCOMPARE(curve(run.result(), "train/loss").second, std::size_t{15});
    const auto missing =
        thrownBy<std::exception>([&] { ty::RunFile::read(m_folder.filePath("none.json").toStdString()); });
    QVERIFY2(missing.contains("none.json"), qPrintable(missing));
}

void ApiRunTest::isControlledWhileItTrains() {
    auto run = ty::Run::start(ty::RunFile::parse(kSpirals, {"steps=1000000", "checkpoint.everySteps=1000000",
                                                            "scaling.elastic.min=1", "scaling.elastic.max=2"}));
    waitForStep(run, 20);
    QVERIFY(run.setWorkers(1) >= 20);
    waitForStep(run, run.setWorkers(2) + 10);
    const auto paused = run.pause();
    QTRY_COMPARE(run.status(), std::string("paused"));
    QVERIFY(!run.waitFor(300ms));
    QCOMPARE(curve(run.result(), "train/loss").second, static_cast<std::size_t>(paused));
    QCOMPARE(run.setLearningRate(0.001), paused);
    QCOMPARE(run.saveCheckpoint(), paused);
    QCOMPARE(run.checkpointFile("last"), run.checkpointFile(std::to_string(paused)));
    QCOMPARE(run.unpause(), paused);
    waitForStep(run, paused + 10);
    QVERIFY(std::abs(curve(run.result(), "lr").first - 0.001) < 1e-12);
    run.stopNow();
    const auto result = run.wait();
    QVERIFY(result.error && result.error->kind == "stopped");
    QCOMPARE(run.checkpointFile("last"), run.checkpointFile(std::to_string(paused)));
}

void ApiRunTest::stopsAndGoesOn() {
    auto run = ty::Run::start(ty::RunFile::parse(kSpirals, {"epochs=200"}));
    waitForStep(run, 30);
    run.stop();
    auto result = run.wait();
    QCOMPARE(run.status(), std::string("stopped"));
    const auto steps = curve(result, "train/loss").second;
    QCOMPARE(run.checkpointFile("last"), run.checkpointFile(std::to_string(steps)));
    run.resume();
    waitForStep(run, static_cast<std::int64_t>(steps) + 30);
    run.kill();
    QVERIFY(run.wait().error);
    const auto missing = thrownBy<ty::InputError>([&] { run.pause(); });
    QVERIFY2(!missing.isEmpty(), "a killed run was paused");
}

void ApiRunTest::forksFromACheckpoint() {
    auto run = ty::Run::start(ty::RunFile::parse(kSpirals));
    QVERIFY(!run.wait().error);
    auto fork = run.fork("200", {"optimizer.lr=0.0001", "steps=300"});
    const auto result = fork.wait();
    QVERIFY2(!result.error, result.error ? result.error->text().c_str() : "");
    QVERIFY(fork.id() != run.id());
    QVERIFY(std::abs(curve(result, "lr").first - 0.0001) < 1e-12);
    QCOMPARE(result.metricsHistory.front().step, std::int64_t{201});
    QCOMPARE(result.metricsHistory.back().step, std::int64_t{300});
    auto query = trainyard::store::RunQuery::open(*trainyard::store::Workspace::open());
    QCOMPARE((*query)->run(fork.id())->forkedFrom, run.id());
}

void ApiRunTest::goesOnWithoutTheObject() {
    std::string id;
    {
        auto run = ty::Run::start(ty::RunFile::parse(kSpirals, {"steps=600"}));
        id = run.id();
        waitForStep(run, 10);
    }
    auto again = ty::Run::open(id);
    QVERIFY(!again.wait().error);
    QCOMPARE(curve(again.result(), "train/loss").second, std::size_t{600});
}

void ApiRunTest::findsALearningRate() {
    const auto found = ty::findLearningRate(ty::RunFile::parse(kSpirals), 1e-5, 10, 80);
    QVERIFY(found.suggested);
    QVERIFY(*found.suggested > 1e-4 && *found.suggested < 1);
    QCOMPARE(found.rates.size(), found.losses.size());
    QVERIFY(found.rates.size() > 20);
    auto query = trainyard::store::RunQuery::open(*trainyard::store::Workspace::open());
    const auto rows = (*query)->runs(true);
    QVERIFY(rows.ok());
    for (const auto& row : *rows) QVERIFY(row.name.find("rate") == std::string::npos); // nothing kept
}

void ApiRunTest::snippetOfTheDocumentRuns() {
    const QString path = m_folder.filePath("fashion_mnist_mlp.json"); // the name that the document uses
    std::ofstream(path.toStdString()) << kSpirals;
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.setWorkingDirectory(m_folder.path());
    process.start(API_RUN_SNIPPET, QStringList());
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitCode(), 0);
    const auto printed = process.readAllStandardOutput();
    QVERIFY2(printed.contains("val/accuracy 0."), printed.constData());
    QVERIFY(QFile::exists(m_folder.filePath("mlp.safetensors")));
}

QTEST_GUILESS_MAIN(ApiRunTest)
#include "api_run_test.moc"
