// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/random.h"
#include "engine/torch/trainer/task/class_curves.h"
#include "engine/torch/trainer/task/task.h"

#include <nlohmann/json.hpp>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace trainyard;
using nlohmann::json;
using train::TaskKind;

namespace {

std::unique_ptr<train::Task> classifier(std::int64_t classes, const char* loss = "cross-entropy") {
    data::Dataset dataset;
    dataset.classes = classes;
    dataset.train.targets = dataset.validation.targets = torch::zeros({1}, torch::kInt64);
    spec::RunSpec spec;
    spec.loss = {loss, {}};
    auto task = train::Task::make(spec, dataset);
    if (!task) qFatal("%s", task.error().text().c_str());
    return std::move(*task);
}

// By pairs: how often a sample of the class is above one that is not, ties half.
double areaByPairs(const std::vector<double>& scores, const std::vector<bool>& positive) {
    double above = 0, pairs = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < scores.size() && positive[i]; ++j) {
            if (positive[j]) continue;
            above += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
            ++pairs;
        }
    return above / pairs;
}

} // namespace

class ClassCurvesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreThoseOfScikitLearn_data();
    void numbersAreThoseOfScikitLearn();
    void ranksMakeTheNumbersOfOneProcess();
    void curvesOfCounts();
    void binsHoldWhatFloatsTellApart();
    void whatCannotBeToldIsNoNumber();
};

// Expected values: scikit-learn 1.2.1 on the same probabilities.
void ClassCurvesTest::numbersAreThoseOfScikitLearn_data() {
    QTest::addColumn<QString>("member");
    QTest::addColumn<double>("expected");
    const auto row = [](const char* member, double expected) { QTest::newRow(member) << QString(member) << expected; };
    row("/balancedAccuracy", 0.6555555555555556);
    row("/kappa", 0.4893617021276596);
    row("/mcc", 0.48936170212765956);
    row("/brier", 0.3914666666666667);
    row("/ece", 0.29333333333333333);
    row("/auc", 0.8899636243386243);
    row("/prAuc", 0.8305555555555556);
    row("/classes/0/auc", 0.796875);
    row("/classes/1/auc", 0.9444444444444444);
    row("/classes/0/prAuc", 0.7611111111111111);
    row("/classes/2/prAuc", 0.925);
    row("/accuracyLow", 0.39062208887279953);
    row("/accuracyHigh", 0.8618799089087867);
    row("/classes/2/roc/16", 0.8);
    row("/classes/2/roc/24", 1.0);
}

// Feature: balanced accuracy, kappa, MCC, Brier score, AUC, PR-AUC, calibration and the interval of an accuracy, exact
// over ranks. Also in worker_train_test.
void ClassCurvesTest::numbersAreThoseOfScikitLearn() {
    QFETCH(QString, member);
    QFETCH(double, expected);
    const auto truth = torch::tensor({0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2}, torch::kInt64);
    const auto shares =
        torch::tensor({.70, .19, .11, .62, .28, .10, .19, .52, .29, .30, .29, .41, .10, .81, .09, .24, .52, .24,
                       .45, .41, .14, .05, .04, .91, .19, .19, .62, .10, .28, .62, .29, .09, .62, .52, .24, .24})
            .view({12, 3});
    const auto task = classifier(3);
    auto sums = task->zeroSums(torch::kCPU);
    task->add(sums, shares.log(), truth);
    const auto all = json::parse(task->evaluate(sums, {}).json);
    const double found = all.at(json::json_pointer(member.toStdString())).get<double>();
    QVERIFY2(std::abs(found - expected) < 2e-6, qPrintable(QString::number(found, 'g', 12)));
    QVERIFY(all["reliability"].size() == 6);
    QVERIFY(all["classes"][2]["roc"].size() == train::ClassCurve::kRocPoints);
}

void ClassCurvesTest::ranksMakeTheNumbersOfOneProcess() {
    torch::manual_seed(11);
    const std::int64_t samples = 1000, classes = 6;
    const auto truth = torch::randint(classes, {samples}, torch::kInt64);
    const auto outputs = torch::randn({samples, classes}) + 1.5 * torch::one_hot(truth, classes);
    for (const char* loss : {"cross-entropy", "bce"}) {
        const auto task = classifier(classes, loss);
        const auto evaluated = [&](std::int64_t ranks) {
            auto sums = task->zeroSums(torch::kCPU);
            for (std::int64_t rank = 0; rank < ranks; ++rank) {
                const std::int64_t begin = samples * rank / ranks, n = samples * (rank + 1) / ranks - begin;
                auto own = task->zeroSums(torch::kCPU);
                for (std::int64_t at = 0; at < n; at += 64) // its batches
                    task->add(own, outputs.narrow(0, begin + at, std::min<std::int64_t>(64, n - at)),
                              truth.narrow(0, begin + at, std::min<std::int64_t>(64, n - at)));
                sums += own;
            }
            return task->evaluate(sums, {}).series;
        };
        const auto one = evaluated(1);
        for (const std::int64_t ranks : {2, 3, 7}) {
            const auto several = evaluated(ranks);
            QCOMPARE(several.size(), one.size());
            for (const auto& [name, value] : several) {
                const bool counted = name != "val/loss" && name != "val/brier" && name != "val/ece";
                const double apart = std::abs(value - one.at(name));
                QVERIFY2(counted ? apart == 0 : apart < 1e-9, name.c_str());
            }
        }
        // The area is that of all pairs: bins are so narrow that few samples are tied.
        const auto values = torch::softmax(outputs, 1).select(1, 4).to(torch::kFloat64);
        std::vector<double> scores(values.data_ptr<double>(), values.data_ptr<double>() + samples);
        QVERIFY(one.at("val/auc") > 0.75 && one.at("val/prAuc") > 0.5);
        if (std::string(loss) == "bce") continue;
        std::vector<bool> positive;
        for (std::int64_t i = 0; i < samples; ++i) positive.push_back(truth[i].item<std::int64_t>() == 4);
        auto sums = task->zeroSums(torch::kCPU);
        task->add(sums, outputs, truth);
        const auto all = json::parse(task->evaluate(sums, {}).json);
        QVERIFY(std::abs(all["classes"][4]["auc"].get<double>() - areaByPairs(scores, positive)) < 2e-4);
    }
}

void ClassCurvesTest::curvesOfCounts() {
    using Counts = std::vector<double>;
    const auto curve = [](const Counts& positives, const Counts& negatives) {
        return train::curveOf({.positives = positives, .negatives = negatives});
    };
    const auto perfect = curve({0, 0, 5}, {7, 2, 0});
    QCOMPARE(perfect.auc, 1.0);
    QCOMPARE(perfect.prAuc, 1.0);
    QCOMPARE(perfect.roc.front(), 1.0);
    const auto reversed = curve({4, 0}, {0, 4});
    QCOMPARE(reversed.auc, 0.0);
    QCOMPARE(reversed.prAuc, 0.5); // all are found where half of what was taken is right
    const auto tied = curve({0, 3, 0}, {0, 9, 0});
    QCOMPARE(tied.auc, 0.5);
    QCOMPARE(tied.prAuc, 0.25);
    QCOMPARE(tied.roc[16], 0.25); // the diagonal, at (16 / 32)²
    // Two of four found before the first wrong one, then one of each, then one: 3 x 2, 3 x 1 / 2, 2 x 3 pairs …
    const auto mixed = curve({1, 1, 2}, {2, 1, 0});
    QCOMPARE(mixed.auc, (2 * 3 + 1 * 2.5 + 1 * 1.0) / 12);
    QCOMPARE(mixed.prAuc, (2 * 1 + 1 * 3.0 / 4 + 1 * 4.0 / 7) / 4);
    QVERIFY(std::is_sorted(mixed.roc.begin(), mixed.roc.end()) && mixed.roc.back() == 1);
}

void ClassCurvesTest::binsHoldWhatFloatsTellApart() {
    for (const auto& [classes, size] :
         {std::pair{2, 2 * 2 * 4096}, {128, 2 * 128 * 4096}, {129, 2 * 129 * 2048}, {1000, 2 * 1000 * 512}, {1001, 0}})
        QCOMPARE(train::RankSums(classes).size(), std::int64_t{size});
    const train::RankSums ranks(2);
    auto sums = torch::zeros({ranks.size()}, torch::kFloat64);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto odd = torch::tensor({0.0f, 1.0f, nan, inf, -1.0f, 2.0f, 0.5f, 1e-30f}).view({4, 2});
    ranks.add(sums, odd, torch::ones_like(odd)); // of a model that has diverged: no place outside
    QCOMPARE(sums.sum().item<double>(), 8.0);
    // A thousandth of probability apart near one and near zero.
    auto fine = torch::zeros({ranks.size()}, torch::kFloat64);
    const auto close = torch::tensor({0.9990f, 0.0001f, 0.9991f, 0.00011f}).view({2, 2});
    ranks.add(fine, close, torch::zeros_like(close));
    QCOMPARE(fine.max().item<double>(), 1.0);
}

void ClassCurvesTest::whatCannotBeToldIsNoNumber() {
    const auto task = classifier(3);
    auto sums = task->zeroSums(torch::kCPU);
    task->add(sums, torch::tensor({3.0f, 1.0f, 0.0f}).view({1, 3}), torch::tensor({0}, torch::kInt64));
    const auto evaluation = task->evaluate(sums, {});
    QVERIFY(!evaluation.series.contains("val/auc")); // there is no other class
    QCOMPARE(evaluation.series.at("val/kappa"), 1.0);
    QCOMPARE(evaluation.series.at("val/mcc"), 0.0);
    QCOMPARE(evaluation.series.at("val/prAuc"), 1.0);
    const auto all = json::parse(evaluation.json);
    QVERIFY(all["auc"].is_null() && all["classes"][0]["auc"].is_null());
    QCOMPARE(all["accuracyHigh"].get<double>(), 1.0);
    QVERIFY(std::abs(all["accuracyLow"].get<double>() - 0.2065493) < 1e-6);
    QVERIFY(
        task->evaluate(task->zeroSums(torch::kCPU), {}).series.contains("val/auc")); // so that a run may wait for it
}

QTEST_GUILESS_MAIN(ClassCurvesTest)
#include "class_curves_test.moc"
