// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on CUDA devices, beside the same runs on the CPU. Skipped, with the reason, where LibTorch sees too few.
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <cmath>

using namespace trainyard;
using test::RunLab;

class GpuTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_lab.reset(); }

    void followsTheCurveOfTheCpu_data();
    void followsTheCurveOfTheCpu();
    void refusesWhatIsNotThere();

private:
    spec::RunSpec glyphs(const std::string& device) const;
    std::vector<wire::Point> lossOf(const spec::RunSpec& spec);

    QByteArray m_programs;
    int m_devices = 0;
    std::unique_ptr<RunLab> m_lab;
};

void GpuTest::initTestCase() {
    m_programs = qgetenv("TRAINYARD_BIN");
    QProcess worker;
    worker.start(QString::fromLocal8Bit(m_programs) + "/trainyard-worker", {"describe"});
    QVERIFY(worker.waitForFinished(60'000));
    const auto devices = QJsonDocument::fromJson(worker.readAllStandardOutput()).object()["devices"].toArray();
    QVERIFY(!devices.isEmpty());
    for (const auto& device : devices) m_devices += device.toObject()["name"].toString().startsWith("cuda") ? 1 : 0;
}

void GpuTest::init() {
    m_lab = std::make_unique<RunLab>();
    qputenv("TRAINYARD_BIN", m_programs);
}

spec::RunSpec GpuTest::glyphs(const std::string& device) const {
    spec::RunSpec spec;
    spec.model = {"mlp", {{"hidden", std::vector<double>{64}}}};
    spec.dataset = {"glyphs", {{"samples", std::int64_t{2048}}, {"validation", std::int64_t{10}}}};
    spec.optimizer = {"sgd", {{"lr", 0.05}, {"momentum", 0.9}}};
    spec.batch = {std::nullopt, 64, 1};
    spec.steps = 120;
    spec.epochs = std::nullopt;
    spec.scaling.device = device;
    spec.checkpoint.everyEpochs = 0;
    return spec;
}

std::vector<wire::Point> GpuTest::lossOf(const spec::RunSpec& spec) {
    const auto run = run::startRun(m_lab->workspace(), spec);
    if (!run) {
        qWarning("%s", run.error().text().c_str());
        return {};
    }
    const auto row = m_lab->waitForEnd(*run, 240);
    if (row.status != wire::RunStatus::Finished)
        qWarning("%s: %s", wire::toString(row.status), m_lab->logText(*run).c_str());
    return m_lab->points(*run, "train/loss");
}

// Feature: CUDA: fp32, fp16, bf16, NCCL, where there is a device (skipped elsewhere); refused clearly where there is
// none.
void GpuTest::followsTheCurveOfTheCpu_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<QString>("precision");
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>(
        "steps"); // whose mean loss is compared: single steps part where numbers are rounded otherwise
    QTest::addColumn<double>("limit"); // of its difference
    QTest::newRow("one device") << 1 << "fp32" << "mlp" << 1 << 2e-3;
    QTest::newRow("one device, fp16 with a scaled loss") << 1 << "fp16" << "mlp" << 40 << 0.06;
    QTest::newRow("one device, bf16") << 1 << "bf16" << "mlp" << 40 << 0.06;
    QTest::newRow("one device, convolutions") << 1 << "fp32" << "convnet" << 1 << 5e-3;
    QTest::newRow("two devices, NCCL") << 2 << "fp32" << "mlp" << 1 << 2e-3;
}
void GpuTest::followsTheCurveOfTheCpu() {
    QFETCH(int, workers);
    QFETCH(QString, precision);
    QFETCH(QString, model);
    QFETCH(int, steps);
    QFETCH(double, limit);
    if (m_devices < workers)
        QSKIP(qPrintable(
            QString("needs %1 CUDA devices, and this worker's LibTorch sees %2").arg(workers).arg(m_devices)));
    auto spec = glyphs("cpu");
    if (model != "mlp") spec.model = {model.toStdString(), {}};
    spec.scaling.workers = workers;
    const auto wanted = lossOf(spec);
    QCOMPARE(wanted.size(), std::size_t{120});
    spec.scaling.device = "cuda";
    spec.scaling.backend = "nccl";
    spec.precision = precision.toStdString();
    const auto got = lossOf(spec);
    QCOMPARE(got.size(), wanted.size());
    const auto mean = [steps](const std::vector<wire::Point>& points, std::size_t from) {
        double sum = 0;
        for (int i = 0; i < steps; ++i) sum += points[from + static_cast<std::size_t>(i)].value;
        return sum / steps;
    };
    for (std::size_t i = 0; i < got.size(); i += static_cast<std::size_t>(steps)) {
        const double here = mean(got, i), there = mean(wanted, i);
        QVERIFY2(std::abs(here - there) < limit,
                 qPrintable(QString("step %1: %2, and %3 on the CPU").arg(got[i].step).arg(here).arg(there)));
    }
    QVERIFY(got.back().value < 0.7 * got.front().value); // it learns
}

// Where there is no such device the run ends before its first step and says what to do.
void GpuTest::refusesWhatIsNotThere() {
    if (m_devices >= 8) QSKIP("this computer has all the devices that are asked for");
    auto spec = glyphs("cuda");
    spec.scaling.workers = 8;
    spec.failure.maxRestarts = 0;
    const auto run = run::startRun(m_lab->workspace(), spec);
    const std::string told = run ? (m_lab->waitForEnd(*run, 120), m_lab->logText(*run)) : run.error().text();
    if (run) QCOMPARE(m_lab->row(*run).status, wire::RunStatus::Failed);
    QVERIFY2(told.find("CUDA device") != std::string::npos, told.c_str());
    const bool namesRemedy = told.find("CPU") != std::string::npos || told.find("cpu") != std::string::npos;
    QVERIFY2(namesRemedy, told.c_str());
}

QTEST_GUILESS_MAIN(GpuTest)
#include "gpu_test.moc"
