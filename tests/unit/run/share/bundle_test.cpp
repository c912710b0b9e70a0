// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as one file for another computer: what arrives there is the same run, and what is damaged or foreign is refused.
#include "engine/base/files/tar_archive.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/bundle.h"
#include "engine/run/share/import_runs.h"
#include "tests/unit/file_bytes.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace trainyard;
namespace fs = std::filesystem;
using tests::writeBytes;

namespace {

constexpr const char* kRun = "20260101-000000-00000a";

} // namespace

class BundleTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_here, m_there;
    fs::path m_file;

    // A run with all that one can have.
    void makeRun(wire::RunStatus status = wire::RunStatus::Stopped) {
        const auto store = *store::Store::open(m_here);
        store::RunRow row;
        row.id = kRun;
        row.name = "calm-otter";
        row.status = status;
        row.specJson = R"({"name": "calm-otter"})";
        row.environmentJson = R"({"host": "alpha"})";
        row.sweep = "20260101-000000-0000ff";
        row.trial = 3;
        row.paramsJson = R"({"lr": 0.1})";
        row.notes = "a note\nof two lines";
        row.tags = "kept";
        row.createdMs = 1'700'000'000'000;
        row.step = 9;
        row.trainSeconds = 1.25;
        row.folder = m_here.runFolder(kRun).string();
        QVERIFY(store->createRun(row));
        const run::RunFolder folder{row.folder};
        writeBytes(folder.runFile(), "{\"name\": \"calm-otter\"}");
        writeBytes(folder.rankLog(0), "said\n");
        writeBytes(folder.checkpoints() / "step-4.safetensors", QByteArray(700'000, 'a') + "4");
        writeBytes(folder.checkpoints() / "step-9.safetensors", "nine");
        writeBytes(folder.root / "supervisor.lock", "");
        QVERIFY(run::writeLaunchRecord(folder, {RunId(kRun), m_here.root.string(), {}, std::nullopt}));
        store::CheckpointRow best, last;
        best.path = (folder.checkpoints() / "step-4.safetensors").string();
        best.step = 4;
        best.metrics = {{"loss", 0.5}};
        best.best = best.pinned = true;
        last.path = (folder.checkpoints() / "step-9.safetensors").string();
        last.step = 9;
        last.last = true;
        QVERIFY(store->setCheckpoints(kRun, {best, last}));
        wire::SeriesPoints loss{"loss", 0, {}}, cpu{"system/rank0/cpu_percent", 0, {}};
        for (int step = 0; step < 10; ++step) loss.points.push_back({step, step / 5.0, 0.1 * step, 1 / (1.0 + step)});
        loss.points.back().value = std::nan("");
        cpu.points = {{1, 0, 0.5, 90}, {1, 0, 1.5, 95}}; // two of one step
        QVERIFY(store->appendPoints(kRun, {loss, cpu}));
        QVERIFY(store->appendLog(kRun, {{0, "info", "began", 1}, {-1, "notice", "mind this", 2}}));
        QVERIFY(store->appendEvents(kRun, {{.kind = store::RunEventKind::LearningRate, .step = 3, .after = 0.05}}));
        wire::WorkerState worker;
        worker.host = "alpha";
        worker.device = "cpu";
        QVERIFY(store->setWorkers(kRun, {worker}));
    }
    static void add(BundleTest& test, run::BundledRun& added) {
        const auto done = run::addBundle(
            test.m_there, test.m_file, {kRun}, [] { return true; }, [&](const run::BundledRun& each) { added = each; });
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
    }
    QStringList leftovers() const {
        return QDir(QString::fromStdString(m_there.root.string()))
            .entryList({QStringLiteral(".bundle*")}, QDir::AllEntries | QDir::Hidden);
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const fs::path root = m_folder->path().toStdString();
        m_here = *store::Workspace::open((root / "here").string());
        m_there = *store::Workspace::open((root / "there").string());
        m_file = root / "otter.trainyard.tar";
    }

    void holdsTheCheckpointsThatAreChosen_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QList<int>>("steps");
        QTest::newRow("nothing chosen") << QStringList{} << QList<int>{4, 9};
        QTest::newRow("all") << QStringList{"all"} << QList<int>{4, 9};
        QTest::newRow("none") << QStringList{"none"} << QList<int>{};
        QTest::newRow("the best") << QStringList{"best"} << QList<int>{4};
        QTest::newRow("a step") << QStringList{"9"} << QList<int>{9};
        QTest::newRow("two") << QStringList{"last", "best"} << QList<int>{4, 9};
    }
    void holdsTheCheckpointsThatAreChosen() {
        QFETCH(QStringList, words);
        QFETCH(QList<int>, steps);
        makeRun();
        std::vector<std::string> chosen;
        for (const QString& word : words) chosen.push_back(word.toStdString());
        QVERIFY(run::writeBundle(m_here, {kRun}, m_file, *run::bundledCheckpoints(chosen)));
        run::BundledRun added;
        add(*this, added);
        QList<int> found;
        const auto to = *store::RunQuery::open(m_there);
        const auto rows = *to->checkpoints(kRun);
        for (const auto& row : rows) {
            found << static_cast<int>(row.step);
            QVERIFY(fs::exists(row.path));
        }
        QCOMPARE(found, steps);
    }
    void refusesCheckpointsThatItLacks() {
        makeRun();
        QVERIFY(!run::writeBundle(m_here, {kRun}, m_file, *run::bundledCheckpoints({"5"})));
        QVERIFY(!run::bundledCheckpoints({"none", "best"}));
        QVERIFY(!run::bundledCheckpoints({"4", "all"}));
    }

    // Feature: a run as one file for another computer: the same run there, by terminal and window; what is damaged or
    // foreign is refused whole. Also in model_files_test.
    void whatArrivesIsTheSameRun() {
        makeRun();
        QVERIFY(run::writeBundle(m_here, {kRun}, m_file));
        QVERIFY(run::isBundle(m_file));
        const auto listed = run::runsOfBundle(m_file);
        QCOMPARE(listed->size(), 1u);
        QCOMPARE(listed->front().name, std::string("calm-otter"));
        run::BundledRun added;
        add(*this, added);
        QVERIFY(added.isNew);
        QCOMPARE(added.points, 12);
        const auto from = *store::RunQuery::open(m_here), to = *store::RunQuery::open(m_there);
        const auto before = *from->run(kRun), after = *to->run(kRun);
        QCOMPARE(after.name, before.name);
        QCOMPARE(after.status, before.status);
        QCOMPARE(after.specJson, before.specJson);
        QCOMPARE(after.environmentJson, before.environmentJson);
        QCOMPARE(after.notes, before.notes);
        QCOMPARE(after.createdMs, before.createdMs);
        QCOMPARE(after.trainSeconds, before.trainSeconds);
        QVERIFY(after.sweep.empty() && after.trial < 0); // its sweep is not there
        QCOMPARE(after.folder, m_there.runFolder(kRun).string());
        for (const char* series : {"loss", "system/rank0/cpu_percent"}) {
            const auto old = *from->points(RunId(kRun), series), now = *to->points(RunId(kRun), series);
            QCOMPARE(now.size(), old.size());
            for (std::size_t at = 0; at < old.size(); ++at) {
                QVERIFY(now[at].step == old[at].step && now[at].seconds == old[at].seconds);
                QVERIFY(now[at].value == old[at].value || (std::isnan(now[at].value) && std::isnan(old[at].value)));
            }
        }
        const auto checkpoints = *to->checkpoints(kRun);
        QCOMPARE(checkpoints.size(), 2u);
        QVERIFY(checkpoints[0].best && checkpoints[0].pinned && checkpoints[1].last);
        QCOMPARE(checkpoints[0].metrics.at("loss"), 0.5);
        QCOMPARE(tests::bytesOf(checkpoints[0].path), QByteArray(700'000, 'a') + "4");
        QVERIFY(checkpoints[0].path.starts_with(m_there.root.string()));
        QCOMPARE(to->log(kRun)->size(), 2u);
        QCOMPARE(*to->notice(kRun), std::string("mind this"));
        QCOMPARE(to->events(kRun)->front().after, 0.05);
        QCOMPARE(to->workers(kRun)->front().host, std::string("alpha"));
        const run::RunFolder folder{after.folder};
        QCOMPARE(tests::bytesOf(folder.rankLog(0)), QByteArray("said\n"));
        QVERIFY(!fs::exists(folder.root / "supervisor.lock"));
        QCOMPARE(run::readLaunchRecord(folder)->workspace, m_there.root.string()); // it can go on there
        QVERIFY(leftovers().isEmpty());
        // Again: it is there, and stays as it is.
        add(*this, added);
        QVERIFY(!added.isNew);
        QCOMPARE(to->runs()->size(), 1u);
    }

    void theSameRunGivesTheSameBytes() {
        makeRun();
        QVERIFY(run::writeBundle(m_here, {kRun}, m_file));
        const QByteArray first = tests::bytesOf(m_file);
        QVERIFY(run::writeBundle(m_here, {kRun}, m_file));
        QVERIFY(tests::bytesOf(m_file) == first);
    }

    void anImportFindsBundlesByTheirContent() {
        makeRun();
        const fs::path file = m_file.parent_path() / "any-name";
        QVERIFY(run::writeBundle(m_here, {kRun}, file));
        const auto preview = run::previewImports(m_there, file);
        QVERIFY2(preview.ok(), preview.ok() ? "" : preview.error().text().c_str());
        QCOMPARE(preview->size(), 1u);
        QCOMPARE(preview->front().found.name, std::string("calm-otter"));
        QVERIFY(!preview->front().known);
        const auto imported = run::importRuns(m_there, file);
        QCOMPARE(imported->size(), 1u);
        QVERIFY(imported->front().outcome == run::ImportedSource::Outcome::Added);
        QCOMPARE(imported->front().run, std::string(kRun));
        QVERIFY(run::mustBeTrainedHere(*(*store::RunQuery::open(m_there))->run(kRun))); // it goes on like one of here
        QVERIFY(run::previewImports(m_there, file)->front().known);
        QVERIFY(run::importRuns(m_there, file)->front().outcome == run::ImportedSource::Outcome::Unchanged);
    }

    // Bad inputs: runs to bundle.
    void aRunThatCannotBeBundledSaysWhy_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("lost"); // a file of its folder
        QTest::addColumn<QString>("says");
        QTest::newRow("active") << int(wire::RunStatus::Running) << QString() << "is running";
        QTest::newRow("a lost checkpoint")
            << int(wire::RunStatus::Stopped) << "checkpoints/step-9.safetensors"
            << "step-9.safetensors: is not there, so the run cannot be bundled (bring its file back, or leave it out: "
               "--checkpoint STEP for those that are there)";
    }
    void aRunThatCannotBeBundledSaysWhy() {
        QFETCH(int, status);
        QFETCH(QString, lost);
        QFETCH(QString, says);
        makeRun(static_cast<wire::RunStatus>(status));
        if (!lost.isEmpty()) fs::remove(m_here.runFolder(kRun) / lost.toStdString());
        const auto written = run::writeBundle(m_here, {kRun}, m_file);
        QVERIFY(!written.ok());
        QVERIFY2(QString::fromStdString(written.error().text()).contains(says), written.error().text().c_str());
        QVERIFY(!fs::exists(m_file));
    }

    // Bad inputs: bundles to import. Nothing is added, and nothing is written elsewhere.
    void whatIsDamagedIsRefusedAndNothingIsAdded_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("says");
        QTest::newRow("a byte of a checkpoint") << "byte" << "step-4.safetensors differs from its digest";
        QTest::newRow("cut") << "cut" << "is cut short";
        QTest::newRow("cut at the end of a member") << "digests" << "ends without the digests of its files";
        QTest::newRow("a file that leads elsewhere") << "elsewhere" << "does not belong there";
        QTest::newRow("a file below another's folder") << "absolute" << "does not belong there";
        QTest::newRow("a file that is not listed") << "more" << "has files without a digest";
    }
    void whatIsDamagedIsRefusedAndNothingIsAdded() {
        QFETCH(QString, damage);
        QFETCH(QString, says);
        makeRun();
        QVERIFY(run::writeBundle(m_here, {kRun}, m_file));
        QByteArray bytes = tests::bytesOf(m_file);
        const auto sums = bytes.indexOf("SHA256SUMS");
        if (damage == "byte") bytes[bytes.indexOf("aaaaaaaa") + 600'000] = 'b';
        if (damage == "cut") bytes.truncate(bytes.indexOf("aaaaaaaa") + 1000);
        if (damage == "digests") bytes.truncate(sums);
        if (damage == "elsewhere" || damage == "absolute" ||
            damage == "more") { // before the digests, with a true header
            const fs::path one = m_file.parent_path() / "one.tar", text = m_file.parent_path() / "text";
            writeBytes(text, "text");
            const char* path = damage == "elsewhere"  ? "runs/../../evil"
                               : damage == "absolute" ? "/tmp/evil"
                                                      : "runs/other/file";
            QVERIFY(writeTar(one, {{path, text}}));
            bytes.insert(sums, tests::bytesOf(one).left(1024));
        }
        writeBytes(m_file, bytes);
        const auto done = run::addBundle(m_there, m_file, {kRun}, [] { return true; }, [](const auto&) {});
        QVERIFY(!done.ok());
        QVERIFY2(QString::fromStdString(done.error().text()).contains(says), done.error().text().c_str());
        QVERIFY((*store::RunQuery::open(m_there))->runs()->empty());
        QVERIFY(leftovers().isEmpty());
        QVERIFY(!fs::exists(m_there.runFolder(kRun)));
    }
};

QTEST_GUILESS_MAIN(BundleTest)
#include "bundle_test.moc"
