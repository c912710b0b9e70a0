// SPDX-License-Identifier: GPL-3.0-or-later
// Optimizers, to the bit of Python's, and the schedules of their learning rate.
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/optim/schedule.h"
#include "tests/unit/torch/torch_python.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>

using namespace trainyard;

class TorchOptimTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void optimizersEqualPythons_data();
    void optimizersEqualPythons();
    void optimizerStateRestoresExactly_data();
    void optimizerStateRestoresExactly();
    void optimizerRefusesForeignState();
    void refusesBadOptimizers();
    void scheduleValues();
    void aPlateauFollowsTheNameOfItsMetric_data();
    void aPlateauFollowsTheNameOfItsMetric();
    void scheduleRefusesWhatCannotBe();
};

// Feature: SGD, Adam, AdamW, Lion, RMSprop, Adagrad; weight decay groups.
void TorchOptimTest::optimizersEqualPythons_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::addColumn<QStringList>("python");
    QTest::newRow("sgd") << spec::Choice{"sgd", {{"lr", 0.1}}} << QStringList{"sgd", "lr=0.1"};
    QTest::newRow("sgd, momentum, decay")
        << spec::Choice{"sgd", {{"lr", 0.05}, {"momentum", 0.9}, {"weightDecay", 0.01}}}
        << QStringList{"sgd", "lr=0.05", "momentum=0.9", "weight_decay=0.01"};
    QTest::newRow("sgd, nesterov") << spec::Choice{"sgd", {{"lr", 0.05}, {"momentum", 0.9}, {"nesterov", true}}}
                                   << QStringList{"sgd", "lr=0.05", "momentum=0.9", "nesterov=True"};
    QTest::newRow("adam") << spec::Choice{"adam", {{"lr", 0.01}}} << QStringList{"adam", "lr=0.01"};
    QTest::newRow("adam, decay, betas")
        << spec::Choice{"adam", {{"lr", 0.01}, {"weightDecay", 0.1}, {"beta1", 0.8}, {"beta2", 0.95}, {"eps", 1e-6}}}
        << QStringList{"adam", "lr=0.01", "weight_decay=0.1", "beta1=0.8", "beta2=0.95", "eps=1e-6"};
    QTest::newRow("sgd, dampening") << spec::Choice{"sgd", {{"lr", 0.05}, {"momentum", 0.9}, {"dampening", 0.3}}}
                                    << QStringList{"sgd", "lr=0.05", "momentum=0.9", "dampening=0.3"};
    QTest::newRow("adamw") << spec::Choice{"adamw", {{"lr", 0.01}}}
                           << QStringList{"adamw", "lr=0.01", "weight_decay=0.01"};
    QTest::newRow("adamw, biases not decayed")
        << spec::Choice{"adamw", {{"lr", 0.01}, {"weightDecay", 0.2}, {"decayNorms", false}}}
        << QStringList{"adamw", "lr=0.01", "weight_decay=0.2", "split=True"};
    QTest::newRow("lion") << spec::Choice{"lion", {{"lr", 0.01}}} << QStringList{"lion", "lr=0.01"};
    QTest::newRow("lion, decay, betas, biases not decayed")
        << spec::Choice{"lion",
                        {{"lr", 0.01}, {"weightDecay", 0.3}, {"beta1", 0.8}, {"beta2", 0.95}, {"decayNorms", false}}}
        << QStringList{"lion", "lr=0.01", "weight_decay=0.3", "beta1=0.8", "beta2=0.95", "split=True"};
    QTest::newRow("rmsprop") << spec::Choice{"rmsprop", {{"lr", 0.01}}} << QStringList{"rmsprop", "lr=0.01"};
    QTest::newRow("rmsprop, all")
        << spec::Choice{"rmsprop",
                        {{"lr", 0.01}, {"alpha", 0.9}, {"momentum", 0.8}, {"centered", true}, {"weightDecay", 0.1}}}
        << QStringList{"rmsprop", "lr=0.01", "alpha=0.9", "momentum=0.8", "centered=True", "weight_decay=0.1"};
    QTest::newRow("rmsprop, centered") << spec::Choice{"rmsprop", {{"lr", 0.01}, {"centered", true}}}
                                       << QStringList{"rmsprop", "lr=0.01", "centered=True"};
    QTest::newRow("rmsprop, momentum") << spec::Choice{"rmsprop", {{"lr", 0.01}, {"momentum", 0.5}}}
                                       << QStringList{"rmsprop", "lr=0.01", "momentum=0.5"};
    QTest::newRow("adagrad") << spec::Choice{"adagrad", {{"lr", 0.1}}} << QStringList{"adagrad", "lr=0.1"};
    QTest::newRow("adagrad, all")
        << spec::Choice{"adagrad", {{"lr", 0.1}, {"lrDecay", 0.05}, {"initialSum", 0.5}, {"weightDecay", 0.1}}}
        << QStringList{"adagrad", "lr=0.1", "lr_decay=0.05", "initial_accumulator_value=0.5", "weight_decay=0.1"};
}

void TorchOptimTest::optimizersEqualPythons() {
    if (test::pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to compare with");
    QFETCH(spec::Choice, choice);
    QFETCH(QStringList, python);
    constexpr std::int64_t kSteps = 50;
    torch::manual_seed(21);
    const auto p0 = torch::randn({17, 5}), p1 = torch::randn({33});
    const auto g0 = torch::randn({kSteps, 17, 5}), g1 = torch::randn({kSteps, 33});
    c10::Dict<std::string, at::Tensor> tensors;
    tensors.insert("p0", p0.clone());
    tensors.insert("p1", p1.clone());
    tensors.insert("g0", g0);
    tensors.insert("g1", g1);
    QTemporaryDir folder;
    const std::vector<char> archive = torch::pickle_save(c10::IValue(tensors));
    std::ofstream(folder.filePath("in").toStdString(), std::ios::binary)
        .write(archive.data(), static_cast<std::streamsize>(archive.size()));
    const auto run =
        test::runScript("optimizer_steps.py", QStringList{folder.filePath("in"), folder.filePath("out")} + python);
    QVERIFY2(run.code == 0, qPrintable(run.err));

    const optim::NamedTensors parameters{{"p0", p0.clone().requires_grad_()}, {"p1", p1.clone().requires_grad_()}};
    const auto optimizer = std::move(optim::makeOptimizer(choice, parameters)).value();
    for (std::int64_t step = 0; step < kSteps; ++step) {
        parameters[0].second.mutable_grad() = g0[step].clone();
        parameters[1].second.mutable_grad() = g1[step].clone();
        optimizer->step();
    }
    QFile file(folder.filePath("out"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray expected = file.readAll();
    QByteArray ours;
    for (const auto& [name, tensor] : parameters)
        ours.append(static_cast<const char*>(tensor.data_ptr()), static_cast<qsizetype>(tensor.nbytes()));
    QVERIFY(ours == expected); // to the bit

    // The form for tensors of any layout gives the same bits as the one for plain memory.
    const auto strided = [](const torch::Tensor& tensor) { return torch::stack({tensor, tensor}, -1).select(-1, 0); };
    const optim::NamedTensors spread{{"p0", strided(p0).requires_grad_()}, {"p1", strided(p1).requires_grad_()}};
    const auto other = std::move(optim::makeOptimizer(choice, spread)).value();
    for (std::int64_t step = 0; step < kSteps; ++step) {
        spread[0].second.mutable_grad() = g0[step].clone();
        spread[1].second.mutable_grad() = g1[step].clone();
        other->step();
    }
    for (std::size_t i = 0; i < spread.size(); ++i) QVERIFY(spread[i].second.equal(parameters[i].second));

    // So does the one for many at once, where the rule has it.
    const optim::NamedTensors many{{"p0", strided(p0).requires_grad_()}, {"p1", strided(p1).requires_grad_()}};
    const auto third = std::move(optim::makeOptimizer(choice, many)).value();
    const bool has = choice.name == "sgd" || choice.name == "adam" || choice.name == "adamw";
    for (std::int64_t step = 0; step < kSteps; ++step) {
        many[0].second.mutable_grad() = g0[step].clone();
        many[1].second.mutable_grad() = g1[step].clone();
        QCOMPARE(third->stepTogether(), has);
    }
    for (std::size_t i = 0; has && i < many.size(); ++i) QVERIFY(many[i].second.equal(parameters[i].second));
    if (!has) QVERIFY(many[0].second.equal(p0));
}

void TorchOptimTest::optimizerStateRestoresExactly_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::newRow("sgd") << spec::Choice{"sgd", {{"momentum", 0.9}}};
    QTest::newRow("adam") << spec::Choice{"adam", {}};
    QTest::newRow("adamw") << spec::Choice{"adamw", {}};
    QTest::newRow("rmsprop") << spec::Choice{"rmsprop", {{"momentum", 0.9}, {"centered", true}}};
    QTest::newRow("adagrad") << spec::Choice{"adagrad", {{"initialSum", 0.1}, {"lrDecay", 0.01}}};
}

void TorchOptimTest::optimizerStateRestoresExactly() {
    QFETCH(spec::Choice, choice);
    torch::manual_seed(4);
    const auto start = torch::randn({6, 6});
    const auto gradients = torch::randn({20, 6, 6});
    optim::NamedTensors through{{"w", start.clone().requires_grad_()}, {"unused", torch::ones({2}).requires_grad_()}};
    auto optimizer = std::move(optim::makeOptimizer(choice, through)).value();
    const auto steps = [&](optim::Optimizer& with, const optim::NamedTensors& on, int from, int to) {
        for (int i = from; i < to; ++i) {
            torch::Tensor parameter = on[0].second;
            parameter.mutable_grad() = gradients[i].clone();
            with.step();
        }
    };
    steps(*optimizer, through, 0, 10);
    optimizer->setLr(0.007);
    const optim::OptimizerState saved = optimizer->state();
    const auto weights = through[0].second.detach().clone();
    steps(*optimizer, through, 10, 20);

    optim::NamedTensors again{{"w", weights.clone().requires_grad_()}, {"unused", torch::ones({2}).requires_grad_()}};
    auto restored = std::move(optim::makeOptimizer(choice, again)).value();
    const auto result = restored->restore(saved);
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(restored->lr(), 0.007);
    steps(*restored, again, 10, 20);
    QVERIFY(again[0].second.equal(through[0].second));
}

void TorchOptimTest::optimizerRefusesForeignState() {
    const optim::NamedTensors one{{"w", torch::ones({2}).requires_grad_()}};
    auto adam = std::move(optim::makeOptimizer({"adam", {}}, one)).value();
    const auto refused = [&](const optim::OptimizerState& state) { return adam->restore(state).error().text(); };
    QVERIFY(refused({"sgd", {}, {}}).find("is that of sgd, and the run uses adam") != std::string::npos);
    QCOMPARE(adam->restore({"sgd", {}, {}}).error().remedy, "set it to \"sgd\", or begin without a checkpoint");
    QVERIFY(refused({"adam", {{"v.expAvg", torch::ones({2})}}, {}}).find("v.expAvg belongs to no parameter") !=
            std::string::npos);
    QVERIFY(refused({"adam", {{"w.expAvg", torch::ones({3})}}, {}}).find("another shape") != std::string::npos);
}

void TorchOptimTest::refusesBadOptimizers() {
    const auto refused = [](const spec::Choice& choice) {
        const auto optimizer = optim::makeOptimizer(choice, {});
        return optimizer ? std::string("accepted") : optimizer.error().text();
    };
    QCOMPARE(refused({"sgd", {{"lr", 0.0}}}), "optimizer.lr: 0 must be greater than 0");
    QCOMPARE(refused({"sgd", {{"lr", -1.0}}}), "optimizer.lr: -1 must be greater than 0");
    QVERIFY(refused({"adam", {{"lr", 1e30}}}).find("must be at most 100") != std::string::npos);
    QVERIFY(refused({"sgd", {{"lr", std::nan("")}}}).find("must be finite") != std::string::npos);
    QVERIFY(refused({"sgd", {{"nesterov", true}}}).find("needs a momentum above 0") != std::string::npos);
    QVERIFY(
        refused({"sgd", {{"nesterov", true}, {"momentum", 0.9}, {"dampening", 0.1}}}).find("needs a dampening of 0") !=
        std::string::npos);
    QVERIFY(refused({"adamx", {}}).find("did you mean \"adam\"?") != std::string::npos);
}

void TorchOptimTest::scheduleValues() {
    const auto at = [](const spec::Choice& choice, std::int64_t step) {
        return optim::Schedule::make(choice, 0.1, {.perEpoch = 10, .total = 100}).value().at(step);
    };
    QCOMPARE(at({"constant", {}}, 0), 0.1);
    QCOMPARE(at({"constant", {}}, 1000), 0.1);
    const spec::Choice warm{"constant", {{"warmupEpochs", 2.0}}};
    QCOMPARE(at(warm, 0), 0.1 / 20);
    QCOMPARE(at(warm, 9), 0.05);
    QCOMPARE(at(warm, 19), 0.1);
    QCOMPARE(at(warm, 20), 0.1);
    const spec::Choice cosine{"cosine", {{"minLr", 0.01}}};
    QCOMPARE(at(cosine, 0), 0.1);
    QCOMPARE(at(cosine, 50), 0.055);
    QCOMPARE(at(cosine, 100), 0.01);
    QCOMPARE(at(cosine, 500), 0.01);
    const spec::Choice both{"cosine", {{"warmupEpochs", 2.0}}};
    QCOMPARE(at(both, 4), 0.025);
    QCOMPARE(at(both, 20), 0.1);
    QCOMPARE(at(both, 40), 0.1 * (1 + std::cos(std::numbers::pi * 0.25)) / 2);
    // Step and multi-step count the epochs of the run, those of the warm-up among them; exponential what is left of it.
    const spec::Choice steps{"step", {{"warmupEpochs", 2.0}, {"everyEpochs", std::int64_t{3}}, {"gamma", 0.5}}};
    for (const auto& [step, rate] : std::map<int, double>{{9, 0.05}, {19, 0.1}, {29, 0.1}, {30, 0.05}, {60, 0.025}})
        QCOMPARE(at(steps, step), rate);
    const spec::Choice milestones{"multi-step",
                                  {{"warmupEpochs", 2.0}, {"milestones", std::vector<double>{1, 5}}, {"gamma", 0.1}}};
    for (const auto& [step, rate] : std::map<int, double>{{9, 0.05}, {10, 0.055}, {20, 0.01}, {49, 0.01}, {50, 0.001}})
        QCOMPARE(at(milestones, step), rate);
    const spec::Choice exponential{"exponential", {{"warmupEpochs", 2.0}, {"endLr", 0.001}}};
    for (const auto& [step, rate] : std::map<int, double>{{9, 0.05}, {20, 0.1}, {99, 0.001}})
        QCOMPARE(at(exponential, step), rate);
    QVERIFY(std::abs(at(exponential, 59) * at(exponential, 60) - 0.1 * 0.001) < 1e-12);
    const spec::Choice linear{"linear", {{"warmupEpochs", 2.0}, {"minLr", 0.02}}};
    for (const auto& [step, rate] : std::map<int, double>{{9, 0.05}, {20, 0.1}, {60, 0.06}, {100, 0.02}, {500, 0.02}})
        QVERIFY(std::abs(at(linear, step) - rate) < 1e-12);
    const spec::Choice stable{"wsd", {{"warmupEpochs", 2.0}, {"decayShare", 0.4}}};
    for (const auto& [step, rate] : std::map<int, double>{{9, 0.05}, {20, 0.1}, {60, 0.1}, {80, 0.05}, {100, 0.0}})
        QVERIFY(std::abs(at(stable, step) - rate) < 1e-12);
    // A decay that is longer than what the warm-up leaves begins after it; none is a constant rate.
    QVERIFY(std::abs(at({"wsd", {{"warmupEpochs", 2.0}, {"decayShare", 1.0}}}, 60) - 0.05) < 1e-12);
    QCOMPARE(at({"wsd", {{"decayShare", 0.0}}}, 99), 0.1);
    // What a plateau lowers is the rate after the warm-up.
    const spec::Choice slow{"plateau", {{"warmupEpochs", 2.0}, {"patience", std::int64_t{0}}, {"factor", 0.5}}};
    auto plateau = optim::Schedule::make(slow, 0.1, {.perEpoch = 10, .total = 100}).value();
    QVERIFY(!plateau.observe({{"val/loss", 1.0}}) && plateau.observe({{"val/loss", 1.0}}));
    QCOMPARE(plateau.at(9), 0.05);
    QCOMPARE(plateau.at(20), 0.05);
    // It never rises after the warm-up.
    for (std::int64_t step = 20; step < 120; ++step) QVERIFY(at(both, step + 1) <= at(both, step));
}

// Whether a metric has become better follows from its name, unless the run file says otherwise.
void TorchOptimTest::aPlateauFollowsTheNameOfItsMetric_data() {
    QTest::addColumn<QString>("metric");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<bool>("lowersWhileItRises");
    QTest::newRow("accuracy") << "val/accuracy" << "" << false;
    QTest::newRow("loss") << "val/loss" << "" << true;
    QTest::newRow("mae") << "val/mae" << "auto" << true;
    QTest::newRow("accuracy, min") << "val/accuracy" << "min" << true;
    QTest::newRow("loss, max") << "val/loss" << "max" << false;
}
void TorchOptimTest::aPlateauFollowsTheNameOfItsMetric() {
    QFETCH(QString, metric);
    QFETCH(QString, mode);
    QFETCH(bool, lowersWhileItRises);
    spec::Choice choice{"plateau", {{"metric", metric.toStdString()}, {"patience", std::int64_t{1}}}};
    if (!mode.isEmpty()) choice.params["mode"] = mode.toStdString();
    auto schedule = optim::Schedule::make(choice, 0.1, {.perEpoch = 10, .total = 100}).value();
    for (const double value : {0.5, 0.6, 0.7, 0.8}) schedule.observe({{metric.toStdString(), value}});
    QCOMPARE(schedule.at(40) < 0.1, lowersWhileItRises);
}

void TorchOptimTest::scheduleRefusesWhatCannotBe() {
    const auto refused = [](const spec::Choice& choice) {
        const auto schedule = optim::Schedule::make(choice, 0.1, {.perEpoch = 10, .total = 100});
        return schedule ? std::string("accepted") : schedule.error().text();
    };
    QVERIFY(refused({"cosine", {{"minLr", 0.2}}}).find("schedule.minLr: the lowest learning rate 0.2 is above") !=
            std::string::npos);
    QVERIFY(refused({"constant", {{"warmupEpochs", 11.0}}}).find("longer than the run") != std::string::npos);
    QVERIFY(refused({"polynomial", {}}).find("schedule.name: \"polynomial\" is not known") != std::string::npos);
}

QTEST_GUILESS_MAIN(TorchOptimTest)
#include "torch_optim_test.moc"
