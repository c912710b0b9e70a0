// SPDX-License-Identifier: GPL-3.0-or-later
// Disks that fail or vanish under a run's checkpoints. The method: the Nth call of a save fails, for N = 1, 2, … until
// a run has seen no fault; after each, everything that is listed must be whole, and the run must go on to its end.
#include "engine/store/safetensors.h"
#include "tests/faults/storage_fault.h"
#include "tests/multiproc/run_lab.h"

#include <QTest>

#include <functional>

using namespace trainyard;
using test::RunLab;
using test::StorageFault;
namespace fs = std::filesystem;

namespace {

// Two saves, of steps 5 and 10.
constexpr const char* kPlan = "ms=1 perEpoch=5";
constexpr int kSteps = 10;
constexpr int kMostCalls = 200; // far more than two saves make

std::string bytesOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void putBytes(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

class CheckpointFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const char* why = StorageFault::cannotBe()) QSKIP(why);
    }
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void aDeathBetweenAnyTwoCallsLosesNothingCommitted();
    void anyCallMayFail_data();
    void anyCallMayFail();
    void oneNoticeSaysWhatAFullDiskMeans();
    void aDamagedNewestCheckpointIsPassedOver_data();
    void aDamagedNewestCheckpointIsPassedOver();
    void aRunOutlivesItsFolder();

private:
    std::string start() { return m_lab->start({.plan = kPlan, .epochs = 2, .maxRestarts = 0}); }
    QString listedAreWhole(const std::string& run);
    QString strays(const std::string& run);
    std::unique_ptr<RunLab> m_lab;
};

// Empty when every checkpoint in the list passes all checks.
QString CheckpointFaultsTest::listedAreWhole(const std::string& run) {
    const auto rows = m_lab->query().checkpoints(run);
    if (!rows) return QString::fromStdString(rows.error().text());
    for (const auto& row : *rows)
        if (const auto file = store::SafetensorsFile::open(row.path); !file)
            return QString::fromStdString(file.error().text());
    return {};
}

// Temporary files that nobody has removed.
QString CheckpointFaultsTest::strays(const std::string& run) {
    QString found;
    for (const auto& entry : fs::directory_iterator(fs::path(m_lab->row(run).folder) / "checkpoints"))
        if (entry.path().filename().string().starts_with("."))
            found += QString::fromStdString(entry.path().string()) + " ";
    return found;
}

void CheckpointFaultsTest::aDeathBetweenAnyTwoCallsLosesNothingCommitted() {
    int nth = 1;
    for (; nth < kMostCalls; ++nth) {
        std::string run;
        bool hit = false;
        {
            const StorageFault fault(
                {.program = "trainyard-worker", .path = "/checkpoints", .fault = "kill", .nth = nth}, m_lab->folder());
            run = start();
            const auto row = m_lab->waitForEnd(run);
            hit = fault.wasHit();
            QCOMPARE(row.status, std::string(hit ? "failed" : "finished"));
        }
        QCOMPARE(listedAreWhole(run), QString());
        if (!hit) break;
        const auto before = m_lab->query().checkpoints(run)->size();
        QVERIFY2(run::resumeRun(m_lab->workspace(), run).ok(), qPrintable(QString::number(nth)));
        QCOMPARE(m_lab->waitForEnd(run).status, std::string("finished"));
        QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
        QCOMPARE(listedAreWhole(run), QString());
        QCOMPARE(strays(run), QString());
        QVERIFY(m_lab->query().checkpoints(run)->size() >= before);
    }
    QVERIFY2(nth > 16, "a save makes more calls than that: the shim was not there");
    QVERIFY(nth < kMostCalls);
}

void CheckpointFaultsTest::anyCallMayFail_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("calls");
    QTest::addColumn<bool>("noticed");
    QTest::newRow("ENOSPC while space is reserved") << "ENOSPC" << "reserve" << true;
    QTest::newRow("ENOSPC on write") << "ENOSPC" << "write" << true;
    QTest::newRow("EIO on write") << "EIO" << "write" << true;
    QTest::newRow("EIO on fsync") << "EIO" << "sync" << true;
    QTest::newRow("EIO on close") << "EIO" << "close" << true;
    QTest::newRow("EIO on rename") << "EIO" << "rename" << true;
    QTest::newRow("read-only folder") << "EROFS" << "open" << true;
    QTest::newRow("short write") << "short" << "write" << false; // the rest is written
}

void CheckpointFaultsTest::anyCallMayFail() {
    QFETCH(QString, fault);
    QFETCH(QString, calls);
    QFETCH(bool, noticed);
    int nth = 1;
    for (; nth < kMostCalls; ++nth) {
        // Closing the folder after it was synced can fail without harm; closing the file cannot.
        const StorageFault injected({.program = "trainyard-worker",
                                     .path = calls == "close" ? "/checkpoints/.tmp" : "/checkpoints",
                                     .fault = fault.toStdString(), .calls = calls.toStdString(), .nth = nth},
                                    m_lab->folder());
        const auto run = start();
        const auto row = m_lab->waitForEnd(run);
        QCOMPARE(row.status, std::string("finished")); // training goes on
        QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
        QCOMPARE(listedAreWhole(run), QString());
        QCOMPARE(strays(run), QString());
        const auto log = m_lab->logText(run);
        const bool told = log.find("was not saved") != std::string::npos;
        QVERIFY2(told == (noticed && injected.wasHit()), log.c_str());
        if (!injected.wasHit()) break;
    }
    QVERIFY2(nth > 2, "no call was met: the shim was not there");
    QVERIFY(nth < kMostCalls);
}

void CheckpointFaultsTest::oneNoticeSaysWhatAFullDiskMeans() {
    const StorageFault fault({.program = "trainyard-worker", .path = "/checkpoints/.tmp", .fault = "ENOSPC",
                              .calls = "reserve write", .nth = 2, .times = 0}, m_lab->folder());
    const auto run = start(); // the first save reserves its space, and then the disk is full for good
    QCOMPARE(m_lab->waitForEnd(run).status, std::string("finished"));
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("the disk is full: ") != std::string::npos, log.c_str());
    QVERIFY2(log.find("free some space or choose another folder") != std::string::npos, log.c_str());
    QCOMPARE(m_lab->query().checkpoints(run)->size(), std::size_t{0});
}

void CheckpointFaultsTest::aDamagedNewestCheckpointIsPassedOver_data() {
    using Damage = std::function<void(const fs::path&)>;
    QTest::addColumn<Damage>("damage");
    QTest::newRow("cut off") << Damage([](const fs::path& path) { fs::resize_file(path, fs::file_size(path) - 3); });
    QTest::newRow("empty") << Damage([](const fs::path& path) { fs::resize_file(path, 0); });
    QTest::newRow("zeroed") << Damage(
        [](const fs::path& path) { putBytes(path, std::string(fs::file_size(path), '\0')); });
    QTest::newRow("one bit of a weight") << Damage([](const fs::path& path) {
        auto bytes = bytesOf(path);
        bytes.back() = static_cast<char>(bytes.back() ^ 0x10);
        putBytes(path, bytes);
    });
    QTest::newRow("one bit of the header") << Damage([](const fs::path& path) {
        auto bytes = bytesOf(path);
        bytes[40] = static_cast<char>(bytes[40] ^ 0x01);
        putBytes(path, bytes);
    });
    QTest::newRow("grown") << Damage([](const fs::path& path) { putBytes(path, bytesOf(path) + "more"); });
    QTest::newRow("gone") << Damage([](const fs::path& path) { fs::remove(path); });
    QTest::newRow("a folder") << Damage([](const fs::path& path) {
        fs::remove(path);
        fs::create_directory(path);
    });
}

void CheckpointFaultsTest::aDamagedNewestCheckpointIsPassedOver() {
    QFETCH(std::function<void(const std::filesystem::path&)>, damage);
    const auto run = start();
    QCOMPARE(m_lab->waitForEnd(run).status, std::string("finished"));
    const auto rows = m_lab->query().checkpoints(run);
    QCOMPARE(rows->size(), std::size_t{2});
    damage(rows->back().path);
    QVERIFY(run::resumeRun(m_lab->workspace(), run, 1).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, std::string("finished"));
    QCOMPARE(m_lab->contiguity(run, kSteps + 5), std::string());
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("the checkpoint of step 10 cannot be used: ") != std::string::npos, log.c_str());
    QVERIFY2(log.find("restarted from step 5") != std::string::npos, log.c_str());
    QCOMPARE(listedAreWhole(run), QString());
}

void CheckpointFaultsTest::aRunOutlivesItsFolder() {
    const auto run = m_lab->start({.plan = "ms=5 perEpoch=20"});
    QVERIFY(m_lab->waitForStep(run, 25));
    const fs::path folder = m_lab->row(run).folder;
    fs::rename(folder, m_lab->folder() + "/elsewhere");
    fs::remove_all(m_lab->folder() + "/elsewhere");
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, std::string("finished"));
    QCOMPARE(m_lab->contiguity(run, 100), std::string()); // the store is elsewhere
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("was not saved") != std::string::npos, log.c_str());
    const auto resumed = run::resumeRun(m_lab->workspace(), run, 1);
    QVERIFY(!resumed.ok());
    QVERIFY2(!resumed.error().text().empty(), resumed.error().text().c_str());
}

QTEST_GUILESS_MAIN(CheckpointFaultsTest)
#include "checkpoint_faults_test.moc"
