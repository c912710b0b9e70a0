// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/likely_score.h"

#include <QTest>

using namespace trainyard;

class LikelyScoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: a program that says nothing of its score is compared by what a person would look at.
    void theMeasureOfAPersonIsTaken_data() {
        QTest::addColumn<QStringList>("series");
        QTest::addColumn<QString>("score");
        const auto row = [](const char* name, const QStringList& series, const char* score) {
            QTest::newRow(name) << series << QString(score);
        };
        row("nothing", {}, "");
        row("nothing is a measure", {"lr", "epoch", "samples_per_s"}, "");
        row("a loss alone", {"lr", "train/loss"}, "train/loss");
        row("an accuracy before a loss", {"loss", "accuracy"}, "accuracy");
        row("held-out before training", {"train/accuracy", "val/loss"}, "val/loss");
        row("with a blank, as printed", {"Loss", "val accuracy"}, "val accuracy");
        row("as Hugging Face names it", {"loss", "eval_loss", "eval_f1", "grad_norm"}, "eval_f1");
        row("as Lightning names it", {"train_loss_step", "val_loss", "valid_acc"}, "valid_acc");
        row("the short name of two", {"val/acc_top5", "val/acc", "val/accuracy"}, "val/acc");
        row("not of the machine", {"time/step", "system/rank0/memory", "grad_norm", "loss"}, "loss");
        row("latest is no test", {"latest/accuracy", "test/accuracy"}, "test/accuracy");
    }
    void theMeasureOfAPersonIsTaken() {
        QFETCH(QStringList, series);
        std::vector<std::string> names;
        for (const QString& each : series) names.push_back(each.toStdString());
        QTEST(QString::fromStdString(run::likelyScore(names)), "score");
        std::reverse(names.begin(), names.end()); // in any order
        QTEST(QString::fromStdString(run::likelyScore(names)), "score");
    }

    // Where the run file says it, it is as said; a model of the catalog has its usual score.
    void aRunIsComparedByWhatItsFileSays_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("score");
        QTest::addColumn<bool>("isSmaller"); // is better
        QTest::newRow("a program") << QByteArray(R"({"program": {"script": "train.py"}})") << "eval_loss" << true;
        QTest::newRow("a program that says it")
            << QByteArray(R"({"program": {}, "checkpoint": {"scoreBy": "lr", "mode": "min"}})") << "lr" << true;
        QTest::newRow("a program with a mode alone")
            << QByteArray(R"({"program": {}, "checkpoint": {"mode": "max"}})") << "eval_loss" << true;
        QTest::newRow("a model") << QByteArray(R"({"model": "mlp"})") << "val/accuracy" << false;
        QTest::newRow("no file") << QByteArray("") << "val/accuracy" << false;
    }
    void aRunIsComparedByWhatItsFileSays() {
        QFETCH(QByteArray, file);
        QFETCH(bool, isSmaller);
        store::RunRow row;
        row.specJson = file.toStdString();
        const std::vector<std::string> reported{"lr", "eval_loss", "loss", "source/printed/eval_accuracy"};
        const auto score = run::scoreOf(row, reported);
        QTEST(QString::fromStdString(score.series), "score");
        QCOMPARE(score.better == spec::Better::Smaller, isSmaller);
        std::vector<store::SeriesSummary> summaries(reported.size());
        for (std::size_t i = 0; i < reported.size(); ++i) summaries[i].series = reported[i];
        QCOMPARE(run::scoreOf(row, summaries).series == "eval_loss", false); // they have no point yet
        for (auto& summary : summaries) summary.count = 1;
        QVERIFY(run::scoreOf(row, summaries) == score);
    }
};

QTEST_GUILESS_MAIN(LikelyScoreTest)
#include "likely_score_test.moc"
