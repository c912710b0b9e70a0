// SPDX-License-Identifier: GPL-3.0-or-later
// Deaths and bad disks while checkpoints are pruned. After each, every listed checkpoint has its file, every file is
// listed or known to be half deleted, and pruning once more finishes the work.
#include "engine/store/files/safetensors.h"
#include "tests/faults/storage_fault.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QProcess>
#include <QTest>

#include <set>

using namespace trainyard;
using test::RunLab;
using test::StorageFault;
namespace fs = std::filesystem;

namespace {

constexpr int kMostCalls = 200;

} // namespace

class PruneFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const char* why = StorageFault::cannotBe()) QSKIP(why);
    }
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    // Fault: SIGKILL before, or EIO on, any write, fsync, truncate or unlink of checkpoints prune, every N. Every
    // listed checkpoint is whole, every file is listed or marked as half deleted; pruning once more finishes.
    void rowsAndFilesNeverDisagree_data() {
        QTest::addColumn<QString>("fault");
        QTest::newRow("killed in front of the call") << "kill";
        QTest::newRow("the call fails") << "EIO";
    }
    void rowsAndFilesNeverDisagree();

private:
    std::string addRun(int number);
    QString disagreement(const std::string& run);
    static int prune(const std::string& run);
    std::unique_ptr<RunLab> m_lab;
};

// A finished run with four checkpoints, of which pruning deletes two.
std::string PruneFaultsTest::addRun(int number) {
    store::RunRow row;
    row.id = "run-" + std::to_string(number);
    row.name = row.id;
    row.specJson = "{}";
    row.status = wire::RunStatus::Finished;
    row.folder = m_lab->workspace().runFolder(row.id).string();
    fs::create_directories(fs::path(row.folder) / "checkpoints");
    std::vector<store::CheckpointRow> rows;
    const std::vector<float> weights{1, 2, 3, 4};
    for (const int step : {1, 2, 3, 4}) {
        store::CheckpointRow checkpoint;
        checkpoint.step = step;
        checkpoint.path = row.folder + "/checkpoints/step-" + std::to_string(step) + ".safetensors";
        checkpoint.metrics["val/accuracy"] = step == 2 ? 0.9 : 0.5;
        if (!store::writeSafetensors(checkpoint.path, {{"model.w", "F32", {4}, std::as_bytes(std::span(weights))}}, {}))
            qFatal("no checkpoint");
        rows.push_back(checkpoint);
    }
    const auto writer = store::Store::open(m_lab->workspace());
    if (!writer || !(*writer)->createRun(row) || !(*writer)->setCheckpoints(row.id, rows)) qFatal("no run");
    return row.id;
}

// Empty when every listed checkpoint is whole, and every file is listed or half deleted.
QString PruneFaultsTest::disagreement(const std::string& run) {
    const auto listed = m_lab->query().checkpoints(run), half = m_lab->query().halfDeleted(run);
    if (!listed || !half) return QStringLiteral("the store cannot be read");
    std::set<std::string> known;
    for (const auto& row : *listed) {
        known.insert(row.path);
        if (const auto file = store::SafetensorsFile::open(row.path); !file)
            return QString::fromStdString(file.error().text());
    }
    for (const auto& row : *half) known.insert(row.path);
    for (const auto& entry : fs::directory_iterator(m_lab->workspace().runFolder(run) / "checkpoints"))
        if (!known.contains(entry.path().string())) return QString::fromStdString(entry.path().string());
    return {};
}

int PruneFaultsTest::prune(const std::string& run) {
    QProcess process;
    process.start(QString(SCRIPTED_PROGRAMS "/trainyardctl"),
                  {"checkpoints", "prune", QString::fromStdString(run), "--json"});
    return process.waitForFinished(30'000) && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
}

void PruneFaultsTest::rowsAndFilesNeverDisagree() {
    QFETCH(QString, fault);
    int nth = 1;
    for (bool hit = true; hit; ++nth) {
        QVERIFY2(nth < kMostCalls, "pruning never ends without a fault");
        const auto run = addRun(nth);
        {
            const StorageFault shim({.program = "trainyardctl",
                                     .path = m_lab->folder(),
                                     .fault = fault.toStdString(),
                                     .calls = "write sync truncate unlink",
                                     .nth = nth},
                                    m_lab->folder());
            const int code = prune(run);
            hit = shim.wasHit();
            if (!hit) QCOMPARE(code, 0);
        }
        QVERIFY2(disagreement(run).isEmpty(),
                 qPrintable(QStringLiteral("call %1: %2").arg(nth).arg(disagreement(run))));
        QCOMPARE(prune(run), 0);
        const auto left = *m_lab->query().checkpoints(run);
        QCOMPARE(left.size(), std::size_t{2});
        QCOMPARE(left[0].step, 2);
        QCOMPARE(left[1].step, 4);
        QVERIFY(m_lab->query().runsWithHalfDeleted()->empty());
        QVERIFY2(disagreement(run).isEmpty(), qPrintable(disagreement(run)));
    }
    QVERIFY2(nth > 5, qPrintable(QString::number(nth)));
}

QTEST_GUILESS_MAIN(PruneFaultsTest)
#include "prune_faults_test.moc"
