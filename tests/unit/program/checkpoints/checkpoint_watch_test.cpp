// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of programs that run: found, and told once they are complete.
#include "engine/base/clock.h"
#include "engine/program/checkpoints/checkpoint_watch.h"
#include "tests/pause.h"
#include "tests/unit/store/zip_builder.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

using namespace trainyard;
using namespace trainyard::program;
namespace fs = std::filesystem;

namespace {

CheckpointWatch watchOf(std::vector<fs::path> folders) {
    FinderRules rules;
    rules.startedMs = wallClockMs() - 10'000;
    return {std::move(folders), std::move(rules)};
}

// A folder in which a program saves, and who watches it by a clock of the test's.
struct WatchedFolder {
    QTemporaryDir folder;
    fs::path root = fs::canonical(folder.path().toStdString());
    std::set<pid_t> groups{};
    double now = 100;
    CheckpointWatch watch = watchOf({folder.path().toStdString()});

    fs::path path(const std::string& name) const { return root / name; }
    void put(const std::string& name, const std::string& bytes) const {
        fs::create_directories(path(name).parent_path());
        QFile file(QString::fromStdString(path(name).string()));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) < 0) qFatal("no file");
    }
    // What is told after so many seconds, by file names.
    QStringList after(double seconds) {
        now += seconds;
        QStringList names;
        for (const auto& each : watch.look(now, groups))
            names << QString::fromStdString(fs::path(each.path).lexically_relative(root).string());
        return names;
    }
};

// A process that saves slowly, and who watches it.
struct SlowWriter {
    SlowWriter(const QString& python, const char* manner) : how(manner) {
        process.start(python, {TRAINYARD_SOURCE_DIR "/tests/unit/python/save_slowly.py", how,
                               QString::fromStdString(at.root.string())});
        process.waitForStarted();
        at.groups = {static_cast<pid_t>(process.processId())};
    }
    ~SlowWriter() {
        process.write("\n");
        process.waitForFinished();
    }
    SlowWriter(const SlowWriter&) = delete;
    SlowWriter& operator=(const SlowWriter&) = delete;
    // What it has said is read after the look: what that tells must have been whole by then.
    void look() {
        told = at.watch.look(monotonicSeconds(), at.groups);
        process.waitForReadyRead(1);
        while (process.canReadLine()) whole = QString::fromUtf8(process.readLine()).trimmed().mid(6); // "whole PATH"
    }
    bool isWhole() const { return !whole.isEmpty(); }

    QString how, whole;
    WatchedFolder at;
    QProcess process;
    std::vector<SavedByProgram> told;
};

const std::string kWhole = test::zipOf({{"m/data.pkl", std::string("\x80\x02}.", 4)}, {"m/data/0", "weights"}});

} // namespace

class CheckpointWatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void completeOnesAreToldOnce() {
        WatchedFolder at;
        QCOMPARE(at.after(0), QStringList());
        at.put("out/last.ckpt", kWhole);
        QCOMPARE(at.after(1), QStringList());
        QVERIFY(at.watch.isWriting());
        QCOMPARE(at.after(0.5), QStringList());
        QCOMPARE(at.after(0.5), QStringList("out/last.ckpt"));
        QVERIFY(!at.watch.isWriting());
        for (int i = 0; i < 40; ++i) QCOMPARE(at.after(10), QStringList());
        at.put("out/last.ckpt", kWhole); // once more
        at.after(1);
        QCOMPARE(at.after(1), QStringList("out/last.ckpt"));
    }

    void foldersMayComeLater() {
        WatchedFolder at;
        CheckpointWatch watch = watchOf({at.path("later"), at.path("never")});
        QVERIFY(watch.look(1, {}).empty());
        at.put("later/a.pt", kWhole);
        watch.look(2, {});
        QCOMPARE(watch.look(3, {}).size(), std::size_t{1});
    }

    void foldersAreNamedByWords_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("folders");
        QTest::newRow("absolute") << QStringList{"--save-dir", "/scratch/run"} << QStringList{"/scratch/run"};
        QTest::newRow("with =") << QStringList{"--save-dir=/scratch/run"} << QStringList{"/scratch/run"};
        QTest::newRow("beside") << QStringList{"../out"} << QStringList{"/home/out"};
        QTest::newRow("below") << QStringList{"out/run", "./out", "/home/p/out"} << QStringList{};
        QTest::newRow("no paths") << QStringList{"--lr", "0.1", "adam", "https://example.org/a", "s3://b/c", ""}
                                  << QStringList{};
        QTest::newRow("twice") << QStringList{"/a/b", "--x=/a/b"} << QStringList{"/a/b"};
        QTest::newRow("long") << QStringList{"/" + QString(5000, 'x')} << QStringList{};
    }
    void foldersAreNamedByWords() {
        QFETCH(QStringList, words);
        QFETCH(QStringList, folders);
        std::vector<std::string> given;
        for (const QString& word : words) given.push_back(word.toStdString());
        QStringList named;
        for (const auto& each : foldersNamed(given, "/home/p")) named << QString::fromStdString(each.string());
        QCOMPARE(named, folders);
    }

    void whatIsCutIsNeverTold() {
        WatchedFolder at;
        at.put("model_20.pt", kWhole.substr(0, kWhole.size() - 1));
        for (int i = 0; i < 30; ++i) QCOMPARE(at.after(5), QStringList());
        at.put("model_20.pt", kWhole);
        at.after(1);
        QCOMPARE(at.after(1), QStringList("model_20.pt"));
    }

    void whatTellsNothingWaitsLonger() {
        WatchedFolder at;
        at.put("weights.h5", "anything");
        at.after(1);
        for (int i = 0; i < 14; ++i) QCOMPARE(at.after(1), QStringList());
        QCOMPARE(at.after(1), QStringList("weights.h5"));
    }

    // "last.pt" of a fast program is another file at each look, and whole each time.
    void whatIsSavedOverAndOverIsTold() {
        WatchedFolder at;
        at.put("last.pt", kWhole);
        QCOMPARE(at.after(1), QStringList());
        for (int i = 0; i < 3; ++i) {
            at.put("last.pt", kWhole);
            const timespec later[2] = {{0, UTIME_OMIT}, {::time(nullptr) + i + 1, i}};
            QCOMPARE(::utimensat(AT_FDCWD, at.path("last.pt").c_str(), later, 0), 0);
            QCOMPARE(at.after(1), i % 2 == 0 ? QStringList("last.pt") : QStringList()); // every other time
        }
        // Cut, it is not; nor is what tells nothing.
        at.put("last.pt", kWhole.substr(0, kWhole.size() / 2));
        QCOMPARE(at.after(1), QStringList());
        at.put("weights.h5", "anything");
        at.after(1);
        at.put("weights.h5", "anything else");
        QCOMPARE(at.after(1), QStringList());
    }

    // Bad inputs: checkpoints that are removed, renamed, or replaced by a folder, a link or a FIFO; links out of the
    // folder, and in a circle.
    void strangeFilesArePassedOver() {
        WatchedFolder at;
        const QTemporaryDir elsewhere;
        QFile outside(elsewhere.filePath("other.pt"));
        QVERIFY(outside.open(QIODevice::WriteOnly) && outside.write(kWhole.data(), qint64(kWhole.size())) > 0);
        outside.close();
        fs::create_symlink(outside.fileName().toStdString(), at.path("link.pt"));
        fs::create_symlink(elsewhere.path().toStdString(), at.path("linked"));
        fs::create_symlink(at.root, at.path("circle"));
        fs::create_symlink("nowhere.pt", at.path("dangling.pt"));
        QCOMPARE(::mkfifo(at.path("fifo.pt").c_str(), 0600), 0);
        fs::create_directory(at.path("folder.pt"));
        at.put("a_1.pt", kWhole);
        at.put("b_1.pt", kWhole);
        at.put("c_1.pt", kWhole);
        at.after(1);
        fs::remove(at.path("a_1.pt"));
        fs::rename(at.path("b_1.pt"), at.path("d_1.pt"));
        fs::remove(at.path("c_1.pt"));
        QCOMPARE(::mkfifo(at.path("c_1.pt").c_str(), 0600), 0);
        at.after(1);
        QCOMPARE(at.after(1), QStringList("d_1.pt"));
        fs::remove_all(at.root);
        QCOMPARE(at.after(1), QStringList());
        fs::create_directory(at.root);
        at.put("e_1.pt", kWhole);
        at.after(1);
        QCOMPARE(at.after(1), QStringList("e_1.pt"));
    }

    void othersFilesArePassedOver() {
        WatchedFolder at;
        for (const char* name : {"venv/lib/a.pt", ".cache/a.pt", "node_modules/a.pt"}) at.put(name, kWhole);
        at.put("env/pyvenv.cfg", "");
        at.put("env/lib/a.pt", kWhole);
        at.put("runs/trainyard.db", "");
        at.put("runs/other/a.pt", kWhole);
        at.put("before.pt", kWhole);
        const timespec old[2] = {{1000, 0}, {1000, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, at.path("before.pt").c_str(), old, 0), 0);
        for (int i = 0; i < 5; ++i) QCOMPARE(at.after(5), QStringList());
    }

    // Fault: the clock is set back by half an hour while the program runs. What was there stays another's.
    void aClockThatIsSetBackHidesNothing() {
        WatchedFolder at;
        constexpr std::int64_t kBack = 1800;
        const auto put = [&](const char* name, std::int64_t seconds) {
            at.put(name, kWhole);
            const timespec times[2] = {{seconds, 0}, {seconds, 0}};
            QCOMPARE(::utimensat(AT_FDCWD, at.path(name).c_str(), times, 0), 0);
        };
        const std::int64_t start = ::time(nullptr);
        put("long_before.pt", start - 2 * kBack);
        put("before.pt", start - 60);
        for (int i = 0; i < 2; ++i) QCOMPARE(at.after(5), QStringList());
        at.watch.clockIs((start - kBack) * 1000);
        put("new_1.pt", start - kBack);
        at.after(1);
        QCOMPARE(at.after(1), QStringList("new_1.pt"));
        put("before.pt", start - kBack + 5); // written again
        at.after(1);
        QCOMPARE(at.after(1), QStringList("before.pt"));
    }

    // Bad inputs: a folder of 10,000 checkpoints, and one of as many other files.
    void thousandsOfFilesCostLittle() {
        WatchedFolder at;
        for (int i = 0; i < 10'000; ++i) {
            at.put("checkpoints/model_" + std::to_string(i) + ".pt", kWhole);
            at.put("data/" + std::to_string(i % 100) + "/image" + std::to_string(i) + ".png", "");
        }
        at.after(1);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(at.after(1).size(), 10'000);
        const auto first = timer.restart();
        QCOMPARE(at.after(1).size(), 0);
        const auto second = timer.restart();
        for (int i = 0; i < 3; ++i) at.after(61);
        timer.restart();
        for (int i = 0; i < 10; ++i) at.after(1);
        const double settled = static_cast<double>(timer.elapsed()) / 10;
        QVERIFY2(first < 5000 && second < 500 && settled < 50,
                 qPrintable(QString("%1 ms, %2 ms, %3 ms").arg(first).arg(second).arg(settled)));
        qInfo("10,000 checkpoints: %lld ms when all are new, %lld ms a look, %.1f ms once they are settled", first,
              second, settled);
    }

    // Feature: a checkpoint that a program saves slowly is never taken for complete before it is.
    void slowWritersAreWaitedFor() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no Python here to save with");
        std::vector<std::unique_ptr<SlowWriter>> writers; // all at the same time
        for (const char* how :
             {"archive", "closing", "safetensors", "renamed", "paused", "held", "huggingface", "megatron"})
            writers.push_back(std::make_unique<SlowWriter>(python, how));
        QElapsedTimer timer;
        timer.start();
        const auto waits = [](const auto& writer) { return writer->told.empty(); };
        while (std::ranges::any_of(writers, waits) && timer.elapsed() < 40'000) {
            for (auto& writer : writers) {
                if (!writer->told.empty()) continue;
                writer->look();
                QVERIFY2(writer->told.empty() || writer->isWhole(), qPrintable(writer->how));
            }
            QTest::qWait(50);
        }
        for (auto& writer : writers) {
            QVERIFY2(writer->told.size() == 1, qPrintable(writer->how));
            QCOMPARE(QString::fromStdString(writer->told[0].path), writer->whole);
            const bool named =
                writer->how == "safetensors" || writer->how == "huggingface" || writer->how == "megatron";
            QCOMPARE(writer->told[0].step.value_or(-1), named ? 20 : 7);
        }
    }

    // Fault: a program is killed while it saves. Its cut checkpoint is never told.
    void killedWritersLeaveNothing() {
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no Python here to save with");
        WatchedFolder at;
        QProcess writer;
        writer.start(python, {TRAINYARD_SOURCE_DIR "/tests/unit/python/save_slowly.py", "archive",
                              QString::fromStdString(at.root.string())});
        QVERIFY(writer.waitForStarted());
        QTRY_VERIFY(fs::exists(at.path("last.ckpt")) && fs::file_size(at.path("last.ckpt")) > 0);
        writer.kill();
        QVERIFY(writer.waitForFinished());
        for (int i = 0; i < 20; ++i) QCOMPARE(at.after(5), QStringList());
        QVERIFY(lookAtCheckpoint(at.path("last.ckpt")).structure == Structure::Cut);
    }

    void writersAreSeenByTheirGroup() {
        WatchedFolder at;
        at.put("a.pt", kWhole);
        const pid_t child = ::fork();
        if (child == 0) {
            ::setpgid(0, 0);
            const int fd = ::open(at.path("a.pt").c_str(), O_RDWR);
            const pid_t grandchild = ::fork(); // in the same group
            if (grandchild > 0) ::close(fd);
            for (;;) ::pause();
        }
        const auto end = [child] {
            for (const pid_t each : {-child, child}) ::kill(each, SIGKILL);
            ::waitpid(child, nullptr, 0);
        };
        auto atTheLatest = qScopeGuard(end);
        const FileId file = fileIdOf(at.path("a.pt").c_str());
        QTRY_VERIFY_WITH_TIMEOUT(filesOpenForWriting({child}).contains(file),
                                 static_cast<int>(5000 * test::patience()));
        QVERIFY(!filesOpenForWriting({}).contains(file));
        QVERIFY(!filesOpenForWriting({::getpid()}).contains(file));
        atTheLatest.dismiss();
        end();
        QTRY_VERIFY(!filesOpenForWriting({child}).contains(file));
    }

    void foldersAreJudgedByTheirFiles_data() {
        QTest::addColumn<QStringList>("files"); // NAME=whole|cut|empty|TEXT
        QTest::addColumn<Structure>("structure");
        QTest::addColumn<int>("step");
        const auto row = [](const char* name, const QStringList& files, Structure structure, int step = -1) {
            QTest::newRow(name) << files << structure << step;
        };
        const QString state = R"(trainer_state.json={"global_step": 30, "epoch": 1.5})";
        const QString index = R"(model.safetensors.index.json={"weight_map": {"a": "m1.bin", "b": "m2.bin"}})";
        row("whole", {"c/model.pt=whole", "c/" + state}, Structure::Whole, 30);
        row("no trainer_state.json", {"c/model.pt=whole"}, Structure::Unknown);
        row("half a trainer_state.json", {"c/model.pt=whole", "c/trainer_state.json={\"global_st"}, Structure::Cut);
        row("a file is cut", {"c/model.pt=whole", "c/optimizer.pt=cut", "c/" + state}, Structure::Cut);
        row("a file is empty", {"c/model.pt=empty", "c/" + state}, Structure::Cut);
        row("a mark is empty", {"c/model.pt=whole", "c/DONE=empty", "c/" + state}, Structure::Whole, 30);
        row("shards", {"c/" + index, "c/m1.bin=whole", "c/m2.bin=whole", "c/" + state}, Structure::Whole, 30);
        row("a shard is missing", {"c/" + index, "c/m1.bin=whole", "c/" + state}, Structure::Cut);
        row("a broken index", {"c/model.safetensors.index.json=[]", "c/" + state}, Structure::Cut);
        row("distributed", {"c/__0_0.distcp=whole", "c/.metadata=x"}, Structure::Whole);
        row("distributed, unfinished", {"c/__0_0.distcp=whole"}, Structure::Cut);
        row("named by its mark", {"iter_0000020/m.pt=whole", "latest_checkpointed_iteration.txt=20"}, Structure::Whole);
        row("not yet named", {"iter_0000020/m.pt=whole", "latest_checkpointed_iteration.txt=10"}, Structure::Cut);
        row("named by a later one", {"global_step20/m.pt=whole", "latest=global_step40"}, Structure::Whole);
        row("a mark of words", {"global_step20/m.pt=whole", "latest=release"}, Structure::Unknown);
        row("empty folder", {"c/sub/=empty"}, Structure::Cut);
    }
    void foldersAreJudgedByTheirFiles() {
        QFETCH(QStringList, files);
        QFETCH(Structure, structure);
        QFETCH(int, step);
        WatchedFolder at;
        for (const QString& each : files) {
            const QString what = each.section('=', 1);
            const std::string content = what == "whole"   ? kWhole
                                        : what == "cut"   ? kWhole.substr(0, kWhole.size() - 5)
                                        : what == "empty" ? std::string()
                                                          : what.toStdString();
            const std::string name = each.section('=', 0, 0).toStdString();
            if (name.ends_with('/')) fs::create_directories(at.path(name));
            else at.put(name, content);
        }
        const auto look = lookAtCheckpoint(at.path(files[0].section('/', 0, 0).toStdString()));
        QVERIFY2(look.structure == structure, look.problem.c_str());
        QCOMPARE(look.step.value_or(-1), step);
        QCOMPARE(look.problem.empty(), structure != Structure::Cut);
    }
};

QTEST_GUILESS_MAIN(CheckpointWatchTest)
#include "checkpoint_watch_test.moc"
