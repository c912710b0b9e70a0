// SPDX-License-Identifier: GPL-3.0-or-later
// Long because: the tables of models, optimizers and schedules share one program; linking LibTorch takes its time.
// Long because: the tables of models, optimizers and schedules share one program; linking LibTorch takes its time.
#include "tests/unit/torch_python.h"

#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/loss.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/optim/schedule.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <set>

using namespace trainyard;

Q_DECLARE_METATYPE(trainyard::spec::Choice)
Q_DECLARE_METATYPE(trainyard::models::ModelContext)

namespace {

const models::ModelContext kPictures{{1, 28, 28}, 10};
const models::ModelContext kColour{{3, 32, 32}, 100};
const models::ModelContext kPoints{{2}, 3};
const models::ModelContext kText{{16}, 30, train::TaskKind::Language};

// A batch of what the context's samples look like.
torch::Tensor someInput(const models::ModelContext& context, std::int64_t batch) {
    std::vector<std::int64_t> shape = context.sampleShape;
    shape.insert(shape.begin(), batch);
    return context.task == train::TaskKind::Language ? torch::randint(context.outputs, shape, torch::kInt64)
                                                     : torch::rand(shape);
}

std::shared_ptr<models::Model> made(const spec::Choice& choice, const models::ModelContext& context) {
    auto model = models::makeModel(choice, context);
    if (!model) qFatal("%s", model.error().text().c_str());
    return *model;
}

// Trains on all samples for some epochs and gives the accuracy on the validation samples.
double accuracyAfter(const data::Dataset& dataset, const spec::Choice& modelChoice, int epochs) {
    torch::manual_seed(1);
    const auto model = made(modelChoice, {dataset.sampleShape, dataset.classes});
    const auto parameters = optim::namedParameters(*model);
    const auto optimizer = std::move(optim::makeOptimizer({"adam", {{"lr", 0.002}}}, parameters)).value();
    using enum train::TaskKind;
    const auto loss = optim::Loss::make({"cross-entropy", {}}, Classification, dataset.classes).value();
    data::ShardedSampler sampler({.samples = dataset.train.size(), .batchPerRank = 64, .seed = 1});
    for (int epoch = 0; epoch < epochs; ++epoch) {
        sampler.setEpoch(epoch);
        for (std::int64_t b = 0; b < sampler.batchesPerEpoch(); ++b) {
            const data::Batch batch = data::gather(dataset, dataset.train, sampler.indices(b));
            optim::zeroGradients(parameters);
            loss.mean(model->forward(batch.inputs), batch.targets).backward();
            optimizer->step();
        }
    }
    const torch::NoGradGuard noGradients;
    model->eval();
    const auto all = torch::arange(dataset.validation.size(), torch::kInt64);
    const data::Batch batch = data::gather(dataset, dataset.validation, all);
    const auto right = model->forward(batch.inputs).argmax(1).eq(batch.targets).sum().item<std::int64_t>();
    return static_cast<double>(right) / static_cast<double>(dataset.validation.size());
}

} // namespace

class TorchModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsHaveTheirShapesAndCounts_data();
    void modelsHaveTheirShapesAndCounts();
    void everyParameterLearns_data() { modelsHaveTheirShapesAndCounts_data(); }
    void everyParameterLearns();
    void modelsEqualPythons();
    void resNetHasTheNamesOfTorchvision();
    void refusesWhatAModelCannotTake_data();
    void refusesWhatAModelCannotTake();
    void summaryLeavesTheModelAsItWas();
    void generatedSetsCanBeLearned();
    void optimizersEqualPythons_data();
    void optimizersEqualPythons();
    void optimizerStateRestoresExactly_data();
    void optimizerStateRestoresExactly();
    void optimizerRefusesForeignState();
    void refusesBadOptimizers();
    void scheduleValues();
    void scheduleRefusesWhatCannotBe();
};

void TorchModelTest::modelsHaveTheirShapesAndCounts_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::addColumn<models::ModelContext>("context");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<int>("layers");
    const std::vector<double> none, two{7, 5};
    // weights + biases, by the definition of each layer
    QTest::newRow("softmax") << spec::Choice{"softmax", {}} << kPictures << qint64{784 * 10 + 10} << 1;
    QTest::newRow("mlp of Ray") << spec::Choice{"mlp", {}} << kPictures
                                << qint64{784 * 512 + 512 + 512 * 512 + 512 + 512 * 10 + 10} << 3;
    QTest::newRow("mlp on points") << spec::Choice{"mlp", {{"hidden", two}, {"activation", std::string("tanh")}}}
                                   << kPoints << qint64{2 * 7 + 7 + 7 * 5 + 5 + 5 * 3 + 3} << 3;
    QTest::newRow("mlp without hidden layers") << spec::Choice{"mlp", {{"hidden", none}}} << kPoints
                                               << qint64{2 * 3 + 3} << 1;
    QTest::newRow("mlp with dropout") << spec::Choice{"mlp", {{"hidden", two}, {"dropout", 0.5}}} << kPoints
                                      << qint64{2 * 7 + 7 + 7 * 5 + 5 + 5 * 3 + 3} << 3;
    QTest::newRow("convnet of Ray") << spec::Choice{"convnet", {}} << kPictures
                                    << qint64{3 * 9 + 3 + 192 * 10 + 10} << 2;
    QTest::newRow("convnet in colour") << spec::Choice{"convnet", {{"width", std::int64_t{16}}}} << kColour
                                       << qint64{16 * 27 + 16 + 16 * 100 * 100 + 100} << 2;
    // torchvision's 11,689,512 with one channel in place of three and ten classes in place of a thousand
    QTest::newRow("resnet18") << spec::Choice{"resnet18", {}} << kPictures
                              << qint64{11689512 - 2 * 64 * 49 - 990 * 513} << 41;
    QTest::newRow("resnet18 small") << spec::Choice{"resnet18", {{"stem", std::string("small")}}} << kColour
                                    << qint64{11689512 - 3 * 64 * (49 - 9) - 900 * 513} << 41;
    QTest::newRow("resnet34") << spec::Choice{"resnet34", {}} << kPictures
                              << qint64{21797672 - 2 * 64 * 49 - 990 * 513} << 73;
    QTest::newRow("resnet50") << spec::Choice{"resnet50", {{"stem", std::string("small")}}} << kColour
                              << qint64{25557032 - 3 * 64 * (49 - 9) - 900 * 2049} << 107;
    QTest::newRow("vgg11") << spec::Choice{"vgg11", {}} << kPictures
                           << qint64{9225984 - 2 * 64 * 9 + 512 * 10 + 10} << 17;
    QTest::newRow("mobilenet_v2") << spec::Choice{"mobilenet_v2", {}} << kColour << qint64{3504872 - 900 * 1281} << 105;
    QTest::newRow("mobilenet_v2 small")
        << spec::Choice{"mobilenet_v2", {{"stem", std::string("small")}, {"dropout", 0.0}}} << kPictures
        << qint64{3504872 - 2 * 32 * 9 - 990 * 1281} << 105;
    constexpr qint64 kVitLayer = 4 * 192 + 4 * (192 * 192 + 192) + 192 * 768 + 768 + 768 * 192 + 192;
    QTest::newRow("vit") << spec::Choice{"vit", {}} << kPictures
                         << qint64{17 * 192 + 192 + 50 * 192 + 12 * kVitLayer + 384 + 1930} << 77;
    constexpr qint64 kGptLayer = 4 * 128 + 4 * (128 * 128 + 128) + 128 * 512 + 512 + 512 * 128 + 128;
    QTest::newRow("gpt") << spec::Choice{"gpt", {}} << kText
                         << qint64{30 * 128 + 16 * 128 + 4 * kGptLayer + 256 + 128 * 30} << 28;
    QTest::newRow("lstm on a text") << spec::Choice{"lstm", {}} << kText
                                    << qint64{30 * 64 + 512 * (64 + 128 + 2) + 129 * 30} << 3;
    QTest::newRow("lstm on rows") << spec::Choice{"lstm", {}} << kPictures << qint64{512 * (28 + 128 + 2) + 1290} << 2;
    QTest::newRow("lstm on numbers") << spec::Choice{"lstm", {{"layers", std::int64_t{2}}}} << kPoints
                                     << qint64{512 * (1 + 128 + 2) + 512 * (128 + 128 + 2) + 129 * 3} << 2;
}

void TorchModelTest::modelsHaveTheirShapesAndCounts() {
    QFETCH(spec::Choice, choice);
    QFETCH(models::ModelContext, context);
    QFETCH(qint64, parameters);
    QFETCH(int, layers);
    const auto model = made(choice, context);
    QCOMPARE(models::parameterCount(*model), parameters);
    std::vector<std::int64_t> out{4, context.outputs};
    if (context.task == train::TaskKind::Language) out = {4, context.sampleShape[0], context.outputs};
    QCOMPARE(model->forward(someInput(context, 4)).sizes().vec(), out);

    const auto summary = models::summarize(*model, context);
    QVERIFY2(summary.ok(), summary ? "" : summary.error().text().c_str());
    QCOMPARE(static_cast<int>(summary->size()), layers);
    qint64 sum = 0;
    for (const models::LayerInfo& layer : *summary) {
        QVERIFY2(!layer.name.empty() && !layer.kind.empty(), layer.name.c_str());
        sum += layer.parameters;
    }
    QCOMPARE(sum, parameters);
    QCOMPARE(summary->back().outputShape, (std::vector<std::int64_t>(out.begin() + 1, out.end())));
}

// Some steps: a vision transformer starts with a head of zeros, behind which nothing learns in the first, and dropout
// may hide a small layer in another.
void TorchModelTest::everyParameterLearns() {
    QFETCH(spec::Choice, choice);
    QFETCH(models::ModelContext, context);
    torch::manual_seed(5);
    const auto model = made(choice, context);
    const auto parameters = optim::namedParameters(*model);
    const auto input = someInput(context, 4);
    torch::optim::SGD sgd(model->parameters(), 0.01);
    std::set<std::string> still;
    for (const auto& [name, parameter] : parameters) still.insert(name);
    for (int step = 0; step < 4 && !still.empty(); ++step) {
        sgd.zero_grad();
        const auto output = model->forward(input).flatten(0, -2);
        torch::nn::functional::cross_entropy(output, torch::arange(output.size(0)) % context.outputs).backward();
        sgd.step();
        for (const auto& [name, parameter] : parameters) {
            QVERIFY2(parameter.grad().defined(), name.c_str());
            QVERIFY2(torch::isfinite(parameter.grad()).all().item<bool>(), name.c_str());
            if (parameter.grad().abs().sum().item<double>() > 0) still.erase(name);
        }
    }
    QVERIFY2(still.empty(), still.empty() ? "" : still.begin()->c_str());
}

void TorchModelTest::modelsEqualPythons() {
    if (test::pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to compare with");
    using Params = spec::Params;
    const auto whole = [](std::int64_t number) { return spec::Value(number); };
    const Params transformer{{"width", whole(48)}, {"depth", whole(2)}, {"heads", whole(3)}, {"patch", whole(8)}};
    const Params gpt{{"width", whole(32)}, {"depth", whole(2)}, {"heads", whole(4)}};
    const models::ModelContext colour{{3, 32, 32}, 7}, grey{{1, 32, 32}, 7};
    const models::ModelContext text{{12}, 20, train::TaskKind::Language};
    struct Row {
        const char* name;
        spec::Choice choice;
        models::ModelContext context;
    };
    const Row rows[] = {
        {"resnet18", {"resnet18", {}}, colour},
        {"resnet50", {"resnet50", {}}, colour},
        {"mobilenet_v2", {"mobilenet_v2", {{"width", 0.75}}}, colour},
        {"vgg11", {"vgg11", {}}, colour},
        {"vit", {"vit", transformer}, colour},
        {"gpt", {"gpt", gpt}, text},
        {"lstm", {"lstm", {{"hidden", whole(16)}, {"layers", whole(2)}}}, grey},
        {"lstm-language", {"lstm", {{"hidden", whole(16)}, {"embedding", whole(8)}}}, text},
    };
    QTemporaryDir folder;
    for (const Row& row : rows) {
        torch::manual_seed(3);
        const auto model = made(row.choice, row.context);
        c10::Dict<std::string, at::Tensor> tensors;
        for (const auto& item : model->named_parameters()) tensors.insert("w." + item.key(), item.value().detach());
        for (const auto& item : model->named_buffers()) tensors.insert("w." + item.key(), item.value());
        const torch::NoGradGuard noGradients;
        model->eval();
        const auto input = someInput(row.context, 3);
        tensors.insert("input", input);
        tensors.insert("output", model->forward(input));
        const std::vector<char> archive = torch::pickle_save(c10::IValue(tensors));
        std::ofstream(folder.filePath(QString(row.name) + ".pt").toStdString(), std::ios::binary)
            .write(archive.data(), static_cast<std::streamsize>(archive.size()));
    }
    const auto run = test::runScript("model_reference.py", {folder.path()});
    QVERIFY2(run.code == 0, qPrintable(run.err));
    bool skipped = false;
    for (const Row& row : rows) {
        const bool absent = run.out.contains(QString(row.name) + " skipped");
        skipped = skipped || absent;
        QVERIFY2(absent || run.out.contains(QString(row.name) + " equal\n"), qPrintable(run.out));
    }
    if (skipped) qInfo("no torchvision here: only models of torch itself were compared");
}

void TorchModelTest::resNetHasTheNamesOfTorchvision() {
    QCOMPARE(models::parameterCount(*made({"resnet18", {}}, kPictures)), 11175370);
    std::set<std::string> expected{"conv1.weight", "fc.weight", "fc.bias"};
    const auto addNorm = [&](const std::string& name) {
        for (const char* part : {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"})
            expected.insert(name + "." + part);
    };
    addNorm("bn1");
    for (const int layer : {1, 2, 3, 4}) {
        for (const int block : {0, 1})
            for (const char* i : {"1", "2"}) {
                const std::string at = "layer" + std::to_string(layer) + "." + std::to_string(block) + ".";
                expected.insert(at + "conv" + i + ".weight");
                addNorm(at + "bn" + i);
            }
        if (layer == 1) continue;
        expected.insert("layer" + std::to_string(layer) + ".0.downsample.0.weight");
        addNorm("layer" + std::to_string(layer) + ".0.downsample.1");
    }
    const auto model = made({"resnet18", {}}, kPictures);
    std::set<std::string> names;
    for (const auto& item : model->named_parameters()) names.insert(item.key());
    for (const auto& item : model->named_buffers()) names.insert(item.key());
    QVERIFY(names == expected);
}

void TorchModelTest::refusesWhatAModelCannotTake_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::addColumn<models::ModelContext>("context");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown") << spec::Choice{"resnet8", {}} << kPictures << "did you mean \"resnet18\"?";
    QTest::newRow("width 0") << spec::Choice{"mlp", {{"hidden", std::vector<double>{512, 0}}}} << kPictures
                             << "model.params.hidden: 0 must be at least 1";
    QTest::newRow("activation") << spec::Choice{"mlp", {{"activation", std::string("elu")}}} << kPictures
                                << "\"elu\" is not known";
    QTest::newRow("type") << spec::Choice{"mlp", {{"dropout", std::string("much")}}} << kPictures
                          << "much is not a number";
    QTest::newRow("points") << spec::Choice{"convnet", {}} << kPoints << "needs pictures";
    QTest::newRow("small") << spec::Choice{"convnet", {}} << models::ModelContext{{1, 4, 28}, 10}
                           << "at least 5 x 5 pixels";
    QTest::newRow("resnet on points") << spec::Choice{"resnet18", {}} << kPoints << "needs pictures";
    QTest::newRow("vgg on points") << spec::Choice{"vgg11", {}} << kPoints << "needs pictures";
    QTest::newRow("patches") << spec::Choice{"vit", {{"patch", std::int64_t{5}}}} << kPictures
                             << "pictures of 28 x 28 do not divide into patches of 5";
    QTest::newRow("heads") << spec::Choice{"gpt", {{"heads", std::int64_t{3}}}} << kText
                           << "model.params.heads: 3 does not divide the width of 128";
    QTest::newRow("text model on pictures") << spec::Choice{"gpt", {}} << kPictures
                                            << "model gpt serves language, and the run's task is classification";
    QTest::newRow("picture model on a text") << spec::Choice{"resnet50", {}} << kText << "the run's task is language";
    QTest::newRow("one class") << spec::Choice{"mlp", {}} << models::ModelContext{{1, 28, 28}, 1}
                               << "at least two classes";
    QTest::newRow("no memory") << spec::Choice{"mlp", {{"hidden", std::vector<double>(4, 65536)}}}
                               << models::ModelContext{{1, 65536, 65536}, 10} << "not enough memory";
}

void TorchModelTest::refusesWhatAModelCannotTake() {
    QFETCH(spec::Choice, choice);
    QFETCH(models::ModelContext, context);
    QFETCH(QString, says);
    const auto model = models::makeModel(choice, context);
    QVERIFY(!model.ok());
    const QString text = QString::fromStdString(model.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
}

void TorchModelTest::summaryLeavesTheModelAsItWas() {
    const auto model = made({"resnet18", {{"stem", std::string("small")}}}, kPictures);
    std::vector<torch::Tensor> before;
    for (const auto& buffer : model->buffers()) before.push_back(buffer.clone());
    const auto layers = models::summarize(*model, kPictures);
    QVERIFY(layers.ok());
    QVERIFY(model->is_training());
    const auto after = model->buffers();
    for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(before[i].equal(after[i]));
    QCOMPARE(layers->front().name, "conv1");
    QCOMPARE(layers->front().kind, "Conv2d");
    QCOMPARE(layers->front().outputShape, (std::vector<std::int64_t>{64, 28, 28}));
    QVERIFY(models::activationBytes(*layers) >= 64 * 28 * 28 * 4);
    // A sample of another size is an error, not a crash, and the mode is restored then too.
    QVERIFY(!models::summarize(*made({"softmax", {}}, kPictures), kColour).ok());
}

void TorchModelTest::generatedSetsCanBeLearned() {
    const auto glyphs = data::loadDataset({"glyphs", {}}, 1), spirals = data::loadDataset({"spirals", {}}, 1);
    QVERIFY(glyphs.ok() && spirals.ok());
    const double linear = accuracyAfter(*glyphs, {"softmax", {}}, 5);
    const double network = accuracyAfter(*glyphs, {"mlp", {{"hidden", std::vector<double>{256}}}}, 8);
    const double points = accuracyAfter(*spirals, {"mlp", {{"hidden", std::vector<double>{64, 64}}}}, 30);
    const double straight = accuracyAfter(*spirals, {"softmax", {}}, 30);
    qInfo("glyphs: softmax %.3f, mlp %.3f; spirals: softmax %.3f, mlp %.3f", linear, network, straight,
          points);
    QVERIFY(network > 0.95); // a network learns them
    QVERIFY(linear < 0.85);  // and they are not trivial
    QVERIFY(points > 0.95);
    QVERIFY(straight < 0.80);
}

void TorchModelTest::optimizersEqualPythons_data() {
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
    QTest::newRow("sgd, dampening")
        << spec::Choice{"sgd", {{"lr", 0.05}, {"momentum", 0.9}, {"dampening", 0.3}}}
        << QStringList{"sgd", "lr=0.05", "momentum=0.9", "dampening=0.3"};
    QTest::newRow("adamw") << spec::Choice{"adamw", {{"lr", 0.01}}}
                           << QStringList{"adamw", "lr=0.01", "weight_decay=0.01"};
    QTest::newRow("adamw, biases not decayed")
        << spec::Choice{"adamw", {{"lr", 0.01}, {"weightDecay", 0.2}, {"decayNorms", false}}}
        << QStringList{"adamw", "lr=0.01", "weight_decay=0.2", "split=True"};
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

void TorchModelTest::optimizersEqualPythons() {
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
    const auto run = test::runScript("optimizer_steps.py", QStringList{folder.filePath("in"), folder.filePath("out")}
                                                               + python);
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
}

void TorchModelTest::optimizerStateRestoresExactly_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::newRow("sgd") << spec::Choice{"sgd", {{"momentum", 0.9}}};
    QTest::newRow("adam") << spec::Choice{"adam", {}};
    QTest::newRow("adamw") << spec::Choice{"adamw", {}};
    QTest::newRow("rmsprop") << spec::Choice{"rmsprop", {{"momentum", 0.9}, {"centered", true}}};
    QTest::newRow("adagrad") << spec::Choice{"adagrad", {{"initialSum", 0.1}, {"lrDecay", 0.01}}};
}

void TorchModelTest::optimizerStateRestoresExactly() {
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

void TorchModelTest::optimizerRefusesForeignState() {
    const optim::NamedTensors one{{"w", torch::ones({2}).requires_grad_()}};
    auto adam = std::move(optim::makeOptimizer({"adam", {}}, one)).value();
    const auto refused = [&](const optim::OptimizerState& state) { return adam->restore(state).error().text(); };
    QVERIFY(refused({"sgd", {}, {}}).find("is that of sgd, and the run uses adam") != std::string::npos);
    QVERIFY(refused({"adam", {{"v.expAvg", torch::ones({2})}}, {}}).find("v.expAvg belongs to no parameter")
            != std::string::npos);
    QVERIFY(refused({"adam", {{"w.expAvg", torch::ones({3})}}, {}}).find("another shape") != std::string::npos);
}

void TorchModelTest::refusesBadOptimizers() {
    const auto refused = [](const spec::Choice& choice) {
        const auto optimizer = optim::makeOptimizer(choice, {});
        return optimizer ? std::string("accepted") : optimizer.error().text();
    };
    QCOMPARE(refused({"sgd", {{"lr", 0.0}}}), "optimizer.lr: 0 must be greater than 0");
    QCOMPARE(refused({"sgd", {{"lr", -1.0}}}), "optimizer.lr: -1 must be greater than 0");
    QVERIFY(refused({"adam", {{"lr", 1e30}}}).find("must be at most 100") != std::string::npos);
    QVERIFY(refused({"sgd", {{"lr", std::nan("")}}}).find("must be finite") != std::string::npos);
    QVERIFY(refused({"sgd", {{"nesterov", true}}}).find("needs a momentum above 0") != std::string::npos);
    QVERIFY(refused({"sgd", {{"nesterov", true}, {"momentum", 0.9}, {"dampening", 0.1}}}).find("needs a dampening of 0")
            != std::string::npos);
    QVERIFY(refused({"adamx", {}}).find("did you mean \"adam\"?") != std::string::npos);
}

void TorchModelTest::scheduleValues() {
    const auto at = [](const spec::Choice& choice, std::int64_t step) {
        return optim::Schedule::make(choice, 0.1, 10, 100).value().at(step);
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
    // It never rises after the warm-up.
    for (std::int64_t step = 20; step < 120; ++step) QVERIFY(at(both, step + 1) <= at(both, step));
}

void TorchModelTest::scheduleRefusesWhatCannotBe() {
    const auto refused = [](const spec::Choice& choice) {
        const auto schedule = optim::Schedule::make(choice, 0.1, 10, 100);
        return schedule ? std::string("accepted") : schedule.error().text();
    };
    QVERIFY(refused({"cosine", {{"minLr", 0.2}}}).find("schedule.minLr: the lowest rate 0.2 is above")
            != std::string::npos);
    QVERIFY(refused({"constant", {{"warmupEpochs", 11.0}}}).find("longer than the run") != std::string::npos);
    QVERIFY(refused({"linear", {}}).find("schedule.name: \"linear\" is not known") != std::string::npos);
}

QTEST_GUILESS_MAIN(TorchModelTest)
#include "torch_model_test.moc"
