// SPDX-License-Identifier: GPL-3.0-or-later
// What training programs print for people, in the manner of well-known ones, as curves.
#include "engine/imports/printed/printed_log.h"
#include "engine/run/share/import_sources.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::imports;

namespace {

// "epoch=2 | batch=30/100 | {loss}=0.5"
QString told(const PrintedLine& line) {
    QStringList parts;
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    if (line.epoch) parts << "epoch=" + number(*line.epoch);
    if (line.step) parts << "step=" + number(*line.step);
    if (line.batch) parts << "batch=" + number(*line.batch) + "/" + number(line.batches);
    for (const auto& each : line.values) parts << "{" + QString::fromStdString(each.name) + "}=" + number(each.value);
    return parts.join(" | ");
}

} // namespace

class PrintedLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: import of logs in which a program has printed its metrics.
    void theValuesOfALineAreFound_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("values");
        const auto row = [](const char* name, const char* line, const char* values) {
            QTest::newRow(name) << QString::fromUtf8(line) << QString::fromUtf8(values);
        };
        row("mnist example", "Train Epoch: 1 [12800/60000 (21%)]\tLoss: 0.243182",
            "epoch=1 | batch=12800/60000 | {Loss}=0.243182");
        row("mnist example, test", "Test set: Average loss: 0.0482, Accuracy: 9851/10000 (99%)",
            "{test/loss}=0.0482 | {test/Accuracy}=0.9851");
        row("imagenet example",
            "Epoch: [2][ 310/5005]\tTime  0.321 ( 0.334)\tData  0.002 ( 0.011)\tLoss 3.2345e+00 (3.3456e+00)\tAcc@1  "
            "31.25 ( 29.81)\tAcc@5  55.08 ( 53.90)",
            "epoch=2 | batch=310/5005 | {Loss}=3.2345 | {Acc@1}=31.25 | {Acc@5}=55.08");
        row("imagenet example, summary", " * Acc@1 76.130 Acc@5 92.862", "{Acc@1}=76.13 | {Acc@5}=92.862");
        row("cifar tutorial", "[1,  2000] loss: 2.190", "epoch=1 | step=2000 | {loss}=2.19");
        row("Trainer", "{'loss': 0.5123, 'grad_norm': 1.23, 'learning_rate': 4.5e-05, 'epoch': 0.12}",
            "epoch=0.12 | {loss}=0.5123 | {grad_norm}=1.23 | {learning_rate}=4.5e-05");
        row("Trainer, evaluation",
            "{'eval_loss': 0.412, 'eval_accuracy': 0.88, 'eval_runtime': 12.3, 'eval_samples_per_second': 80.1, "
            "'epoch': 1.0}",
            "epoch=1 | {eval_loss}=0.412 | {eval_accuracy}=0.88");
        row("iterations with a unit", "iter 250: loss 2.0112, time 32.15ms, mfu 4.21%", "step=250 | {loss}=2.0112");
        row("two losses of a step", "step 250: train loss 1.9881, val loss 2.0512",
            "step=250 | {train loss}=1.9881 | {val loss}=2.0512");
        row("an epoch of several", "Epoch 3/10", "epoch=3");
        row("tqdm", " 45%|████▌     | 450/1000 [00:12<00:15, 36.2it/s, loss=0.412, acc=0.87]",
            "batch=450/1000 | {loss}=0.412 | {acc}=0.87");
        row("Keras",
            "938/938 [==============================] - 3s 3ms/step - loss: 0.2912 - accuracy: 0.9155 - val_loss: "
            "0.1423 - val_accuracy: 0.9581",
            "batch=938/938 | {loss}=0.2912 | {accuracy}=0.9155 | {val_loss}=0.1423 | {val_accuracy}=0.9581");
        row("Lightning's bar", "Epoch 0:  33%|███▎      | 100/300 [00:05<00:10, 19.3it/s, v_num=3, train_loss=0.72]",
            "epoch=0 | batch=100/300 | {train_loss}=0.72");
        row("a table's heading", "| rollout/                |             |", "");
        row("a table's row", "|    ep_rew_mean          | 21.4        |", "{ep_rew_mean}=21.4");
        row("a table's step", "|    total_timesteps      | 2048        |", "step=2048");
        row("logging with a date", "2026-01-31 12:30:05,123 INFO: epoch 4 step 1200 loss 0.4321 lr 1e-4",
            "epoch=4 | step=1200 | {loss}=0.4321 | {lr}=0.0001");
        row("mmcv", "[2026-01-31 12:30:05] [train] iter: 100/9000  loss=1.234  eta: 0:12:31",
            "batch=100/9000 | {loss}=1.234");
        row("detectron2",
            "[01/31 12:30:05 d2.utils.events]:  eta: 0:21:09  iter: 1979  total_loss: 0.6125  loss_cls: 0.2  time: "
            "0.3512  data_time: 0.0052  lr: 0.00025  max_mem: 3210M",
            "step=1979 | {total_loss}=0.6125 | {loss_cls}=0.2 | {lr}=0.00025");
        row("timm",
            "Train: 3 [ 250/1251 ( 20%)]  Loss: 5.678 (5.912)  Time: 0.421s, 608.01/s  (0.430s, 595.3/s)  LR: "
            "1.000e-04  Data: 0.010 (0.020)",
            "epoch=3 | batch=250/1251 | {Loss}=5.678 | {LR}=0.0001");
        row("timm, test", "Test: [  48/48]  Time: 0.1 (0.2)  Loss:   1.234 (1.345)  Acc@1:  70.1 (69.8)",
            "batch=48/48 | {test/Loss}=1.234 | {test/Acc@1}=70.1");
        row("fairseq",
            "epoch 001:    100 / 1234 loss=8.123, nll_loss=7.1, ppl=137.2, wps=12345, ups=3.2, wpb=3900, bsz=128, "
            "num_updates=100, lr=1.25e-05, gnorm=2.3",
            "epoch=1 | step=100 | batch=100/1234 | {loss}=8.123 | {nll_loss}=7.1 | {ppl}=137.2 | {lr}=1.25e-05 | "
            "{gnorm}=2.3");
        row("columns with bars", "Epoch 5 | Train Loss: 0.345 | Val Loss: 0.412 | Val Acc: 88.12%",
            "epoch=5 | {Train Loss}=0.345 | {Val Loss}=0.412 | {Val Acc}=88.12");
        row("columns with commas", "Epoch 5, loss = 0.345, val_loss = 0.412",
            "epoch=5 | {loss}=0.345 | {val_loss}=0.412");
        row("equals signs", "epoch=5 train_loss=0.345 val_acc=0.88", "epoch=5 | {train_loss}=0.345 | {val_acc}=0.88");
        row("quickstart tutorial", "loss: 2.301234  [   64/60000]", "batch=64/60000 | {loss}=2.301234");
        row("an epoch", "Epoch 1", "epoch=1");
        row("a rule", "-------------------------------", "");
        row("quickstart tutorial, test", " Accuracy: 45.3%, Avg loss: 0.0123", "{Accuracy}=45.3 | {loss}=0.0123");
        row("counter in brackets", "[10/100] loss: 0.234 acc: 0.91", "batch=10/100 | {loss}=0.234 | {acc}=0.91");
        row("a reward", "step=1000 reward=-12.5", "step=1000 | {reward}=-12.5");
        row("an episode", "Episode 30\tLast reward: 35.00\tAverage reward: 21.44",
            "step=30 | {Last reward}=35 | {reward}=21.44");
        row("a row of numbers alone", "      1/100     2.35G     0.0512    0.0321    0.0123        45       640",
            "batch=1/100");
        row("Megatron",
            " iteration      100/  500000 | consumed samples:        25600 | elapsed time per iteration (ms): 512.3 | "
            "learning rate: 1.500E-05 | global batch size:   256 | lm loss: 8.123456E+00 | loss scale: 1.0 | grad "
            "norm: 2.345 |",
            "batch=100/500000 | {learning rate}=1.5e-05 | {lm loss}=8.123456 | {grad norm}=2.345");
        row("dashes between", "INFO - epoch: 7 - batch: 30/100 - loss: nan - f1: 0.71",
            "epoch=7 | batch=30/100 | {loss}=nan | {f1}=0.71");
        row("validation loss", "Validation loss: 0.312", "{Validation loss}=0.312");
        row("validation: loss", "Validation: loss 0.312 acc 0.91", "{val/loss}=0.312 | {val/acc}=0.91");
        row("evaluation at", "Eval @ 1000: ppl=12.3", "{val/ppl}=12.3");
        row("epoch and step of several", "Epoch [3/10], Step [100/600], Loss: 0.2345",
            "epoch=3 | batch=100/600 | {Loss}=0.2345");
        row("two losses of a GAN", "Iter 20 Loss_D: 0.4512 Loss_G: 2.1345 D(x): 0.81",
            "step=20 | {Loss_D}=0.4512 | {Loss_G}=2.1345 | {D}=0.81");
        row("GAN example", "[3/25][50/1583]\tLoss_D: 0.5612\tLoss_G: 3.4512\tD(x): 0.7812\tD(G(z)): 0.21 / 0.05",
            "epoch=3 | batch=50/1583 | {Loss_D}=0.5612 | {Loss_G}=3.4512 | {D}=0.7812");
        row("a namespace", "Namespace(lr=0.1, batch_size=64, epochs=10)", "");
        row("a download", "Downloading http://data.org/x.tar.gz to ./data/x.tar.gz", "");
        row("a device", "Using device: cuda:0", "{cuda}=0");
        row("parameters", "Number of parameters: 1199882", "");
        row("a saved file", "Saved checkpoint to runs/exp3/model_100.pt", "");
        row("a warning", "/usr/lib/python3/dist-packages/torch/x.py:123: UserWarning: 3 things", "");
        row("a traceback", "Traceback (most recent call last):", "");
        row("a traceback's line", "  File \"train.py\", line 30, in <module>", "");
        row("a bar without values", "100%|██████████| 9912422/9912422 [00:00<00:00, 12345678.90it/s]",
            "batch=9912422/9912422");
        row("a seed", "seed: 42", "");
        row("a GPU", "gpu 0: NVIDIA H100 80GB", "");
        row("a sentence with a step", "loss 0.3 at step 100", "step=100 | {loss}=0.3");
        row("four values", "train_loss: 0.31 train_acc: 0.9 val_loss: 0.4 val_acc: 0.85",
            "{train_loss}=0.31 | {train_acc}=0.9 | {val_loss}=0.4 | {val_acc}=0.85");
        row("a sentence with a time", ">>> epoch 12 done in 12.3s, mIoU 0.781", "epoch=12 | {mIoU}=0.781");
        row("JSON", "{\"epoch\": 3, \"loss\": 0.5}", "epoch=3 | {loss}=0.5");
        row("a sentence with two values", "Epoch 00012: val_loss improved from 0.41 to 0.39, saving model to best.h5",
            "epoch=12");
        row("a sentence without values", "Epoch 7: val_loss did not improve", "epoch=7");
        row("no numbers", "step 5 loss nan acc inf", "step=5 | {loss}=nan | {acc}=inf");
        row("colours of a terminal", "\x1b[32mepoch 2\x1b[0m \x1b[1mloss\x1b[0m 0.5", "epoch=2 | {loss}=0.5");
        row("too large a number", "loss: 1e999 step: 3", "step=3 | {loss}=inf");
        row("digits within words", "bert-base-uncased 3d_loss=0.5 v2.1", "");
    }
    void theValuesOfALineAreFound() {
        QFETCH(QString, line);
        QFETCH(QString, values);
        const std::string text = line.toStdString();
        QCOMPARE(told(readPrintedLine(text)), values);
    }

    // Epochs that are counted from one; the test's values stand at the end of their epoch.
    void anEpochsBatchesAreSteps() {
        QByteArray text = "Namespace(lr=0.1)\nUsing device: cuda:0\n";
        for (int epoch = 1; epoch <= 3; ++epoch) {
            for (int batch = 0; batch < 100; batch += 10)
                text += "Train Epoch: " + QByteArray::number(epoch) + " [" + QByteArray::number(batch) +
                        "/100 (3%)]\tLoss: " + QByteArray::number(epoch + batch / 1000.0) + "\n";
            text += "\nTest set: Average loss: 0." + QByteArray::number(epoch) + ", Accuracy: 9" +
                    QByteArray::number(epoch) + "/100 (91%)\n\n";
        }
        const auto run = read(text);
        QCOMPARE(names(run), QStringList({"Loss", "test/Accuracy", "test/loss"}));
        const auto& loss = run.series.at("Loss");
        QCOMPARE(loss.size(), 30u);
        QCOMPARE(loss.front().step, 0);
        QCOMPARE(loss.back().step, 290);
        QCOMPARE(loss.back().epoch, 2.9);
        QCOMPARE(steps(run, "test/loss"), (std::vector<std::int64_t>{90, 190, 290}));
        QCOMPARE(run.series.at("test/Accuracy").back().value, 0.93);
    }

    // A bar overwrites its line, and does not say which epoch it is.
    void theStatesOfABarArePoints() {
        QByteArray text = "Downloading: 100%|####| 9912422/9912422 [00:00<00:00]\n";
        for (int epoch = 0; epoch < 2; ++epoch) {
            for (int batch = 1; batch <= 4; ++batch)
                text += "\r 25%|##  | " + QByteArray::number(batch) +
                        "/4 [00:01<00:03, 1.0it/s, loss=" + QByteArray::number(1.0 / (4 * epoch + batch)) + "]";
            text += "\n";
        }
        const auto run = read(text);
        QCOMPARE(names(run), QStringList{"loss"});
        QCOMPARE(steps(run, "loss"), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
    }

    void aTableStandsAtOneStep() {
        QByteArray text;
        for (int round = 1; round <= 3; ++round)
            text += "-----------------\r\n| rollout/        |      |\r\n|    ep_rew_mean  | " +
                    QByteArray::number(20 + round) + " |\r\n| time/ | |\r\n|    fps          | 81" +
                    QByteArray::number(round) + "  |\r\n|    total_timesteps | " + QByteArray::number(2048 * round) +
                    " |\r\n-----------------\r\n";
        const auto run = read(text);
        QCOMPARE(names(run), QStringList{"ep_rew_mean"});
        QCOMPARE(steps(run, "ep_rew_mean"), (std::vector<std::int64_t>{2048, 4096, 6144}));
    }

    // Parts of epochs without steps: the lines are numbered, as the rows of a table are.
    void partsOfEpochsAreNumbered() {
        QByteArray text;
        for (int epoch = 0; epoch < 2; ++epoch) {
            for (int part = 1; part <= 2; ++part)
                text += "{'loss': 0.5" + QByteArray::number(10 * epoch + part) +
                        ", 'epoch': " + QByteArray::number(epoch + part / 2.0) + "}\n";
            text += "{'eval_loss': 0." + QByteArray::number(epoch + 1) + ", 'epoch': " + QByteArray::number(epoch + 1) +
                    ".0}\n";
        }
        const auto run = read(text);
        QCOMPARE(steps(run, "loss"), (std::vector<std::int64_t>{0, 1, 3, 4}));
        QCOMPARE(steps(run, "eval_loss"), (std::vector<std::int64_t>{2, 5}));
        QCOMPARE(run.series.at("loss").back().epoch, 2.0);
    }

    // "Test Error:" heads the line that follows; what sums an epoch up is no point of the curve of its steps.
    void summariesAreSeriesOfTheirOwn() {
        QByteArray text;
        for (int epoch = 1; epoch <= 2; ++epoch) {
            text += "Epoch " + QByteArray::number(epoch) + "\n";
            for (int batch = 1; batch <= 2; ++batch)
                text +=
                    "loss: 0." + QByteArray::number(10 * epoch + batch) + "  [" + QByteArray::number(batch) + "/2]\n";
            text += "Test Error: \n Accuracy: 8" + QByteArray::number(epoch) + "%, Avg loss: 0.0" +
                    QByteArray::number(epoch) + " \n\n * loss 0.3" + QByteArray::number(epoch) + "\n";
        }
        const auto run = read(text);
        QCOMPARE(names(run), QStringList({"loss", "loss (summary)", "test/Accuracy", "test/loss"}));
        QCOMPARE(steps(run, "loss"), (std::vector<std::int64_t>{1, 2, 3, 4}));
    }

    void aRestartReplacesWhatItRepeats() {
        const auto run =
            read("step 10 loss 0.5\nstep 20 loss 0.4\nstep 30 loss 0.3\nstep 20 loss 0.45\nstep 30 loss 0.35\n");
        QCOMPARE(steps(run, "loss"), (std::vector<std::int64_t>{10, 20, 30}));
        QCOMPARE(run.series.at("loss").back().value, 0.35);
        QCOMPARE(run.repeated, 2);
    }

    void whatIsPrintedOnceIsNoCurve() {
        const auto run = readPrintedLog(written("batch size: 64\nmomentum: 0.9\nmomentum: 0.9\nlr: 0.1\n"));
        QVERIFY(!run.ok());
        QVERIFY2(run.error().text().find("prints no metric twice") != std::string::npos, run.error().text().c_str());
    }

    // Bad inputs: text that is no log of metrics.
    void whatIsNoLogIsKnown_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isLog");
        QTest::newRow("nothing") << QByteArray() << false;
        QTest::newRow("a log") << QByteArray("step 1 loss 0.5\nstep 2 loss 0.4\n") << true;
        QTest::newRow("bytes") << QByteArray("step 1 loss 0.5\nstep 2 loss 0.4\n\0", 33) << false;
        QTest::newRow("prose") << QByteArray("We got 12 of 30.\nThen we had 13 of 30, in 2 days.\n") << false;
        QTest::newRow("values that nobody knows") << QByteArray("width: 3\nwidth: 4\n") << false;
    }
    void whatIsNoLogIsKnown() {
        QFETCH(QByteArray, bytes);
        QTEST(isPrintedLog(written(bytes)), "isLog");
    }

    // In a folder by its name, too, and only where nothing else tells of the run.
    void aFolderGivesTheLogsThatStandAlone() {
        const QDir folder(m_folder.filePath("runs"));
        const auto write = [&](const QString& name, const QByteArray& text) {
            QVERIFY(folder.mkpath(QFileInfo(folder.filePath(name)).path()));
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        const QByteArray log = "step 1 loss 0.5\nstep 2 loss 0.4\n";
        write("a/train.log", log);
        write("a/notes.md", log);
        write("b/slurm-7.out", log);
        write("b/metrics/metrics.csv", "step,loss\n1,0.5\n2,0.4\n");
        write("c/seeds.txt", "seed: 1\nseed: 2\n");
        const auto found = run::findImports(folder.path().toStdString());
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QStringList paths;
        for (const auto& each : *found)
            paths << QString(run::toString(each.kind)) + " " +
                         QString::fromStdString(
                             each.path.lexically_relative(std::filesystem::canonical(folder.path().toStdString())));
        paths.sort();
        QCOMPARE(paths, QStringList({"csv b/metrics/metrics.csv", "printed-log a/train.log"}));
        const auto named = run::findImports(folder.filePath("a/notes.md").toStdString());
        QVERIFY(named.ok() && named->front().kind == run::ImportKind::PrintedLog);
        const auto run = run::readImport(named->front());
        QVERIFY(run.ok() && run->series.at("loss").size() == 2u);
    }

    // No line, however long, and no number of names takes more than its share.
    void hugeLogsAreBounded() {
        QByteArray text = "step 1 loss 0.5\n" + QByteArray(20 << 20, 'x') + "\nstep 2 loss 0.4\n";
        for (int i = 0; i < 30'000; ++i) text += "name" + QByteArray::number(i) + "x: 1 loss: 0.5\n";
        const auto run = read(text);
        QCOMPARE(steps(run, "loss"), (std::vector<std::int64_t>{1, 2}));
        QVERIFY(run.series.size() < 3);
    }

private:
    std::filesystem::path written(const QByteArray& text) {
        QFile file(m_folder.filePath("train.log"));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return file.fileName().toStdString();
    }
    ImportedRun read(const QByteArray& text) {
        auto run = readPrintedLog(written(text));
        if (!run.ok()) qFatal("%s", run.error().text().c_str());
        return std::move(*run);
    }
    static QStringList names(const ImportedRun& run) {
        QStringList names;
        for (const auto& each : run.series) names << QString::fromStdString(each.first);
        return names;
    }
    static std::vector<std::int64_t> steps(const ImportedRun& run, const char* series) {
        std::vector<std::int64_t> steps;
        for (const auto& point : run.series.at(series)) steps.push_back(point.step);
        return steps;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(PrintedLogTest)
#include "printed_log_test.moc"
