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

std::unique_ptr<train::Task> classifier(std::int64_t classes, const char* loss = "cross-entropy",
                                        TaskKind kind = TaskKind::Classification) {
    data::Dataset dataset;
    dataset.task = kind;
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
    void labelsAreGivenFromTheBestThresholdOn_data();
    void labelsAreGivenFromTheBestThresholdOn();
    void numbersOfLabelsAreThoseOfScikitLearn();
    void thresholdsOfTheValidationJudgeTheTest();
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
                QVERIFY2(counted ? apart == 0 : apart < 1e-6, name.c_str()); // sums of a batch are of floats
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

void ClassCurvesTest::labelsAreGivenFromTheBestThresholdOn_data() {
    using Counts = QList<double>;
    QTest::addColumn<Counts>("positives");
    QTest::addColumn<Counts>("negatives");
    QTest::addColumn<int>("bin");
    QTest::newRow("apart") << Counts{0, 0, 0, 0, 0, 3} << Counts{4, 0, 0, 0, 0, 0} << 3; // midway
    QTest::newRow("next to each other") << Counts{0, 0, 5, 0} << Counts{0, 4, 0, 0} << 2;
    QTest::newRow("mixed: all of the middle") << Counts{0, 3, 2, 0} << Counts{9, 1, 0, 0} << 1;
    QTest::newRow("mixed: the top alone") << Counts{1, 0, 4, 0} << Counts{9, 8, 0, 0} << 2;
    QTest::newRow("nobody has it") << Counts{0, 0, 0, 0} << Counts{1, 2, 3, 0} << 2;
    QTest::newRow("all have it, and surely") << Counts{0, 0, 0, 7} << Counts{0, 0, 0, 0} << 2;
    QTest::newRow("all have it, and hardly") << Counts{0, 7, 0, 0} << Counts{0, 0, 0, 0} << 1;
    QTest::newRow("nothing") << Counts{0, 0, 0, 0} << Counts{0, 0, 0, 0} << 2;
}

void ClassCurvesTest::labelsAreGivenFromTheBestThresholdOn() {
    QFETCH(QList<double>, positives);
    QFETCH(QList<double>, negatives);
    QFETCH(int, bin);
    const std::vector<double> yes(positives.begin(), positives.end()), no(negatives.begin(), negatives.end());
    QCOMPARE(train::bestBin({.positives = yes, .negatives = no}, 2), std::int64_t{bin});
    const train::RankSums ranks(3);
    for (const std::int64_t at : {1, 700, 2048, 4000}) QCOMPARE(ranks.binOf(ranks.probabilityAt(at)), at);
    QCOMPARE(ranks.probabilityAt(ranks.binOf(0.5)), 0.5);
    QVERIFY(ranks.binOf(0) == 0 && ranks.binOf(1) == 4096); // of everything, and of nothing
}

// Feature: several labels at once: mean average precision, F1 of each, of their mean and of all, a threshold for each
// label chosen on validation. Also in torch_data_files_test, torch_predict_test.
void ClassCurvesTest::numbersOfLabelsAreThoseOfScikitLearn() {
    const auto truth =
        torch::tensor({1., 0., 0., 1., 1., 0., 0., 1., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0.}).view({6, 3});
    const auto shares =
        torch::tensor({.91, .32, .11, .62, .73, .41, .21, .55, .83, .35, .64, .05, .44, .13, .24, .52, .47, .62})
            .view({6, 3});
    const auto task = classifier(3, "bce", TaskKind::MultiLabel);
    const auto outputs = torch::logit(shares);
    auto whole = task->zeroSums(torch::kCPU), parts = task->zeroSums(torch::kCPU);
    task->add(whole, outputs, truth.to(torch::kFloat32));
    for (const auto& [begin, n] : {std::pair{0, 1}, {1, 4}, {5, 1}})
        task->add(parts, outputs.narrow(0, begin, n), truth.narrow(0, begin, n).to(torch::kFloat32));
    QVERIFY(torch::allclose(parts, whole, 1e-6, 1e-9));
    const auto evaluation = task->evaluate(whole, {});
    const auto all = json::parse(evaluation.json);
    const auto near = [&](const char* member, double expected) {
        const double found = all.at(json::json_pointer(member)).get<double>();
        if (std::abs(found - expected) > 2e-6) qWarning("%s: %.9g", member, found);
        return std::abs(found - expected) < 2e-6;
    };
    QVERIFY(near("/map", 0.9074074074074074));
    QVERIFY(near("/auc", 0.888888888888889));
    QVERIFY(near("/f1", 0.9047619047619048));
    QVERIFY(near("/microF1", 0.8750000000000001));
    QVERIFY(near("/precision", 0.8333333333333334));
    QVERIFY(near("/recall", 1.0));
    QVERIFY(near("/brier", 0.14677222222222222));
    QVERIFY(near("/accuracy", 0.8888888888888888));
    QVERIFY(near("/loss", 0.45176432697830315));
    QVERIFY(near("/classes/0/prAuc", 0.9166666666666665));
    QVERIFY(near("/classes/0/f1", 0.8571428571428571));
    QVERIFY(near("/classes/1/prAuc", 0.8055555555555556));
    QVERIFY(near("/classes/1/f1", 0.8571428571428571));
    QVERIFY(near("/classes/2/prAuc", 1.0));
    QVERIFY(near("/classes/2/f1", 1.0));
    QCOMPARE(evaluation.series.at("val/map"), all["map"].get<double>());
    QCOMPARE(evaluation.thresholds.size(), 3u);
    const auto sums =
        task->trainSums(task->loss(outputs, truth.to(torch::kFloat32)), outputs, truth.to(torch::kFloat32));
    const auto metrics = task->trainMetrics({sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()});
    QVERIFY(std::abs(metrics[1] - 0.7222222222222222) < 1e-9);
}

void ClassCurvesTest::thresholdsOfTheValidationJudgeTheTest() {
    const auto task = classifier(1, "bce", TaskKind::MultiLabel);
    auto sums = task->zeroSums(torch::kCPU);
    // The label is there from 0.2 on in validation …
    task->add(sums, torch::logit(torch::tensor({0.1f, 0.3f, 0.4f, 0.9f})).unsqueeze(1),
              torch::tensor({0.f, 1.f, 1.f, 1.f}).unsqueeze(1));
    const auto chosen = task->evaluate(sums, {});
    QVERIFY(chosen.thresholds.at(0) > 0.1 && chosen.thresholds.at(0) < 0.3);
    QCOMPARE(chosen.series.at("val/f1"), 1.0);
    // … and only from 0.5 on in the test: two of four are wrong there, unless the test chose for itself.
    auto test = task->zeroSums(torch::kCPU);
    task->add(test, torch::logit(torch::tensor({0.1f, 0.3f, 0.4f, 0.9f})).unsqueeze(1),
              torch::tensor({0.f, 0.f, 0.f, 1.f}).unsqueeze(1));
    QCOMPARE(task->evaluate(test, {}).series.at("val/f1"), 1.0);
    task->setThresholds(chosen.thresholds);
    const auto judged = task->evaluate(test, {});
    QCOMPARE(judged.series.at("val/f1"), 0.5);
    QCOMPARE(judged.series.at("val/accuracy"), 0.5);
    QCOMPARE(judged.series.at("val/map"), 1.0);
    QCOMPARE(judged.thresholds, chosen.thresholds);
}

QTEST_GUILESS_MAIN(ClassCurvesTest)
#include "class_curves_test.moc"
