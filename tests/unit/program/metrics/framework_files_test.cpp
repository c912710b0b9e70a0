// SPDX-License-Identifier: GPL-3.0-or-later
// Files of frameworks, read while they are written: what comes of it is what an import of the whole file gives.
#include "engine/imports/event_files.h"
#include "engine/imports/json_lines.h"
#include "engine/imports/mlflow_folder.h"
#include "engine/imports/table_files.h"
#include "engine/imports/wandb_files.h"
#include "engine/program/metrics/framework_files.h"
#include "engine/store/files/event_file.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <map>

using namespace trainyard;
using namespace trainyard::program;
namespace fs = std::filesystem;

namespace {

using Heard = std::map<std::string, std::vector<std::pair<std::int64_t, double>>>;

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

// "loss 1=0.5 2=0.4 | val 2=0.3"
QString heardText(const Heard& heard) {
    QStringList all;
    for (const auto& [name, points] : heard) {
        QStringList words{QString::fromStdString(name)};
        for (const auto& [step, value] : points) words << QString("%1=%2").arg(step).arg(value);
        all << words.join(' ');
    }
    return all.join(" | ");
}

Heard heardOf(const imports::ImportedRun& run) {
    Heard heard;
    for (const auto& [name, points] : run.series)
        for (const auto& point : points) heard[name].emplace_back(point.step, point.value);
    return heard;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A folder in which a program writes, and what was heard of it.
class Watched {
public:
    Watched() : m_startMs(nowMs()) {}

    void begin() { m_files = std::make_unique<FrameworkFiles>(std::vector<fs::path>{root()}, m_startMs); }
    fs::path root() const { return m_folder.path().toStdString(); }
    void write(const std::string& name, const std::string& bytes, bool append = false) const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name, std::ios::binary | (append ? std::ios::app : std::ios::trunc)) << bytes;
    }
    void look(bool isEnd = false) {
        if (!m_files) begin();
        const FrameworkFiles::Told told{
            [this](SourceKind kind, int, const std::string& series, const imports::Point& point) {
                heard[series].emplace_back(point.step, point.value);
                kinds[kind]++;
            },
            [this](SourceKind, std::int64_t step) { again << QString::number(step); },
            [this](const std::string& notice) { notices << QString::fromStdString(notice); }};
        isEnd ? m_files->end(told) : m_files->look(told);
    }
    QString text() const { return heardText(heard); }
    std::size_t followed() const { return m_files->files().size(); }

    Heard heard{};
    std::map<SourceKind, int> kinds{};
    QStringList notices{}, again{};

private:
    QTemporaryDir m_folder{};
    std::int64_t m_startMs;
    std::unique_ptr<FrameworkFiles> m_files{};
};

std::string eventsFile(int steps) {
    std::string bytes = store::eventFileHeader(1'760'000'000);
    for (int step = 1; step <= steps; ++step)
        for (const char* tag : {"train/loss", "lr"})
            bytes += store::scalarEvent(tag, step, 1'760'000'000.0 + step, 1.0 / step);
    return bytes;
}

std::string stateOfTrainer(int rows, double first = 0.5) {
    std::string text =
        "{\n  \"epoch\": 1.0,\n  \"global_step\": " + std::to_string(10 * rows) + ",\n  \"log_history\": [";
    for (int row = 1; row <= rows; ++row)
        text += std::string(row > 1 ? "," : "") +
                "\n    {\n      \"epoch\": 0.1,\n      \"loss\": " + std::to_string(first / row) +
                ",\n      \"step\": " + std::to_string(10 * row) + "\n    }";
    return text + "\n  ],\n  \"max_steps\": 100\n}\n";
}

} // namespace

class FrameworkFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const QString script = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/python/write_foreign_runs.py");
        if (QProcess::execute("python3", {script, m_foreign.path()}) != 0) qFatal("python3 cannot write the runs");
    }

    // Feature: curves of a program whose framework writes files, while it trains.
    void aFileThatGrowsGivesWhatItGivesAsAWhole_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* test, const char* name, const std::string& bytes, SourceKind kind) {
            QTest::newRow(test) << name << QByteArray::fromStdString(bytes) << static_cast<int>(kind);
        };
        row("event file", "runs/a/events.out.tfevents.1760000000.host", eventsFile(40), SourceKind::EventFiles);
        row("Lightning", "lightning_logs/version_0/metrics.csv",
            "epoch,step,train_loss,val_loss\n0,49,0.9,\n0,99,0.8,\n0,99,,0.7\n1,149,0.6,\n1,199,,0.5\n",
            SourceKind::Table);
        row("Keras", "training.log", "epoch,accuracy,loss,val_loss\n0,0.5,1.5,1.4\n1,0.6,1.2,1.1\n2,0.7,1.0,nan\n",
            SourceKind::Table);
        row("timm", "output/summary.csv",
            "epoch,train_loss,eval_loss,eval_top1,eval_top5,lr\n0,6.9,6.8,0.1,0.5,0.001\n1,6.5,6.4,0.2,0.9,0.002\n",
            SourceKind::Table);
        row("YOLO", "runs/detect/train/results.csv",
            "                  epoch,         train/box_loss,   metrics/mAP50(B)\n"
            "                      1,                 1.2345,            0.1234\n"
            "                      2,                 1.1111,            0.2345\n",
            SourceKind::Table);
        row("Stable-Baselines3", "progress.csv",
            "rollout/ep_rew_mean,time/total_timesteps,train/loss\n21.5,2048,\n30.25,4096,0.5\n41,6144,0.4\n",
            SourceKind::Table);
        std::string lines;
        for (int iteration = 19; iteration < 400; iteration += 20)
            lines += "{\"data_time\": 0.01, \"iteration\": " + std::to_string(iteration) +
                     ", \"lr\": 0.001, \"total_loss\": " + std::to_string(1.0 / iteration) + "}\n";
        row("detectron2", "output/metrics.json", lines, SourceKind::JsonLog);
        const fs::path foreign = m_foreign.path().toStdString();
        for (const char* name :
             {"offline-run-20251009_a-abc123/run-abc123.wandb", "offline-run-20251009_b-large/run-large.wandb",
              "offline-run-20251009_d-killed/run-killed.wandb"})
            row(name, (std::string("wandb/") + name).c_str(), contentOf(foreign / "wandb" / name), SourceKind::Wandb);
    }
    void aFileThatGrowsGivesWhatItGivesAsAWhole() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(int, kind);
        const std::string file = name.toStdString();
        const auto size = static_cast<std::size_t>(bytes.size());
        for (const std::size_t piece :
             {std::max<std::size_t>(37, size / 100), std::max<std::size_t>(1'000, size / 10), size}) {
            Watched watched;
            watched.begin();
            for (std::size_t at = 0; at < size; at += piece) {
                watched.write(file, bytes.toStdString().substr(at, piece), at > 0);
                watched.look();
            }
            watched.look(true);
            const fs::path path = watched.root() / file;
            const auto run = static_cast<SourceKind>(kind) == SourceKind::EventFiles
                                 ? imports::readEventFiles({&path, 1})
                             : static_cast<SourceKind>(kind) == SourceKind::Wandb   ? imports::readWandbFile(path)
                             : static_cast<SourceKind>(kind) == SourceKind::JsonLog ? imports::readJsonLines(path)
                                                                                    : imports::readTableFile(path);
            QVERIFY2(run.ok(), run.ok() ? "" : run.error().text().c_str());
            QCOMPARE(watched.text(), heardText(heardOf(*run)));
            QVERIFY(watched.heard.size() >= 2u || name.contains("wandb"));
            QCOMPARE(watched.kinds.size(), 1u);
            QCOMPARE(static_cast<int>(watched.kinds.begin()->first), kind);
            QVERIFY2(watched.notices.isEmpty(), qPrintable(watched.notices.join('\n')));
        }
    }

    void aPointIsToldWhenItIsWritten() {
        Watched watched;
        watched.begin();
        const std::string all = eventsFile(3);
        const std::size_t last = all.size() - store::scalarEvent("lr", 3, 1'760'000'003, 1.0 / 3).size();
        watched.write("events.out.tfevents.1", all.substr(0, last));
        watched.look();
        QCOMPARE(watched.heard["lr"].size(), 2u);
        watched.write("events.out.tfevents.1", all.substr(last), true);
        watched.look();
        QCOMPARE(watched.heard["lr"].size(), 3u);
        watched.write("events.out.tfevents.1", store::restartEvent(2, 1'760'000'009), true);
        watched.look();
        QCOMPARE(watched.again, QStringList("2"));
    }

    // Each checkpoint of the trainer has the whole history again.
    void aHistoryThatIsWrittenAnewIsToldOnce() {
        Watched watched;
        watched.begin();
        for (const int rows : {2, 3, 5}) {
            watched.write("out/checkpoint-" + std::to_string(10 * rows) + "/trainer_state.json", stateOfTrainer(rows));
            watched.look();
        }
        watched.write("out/trainer_state.json", stateOfTrainer(6));
        watched.write("out/all_results.json", "{\n  \"epoch\": 1.0,\n  \"loss\": 0.9\n}\n");
        watched.look(true);
        QStringList expected{"loss"};
        for (int row = 1; row <= 6; ++row)
            expected << QString("%1=%2").arg(10 * row).arg(std::stod(std::to_string(0.5 / row)));
        QCOMPARE(watched.text(), expected.join(' '));
        QCOMPARE(watched.followed(), 1u);
    }

    // Fault: a table is read while its program writes it anew. No point is told twice; another content is told anew.
    void aTableThatIsWrittenAnew() {
        Watched watched;
        watched.begin();
        watched.write("metrics.csv", "step,loss\n1,0.5\n2,0.4\n");
        watched.look();
        watched.write("metrics.csv", "step,loss,acc\n"); // Lightning: a column has come
        watched.look();
        watched.write("metrics.csv", "1,0.5,\n2,0.4,\n3,0.3,0.9\n", true);
        watched.look();
        QCOMPARE(watched.text(), QString("acc 3=0.9 | loss 1=0.5 2=0.4 3=0.3"));
        watched.write("metrics.csv",
                      "step,loss,acc\n1,0.6,0.1\n2,0.5,0.2\n3,0.4,0.3\n"); // another start of the program
        for (int look = 0; look < 4; ++look) watched.look();
        QCOMPARE(watched.text(), QString("acc 3=0.9 1=0.1 2=0.2 3=0.3 | loss 1=0.5 2=0.4 3=0.3 1=0.6 2=0.5 3=0.4"));
    }

    void whatStoodThereBeforeIsLeftOut() {
        Watched watched;
        watched.write("old.csv", "step,loss\n1,9\n");
        watched.write("log.csv", "step,loss\n1,0.5\n2,0.4\n");
        for (const char* name : {"old.csv", "log.csv"})
            fs::last_write_time(watched.root() / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
        watched.begin();
        watched.look();
        watched.write("log.csv", "3,0.3\n", true);
        watched.look(true);
        QCOMPARE(watched.text(), QString("loss 3=0.3"));
    }

    void foldersTellSeriesApart_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<bool>("parentHasEvents");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("Keras, training") << "logs/train" << false << "";
        QTest::newRow("Keras, validation") << "logs/validation" << false << "validation/";
        QTest::newRow("evaluation") << "out/eval_0" << false << "eval_0/";
        QTest::newRow("a run") << "runs/exp" << false << "";
        QTest::newRow("a time") << "runs/Nov29_10-45-12_host" << true << "";
        QTest::newRow("a version") << "lightning_logs/version_3" << true << "";
        QTest::newRow("hyperparameters") << "runs/exp/1764396731.25" << true << "";
        QTest::newRow("add_scalars") << "runs/exp/loss_train" << true << "loss_train/";
    }
    void foldersTellSeriesApart() {
        QFETCH(QString, folder);
        QFETCH(bool, parentHasEvents);
        QTEST(QString::fromStdString(prefixOfFolder(folder.toStdString(), parentHasEvents)), "prefix");
    }

    void mlflowIsFollowed() {
        const fs::path foreign = m_foreign.path().toStdString();
        Watched watched;
        watched.begin();
        fs::copy(foreign / "mlruns", watched.root() / "mlruns", fs::copy_options::recursive);
        for (const auto& entry : fs::recursive_directory_iterator(watched.root()))
            if (entry.is_regular_file()) fs::last_write_time(entry.path(), fs::file_time_type::clock::now());
        const fs::path folder = watched.root() / "mlruns" / "0" / std::string(32, '1');
        for (const char* other : {"2", "3"})
            fs::remove_all(watched.root() / "mlruns" / "0" / std::string(32, other[0]));
        watched.look();
        watched.write("mlruns/0/" + std::string(32, '1') + "/metrics/loss", "1760000009000 0.125 9\n", true);
        watched.look(true);
        const auto run = imports::readMlflowFolder(folder);
        QVERIFY(run.ok());
        QCOMPARE(watched.heard["loss"], heardOf(*run)["loss"]);
        QCOMPARE(watched.heard["val/acc"].size(), 3u);
        QCOMPARE(watched.kinds.size(), 1u);
    }

    void mlflowsDatabaseIsFollowed() {
        Watched watched;
        watched.begin();
        fs::copy(fs::path(m_foreign.path().toStdString()) / "mlflow.db", watched.root() / "mlflow.db");
        const auto sql = [&](const QString& text) {
            return QProcess::execute("python3",
                                     {"-c",
                                      "import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as db: "
                                      "db.executescript(sys.argv[2])",
                                      QString::fromStdString((watched.root() / "mlflow.db").string()), text});
        };
        watched.look();
        QCOMPARE(watched.text(), QString()); // runs of others, of long ago
        const QString now = QString::number(nowMs() + 5);
        QCOMPARE(sql("INSERT INTO runs VALUES ('d', 'mine', 'LOCAL', 'RUNNING', " + now +
                     ", NULL, NULL, 'active', '', 0); INSERT INTO metrics VALUES ('loss', 0.5, " + now +
                     ", 'd', 1, 0);"),
                 0);
        watched.look();
        QCOMPARE(watched.text(), QString("loss 1=0.5"));
        QCOMPARE(sql("INSERT INTO metrics VALUES ('loss', 0.25, " + now + ", 'd', 2, 0);"), 0);
        watched.look(true);
        QCOMPARE(watched.text(), QString("loss 1=0.5 2=0.25"));
        QCOMPARE(watched.kinds.begin()->first, SourceKind::Mlflow);
    }

    // Bad inputs: what a folder of a program may hold besides its metrics.
    void otherFilesAreLeftAlone() {
        Watched watched;
        watched.begin();
        watched.write("config.json", "{\"epochs\": 3, \"lr\": 0.1}");
        watched.write("results.json", "{\"epoch\": 3, \"loss\": 0.1}");
        watched.write("data.csv", "name,age\na,3\n");
        watched.write("train.log", "step 1 loss 0.5\nstep 2 loss 0.4\n");
        watched.write("events.out.tfevents.2", std::string(100'000, 'x'));
        watched.write("run-x.wandb", std::string(":W&B\xE1\xBE\0garbage that is no record at all", 40));
        watched.write(".hidden/metrics.csv", "step,loss\n1,0.5\n");
        watched.write("venv/pyvenv.cfg", "");
        watched.write("venv/metrics.csv", "step,loss\n1,0.5\n");
        watched.write("x.db", "SQLite format 3");
        watched.write("workspace/trainyard.db", "");
        watched.write("workspace/runs/a/program/rank0.jsonl", "{\"step\": 1, \"loss\": 0.5}\n");
        fs::create_directories(watched.root() / "links");
        fs::create_symlink("/etc", watched.root() / "links/etc");
        fs::create_symlink(watched.root() / "data.csv", watched.root() / "links/metrics.csv");
        QCOMPARE(::mkfifo((watched.root() / "fifo.csv").c_str(), 0600), 0);
        watched.look();
        watched.look(true);
        QCOMPARE(watched.text(), QString());
    }

    void whatIsLookedAtIsBounded() {
        Watched watched;
        watched.begin();
        fs::create_directories(watched.root() / "images");
        for (std::size_t i = 0; i <= FrameworkFiles::kMostEntries; ++i)
            std::ofstream(watched.root() / "images" / (std::to_string(i) + ".png"));
        watched.write("metrics.csv", "step,loss\n1,0.5\n");
        watched.look();
        QCOMPARE(watched.text(), QString("loss 1=0.5"));
        QCOMPARE(watched.notices.size(), 1);
        QVERIFY2(watched.notices[0].contains("images has more than 2000 entries"), qPrintable(watched.notices[0]));
        QElapsedTimer clock;
        clock.start();
        for (int look = 0; look < 100; ++look) watched.look();
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString("100 looks took %1 ms").arg(clock.elapsed())));
        QCOMPARE(watched.notices.size(), 1);
    }

private:
    QTemporaryDir m_foreign;
};

QTEST_GUILESS_MAIN(FrameworkFilesTest)
#include "framework_files_test.moc"
