// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints in memory: that they keep to their bound, and what becomes of them.
#include "engine/base/ids.h"
#include "engine/run/record/memory_states.h"
#include "engine/run/record/run_folder.h"
#include "engine/store/run_query.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace trainyard;
using namespace trainyard::run;
namespace fs = std::filesystem;

namespace {

// A file of so many bytes.
auto fileOf(std::size_t bytes) {
    return [bytes](const fs::path& file) -> Result<void> {
        std::ofstream(file) << std::string(bytes, 'x');
        return {};
    };
}

} // namespace

class MemoryStatesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_sweep = newId();
        if (memoryOfSweep(m_sweep).empty()) QSKIP("this computer has no memory for files");
    }
    void cleanup() {
        std::error_code ignored;
        fs::remove_all(memoryOfSweep(m_sweep), ignored);
    }

    void nowhereIsAlsoAnAnswer() {
        QVERIFY(memoryOf(m_sweep, "a", 0).folder.empty());
        QVERIFY(memoryOf("", "a", 5).folder.empty());
        QVERIFY(!writeInMemory({}, "step-1", 1, fileOf(1)));
        QVERIFY(isInMemory(memoryOf(m_sweep, "a", 5).folder / "step-1") && !isInMemory("/dev/shm/another/step-1"));
        QVERIFY(!fs::exists(memoryOfSweep(m_sweep))); // nothing is made before it is needed
    }
    // For all runs together; what two of them share is there once.
    void theBoundIsKept() {
        const auto a = memoryOf(m_sweep, "a", 1), b = memoryOf(m_sweep, "b", 1);
        QVERIFY(!writeInMemory(a, "large", 1'000'001, fileOf(1'000'001)));
        QVERIFY(writeInMemory(a, "step-1", 600'000, fileOf(600'000)));
        QVERIFY(!writeInMemory(b, "step-1", 400'001, fileOf(400'001)));
        QVERIFY(!fs::exists(b.folder / "step-1"));
        fs::create_hard_link(a.folder / "step-1", b.folder / "step-1");
        QVERIFY(writeInMemory(b, "step-2", 400'000, fileOf(400'000)));
        QVERIFY(!writeInMemory(a, "step-3", 1, fileOf(1)));
        store::CheckpointRow listed;
        listed.path = (b.folder / "step-1").string();
        removeFromMemory(b.folder, {listed});
        QVERIFY(fs::exists(b.folder / "step-1") && !fs::exists(b.folder / "step-2"));
        QVERIFY(writeInMemory(a, "step-3", 400'000, fileOf(400'000)));
    }
    void aFailedWriteIsNone() {
        const auto full = [](const fs::path&) -> Result<void> { return environmentError("the disk is full"); };
        QVERIFY(!writeInMemory(memoryOf(m_sweep, "a", 1), "step-1", 10, full));
    }
    // Its rows go with them, pinned or not; one that is lost has no row afterwards.
    void whatIsWantedGoesToTheDisk() {
        const QTemporaryDir folder;
        const store::Workspace workspace{folder.path().toStdString()};
        store::KeptStore store(workspace, {});
        const auto memory = memoryOf(m_sweep, "a", 1);
        store::RunRow row;
        row.id = "a";
        row.folder = (fs::path(workspace.root) / "a").string();
        fs::create_directories(row.folder);
        QVERIFY((*store.writer())->createRun(row).ok());
        std::vector<store::CheckpointRow> rows(3);
        for (std::size_t step = 0; step < rows.size(); ++step) {
            rows[step].path = (memory.folder / ("step-" + std::to_string(step))).string();
            rows[step].step = static_cast<std::int64_t>(step);
            QVERIFY(writeInMemory(memory, "step-" + std::to_string(step), 100 + rows[step].step, fileOf(100 + step)));
        }
        rows[1].pinned = true;
        QVERIFY((*store.writer())->setCheckpoints("a", rows).ok());
        fs::remove(rows[2].path);
        {
            const auto lock = store::RunLock::acquire(row.folder);
            QVERIFY(lock && moveToDisk(store, m_sweep).ok());
            QVERIFY(fs::exists(rows[0].path)); // it is being trained
        }
        QVERIFY(moveToDisk(store, m_sweep).ok());
        QVERIFY(!fs::exists(memoryOfSweep(m_sweep)));
        const auto moved = *(*store.reader())->checkpoints("a");
        QCOMPARE(moved.size(), std::size_t{2});
        for (std::size_t step = 0; step < moved.size(); ++step) {
            QCOMPARE(fs::path(moved[step].path).parent_path(), RunFolder{row.folder}.checkpoints());
            QCOMPARE(fs::file_size(moved[step].path), 100 + step);
            QCOMPARE(moved[step].pinned, step == 1);
        }
        QVERIFY(moveToDisk(store, m_sweep).ok()); // there is nothing more
    }
    void aDeletedRunLeavesNothing() {
        QVERIFY(writeInMemory(memoryOf(m_sweep, "a", 1), "step-1", 10, fileOf(10)));
        forgetMemory(m_sweep, "a");
        QVERIFY(!fs::exists(memoryOfSweep(m_sweep)));
    }

private:
    std::string m_sweep;
};

QTEST_GUILESS_MAIN(MemoryStatesTest)
#include "memory_states_test.moc"
