// SPDX-License-Identifier: GPL-3.0-or-later
// Real runs whose data is not what it was, or cannot be read: when they go on, when they are forked, when they start.
#include "engine/base/files/tar_archive.h"
#include "engine/run/record/data_file.h"
#include "engine/run/start/fork.h"
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/texts.h"
#include "tests/unit/torch/data_files.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <memory>

using namespace trainyard;
using namespace trainyard::tests;
using test::RunLab;
using trainyard::test::contains;

namespace {

// How a fork of the run starts: from that checkpoint, or with fresh weights.
run::StartOptions forkOf(const std::string& run, const std::string& checkpoint = {}) {
    run::StartOptions options;
    options.resumeFrom = checkpoint;
    options.forkedFrom = run;
    return options;
}

} // namespace

class ChangedDataTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<QTemporaryDir> m_data;
    QString in(const QString& name) const { return m_data->filePath(name); }

    void writeClass(const QString& name, int count) const {
        QVERIFY(QDir().mkpath(in(name)));
        for (int i = 0; i < count; ++i) {
            const QByteArray pixels(64, char(10 * i + name.size()));
            writeBytes(in(name + "/" + QString::number(i) + ".png"), pngOf(8, 8, PNG_FORMAT_GRAY, pixels));
        }
    }
    spec::RunSpec images() const {
        spec::RunSpec spec;
        spec.model = {"mlp", {{"hidden", std::vector<double>{8}}}};
        spec.dataset = {
            "images",
            {{"folder", m_data->path().toStdString()}, {"width", std::int64_t{8}}, {"height", std::int64_t{8}}}};
        spec.batch = {4, std::nullopt, 1};
        spec.epochs = 2;
        spec.scaling.workers = 1;
        spec.scaling.threadsPerWorker = 1;
        return spec;
    }
    // The row after it was continued by an epoch, whatever came of it.
    store::RunRow continued(const std::string& run, const std::vector<std::string>& settings = {}) {
        const auto resumed = run::resumeRun(m_lab->workspace(), run, run::ResumeChanges{1, {}, settings});
        if (!resumed) qWarning("%s", resumed.error().text().c_str());
        return m_lab->waitForEnd(run, 60);
    }

private Q_SLOTS:
    void init() {
        m_lab = std::make_unique<RunLab>();
        m_data = std::make_unique<QTemporaryDir>();
    }
    void aFinishedRunThatCannotGoOnStaysFinished();
    void otherClassesAreRefused();
    void changedFilesAreRefusedOrAccepted();
    void aForkTellsWhatIsDifferent();
    void aForkThatDoesNotFitIsRefusedBeforeItStarts();
    void filesThatAreLeftOutAreListed();
    void aLostRankReadsOnFromThePack();
    void aDeletedPictureAndALostRankCostNoStep_data();
    void aDeletedPictureAndALostRankCostNoStep();
    void aStalledDiskIsSavedBeforeTheRankEnds();
};

void ChangedDataTest::aFinishedRunThatCannotGoOnStaysFinished() {
    QByteArray rows = "a,b,kind\n";
    for (int i = 0; i < 60; ++i)
        rows += QByteArray::number(i % 7) + ',' + QByteArray::number(i % 5) + (i % 2 ? ",x\n" : ",y\n");
    writeBytes(in("t.csv"), rows);
    auto spec = images();
    spec.dataset = {"csv", {{"file", in("t.csv").toStdString()}}};
    const auto run = m_lab->startReal(spec);
    const auto finished = m_lab->waitForEnd(run, 60);
    QCOMPARE(finished.status, wire::RunStatus::Finished);
    const auto points = m_lab->points(run, "val/loss").size();
    const auto checkpoint = m_lab->lastCheckpoint(run);
    QVERIFY(QFile::rename(in("t.csv"), in("x.csv")));
    const auto after = continued(run);
    QCOMPARE(after.status, wire::RunStatus::Finished);
    QVERIFY2(contains(after.error.message, "does not exist") || contains(after.error.text(), "t.csv"),
             after.error.message.c_str());
    QVERIFY(after.step == finished.step && after.totalSteps == finished.totalSteps && after.epoch == finished.epoch &&
            after.trainSeconds == finished.trainSeconds && after.finishedMs == finished.finishedMs);
    QCOMPARE(after.specJson, finished.specJson);
    QCOMPARE(*spec::readRunSpec(run::RunFolder{after.folder}.runFile())->epochs, 2);
    const auto workers = m_lab->query().workers(run);
    QVERIFY(workers.ok() && !workers->empty());
    for (const auto& worker : *workers) {
        QCOMPARE(worker.status, wire::RankStatus::Finished);
        QCOMPARE(worker.beat.step, finished.step);
    }
    QCOMPARE(m_lab->points(run, "val/loss").size(), points);
    QCOMPARE(m_lab->lastCheckpoint(run), checkpoint);
    // Once the file is back, it goes on.
    QVERIFY(QFile::rename(in("x.csv"), in("t.csv")));
    const auto longer = continued(run);
    QCOMPARE(longer.status, wire::RunStatus::Finished);
    QVERIFY2(longer.error.message.empty(), longer.error.message.c_str());
    QCOMPARE(longer.epoch, 3.0);
}

void ChangedDataTest::otherClassesAreRefused() {
    writeClass("cat", 10);
    writeClass("dog", 10);
    const auto run = m_lab->startReal(images());
    QCOMPARE(m_lab->waitForEnd(run, 60).status, wire::RunStatus::Finished);
    QVERIFY(QDir().rename(in("cat"), in("zcat")));
    for (const std::vector<std::string>& settings :
         {std::vector<std::string>{}, std::vector<std::string>{"data.changed=accept"}}) {
        const auto row = continued(run, settings);
        QCOMPARE(row.status, wire::RunStatus::Finished);
        QCOMPARE(row.error.code, ErrorCode::CheckpointMisfit);
        QVERIFY2(contains(row.error.message, "the class \"cat\" is gone, and \"zcat\" is new"),
                 row.error.message.c_str());
        QVERIFY2(contains(row.error.remedy, "trainyardctl fork"), row.error.remedy.c_str());
    }
    QVERIFY(QDir().rename(in("zcat"), in("cat"))); // the remedy: as it was
    QCOMPARE(continued(run).epoch, 3.0);
}

void ChangedDataTest::changedFilesAreRefusedOrAccepted() {
    writeClass("cat", 10);
    writeClass("dog", 10);
    const auto run = m_lab->startReal(images());
    QCOMPARE(m_lab->waitForEnd(run, 60).status, wire::RunStatus::Finished);
    writeClass("dog", 20);
    const auto refused = continued(run);
    QCOMPARE(refused.error.code, ErrorCode::DataChanged);
    QVERIFY2(contains(refused.error.message, "it has 30 samples, and had 20"), refused.error.message.c_str());
    const auto accepted = continued(run, {"data.changed=accept"}); // the remedy, obeyed
    QVERIFY2(accepted.error.message.empty(), accepted.error.message.c_str());
    QCOMPARE(accepted.epoch, 3.0);
    const auto data = run::readDataFile(run::RunFolder{accepted.folder});
    QCOMPARE(data["pin"]["train"].get<int>() + data["pin"]["validation"].get<int>(), 30);
    QVERIFY2(contains(data["notes"].dump(), "changed since the run was trained on it"), data["notes"].dump().c_str());
    // It has been trained on that since: nothing differs any more.
    QCOMPARE(continued(run).epoch, 4.0);
    QVERIFY2(run::readDataFile(run::RunFolder{accepted.folder})["notes"].empty(), "");
}

void ChangedDataTest::aForkTellsWhatIsDifferent() {
    writeClass("cat", 10);
    writeClass("dog", 10);
    const auto run = m_lab->startReal(images());
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    writeClass("dog", 20);
    const auto from = m_lab->query().checkpoints(run)->back();
    const auto fork = run::startRun(m_lab->workspace(), *run::forkedSpec(row, from), forkOf(run, from.path));
    QVERIFY2(fork.ok(), fork ? "" : fork.error().text().c_str());
    const auto forked = m_lab->waitForEnd(*fork, 60);
    QCOMPARE(forked.status, wire::RunStatus::Finished);
    const auto data = run::readDataFile(run::RunFolder{forked.folder});
    QVERIFY2(contains(data["notes"].dump(), "not what the checkpoint was trained on: "), data["notes"].dump().c_str());
    QVERIFY(contains(data["notes"].dump(), "it has 30 samples, and had 20"));
}

// Feature: a checkpoint that does not fit is refused before a fork starts; a finished run that cannot go on stays
// finished.
void ChangedDataTest::aForkThatDoesNotFitIsRefusedBeforeItStarts() {
    writeClass("cat", 10);
    writeClass("dog", 10);
    const auto run = m_lab->startReal(images());
    const auto row = m_lab->waitForEnd(run, 60);
    const auto from = m_lab->query().checkpoints(run)->back();
    auto wider = *run::forkedSpec(row, from);
    wider.model.params["hidden"] = std::vector<double>{16};
    auto adam = *run::forkedSpec(row, from);
    adam.optimizer = {"adam", {}};
    for (const auto& [spec, says] :
         {std::pair{wider, "holds the weights of another model"}, std::pair{adam, "that of sgd"}}) {
        const auto fork = run::startRun(m_lab->workspace(), spec, forkOf(run, from.path));
        QVERIFY(!fork.ok() && fork.error().code == ErrorCode::CheckpointMisfit);
        QVERIFY2(contains(fork.error().text(), says), fork.error().text().c_str());
        QVERIFY2(contains(fork.error().text(), "with --fresh a fork does"), fork.error().text().c_str());
        QCOMPARE(m_lab->query().runs()->size(), std::size_t{1}); // there is no such run
    }
    auto fresh = *run::freshSpec(row);
    fresh.model.params["hidden"] = std::vector<double>{16};
    QCOMPARE(*fresh.epochs, 2);
    const auto begun = run::startRun(m_lab->workspace(), fresh, forkOf(run));
    QVERIFY2(begun.ok(), begun ? "" : begun.error().text().c_str());
    const auto other = m_lab->waitForEnd(*begun, 60);
    QCOMPARE(other.status, wire::RunStatus::Finished);
    QVERIFY(other.forkedFrom == run && other.forkedStep == -1 && other.epoch == 2.0);
}

void ChangedDataTest::filesThatAreLeftOutAreListed() {
    writeClass("cat", 10);
    writeClass("dog", 10);
    for (const char* name : {"cat/3.png", "dog/7.png"}) writeBytes(in(name), "no image");
    auto spec = images();
    const auto stopped = m_lab->waitForEnd(m_lab->startReal(spec), 60);
    QCOMPARE(stopped.status, wire::RunStatus::Failed);
    QCOMPARE(stopped.error.code, ErrorCode::DataUnreadable);
    QVERIFY2(contains(stopped.error.message, "2 of 20 images cannot be read: cat/3.png: "),
             stopped.error.message.c_str());
    QVERIFY2(contains(stopped.error.message, "; dog/7.png: "), stopped.error.message.c_str());
    QCOMPARE(stopped.restarts, 0); // it is certain
    const auto resumed =
        run::resumeRun(m_lab->workspace(), stopped.id, run::ResumeChanges{0, {}, {"data.onError=skip"}});
    QVERIFY2(resumed.ok(), resumed ? "" : resumed.error().text().c_str()); // the remedy, obeyed
    const auto row = m_lab->waitForEnd(stopped.id, 60);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    const run::RunFolder folder{row.folder};
    const auto lines = QByteArray::fromStdString(*readFile(folder.dataErrorsFile())).split('\n');
    QCOMPARE(lines.size(), 3); // the last is empty
    QCOMPARE(nlohmann::json::parse(lines[0].toStdString())["file"].get<std::string>(), in("cat/3.png").toStdString());
    QVERIFY(contains(run::readDataFile(folder)["notes"].dump(), "2 of 20 images left out"));
    QVERIFY(contains(m_lab->logText(row.id), "data: 2 of 20 images left out"));
    QVERIFY(QFile::remove(in("cat/3.png"))); // nothing has been trained on it
    const auto longer = continued(row.id);
    QVERIFY2(longer.error.message.empty(), longer.error.message.c_str());
    QVERIFY(longer.epoch > row.epoch);
}

// Fault: a rank that streams pictures from an archive is killed. No step is lost, and curve and weights are, to the
// bit, those of a run that nothing disturbs and that reads the folder itself.
void ChangedDataTest::aLostRankReadsOnFromThePack() {
    std::vector<TarMember> members;
    for (const char* name : {"cat", "doge"}) {
        writeClass(QString("set/") + name, 40);
        for (int i = 0; i < 40; ++i) {
            const std::string way = std::string(name) + "/" + std::to_string(i) + ".png";
            members.push_back({way, in("set").toStdString() + "/" + way});
        }
    }
    QVERIFY(writeTar(in("set.tar").toStdString(), members).ok());
    auto spec = images();
    spec.data.loading = "stream";
    spec.scaling.workers = 2;
    spec.epochs.reset();
    spec.steps = 20'000;
    spec.checkpoint.everySteps = 100'000;
    spec.checkpoint.everyEpochs = 0;
    spec.dataset.params["folder"] = in("set.tar").toStdString();
    const auto disturbed = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(disturbed, 20, 60));
    ::kill(static_cast<pid_t>(m_lab->workerPids(disturbed)[1]), SIGKILL);
    QVERIFY(m_lab->waitForStep(disturbed, m_lab->points(disturbed).back().step + 60, 60));
    const auto row = m_lab->stopped(disturbed);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QCOMPARE(row.restarts, 1);
    QVERIFY2(contains(m_lab->logText(disturbed), "no step is lost"), m_lab->logText(disturbed).c_str());
    spec.dataset.params["folder"] = in("set").toStdString();
    const auto undisturbed = m_lab->trained(spec, row.step);
    QCOMPARE(m_lab->difference(undisturbed, disturbed), std::string());
    QCOMPARE(m_lab->curveDifference(undisturbed, disturbed, "train/loss"), std::string());
}

// Fault: pictures are deleted while the run trains, and then a rank is killed. Its replacement joins the others, who
// keep their state.
void ChangedDataTest::aDeletedPictureAndALostRankCostNoStep_data() {
    QTest::addColumn<QByteArray>("loading");
    QTest::newRow("streamed") << QByteArray("stream");
    QTest::newRow("in memory") << QByteArray("memory");
}
void ChangedDataTest::aDeletedPictureAndALostRankCostNoStep() {
    QFETCH(QByteArray, loading);
    writeClass("cat", 40);
    writeClass("dog", 40);
    auto spec = images();
    spec.data.onError = "skip";
    spec.data.loading = loading.toStdString();
    spec.epochs.reset();
    spec.steps = RunLab::kEndless;
    spec.scaling.workers = 2;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 20, 60));
    QVERIFY(QFile::remove(in("cat/17.png")) && QFile::remove(in("dog/5.png")));
    const auto pids = m_lab->workerPids(run);
    QCOMPARE(pids.size(), 2u);
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    const bool goesOn =
        m_lab->waitUntil([&] { return m_lab->logText(run).find("all ranks train again") != std::string::npos; }, 60);
    QVERIFY2(goesOn, m_lab->logText(run).c_str());
    QVERIFY(m_lab->waitForStep(run, m_lab->points(run).back().step + 50, 60));
    const auto row = m_lab->stopped(run);
    QCOMPARE(row.status, wire::RunStatus::Stopped);
    QCOMPARE(row.restarts, 1);
    QVERIFY2(contains(m_lab->logText(run), "no step is lost"), m_lab->logText(run).c_str());
    // By hand it is resumed, too: what is gone is left out, as the run file says.
    const auto resumed = run::resumeRun(m_lab->workspace(), run, run::ResumeChanges{0, {}, {}});
    QVERIFY2(resumed.ok(), resumed ? "" : resumed.error().text().c_str());
    QVERIFY(m_lab->waitForStep(run, row.step + 20, 60));
    const auto again = m_lab->stopped(run);
    QCOMPARE(again.status, wire::RunStatus::Stopped);
    QVERIFY2(contains(run::readDataFile(run::RunFolder{again.folder})["notes"].dump(), "are gone since the run began"),
             m_lab->logText(run).c_str());
}

// Fault: the disk of streamed pictures gives EIO for longer than failure.linkSeconds. What was trained is saved before
// the rank ends, and the run goes on there once the disk answers.
void ChangedDataTest::aStalledDiskIsSavedBeforeTheRankEnds() {
    writeClass("cat", 10);
    writeClass("dog", 10);
    auto spec = images();
    spec.data.loading = "stream";
    spec.epochs.reset();
    spec.steps = RunLab::kEndless;
    spec.checkpoint.everyEpochs = 0;
    spec.failure.linkSeconds = 2;
    spec.failure.maxRestarts = 0;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 10, 60));
    // Reading the first byte of a process's memory is an input/output error.
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(m_data->path().toStdString()))
        if (entry.is_regular_file()) files.push_back(entry.path());
    for (const fs::path& file : files) {
        fs::create_hard_link(file, file.string() + ".kept");
        fs::create_symlink("/proc/self/mem", file.string() + ".link");
        fs::rename(file.string() + ".link", file); // it is never missing
    }
    const auto row = m_lab->waitForEnd(run, 60);
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QVERIFY2(contains(row.error.text(), "Input/output error"), row.error.text().c_str());
    const auto checkpoints = m_lab->query().checkpoints(run);
    QVERIFY(checkpoints.ok() && !checkpoints->empty());
    const auto saved = checkpoints->back().step;
    QVERIFY(saved >= 10 && saved >= row.step);
    for (const fs::path& file : files) fs::rename(file.string() + ".kept", file);
    const auto resumed = run::resumeRun(m_lab->workspace(), run, run::ResumeChanges{0, {}, {}});
    QVERIFY2(resumed.ok(), resumed ? "" : resumed.error().text().c_str());
    QVERIFY(m_lab->waitForStep(run, saved + 10, 60));
    QCOMPARE(m_lab->stopped(run).status, wire::RunStatus::Stopped);
}

QTEST_GUILESS_MAIN(ChangedDataTest)
#include "changed_data_test.moc"
