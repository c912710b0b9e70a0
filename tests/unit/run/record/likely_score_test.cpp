// SPDX-License-Identifier: GPL-3.0-or-later
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
};

QTEST_GUILESS_MAIN(LikelyScoreTest)
#include "likely_score_test.moc"
