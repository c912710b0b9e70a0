// SPDX-License-Identifier: GPL-3.0-or-later
// Loss of power at every change that a run makes on the disk: supervisor and ranks are watched while they train, save
// and prune, and after each change the disk is made as a loss of power there could leave it. What the product then
// reads has to be what was promised. `power_loss_test --every 1 --epochs 20` tries every change of a longer run.
#include "engine/run/record/run_folder.h"
#include "engine/run/start/run_start.h"
#include "engine/store/files/safetensors.h"
#include "tests/faults/disk_image.h"
#include "tests/faults/storage_fault.h"
#include "tests/faults/storage_trace.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QProcess>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <limits>

using namespace trainyard;
using test::Change;
using test::DiskImage;
using test::Loss;
using test::RunLab;
using test::StorageFault;
using test::TraceRecord;
namespace fs = std::filesystem;

namespace {

int s_every = 0;  // 0: as many as take some seconds
int s_epochs = 3; // before and after the run is continued

constexpr std::pair<Loss, const char*> kLosses[] = {
    {Loss::Nothing, "the programs were killed"}, {Loss::Unsynced, "nothing unsynced is left"},
    {Loss::BytesOnly, "names without bytes"},    {Loss::BytesAsZeroes, "names with zeroes"},
    {Loss::TornWrite, "the last write is torn"}, {Loss::Some, "some of it is left"}};

// What the workspace says.
struct Found {
    bool known = false; // the run has a row
    std::size_t points = 0;
    std::int64_t checkpoint = 0; // step of the newest one that is listed
};

struct Truth {
    std::string run;
    std::vector<wire::Point> points; // train/loss of an undisturbed reading
};

bool endsWith(const std::string& path, const char* end) { return path.ends_with(end); }

// A sync behind which a transaction is durable.
bool commits(const Change& change) {
    return change.kind == TraceRecord::kSync &&
           (endsWith(change.path, "/trainyard.db-wal") || endsWith(change.path, "/trainyard.db"));
}

// The scripted worker's one weight is the step.
std::string badCheckpoint(const fs::path& path, std::int64_t step) {
    const auto file = store::SafetensorsFile::open(path);
    if (!file) return file.error().text();
    const auto* weight = file->find("model.weight");
    float value = 0;
    if (weight != nullptr) std::memcpy(&value, file->bytes(*weight).data(), sizeof value);
    return static_cast<std::int64_t>(value) == step ? std::string() : path.string() + " holds another step's weights";
}

std::string badPoints(const std::vector<wire::Point>& points, const Truth& truth) {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i >= truth.points.size() || points[i].step != truth.points[i].step ||
            points[i].value != truth.points[i].value)
            return "point " + std::to_string(i) + " is none that was measured there";
    return {};
}

// Opens the workspace as every program does. Empty when all that it shows is whole; else what is not.
std::string look(const store::Workspace& workspace, const Truth& truth, Found& found) {
    const auto store = store::Store::open(workspace);
    if (!store) return store.error().text();
    const auto query = store::RunQuery::open(workspace);
    if (!query) return query.error().text();
    const auto row = (*query)->run(truth.run);
    found.known = row.ok();
    if (!found.known) return {};
    const run::RunFolder folder{row->folder};
    if (const auto spec = spec::readRunSpec(folder.runFile()); !spec) return spec.error().text();
    if (const auto launch = run::readLaunchRecord(folder); !launch) return launch.error().text();
    const auto points = (*query)->points(RunId(truth.run), "train/loss");
    if (!points) return points.error().text();
    found.points = points->size();
    if (auto problem = badPoints(*points, truth); !problem.empty()) return problem;
    const auto rows = (*query)->checkpoints(truth.run);
    if (!rows) return rows.error().text();
    for (const auto& each : *rows) {
        if (auto problem = badCheckpoint(each.path, each.step); !problem.empty()) return problem;
        found.checkpoint = std::max(found.checkpoint, each.step);
    }
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder.checkpoints(), none)) // also what no row tells of yet
        if (entry.path().filename().string().starts_with("step-"))
            if (const auto file = store::SafetensorsFile::open(entry.path()); !file) return file.error().text();
    return {};
}

// How long a point waited until a loss of power could not take it any more, at most, in seconds. Points tell how long
// after the first one they were measured; that one was measured no later than any commit says of its newest point.
double longestWait(const std::vector<std::pair<double, std::size_t>>& commits, const Truth& truth) {
    const auto seconds = [&](std::size_t point) { return truth.points[point].seconds; };
    double begin = std::numeric_limits<double>::infinity(), longest = 0;
    for (const auto& [at, points] : commits) begin = std::min(begin, at - seconds(points - 1));
    std::size_t before = 0;
    for (const auto& [at, points] : commits) {
        if (points > before) longest = std::max(longest, at - begin - seconds(before));
        before = std::max(before, points);
    }
    return longest;
}

} // namespace

class PowerLossTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const char* why = StorageFault::cannotBe()) QSKIP(why);
        std::error_code none;
        if (fs::space("/dev/shm", none).available > (256u << 20) && !none) qputenv("TMPDIR", "/dev/shm");
        m_lab = std::make_unique<RunLab>();
    }
    void cleanupTestCase() { m_lab.reset(); }
    void everyInstantLeavesWhatWasPromised();

private:
    void ctl(const QStringList& words);
    void record(const fs::path& trace);
    QString checkAt(const DiskImage& image, const Truth& truth, const Found& promised, std::size_t at);
    void noteCommit(double at, std::size_t points, const Truth& truth);
    std::unique_ptr<RunLab> m_lab;
    int m_tried = 0;
    // Commits of the run until it was continued: when, and how many points were durable then.
    std::vector<std::pair<double, std::size_t>> m_commits;
};

void PowerLossTest::ctl(const QStringList& words) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyardctl"), words);
    QVERIFY2(process.waitForFinished(60'000) && process.exitCode() == 0, process.readAll().constData());
}

// A run from an empty disk to its end, with more epochs after that, which prune, and what a user deletes.
void PowerLossTest::record(const fs::path& trace) {
    const fs::path file = m_lab->folder() + "/run.json";
    std::ofstream(file) << spec::toJson(
        m_lab->spec({.plan = "ms=4 perEpoch=15", .epochs = s_epochs, .maxRestarts = 0}));
    fs::remove_all(m_lab->workspace().root);
    const StorageFault watched({.program = "trainyard-worker trainyardctl",
                                .path = m_lab->workspace().root.string(),
                                .fault = "none",
                                .trace = trace.string()},
                               m_lab->folder());
    ctl({QStringLiteral("run"), QString::fromStdString(file.string())});
    ctl({QStringLiteral("continue"), QStringLiteral("scripted"), QString::number(s_epochs)});
    ctl({QStringLiteral("checkpoints"), QStringLiteral("prune"), QStringLiteral("--last"), QStringLiteral("1")});
}

QString PowerLossTest::checkAt(const DiskImage& image, const Truth& truth, const Found& promised, std::size_t at) {
    for (const auto& [loss, name] : kLosses) {
        ++m_tried;
        image.write(m_lab->workspace().root, loss, static_cast<unsigned>(at));
        Found found;
        std::string problem = look(m_lab->workspace(), truth, found);
        if (problem.empty() && promised.known && !found.known) problem = "the run is not known any more";
        if (problem.empty() && found.points < promised.points)
            problem = std::to_string(found.points) + " of " + std::to_string(promised.points) + " points are left";
        if (problem.empty() && found.checkpoint < promised.checkpoint)
            problem = "the checkpoint of step " + std::to_string(promised.checkpoint) + " is not listed any more";
        if (!problem.empty())
            return QStringLiteral("change %1, %2: %3")
                .arg(at)
                .arg(QLatin1String(name), QString::fromStdString(problem));
    }
    return {};
}

void PowerLossTest::noteCommit(double at, std::size_t points, const Truth& truth) {
    if (points > 0 && points <= truth.points.size() / 2) m_commits.emplace_back(at, points);
}

// Feature: loss of power at any change on the disk; checkpoints of another run or step are passed over; what killed
// processes leave is removed. Also in base_test, checkpoint_faults_test, relay_rules_test.
// Fault: Loss of power after any change of a file or a name, in six ways: all that was written survives; only what was
// synced, bytes and names; all names and no bytes, or zeroes; all but half of the last write; some of both, by chance.
// The database opens; every point of a synced transaction is there, and none that was never measured; the newest
// checkpoint that was listed for good still is; every listed file is whole and holds the weights of its step; run file
// and launch record of a run that has a row are whole.
void PowerLossTest::everyInstantLeavesWhatWasPromised() {
    const fs::path trace = m_lab->folder() + "/trace";
    record(trace);
    if (QTest::currentTestFailed()) return;
    const auto query = store::RunQuery::open(m_lab->workspace());
    const auto row = (*query)->run("scripted");
    QVERIFY(row.ok());
    const Truth truth{row->id, *(*query)->points(RunId(row->id), "train/loss")};
    QCOMPARE(truth.points.size(), static_cast<std::size_t>(2 * 15 * s_epochs));
    const auto changes = test::readTrace(trace);
    QVERIFY2(changes.size() > 300, "the shim has seen too little");
    const std::size_t every =
        s_every > 0 ? static_cast<std::size_t>(s_every) : std::max<std::size_t>(1, changes.size() / 100);
    DiskImage image, lying; // the latter waits for nothing
    Found promised;
    for (std::size_t at = 0; at < changes.size(); ++at) {
        image.apply(changes[at]);
        if (changes[at].kind != TraceRecord::kSync && changes[at].kind != TraceRecord::kSyncFolder)
            lying.apply(changes[at]);
        const bool committed = commits(changes[at]);
        if (!committed && at % every != 0) continue;
        if (committed) {
            image.write(m_lab->workspace().root, Loss::Nothing, 0);
            Found durable;
            const auto problem = look(m_lab->workspace(), truth, durable);
            QVERIFY2(problem.empty(), problem.c_str());
            promised = durable;
            noteCommit(changes[at].at, durable.points, truth);
        }
        if (at % every != 0) continue;
        const auto problem = checkAt(image, truth, promised, at);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
    QVERIFY(!checkAt(lying, truth, promised, changes.size()).isEmpty()); // it would be found out
    const double wait = longestWait(m_commits, truth);
    QVERIFY2(wait < 2, qPrintable(QString::number(wait))); // 0.1 s on a computer that is not busy with other tests
    qInfo("%d disks after %zu changes; a point was durable after %.0f ms at most", m_tried, changes.size(),
          1000 * wait);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    std::vector<char*> words{argv[0]};
    for (int at = 1; at < argc; ++at) {
        int* option = std::strcmp(argv[at], "--every") == 0    ? &s_every
                      : std::strcmp(argv[at], "--epochs") == 0 ? &s_epochs
                                                               : nullptr;
        if (option != nullptr && at + 1 < argc) *option = std::atoi(argv[++at]);
        else words.push_back(argv[at]);
    }
    QCoreApplication app(argc, argv);
    PowerLossTest test;
    return QTest::qExec(&test, static_cast<int>(words.size()), words.data());
}
#include "power_loss_test.moc"
