// SPDX-License-Identifier: GPL-3.0-or-later
// Which files are a program's checkpoints, how far the training was, and when one is complete: as values.
#include "engine/program/checkpoints/checkpoint_watch.h"
#include "engine/program/checkpoints/completeness.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;
using namespace trainyard::program;

namespace {

std::string told(const std::optional<CheckpointName>& name) {
    if (!name) return "none";
    std::string text;
    if (name->step) text += "step " + std::to_string(*name->step) + " ";
    if (name->epoch) text += "epoch " + std::to_string(*name->epoch) + " ";
    if (name->number) text += "number " + std::to_string(*name->number) + " ";
    return text.empty() ? "one" : text.substr(0, text.size() - 1);
}

constexpr std::int64_t kStartMs = 1'000'000;

ListedFile file(const std::string& path, std::int64_t changedMs = kStartMs + 5) {
    return {.path = "/p/" + path, .bytes = 10, .number = 1, .changedNs = changedMs * 1'000'000};
}

} // namespace

class CheckpointFinderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: checkpoints of a program by their names, with step and epoch.
    void namesAreKnown_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("folder");
        QTest::addColumn<QString>("says");
        const auto file = [](const char* name, const char* says) { QTest::newRow(name) << name << false << says; };
        file("epoch=3-step=1000.ckpt", "step 1000 epoch 3");
        file("epoch=03-val_loss=0.52.ckpt", "epoch 3");
        file("last.ckpt", "one");
        file("last-v1.ckpt", "one");
        file("best.pt", "one");
        file("model_best.pth.tar", "one");
        file("checkpoint.pth.tar", "one");
        file("model_0004999.pth", "number 4999");
        file("model_final.pth", "one");
        file("checkpoint0010.pth", "number 10");
        file("checkpoint12.pt", "number 12");
        file("checkpoint_best.pt", "one");
        file("epoch_12.pth", "epoch 12");
        file("iter_40000.pth", "step 40000");
        file("epoch3.pt", "epoch 3");
        file("ckpt.pt", "one");
        file("unet-step00001000.safetensors", "step 1000");
        file("rl_model_10000_steps.pt", "step 10000");
        file("weights.03-0.52.keras", "one");
        file("resnet18.pth", "one");
        file("RESNET_STEP_20.PT", "step 20");
        file("arrays.npz", "one");
        file("model.h5", "one");
        file("ckpt-99999999999999999999.pt", "one"); // no number that fits
        file("optimizer.pt", "none");
        file("scheduler.pt", "none");
        file("rng_state_0.pth", "none");
        file("model-00001-of-00003.safetensors", "none");
        file("mp_rank_00_model_states.pt", "none");
        file(".hidden.pt", "none");
        file("tmp_model.pt", "none");
        file("model.tmp.pt", "none");
        file("train.py", "none");
        file("model.pt.txt", "none");
        file(".pt", "none");
        const auto folder = [](const char* name, const char* says) {
            QTest::newRow((std::string("folder ") + name).c_str()) << name << true << says;
        };
        folder("checkpoint-500", "step 500");
        folder("checkpoint_500", "step 500");
        folder("global_step500", "step 500");
        folder("iter_0001000", "step 1000");
        folder("step_20", "step 20");
        folder("epoch_3", "epoch 3");
        folder("epoch=3-step=1000.ckpt", "step 1000 epoch 3");
        folder("tmp-checkpoint-500", "none");
        folder("checkpoints", "none");
        folder("checkpoint-best", "none");
        folder("version_0", "none");
        folder("exp3", "none");
        folder("500", "none");
        folder("resnet_step_3", "none");
    }
    void namesAreKnown() {
        QFETCH(QString, name);
        QFETCH(bool, folder);
        QFETCH(QString, says);
        const auto found = folder ? checkpointFolderName(name.toStdString()) : checkpointFileName(name.toStdString());
        QCOMPARE(QString::fromStdString(told(found)), says);
    }

    void ownPatternsAreTaken_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* path, const char* pattern, const char* says) {
            QTest::newRow((std::string(pattern) + " " + path).c_str()) << path << pattern << says;
        };
        row("/p/out/snapshot_20.bin", "snapshot_*.bin", "number 20");
        row("/p/out/snapshot_20.bin", "out/snapshot_*.bin", "number 20");
        row("/p/out/snapshot_20.bin", "other/snapshot_*.bin", "none");
        row("/p/out/snapshot_20.bin", "*", "number 20");
        row("/p/out/state.dat", "stat?.dat", "one");
        row("/p/out/state.dat", "stat?dat", "none");
        row("/p/out/a.dat", "", "none");
        row("/p/a/b/c.dat", "*/c.dat", "one");
        row("/p/x.dat", "*/*/*/*/*/*/x.dat", "none");
    }
    void ownPatternsAreTaken() {
        QFETCH(QString, path);
        QFETCH(QString, pattern);
        QFETCH(QString, says);
        QCOMPARE(QString::fromStdString(told(namedByPattern(path.toStdString(), {pattern.toStdString()}))), says);
    }

    // Bad inputs: a pattern of many stars against a long name.
    void hostilePatternsEnd() {
        std::string pattern;
        for (int i = 0; i < 1000; ++i) pattern += "*a";
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!matchesPattern(std::string(2000, 'a') + "b", pattern + "c"));
        QVERIFY(timer.elapsed() < 1000);
    }

    void filesBecomeCheckpoints() {
        const FinderRules rules{.roots = {"/p"}, .patterns = {"*.bin2"}, .startedMs = kStartMs};
        const auto found = findCheckpoints({file("old.pt", kStartMs - 1),
                                            file("new.pt"),
                                            file("out/weights/best.pt"),
                                            file("x.bin2"),
                                            file("out/checkpoint-500/model.safetensors"),
                                            file("out/checkpoint-500/optimizer.pt", kStartMs + 9),
                                            file("out/checkpoint-500/global_step500/mp_rank_00_model_states.pt"),
                                            file("out/checkpoint-400/model.safetensors", kStartMs - 9),
                                            file("epoch_3/sample.png"),
                                            {.path = "/elsewhere/a.pt", .changedNs = kStartMs * 2'000'000},
                                            file("log.txt")},
                                           rules);
        QStringList paths;
        for (const auto& each : found) paths << QString::fromStdString(each.path);
        QCOMPARE(paths, QStringList({"/p/new.pt", "/p/out/checkpoint-500", "/p/out/weights/best.pt", "/p/x.bin2"}));
        QCOMPARE(found[1].files.size(), std::size_t{3});
        QCOMPARE(found[1].bytes(), std::uint64_t{30});
        QCOMPARE(found[1].changedNs(), (kStartMs + 9) * 1'000'000);
        QCOMPARE(found[1].name.step, std::optional<std::int64_t>(500));
    }

    // Bad inputs: 10,000 files in many folders.
    void thousandsOfFilesAreQuick() {
        std::vector<ListedFile> files;
        for (int i = 0; i < 10'000; ++i)
            files.push_back(file("out/run/checkpoint-" + std::to_string(i / 10) + "/part" + std::to_string(i) + ".pt"));
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(findCheckpoints(files, {.roots = {"/p"}}).size(), std::size_t{1000});
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString("%1 ms").arg(timer.elapsed())));
    }

    // Feature: a checkpoint of a program is complete when its structure, its writers and a second of quiet say so.
    void completenessIsJudged_data() {
        QTest::addColumn<Structure>("structure");
        QTest::addColumn<bool>("open");
        QTest::addColumn<double>("quiet");
        QTest::addColumn<bool>("complete");
        QTest::newRow("whole and quiet") << Structure::Whole << false << 1.0 << true;
        QTest::newRow("just written") << Structure::Whole << false << 0.9 << false;
        QTest::newRow("still open") << Structure::Whole << true << 60.0 << false;
        QTest::newRow("cut") << Structure::Cut << false << 3600.0 << false;
        QTest::newRow("nothing is told") << Structure::Unknown << false << 14.0 << false;
        QTest::newRow("nothing is told, and quiet") << Structure::Unknown << false << 15.0 << true;
        QTest::newRow("nothing is told, and open") << Structure::Unknown << true << 3600.0 << false;
    }
    void completenessIsJudged() {
        QFETCH(Structure, structure);
        QFETCH(bool, open);
        QFETCH(double, quiet);
        QFETCH(bool, complete);
        QCOMPARE(isComplete({structure, open, quiet}), complete);
    }

    void progressIsResolved_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("ownStep"); // -1: none
        QTest::addColumn<double>("ownEpoch");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("epoch");
        QTest::newRow("the name's") << "epoch=3-step=1000.ckpt" << 7.0 << 7.0 << 1000.0 << 3.0;
        QTest::newRow("the file's") << "last.pt" << 7.0 << 2.0 << 7.0 << 2.0;
        QTest::newRow("a number alone") << "model_0004999.pth" << -1.0 << -1.0 << 4999.0 << -1.0;
        QTest::newRow("a number alone, and the file's") << "model_0004999.pth" << 5000.0 << -1.0 << 5000.0 << -1.0;
        QTest::newRow("the number is the epoch") << "checkpoint0010.pth" << -1.0 << 10.0 << -1.0 << 10.0;
        QTest::newRow("the number is the epoch from one") << "checkpoint11.pt" << -1.0 << 10.0 << -1.0 << 10.0;
        QTest::newRow("the number is a step") << "checkpoint500.pt" << -1.0 << 10.0 << 500.0 << 10.0;
        QTest::newRow("nothing") << "best.pt" << -1.0 << -1.0 << -1.0 << -1.0;
    }
    void progressIsResolved() {
        QFETCH(QString, name);
        QFETCH(double, ownStep);
        QFETCH(double, ownEpoch);
        StructureLook look;
        if (ownStep >= 0) look.step = static_cast<std::int64_t>(ownStep);
        if (ownEpoch >= 0) look.epoch = ownEpoch;
        SavedByProgram saved;
        resolveProgress(*checkpointFileName(name.toStdString()), look, saved);
        QTEST(saved.step ? static_cast<double>(*saved.step) : -1.0, "step");
        QTEST(saved.epoch.value_or(-1), "epoch");
    }
};

QTEST_APPLESS_MAIN(CheckpointFinderTest)
#include "checkpoint_finder_test.moc"
