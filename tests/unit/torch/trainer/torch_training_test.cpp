// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the training loop that need no other rank: schedules, losses, metrics, averaged weights, decisions.
#include "engine/torch/averaging/gradient_norm.h"
#include "engine/torch/data/random.h"
#include "engine/torch/trainer/learner/precision.h"
#include "engine/torch/trainer/learner/training_policy.h"
#include "engine/torch/trainer/learner/weight_average.h"
#include "engine/torch/trainer/task/task.h"
#include "tests/unit/torch/torch_python.h"

#include <nlohmann/json.hpp>
#include <QTest>

#include <cmath>
#include <set>

using namespace trainyard;
using nlohmann::json;
using train::TaskKind;

namespace {

template <class T>
T must(Result<T> result) {
    if (!result) qFatal("%s", result.error().text().c_str());
    return std::move(*result);
}

data::Dataset dataOf(TaskKind task, std::int64_t outputs, const torch::Tensor& targets) {
    data::Dataset dataset;
    dataset.task = task;
    dataset.classes = outputs;
    dataset.train.targets = dataset.validation.targets = targets;
    return dataset;
}

std::unique_ptr<train::Task> taskOf(const data::Dataset& dataset, const char* loss, spec::Params params = {}) {
    spec::RunSpec spec;
    spec.loss = {loss, std::move(params)};
    return must(train::Task::make(spec, dataset));
}

bool near(double a, double b, double tolerance = 1e-6) {
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

// Both ranks' sums added up must be those of one process; returns the evaluation.
train::Evaluation evaluated(const train::Task& task, const torch::Tensor& outputs, const torch::Tensor& targets) {
    auto whole = task.zeroSums(torch::kCPU), first = task.zeroSums(torch::kCPU), second = task.zeroSums(torch::kCPU);
    const std::int64_t n = outputs.size(0), half = n / 3;
    task.add(whole, outputs, targets);
    task.add(first, outputs.narrow(0, 0, half), targets.narrow(0, 0, half));
    task.add(second, outputs.narrow(0, half, n - half), targets.narrow(0, half, n - half));
    if (!torch::allclose(whole, first + second, 1e-6, 1e-6)) qFatal("the sums of the parts are not those of the whole");
    return task.evaluate(first + second, {});
}

} // namespace

class TorchTrainingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNormOfHalfGradientsDoesNotOverflow();
    void schedulesAreThoseOfPython();
    void classificationMetricsAreExact();
    void regressionMetricsAreExactAndInTheUnitsOfTheData();
    void languageMetricsAreExact();
    void lossesAreTheirFormulas();
    void weightsFollowTheTrainingSamples();
    void focalIsItsFormula();
    void sharesOfClassesAreLearnt();
    void lossesOfRegressionAreTheirFormulas();
    void theAverageFollowsItsFormula();
    void decisionsSurviveACheckpoint();
    void aFastDevRunHasTheRateOfItsRun();
    void aSpikeOfTheGradientIsSaidOnce();
    void theScaleOfTheLossFollowsOverflows();
    void everyStepOfEveryRankHasASeedOfItsOwn();
};

// Feature: schedules: constant, step, multi-step, cosine, one-cycle, warm-up, plateau; the learning-rate rule for the
// world size. Also in torch_optim_test, worker_policy_test.
void TorchTrainingTest::schedulesAreThoseOfPython() {
    if (test::pythonWithTorch().isEmpty()) QSKIP("no Python with torch was found");
    const auto script = test::runScript(QStringLiteral("schedules.py"), {});
    QVERIFY2(script.code == 0, qPrintable(script.err));
    const std::map<std::string, spec::Params> params{
        {"step", {{"everyEpochs", std::int64_t{3}}, {"gamma", 0.5}}},
        {"multi-step", {{"milestones", std::vector<double>{2, 5, 9}}, {"gamma", 0.3}}},
        {"cosine", {{"minLr", 0.01}}},
        {"one-cycle", {{"warmupShare", 0.25}, {"startDivisor", 10.0}, {"endDivisor", 100.0}}},
        {"exponential", {{"endLr", 0.001}}},
        {"warm-up", {{"warmupEpochs", 2.0}}},
        {"plateau",
         {{"factor", 0.5},
          {"patience", std::int64_t{2}},
          {"threshold", 0.01},
          {"cooldown", std::int64_t{1}},
          {"minLr", 0.05}}}};
    const double values[] = {5, 4, 4, 3.99, 3.98, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2.99, 3, 3, 3, 3, 3};
    std::size_t compared = 0;
    for (const QString& line : script.out.split('\n', Qt::SkipEmptyParts)) {
        const QStringList words = line.split(' ');
        const std::string name = words[0].toStdString();
        auto schedule = must(optim::Schedule::make({name == "warm-up" ? "constant" : name, params.at(name)}, 0.4,
                                                   {.perEpoch = 6, .total = 60}));
        for (int step = 0; step + 1 < words.size(); ++step) {
            if (name == "plateau") schedule.observe({{"val/loss", values[step]}});
            const double expected = words[step + 1].toDouble(), found = schedule.at(step);
            QVERIFY2(near(found / expected, 1, 1e-9), qPrintable(QStringLiteral("%1, step %2: %3, and Python has %4")
                                                                     .arg(words[0])
                                                                     .arg(step)
                                                                     .arg(found)
                                                                     .arg(expected)));
            ++compared;
        }
    }
    QCOMPARE(compared, 6u * 60 + 24);
}

// Feature: metrics, exact over ranks: accuracy, top 5, precision, recall, F1, confusion, RMSE, R², perplexity. Also in
// worker_tasks_test, worker_train_test.
void TorchTrainingTest::classificationMetricsAreExact() {
    // Rows: the true class of each of twelve samples, and what the model says.
    const std::vector<std::int64_t> truth{0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2}, said{0, 0, 1, 2, 1, 1, 0, 2, 2, 2, 2, 0};
    const auto targets = torch::tensor(truth, torch::kInt64);
    const auto outputs = torch::one_hot(torch::tensor(said, torch::kInt64), 7).to(torch::kFloat32) * 3;
    const auto task = taskOf(dataOf(TaskKind::Classification, 7, targets), "cross-entropy");
    const auto result = evaluated(*task, outputs, targets);
    QVERIFY(near(result.series.at("val/accuracy"), 8.0 / 12));
    // Class by class: precision 2/4, 2/3, 4/5; recall 2/4, 2/3, 4/5. Classes 3 to 6 occur nowhere.
    QVERIFY(near(result.series.at("val/precision"), (0.5 + 2.0 / 3 + 0.8) / 3));
    QVERIFY(near(result.series.at("val/recall"), (0.5 + 2.0 / 3 + 0.8) / 3));
    QVERIFY(near(result.series.at("val/f1"), (0.5 + 2.0 / 3 + 0.8) / 3));
    const auto all = json::parse(result.json);
    QCOMPARE(all["confusion"][0].dump(), std::string("[2,1,1,0,0,0,0]"));
    QCOMPARE(all["confusion"][2].dump(), std::string("[1,0,4,0,0,0,0]"));
    QCOMPARE(all["classes"][1]["samples"].get<double>(), 3.0);
    QVERIFY(all.contains("top5") && result.series.contains("val/top5"));
    const double loss = torch::nn::functional::cross_entropy(outputs, targets).item<double>();
    QVERIFY(near(result.series.at("val/loss"), loss));
    // Top five: class 0 of seven is outside when five others score higher.
    auto ranked = torch::arange(7, torch::kFloat32).repeat({2, 1});
    const auto two = taskOf(dataOf(TaskKind::Classification, 7, targets), "cross-entropy");
    auto sums = two->zeroSums(torch::kCPU);
    two->add(sums, ranked, torch::tensor({1, 2}, torch::kInt64));
    QCOMPARE(two->evaluate(sums, {}).series.at("val/top5"), 0.5);
}

void TorchTrainingTest::regressionMetricsAreExactAndInTheUnitsOfTheData() {
    auto dataset = dataOf(TaskKind::Regression, 2, torch::Tensor());
    dataset.targetMean = {100, -5};
    dataset.targetStddev = {10, 0.5};
    const auto targets = torch::randn({50, 2}), outputs = targets + 0.3 * torch::randn({50, 2});
    dataset.train.targets = dataset.validation.targets = targets;
    const auto task = taskOf(dataset, "mse");
    const auto result = evaluated(*task, outputs, targets);
    const auto y = targets.to(torch::kFloat64), e = outputs.to(torch::kFloat64) - y;
    const auto scale = torch::tensor({10.0, 0.5}, torch::kFloat64);
    QVERIFY(near(result.series.at("val/rmse"), (e * scale).square().mean().sqrt().item<double>()));
    QVERIFY(near(result.series.at("val/mae"), (e * scale).abs().mean().item<double>()));
    const auto r2 = 1 - e.square().sum(0) / (y - y.mean(0)).square().sum(0);
    QVERIFY(near(result.series.at("val/r2"), r2.mean().item<double>()));
    QVERIFY(near(result.series.at("val/loss"), e.square().mean().item<double>()));
    // One column, as a vector, far from zero.
    const auto far = torch::rand({40}) + 1e4;
    const auto one = taskOf(dataOf(TaskKind::Regression, 1, far), "l1");
    const auto guess = (far + 0.1).unsqueeze(1);
    const auto single = evaluated(*one, guess, far);
    const auto v = far.to(torch::kFloat64), d = guess.squeeze(1).to(torch::kFloat64) - v;
    QVERIFY(near(single.series.at("val/r2"), (1 - d.square().sum() / (v - v.mean()).square().sum()).item<double>()));
    QVERIFY(near(single.series.at("val/loss"), d.abs().mean().item<double>(), 1e-5));
}

void TorchTrainingTest::languageMetricsAreExact() {
    const auto outputs = torch::randn({6, 4, 9}), targets = torch::randint(9, {6, 4}, torch::kInt64);
    const auto task = taskOf(dataOf(TaskKind::Language, 9, targets), "cross-entropy");
    const auto result = evaluated(*task, outputs, targets);
    const double loss =
        torch::nn::functional::cross_entropy(outputs.reshape({24, 9}), targets.reshape({24})).item<double>();
    QVERIFY(near(result.series.at("val/loss"), loss));
    QVERIFY(near(result.series.at("val/perplexity"), std::exp(loss)));
    QVERIFY(near(result.series.at("val/accuracy"),
                 outputs.argmax(2).eq(targets).to(torch::kFloat64).mean().item<double>()));
    QVERIFY(near(task->loss(outputs, targets).item<double>(), loss));
}

// Feature: losses: cross-entropy with smoothing and weights, MSE, L1, BCE. Also in worker_tasks_test.
void TorchTrainingTest::lossesAreTheirFormulas() {
    const auto logits = torch::randn({8, 3}), targets = torch::tensor({0, 1, 2, 2, 1, 0, 0, 0}, torch::kInt64);
    const auto classes = dataOf(TaskKind::Classification, 3, targets);
    const auto logP = torch::log_softmax(logits, 1);
    const auto weighted = taskOf(classes, "cross-entropy", {{"classWeights", std::vector<double>{1, 2, 0.5}}});
    const auto w = torch::tensor({1.0, 2.0, 0.5}).index_select(0, targets);
    const auto own = -logP.gather(1, targets.unsqueeze(1)).squeeze(1);
    QVERIFY(near(weighted->loss(logits, targets).item<double>(), ((own * w).sum() / w.sum()).item<double>()));
    // Two ranks of uneven batches: the metric of a step is the mean over all samples, weighted.
    const auto rank = [&](std::int64_t begin, std::int64_t n) {
        const auto part = logits.narrow(0, begin, n), wanted = targets.narrow(0, begin, n);
        return weighted->trainSums(weighted->loss(part, wanted), part, wanted);
    };
    const auto sums = rank(0, 3) + rank(3, 5);
    const auto metrics = weighted->trainMetrics({sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()});
    QVERIFY(near(metrics[0], ((own * w).sum() / w.sum()).item<double>()));
    QVERIFY(near(metrics[1], logits.argmax(1).eq(targets).to(torch::kFloat64).mean().item<double>()));
    // Label smoothing spreads a share over all classes.
    const auto smooth = taskOf(classes, "cross-entropy", {{"labelSmoothing", 0.2}});
    QVERIFY(near(smooth->loss(logits, targets).item<double>(), (0.8 * own.mean() - 0.2 * logP.mean()).item<double>()));
    const auto p = torch::sigmoid(logits), y = torch::one_hot(targets, 3).to(torch::kFloat32);
    const auto bce = taskOf(classes, "bce");
    QVERIFY(near(bce->loss(logits, targets).item<double>(),
                 -(y * p.log() + (1 - y) * (1 - p).log()).mean().item<double>(), 1e-5));
    // Both together, as PyTorch has it: every class by its weight, and the sum by the weights of the true ones.
    const auto both =
        taskOf(classes, "cross-entropy", {{"labelSmoothing", 0.2}, {"classWeights", std::vector<double>{1, 2, 0.5}}});
    const auto spread = -(logP * torch::tensor({1.0, 2.0, 0.5})).sum() / 3;
    QVERIFY(near(both->loss(logits, targets).item<double>(),
                 ((0.8 * (own * w).sum() + 0.2 * spread) / w.sum()).item<double>()));
}

// Feature: losses: focal, Huber, soft targets, balanced weights of classes and of yes.
void TorchTrainingTest::weightsFollowTheTrainingSamples() {
    const auto logits = torch::randn({8, 3}), targets = torch::tensor({0, 1, 2, 2, 1, 0, 0, 0}, torch::kInt64);
    const auto classes = dataOf(TaskKind::Classification, 3, targets);
    const auto balanced = [](const char* field) { return spec::Params{{field, std::string("balanced")}}; };
    const auto lossOf = [&](const char* name, spec::Params params) {
        return taskOf(classes, name, std::move(params))->loss(logits, targets).item<double>();
    };
    // Four, two and two of eight samples in three classes.
    const std::vector<double> weights{8.0 / 3 / 4, 8.0 / 3 / 2, 8.0 / 3 / 2}, yes{4.0 / 4, 6.0 / 2, 6.0 / 2};
    for (const char* name : {"cross-entropy", "focal"})
        QVERIFY(near(lossOf(name, balanced("classWeights")), lossOf(name, {{"classWeights", weights}})));
    QVERIFY(near(lossOf("bce", balanced("posWeight")), lossOf("bce", {{"posWeight", yes}})));
    const auto y = torch::one_hot(targets, 3).to(torch::kFloat32), p = torch::sigmoid(logits);
    QVERIFY(near(lossOf("bce", {{"posWeight", std::vector<double>{2.5}}}),
                 -(2.5 * y * p.log() + (1 - y) * (1 - p).log()).mean().item<double>(), 1e-5));
    // Validation is without them.
    const auto plain = evaluated(*taskOf(classes, "bce"), logits, targets),
               weighted = evaluated(*taskOf(classes, "bce", balanced("posWeight")), logits, targets);
    QCOMPARE(weighted.series.at("val/loss"), plain.series.at("val/loss"));
    // A class that no sample is of weighs 1; words that are none are named.
    const auto four = dataOf(TaskKind::Classification, 4, targets);
    QVERIFY(std::isfinite(
        taskOf(four, "cross-entropy", balanced("classWeights"))->loss(torch::randn({8, 4}), targets).item<double>()));
    spec::RunSpec spec;
    spec.loss = {"cross-entropy", {{"classWeights", std::string("equal")}}};
    const auto refused = train::Task::make(spec, classes);
    QCOMPARE(refused.error().text(), std::string("loss.classWeights: \"equal\" is not known (numbers, or balanced)"));
}

void TorchTrainingTest::focalIsItsFormula() {
    const auto logits = torch::randn({9, 4}), targets = torch::randint(4, {9}, torch::kInt64);
    const auto classes = dataOf(TaskKind::Classification, 4, targets);
    const auto own = torch::softmax(logits, 1).gather(1, targets.unsqueeze(1)).squeeze(1);
    const auto task = taskOf(classes, "focal", {{"gamma", 1.5}});
    QVERIFY(near(task->loss(logits, targets).item<double>(), ((1 - own).pow(1.5) * -own.log()).mean().item<double>(),
                 1e-5));
    QVERIFY(near(evaluated(*task, logits, targets).series.at("val/loss"), task->loss(logits, targets).item<double>()));
    const auto same = taskOf(classes, "focal", {{"gamma", 0.0}}), usual = taskOf(classes, "cross-entropy");
    QVERIFY(near(same->loss(logits, targets).item<double>(), usual->loss(logits, targets).item<double>()));
    // Where the model is sure, the slope is a number also below a power of one.
    const auto sure = torch::tensor({200.0f, 0.0f, 0.0f, 0.0f}).view({1, 4}).requires_grad_();
    taskOf(classes, "focal", {{"gamma", 0.5}})->loss(sure, torch::tensor({0}, torch::kInt64)).backward();
    QVERIFY(sure.grad().isfinite().all().item<bool>());
}

void TorchTrainingTest::sharesOfClassesAreLearnt() {
    const auto logits = torch::randn({6, 3}), targets = torch::tensor({0, 1, 2, 2, 1, 0}, torch::kInt64);
    const auto classes = dataOf(TaskKind::Classification, 3, targets);
    const auto whole = torch::one_hot(targets, 3).to(torch::kFloat32), shares = 0.7 * whole + 0.3 * whole.roll(1, 0);
    const auto logP = torch::log_softmax(logits, 1);
    const auto usual = taskOf(classes, "cross-entropy"),
               smooth = taskOf(classes, "cross-entropy", {{"labelSmoothing", 0.3}});
    QVERIFY(near(usual->loss(logits, whole).item<double>(), usual->loss(logits, targets).item<double>()));
    QVERIFY(near(usual->loss(logits, shares).item<double>(), -(shares * logP).sum(1).mean().item<double>()));
    QVERIFY(
        near(smooth->loss(logits, shares).item<double>(), -((0.7 * shares + 0.1) * logP).sum(1).mean().item<double>()));
    const auto bce = taskOf(classes, "bce");
    const auto p = torch::sigmoid(logits);
    QVERIFY(near(bce->loss(logits, shares).item<double>(),
                 -(shares * p.log() + (1 - shares) * (1 - p).log()).mean().item<double>(), 1e-5));
    // The sums of uneven batches are those of all samples; the larger share is what counts as right.
    const auto weighted = taskOf(classes, "cross-entropy", {{"classWeights", std::vector<double>{1, 2, 3}}});
    for (const auto* task : {usual.get(), weighted.get()}) {
        const auto rank = [&](std::int64_t begin, std::int64_t n) {
            const auto part = logits.narrow(0, begin, n), wanted = shares.narrow(0, begin, n);
            return task->trainSums(task->loss(part, wanted), part, wanted);
        };
        const auto sums = rank(0, 2) + rank(2, 4);
        const auto metrics = task->trainMetrics({sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()});
        QVERIFY(near(metrics[0], task->loss(logits, shares).item<double>()));
        QVERIFY(near(metrics[1], logits.argmax(1).eq(targets).to(torch::kFloat64).mean().item<double>()));
    }
    spec::RunSpec spec;
    spec.loss = {"focal", {}};
    spec.augment.cutmix = 1;
    const auto refused = train::Task::make(spec, classes);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().text(),
             std::string("loss.name: takes each sample's class as it is, and augment.cutmix makes "
                         "shares of classes of it (use cross-entropy or bce, or remove mixup and "
                         "cutmix)"));
}

void TorchTrainingTest::lossesOfRegressionAreTheirFormulas() {
    const auto outputs = torch::randn({7, 2}), targets = torch::rand({7, 2});
    const auto numbers = dataOf(TaskKind::Regression, 2, targets);
    const auto lossOf = [&](const char* name) {
        const auto task = taskOf(numbers, name);
        const auto sums = evaluated(*task, outputs, targets);
        const double mean = task->loss(outputs, targets).item<double>();
        return near(sums.series.at("val/loss"), mean, 1e-5) ? mean : std::nan("");
    };
    const auto errors = outputs - targets, p = torch::sigmoid(outputs);
    QVERIFY(near(lossOf("mse"), errors.square().mean().item<double>()));
    QVERIFY(near(lossOf("l1"), errors.abs().mean().item<double>()));
    const auto large = errors.abs() > 0.5;
    const auto bent = torch::where(large, 0.5 * (errors.abs() - 0.25), errors.square() / 2);
    const auto half = taskOf(numbers, "huber", {{"delta", 0.5}});
    QVERIFY(near(half->loss(outputs, targets).item<double>(), bent.mean().item<double>()));
    QVERIFY(near(lossOf("bce"), -(targets * p.log() + (1 - targets) * (1 - p).log()).mean().item<double>(), 1e-5));
    // What bce's outputs say is their sigmoid: errors are of that.
    const auto shares = evaluated(*taskOf(numbers, "bce"), outputs, targets);
    QVERIFY(near(shares.series.at("val/rmse"), (p - targets).square().mean().sqrt().item<double>(), 1e-5));
    // It is refused where targets leave 0 to 1, or are brought to other numbers before the model sees them.
    const auto refusal = [](data::Dataset dataset) {
        spec::RunSpec spec;
        spec.loss = {"bce", {}};
        const auto made = train::Task::make(spec, dataset);
        return made ? std::string() : made.error().text();
    };
    const auto wide = refusal(dataOf(TaskKind::Regression, 1, torch::tensor({0.5, 1.5})));
    QVERIFY2(wide.find("between 0 and 1, and they range from 0.5 to 1.5") != std::string::npos, wide.c_str());
    auto moved = numbers;
    moved.targetMean = {0.5, 0.5};
    moved.targetStddev = {0.3, 0.3};
    QVERIFY2(refusal(moved).find("standardises them") != std::string::npos, refusal(moved).c_str());
}

void TorchTrainingTest::theAverageFollowsItsFormula() {
    const models::ModelContext context{{2}, 3};
    const auto model = must(models::makeModel({"softmax", {}}, context));
    train::WeightAverage average(must(models::makeModel({"softmax", {}}, context)), *model, 0.75);
    const auto weight = model->named_parameters()["fc.weight"];
    const auto first = weight.detach().clone();
    QVERIFY(torch::equal(average.tensors()[0].second, first));
    {
        const torch::NoGradGuard noGrad;
        weight.add_(1);
    }
    average.update();
    QVERIFY(torch::equal(average.tensors()[0].second, first.mul(0.75).add(first + 1, 0.25)));
    QVERIFY(!average.restore({{"fc.weight", torch::zeros({1})}}, "x.safetensors"));
}

void TorchTrainingTest::decisionsSurviveACheckpoint() {
    spec::RunSpec spec;
    spec.schedule = {"plateau",
                     {{"patience", std::int64_t{0}},
                      {"factor", 0.5},
                      {"metric", std::string("val/f1")},
                      {"mode", std::string("max")}}};
    spec.earlyStop = {"val/loss", "min", 3, 0.5};
    spec.scaling.lrRule = "sqrt";
    spec.failure.rollbackLrFactor = 0.1;
    auto whole = must(train::TrainingPolicy::make(spec, 1.0, 4, {.perEpoch = 10, .total = 100}));
    QCOMPARE(whole.lr(0), 2.0);
    const auto feed = [](train::TrainingPolicy& course, double loss, double f1) { // steps are told apart by the loss
        return course.observe({{"val/loss", loss}, {"val/f1", f1}}, std::llround(loss * 100)).stop;
    };
    QVERIFY(!feed(whole, 5, 0.5) && !feed(whole, 4.8, 0.4)); // 0.2 better is not better
    QVERIFY(!feed(whole, 4.8, 0.4));                         // the same validation again counts once
    whole.lowerLr();
    auto resumed = must(train::TrainingPolicy::make(spec, 1.0, 4, {.perEpoch = 10, .total = 100}));
    resumed.restore(whole.state());
    QVERIFY(near(resumed.lr(0), 0.1) && resumed.lr(0) == whole.lr(0));
    QVERIFY(!feed(resumed, 4.7, 0.45) && feed(resumed, 4.6, 0.45));
    QVERIFY(!feed(whole, 4.7, 0.45) && feed(whole, 4.6, 0.45));
    QVERIFY(resumed.state() == whole.state());
}

// It is cut after a step, and its warm-up is judged by the length that is planned.
void TorchTrainingTest::aFastDevRunHasTheRateOfItsRun() {
    spec::RunSpec spec;
    spec.epochs = 3;
    spec.schedule = {"cosine", {{"warmupEpochs", 1.0}}};
    QVERIFY(!train::TrainingPolicy::make(spec, 1.0, 1, {.perEpoch = 10, .total = 1})); // a run of one step
    spec.debug.fastDevRun = true;
    QCOMPARE(must(train::TrainingPolicy::make(spec, 1.0, 1, {.perEpoch = 10, .total = 1})).lr(0), 0.1);
    spec.schedule.params["warmupEpochs"] = 4.0;
    QVERIFY(!train::TrainingPolicy::make(spec, 1.0, 1, {.perEpoch = 10, .total = 1}));
    spec.epochs.reset();
    spec.steps = 80;
    QCOMPARE(must(train::TrainingPolicy::make(spec, 1.0, 1, {.perEpoch = 10, .total = 1})).lr(0), 1.0 / 40);
}

void TorchTrainingTest::aSpikeOfTheGradientIsSaidOnce() {
    train::TrainingPolicy course;
    for (int step = 0; step < 40; ++step) QVERIFY(course.observeNorm(1 + 0.1 * (step % 3), step).empty());
    QVERIFY(course.observeNorm(5, 40).empty());
    QVERIFY(course.observeNorm(50, 41).find("jumped to 50 at step 41") != std::string::npos);
    QVERIFY(course.observeNorm(500, 42).empty()); // so soon after, nothing new
    QVERIFY(course.observeNorm(std::nan(""), 43).empty());
}

// Feature: precision: the loss scale of fp16, NaN and infinity. Also in worker_failure_test, worker_policy_test.
void TorchTrainingTest::theScaleOfTheLossFollowsOverflows() {
    QVERIFY(!train::Precision::make("fp16", torch::kCPU));
    QCOMPARE(must(train::Precision::make("bf16", torch::kCPU)).lossScale(), 1.0);
    auto scaled = must(train::Precision::make("fp16", torch::Device(torch::kCUDA, 0))); // touches no device
    QCOMPARE(scaled.lossScale(), 65536.0);
    QVERIFY(scaled.settle(true));
    QCOMPARE(scaled.lossScale(), 32768.0);
    for (int step = 0; step < 1999; ++step) scaled.settle(false);
    std::map<std::string, double> state;
    scaled.save(state);
    auto resumed = must(train::Precision::make("fp16", torch::Device(torch::kCUDA, 0)));
    resumed.restore(state);
    QCOMPARE(resumed.lossScale(), 32768.0);
    resumed.settle(false);
    QCOMPARE(resumed.lossScale(), 65536.0);
    for (int step = 0; step < 16; ++step) QVERIFY(resumed.settle(true));
    QVERIFY(!resumed.settle(true)); // nothing is left to halve
}

// Generators are seeded with the lower half: ranks must differ in that.
void TorchTrainingTest::everyStepOfEveryRankHasASeedOfItsOwn() {
    constexpr int kRanks = 64, kSteps = 500;
    std::set<std::uint64_t> all;
    for (const std::int64_t seed : {std::int64_t{0}, std::int64_t{1}, std::int64_t{42}})
        for (std::int64_t step = 0; step < kSteps; ++step) {
            std::set<std::uint32_t> lower;
            for (int rank = 0; rank < kRanks; ++rank) {
                const auto drawn = train::seedOfStep(seed, rank, step);
                QCOMPARE(train::seedOfStep(seed, rank, step), drawn);
                all.insert(drawn);
                lower.insert(static_cast<std::uint32_t>(drawn));
            }
            QCOMPARE(lower.size(), std::size_t{kRanks});
        }
    QCOMPARE(all.size(), std::size_t{3 * kRanks * kSteps});
    // A run that goes on draws what it would have drawn: a released version's numbers stay.
    QCOMPARE(train::seedOfStep(42, 1, 7), std::uint64_t{0x3c6c7cc3712d7ff3u});
}

void TorchTrainingTest::theNormOfHalfGradientsDoesNotOverflow() {
    const auto weights = torch::zeros({10'000}, torch::kHalf).requires_grad_();
    weights.mutable_grad() = torch::full({10'000}, 1000.0, torch::kHalf);
    QCOMPARE(train::gradientNorm({{"weights", weights}}), 1e5); // a half has at most 65,504
}

QTEST_GUILESS_MAIN(TorchTrainingTest)
#include "torch_training_test.moc"
