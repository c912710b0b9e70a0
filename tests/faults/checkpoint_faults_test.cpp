// SPDX-License-Identifier: GPL-3.0-or-later
// Disks that fail or vanish under a run's checkpoints. The method: the Nth call of a save fails, for N = 1, 2, … until
// a run has seen no fault; after each, everything that is listed must be whole, and the run must go on to its end.
#include "engine/run/start/run_start.h"
#include "engine/store/files/safetensors.h"
#include "tests/faults/storage_fault.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>

using namespace trainyard;
using test::RunLab;
using test::StorageFault;
namespace fs = std::filesystem;

namespace {

// Two saves, of steps 5 and 10.
constexpr const char* kPlan = "ms=1 perEpoch=5";
constexpr std::int64_t kSteps = 10;
constexpr int kMostCalls = 200; // far more than two saves make

std::string bytesOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void putBytes(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// A call as the shim noted it.
struct Call {
    std::string what, path, more;
};

std::vector<Call> callsIn(const fs::path& log) {
    std::vector<Call> calls;
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find('\t'), second = line.find('\t', first + 1);
        if (second == line.npos) continue;
        calls.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
    }
    return calls;
}

constexpr std::size_t kNever = static_cast<std::size_t>(-1);

// The first call from `from` on for which `is` holds.
std::size_t firstCall(const std::vector<Call>& calls, std::size_t from, const std::function<bool(const Call&)>& is) {
    for (std::size_t at = from; at < calls.size(); ++at)
        if (is(calls[at])) return at;
    return kNever;
}

bool ofTheDatabase(const Call& call) { return call.path.find("/trainyard.db") != std::string::npos; }

// The call that makes the list with the checkpoint durable, whose file calls[renamed] puts in place; else what is out
// of order on the way there.
struct Committed {
    std::size_t at = kNever;
    std::string problem;
};
Committed committed(const std::vector<Call>& calls, std::size_t renamed) {
    const std::string temporary = calls[renamed].more, folder = fs::path(calls[renamed].path).parent_path();
    const std::string name = fs::path(calls[renamed].path).filename();
    const auto of = [&](const char* what) {
        return firstCall(calls, 0, [&](const Call& call) { return call.what == what && call.path == temporary; });
    };
    const auto reserved = of("reserve"), synced = of("sync"), closed = of("close");
    if (!(reserved < synced && synced < closed && closed < renamed)) return {kNever, "not reserved, synced and closed"};
    const auto changed = firstCall(calls, synced + 1, [&](const Call& call) {
        return call.path == temporary && (call.what == "write" || call.what == "truncate" || call.what == "sync");
    });
    if (changed != kNever) return {kNever, "changed or synced again after its sync"};
    const auto folderSynced =
        firstCall(calls, renamed, [&](const Call& call) { return call.what == "sync" && call.path == folder; });
    const auto listed = firstCall(calls, 0, [&](const Call& call) {
        return call.what == "write" && ofTheDatabase(call) && call.more.find(" " + name) != std::string::npos;
    });
    if (folderSynced == kNever || listed == kNever || listed < folderSynced)
        return {kNever, "listed before its folder was synced, or never"};
    return {firstCall(calls, listed, [](const Call& call) { return call.what == "sync" && ofTheDatabase(call); }), ""};
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

    void aSaveKeepsItsOrder();
    void aDeathBetweenAnyTwoCallsLosesNothingCommitted();
    void anyCallMayFail_data();
    void anyCallMayFail();
    void aFullDiskIsNoSuccess_data();
    void aFullDiskIsNoSuccess();
    void aDamagedNewestCheckpointIsPassedOver_data();
    void aDamagedNewestCheckpointIsPassedOver();
    void aCheckpointOfAnotherIsPassedOver_data();
    void aCheckpointOfAnotherIsPassedOver();
    void aStrayOfAnotherRunIsKept();
    void aRunOutlivesItsFolder();

private:
    std::string start() { return m_lab->start({.plan = kPlan, .epochs = 2, .maxRestarts = 0}); }
    QString listedAreWhole(const std::string& run);
    QString strays(const std::string& run);
    QString badEnd(const std::string& run);
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

// Temporary files left behind.
QString CheckpointFaultsTest::strays(const std::string& run) {
    QString found;
    for (const auto& entry : fs::directory_iterator(fs::path(m_lab->row(run).folder) / "checkpoints"))
        if (entry.path().filename().string().starts_with("."))
            found += QString::fromStdString(entry.path().string()) + " ";
    return found;
}

// Empty when the run ended as it has to after training to its last step: as failed with what is missing where its last
// checkpoint is, else as finished.
QString CheckpointFaultsTest::badEnd(const std::string& run) {
    const auto row = m_lab->row(run);
    const auto rows = m_lab->query().checkpoints(run);
    if (!rows) return QString::fromStdString(rows.error().text());
    std::int64_t newest = 0;
    for (const auto& each : *rows)
        if (fs::exists(each.path)) newest = each.step;
    const auto said = QString::fromStdString(wire::toString(row.status) + std::string(" ") + toString(row.error.kind) +
                                             ": " + row.error.message);
    if (newest == kSteps)
        return row.status == wire::RunStatus::Finished && row.error.message.empty() ? QString() : said;
    const QString begin = QStringLiteral("failed environment: trained to step %1, but its last checkpoint could not be "
                                         "saved: ")
                              .arg(kSteps);
    const QString end = newest > 0 ? QStringLiteral("; the newest saved one is from step %1").arg(newest)
                                   : QStringLiteral("; no other one is saved");
    const bool remedy = QString::fromStdString(row.error.remedy).endsWith(QLatin1String("resume the run"));
    return said.startsWith(begin) && said.endsWith(end) && remedy ? QString() : said;
}

// What a loss of power leaves depends on it: nothing is put in place before it is on the disk, listed before it is in
// place for good, or removed before what comes in its stead is listed for good.
// Fault: Loss of power, by the order of the calls of worker and supervisor: space reserved, written, fsync of the file,
// close, rename, fsync of the folder, the row written and synced, then the unlink of an old one. Nothing changes after
// its fsync, is listed before it is in place for good, or is removed before the newest one is listed for good and two
// more are left.
void CheckpointFaultsTest::aSaveKeepsItsOrder() {
    const fs::path log = m_lab->folder() + "/calls";
    {
        const StorageFault watched(
            {.program = "trainyard-worker trainyardctl", .path = m_lab->folder(), .fault = "none", .log = log.string()},
            m_lab->folder());
        const auto run = m_lab->start({.plan = kPlan, .epochs = 6, .maxRestarts = 0});
        QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    }
    const auto calls = callsIn(log);
    std::map<std::string, std::size_t> durable; // by path: the call that listed it for good; those that are there
    std::string newest;
    int saved = 0, pruned = 0;
    for (std::size_t at = 0; at < calls.size(); ++at) {
        const auto& call = calls[at];
        if (!call.path.ends_with(".safetensors")) continue;
        if (call.what == "rename") {
            const auto listed = committed(calls, at);
            QVERIFY2(listed.at != kNever, (call.path + ": " + listed.problem).c_str());
            newest = call.path;
            durable[newest] = listed.at;
            ++saved;
        } else if (call.what == "unlink" && durable.erase(call.path) > 0) {
            ++pruned;
            QVERIFY(call.path != newest);
            QVERIFY2(durable.at(newest) < at, (call.path + " went before " + newest + " was listed").c_str());
            const auto left =
                std::count_if(durable.begin(), durable.end(), [&](const auto& each) { return each.second < at; });
            QVERIFY2(left >= 2, (call.path + " was one of the last two good ones").c_str());
        }
    }
    QCOMPARE(saved, 6);
    QVERIFY2(pruned >= 2, std::to_string(pruned).c_str());
}

// Fault: SIGKILL between any two calls of a save, every N. What is listed is whole; resuming continues from it to the
// end, no point missing or doubled, no temporary file left.
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
            QCOMPARE(row.status, hit ? wire::RunStatus::Failed : wire::RunStatus::Finished);
        }
        QCOMPARE(listedAreWhole(run), QString());
        if (!hit) break;
        const auto before = m_lab->query().checkpoints(run)->size();
        QVERIFY2(run::resumeRun(m_lab->workspace(), run).ok(), qPrintable(QString::number(nth)));
        QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
        QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
        QCOMPARE(listedAreWhole(run), QString());
        QCOMPARE(strays(run), QString());
        QVERIFY(m_lab->query().checkpoints(run)->size() >= before);
    }
    QVERIFY2(nth > 16, "a save makes more calls than that: the shim was not there");
    QVERIFY(nth < kMostCalls);
}

// Fault: No space while a checkpoint is reserved; while it is written, every N. Training continues, one notice, the
// checkpoint before stays whole. If a later one succeeds, the run finishes and keeps the notice; else it fails
// (environment).
// Fault: EIO on write, fsync, close or rename of a checkpoint, every N, or a folder that became read-only. Training
// continues, one notice; a file whose fsync failed is given up, never synced again.
// Fault: A write of a checkpoint accepts only half, every N. The rest is written; no visible effect.
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
    std::map<wire::RunStatus, int> ends;
    int nth = 1;
    for (; nth < kMostCalls; ++nth) {
        // Closing the folder after it was synced can fail without harm; closing the file cannot.
        const StorageFault injected({.program = "trainyard-worker",
                                     .path = calls == "close" ? "/checkpoints/.tmp" : "/checkpoints",
                                     .fault = fault.toStdString(),
                                     .calls = calls.toStdString(),
                                     .nth = nth},
                                    m_lab->folder());
        const auto run = start();
        const auto row = m_lab->waitForEnd(run);
        QCOMPARE(row.step, kSteps); // training goes on
        QCOMPARE(badEnd(run), QString());
        ++ends[row.status];
        QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
        QCOMPARE(listedAreWhole(run), QString());
        QCOMPARE(strays(run), QString());
        const auto log = m_lab->logText(run);
        const bool told = log.find("was not saved") != std::string::npos;
        QVERIFY2(told == (noticed && injected.wasHit()), log.c_str());
        const auto notice = *m_lab->query().notice(run); // that the first of two is missing is still said
        QCOMPARE(!notice.empty(), told && row.status == wire::RunStatus::Finished);
        QVERIFY2(!told || notice.empty() || notice.starts_with("the checkpoint of step 5 could not be saved: "),
                 notice.c_str());
        if (!injected.wasHit()) break;
    }
    QVERIFY2(nth > 2, "no call was met: the shim was not there");
    QVERIFY(ends[wire::RunStatus::Finished] > 1 && (ends[wire::RunStatus::Failed] > 0) == noticed);
    QVERIFY(nth < kMostCalls);
}

// Fault: The disk stays full. The run trains to its last step and fails (environment): the error says how much is
// needed and free, which checkpoint is the newest, and what to do; every point is kept. Resumed, it continues from that
// checkpoint to the end.
void CheckpointFaultsTest::aFullDiskIsNoSuccess_data() {
    QTest::addColumn<QString>("calls");
    QTest::addColumn<int>("nth");
    QTest::addColumn<int>("saved"); // the step of the newest checkpoint
    QTest::newRow("in the middle of the first save") << "reserve write" << 2 << 0;
    QTest::newRow("from the second save on") << "reserve" << 2 << 5;
}

// Full for good, until it is not; then resuming goes on from what was saved.
void CheckpointFaultsTest::aFullDiskIsNoSuccess() {
    QFETCH(QString, calls);
    QFETCH(int, nth);
    QFETCH(int, saved);
    const StorageFault fault({.program = "trainyard-worker",
                              .path = "/checkpoints/.tmp",
                              .fault = "ENOSPC",
                              .calls = calls.toStdString(),
                              .nth = nth,
                              .times = 0},
                             m_lab->folder());
    const auto run = start();
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(badEnd(run), QString());
    QVERIFY2(row.error.message.find("the disk is full: ") != std::string::npos, row.error.message.c_str());
    QCOMPARE(row.error.where, std::string("rank 0 on this computer"));
    QCOMPARE(row.error.remedy, std::string("free some space or choose another folder, then resume the run"));
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string()); // what was measured stays
    const auto rows = m_lab->query().checkpoints(run);
    QCOMPARE(rows->empty() ? 0 : static_cast<int>(rows->back().step), saved);
    QVERIFY(m_lab->query().notice(run)->empty());
    qunsetenv("LD_PRELOAD"); // there is space again
    QVERIFY(run::resumeRun(m_lab->workspace(), run).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
    QCOMPARE(m_lab->query().checkpoints(run)->back().step, kSteps);
}

// Fault: The newest checkpoint is cut off, empty, zeroed, grown, gone, a folder, or has one bit flipped in a weight or
// in the header. Resuming says so, uses the one before, repeats the steps between.
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
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    const auto rows = m_lab->query().checkpoints(run);
    QCOMPARE(rows->size(), std::size_t{2});
    damage(rows->back().path);
    QVERIFY(run::resumeRun(m_lab->workspace(), run, 1).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kSteps + 5), std::string());
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("the checkpoint of step 10 cannot be used: ") != std::string::npos, log.c_str());
    QVERIFY2(log.find("restarted from step 5") != std::string::npos, log.c_str());
    QCOMPARE(listedAreWhole(run), QString());
}

// Whole files, which lie where the run's own newest one was.
// Fault: The newest checkpoint's file is one of another run, another step, or another program. Resuming says so, uses
// the one before, keeps the file as .foreign.
void CheckpointFaultsTest::aCheckpointOfAnotherIsPassedOver_data() {
    QTest::addColumn<QString>("which");
    QTest::addColumn<QString>("said");
    QTest::newRow("of another run") << "run" << "it is the checkpoint of another run: val/accuracy is ";
    QTest::newRow("of another step") << "step" << "it is the checkpoint of another step, 5";
    QTest::newRow("of another program") << "foreign" << "it is not a checkpoint of Trainyard";
}

void CheckpointFaultsTest::aCheckpointOfAnotherIsPassedOver() {
    QFETCH(QString, which);
    QFETCH(QString, said);
    const auto run = start(), other = m_lab->start({.plan = kPlan, .epochs = 2, .lr = 0.01});
    for (const auto& each : {run, other}) QCOMPARE(m_lab->waitForEnd(each).status, wire::RunStatus::Finished);
    const auto rows = m_lab->query().checkpoints(run);
    const fs::path own = rows->back().path;
    if (which == "run")
        fs::copy_file(m_lab->query().checkpoints(other)->back().path, own, fs::copy_options::overwrite_existing);
    else if (which == "step") fs::copy_file(rows->front().path, own, fs::copy_options::overwrite_existing);
    else QVERIFY(store::writeSafetensors(own, {}, {{"format", "pt"}}).ok());
    const auto bytes = bytesOf(own);
    QVERIFY(run::resumeRun(m_lab->workspace(), run, 1).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kSteps + 5), std::string());
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("the checkpoint of step 10 cannot be used: ") != std::string::npos, log.c_str());
    QVERIFY2(log.find(said.toStdString()) != std::string::npos, log.c_str());
    QVERIFY2(log.find("restarted from step 5") != std::string::npos, log.c_str());
    QVERIFY(bytesOf(own.string() + ".foreign") == bytes);
    QCOMPARE(listedAreWhole(run), QString());
}

// No row tells of it, and the points that lead up to it are in the store: it would be taken for one of its own.
// Fault: A checkpoint of another run, without a row, in the folder. It is kept as .foreign, and the log says so.
void CheckpointFaultsTest::aStrayOfAnotherRunIsKept() {
    const auto run = start();
    auto spec = m_lab->spec({.plan = kPlan, .epochs = 4, .lr = 0.01});
    spec.name = "another";
    const auto other = run::startRun(m_lab->workspace(), spec);
    QVERIFY(other.ok());
    for (const auto& each : {run, *other}) QCOMPARE(m_lab->waitForEnd(each).status, wire::RunStatus::Finished);
    const fs::path newest = m_lab->query().checkpoints(*other)->back().path;
    const fs::path stray = fs::path(m_lab->row(run).folder) / "checkpoints" / newest.filename();
    fs::copy_file(newest, stray);
    QVERIFY(run::resumeRun(m_lab->workspace(), run, 1).ok());
    QCOMPARE(m_lab->waitForEnd(run).status, wire::RunStatus::Finished);
    QCOMPARE(m_lab->contiguity(run, kSteps + 5), std::string());
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("is a checkpoint of the run another, not of this one") != std::string::npos, log.c_str());
    QVERIFY(bytesOf(stray.string() + ".foreign") == bytesOf(newest));
}

// Fault: The run's folder is deleted while it trains. It trains to its last step and fails (environment), since its
// result is nowhere; all points are in the store; resuming says that there is nothing to resume.
void CheckpointFaultsTest::aRunOutlivesItsFolder() {
    const auto run = m_lab->start({.plan = "ms=5 perEpoch=20"});
    QVERIFY(m_lab->waitForStep(run, 25));
    const fs::path folder = m_lab->row(run).folder;
    fs::rename(folder, m_lab->folder() + "/elsewhere");
    fs::remove_all(m_lab->folder() + "/elsewhere");
    const auto row = m_lab->waitForEnd(run);
    QCOMPARE(row.status, wire::RunStatus::Failed); // nothing of its result is on the disk
    QVERIFY2(row.error.message.ends_with("; no other one is saved"), row.error.message.c_str());
    QCOMPARE(m_lab->contiguity(run, 100), std::string()); // the store is elsewhere
    const auto log = m_lab->logText(run);
    QVERIFY2(log.find("was not saved") != std::string::npos, log.c_str());
    const auto resumed = run::resumeRun(m_lab->workspace(), run, 1);
    QVERIFY(!resumed.ok());
    QVERIFY2(!resumed.error().text().empty(), resumed.error().text().c_str());
}

QTEST_GUILESS_MAIN(CheckpointFaultsTest)
#include "checkpoint_faults_test.moc"
