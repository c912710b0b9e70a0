// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/loss.h"
#include "engine/torch/optim/optimizer.h"
#include "tests/unit/torch/torch_python.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>
#include <set>

using namespace trainyard;

Q_DECLARE_METATYPE(trainyard::models::ModelContext)

namespace {

const models::ModelContext kImages{{1, 28, 28}, 10};
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
};

// Feature: softmax regression, MLP, ConvNet, ResNet-18/34/50, VGG, MobileNet, EfficientNet, ConvNeXt, ViT, character
// GPT, LSTM: shapes, counts, the numbers of Python's modules. Also in worker_tasks_test.
void TorchModelTest::modelsHaveTheirShapesAndCounts_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::addColumn<models::ModelContext>("context");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<int>("layers");
    const std::vector<double> none, two{7, 5};
    // weights + biases, by the definition of each layer
    QTest::newRow("softmax") << spec::Choice{"softmax", {}} << kImages << qint64{784 * 10 + 10} << 1;
    QTest::newRow("mlp of Ray") << spec::Choice{"mlp", {}} << kImages
                                << qint64{784 * 512 + 512 + 512 * 512 + 512 + 512 * 10 + 10} << 3;
    QTest::newRow("mlp on points") << spec::Choice{"mlp", {{"hidden", two}, {"activation", std::string("tanh")}}}
                                   << kPoints << qint64{2 * 7 + 7 + 7 * 5 + 5 + 5 * 3 + 3} << 3;
    QTest::newRow("mlp without hidden layers")
        << spec::Choice{"mlp", {{"hidden", none}}} << kPoints << qint64{2 * 3 + 3} << 1;
    QTest::newRow("mlp with dropout") << spec::Choice{"mlp", {{"hidden", two}, {"dropout", 0.5}}} << kPoints
                                      << qint64{2 * 7 + 7 + 7 * 5 + 5 + 5 * 3 + 3} << 3;
    QTest::newRow("convnet of Ray") << spec::Choice{"convnet", {}} << kImages << qint64{3 * 9 + 3 + 192 * 10 + 10} << 2;
    QTest::newRow("convnet in colour") << spec::Choice{"convnet", {{"width", std::int64_t{16}}}} << kColour
                                       << qint64{16 * 27 + 16 + 16 * 100 * 100 + 100} << 2;
    // torchvision's 11,689,512 with one channel instead of three and ten classes instead of a thousand
    QTest::newRow("resnet18") << spec::Choice{"resnet18", {}} << kImages << qint64{11689512 - 2 * 64 * 49 - 990 * 513}
                              << 41;
    QTest::newRow("resnet18 small") << spec::Choice{"resnet18", {{"stem", std::string("small")}}} << kColour
                                    << qint64{11689512 - 3 * 64 * (49 - 9) - 900 * 513} << 41;
    QTest::newRow("resnet34") << spec::Choice{"resnet34", {}} << kImages << qint64{21797672 - 2 * 64 * 49 - 990 * 513}
                              << 73;
    QTest::newRow("resnet50") << spec::Choice{"resnet50", {{"stem", std::string("small")}}} << kColour
                              << qint64{25557032 - 3 * 64 * (49 - 9) - 900 * 2049} << 107;
    QTest::newRow("vgg11") << spec::Choice{"vgg11", {}} << kImages << qint64{9225984 - 2 * 64 * 9 + 512 * 10 + 10}
                           << 17;
    QTest::newRow("mobilenet_v2") << spec::Choice{"mobilenet_v2", {}} << kColour << qint64{3504872 - 900 * 1281} << 105;
    QTest::newRow("mobilenet_v2 small") << spec::Choice{"mobilenet_v2",
                                                        {{"stem", std::string("small")}, {"dropout", 0.0}}}
                                        << kImages << qint64{3504872 - 2 * 32 * 9 - 990 * 1281} << 105;
    // as torchvision counts them, of these widths
    const models::ModelContext few{{3, 32, 32}, 100};
    QTest::newRow("efficientnet") << spec::Choice{"efficientnet", {{"width", 0.5}, {"dropPath", 0.0}}} << few
                                  << qint64{1135622} << 131;
    QTest::newRow("convnext")
        << spec::Choice{"convnext", {{"width", std::int64_t{24}}, {"depth", std::int64_t{2}}, {"dropPath", 0.0}}} << few
        << qint64{1276732} << 65;
    constexpr qint64 kVitLayer = 4 * 192 + 4 * (192 * 192 + 192) + 192 * 768 + 768 + 768 * 192 + 192;
    QTest::newRow("vit") << spec::Choice{"vit", {}} << kImages
                         << qint64{17 * 192 + 192 + 50 * 192 + 12 * kVitLayer + 384 + 1930} << 77;
    // Images that are no squares, of more channels than a colour has.
    const models::ModelContext tall{{4, 40, 24}, 10};
    QTest::newRow("convnet, tall") << spec::Choice{"convnet", {}} << tall << qint64{3 * 36 + 3 + 3 * 12 * 7 * 10 + 10}
                                   << 2;
    QTest::newRow("resnet18, tall") << spec::Choice{"resnet18", {}} << tall << qint64{11689512 + 64 * 49 - 990 * 513}
                                    << 41;
    QTest::newRow("vit, tall") << spec::Choice{"vit", {{"patch", std::int64_t{8}}, {"depth", std::int64_t{2}}}} << tall
                               << qint64{(4 * 64 + 1) * 192 + 192 + 16 * 192 + 2 * kVitLayer + 384 + 1930} << 17;
    QTest::newRow("lstm, tall") << spec::Choice{"lstm", {}} << tall << qint64{512 * (96 + 128 + 2) + 1290} << 2;
    constexpr qint64 kGptLayer = 4 * 128 + 4 * (128 * 128 + 128) + 128 * 512 + 512 + 512 * 128 + 128;
    QTest::newRow("gpt") << spec::Choice{"gpt", {}} << kText
                         << qint64{30 * 128 + 16 * 128 + 4 * kGptLayer + 256 + 128 * 30} << 28;
    QTest::newRow("lstm on a text") << spec::Choice{"lstm", {}} << kText
                                    << qint64{30 * 64 + 512 * (64 + 128 + 2) + 129 * 30} << 3;
    QTest::newRow("lstm on rows") << spec::Choice{"lstm", {}} << kImages << qint64{512 * (28 + 128 + 2) + 1290} << 2;
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
        {"resnet34", {"resnet34", {}}, colour},
        {"resnet50", {"resnet50", {}}, colour},
        {"mobilenet_v2", {"mobilenet_v2", {{"width", 0.75}}}, colour},
        {"efficientnet", {"efficientnet", {{"depth", 1.1}}}, colour},
        {"convnext", {"convnext", {{"width", whole(16)}, {"depth", whole(2)}}}, colour},
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
    QCOMPARE(models::parameterCount(*made({"resnet18", {}}, kImages)), 11175370);
    const std::map<std::string, std::vector<int>> blocks{{"resnet18", {2, 2, 2, 2}}, {"resnet34", {3, 4, 6, 3}}};
    for (const auto& [model, counts] : blocks) {
        std::set<std::string> expected{"conv1.weight", "fc.weight", "fc.bias"};
        const auto addNorm = [&](const std::string& name) {
            for (const char* part : {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"})
                expected.insert(name + "." + part);
        };
        addNorm("bn1");
        for (std::size_t layer = 1; layer <= counts.size(); ++layer) {
            const std::string in = "layer" + std::to_string(layer) + ".";
            for (int block = 0; block < counts[layer - 1]; ++block)
                for (const char* i : {"1", "2"}) {
                    const std::string at = in + std::to_string(block) + ".";
                    expected.insert(at + "conv" + i + ".weight");
                    addNorm(at + "bn" + i);
                }
            if (layer == 1) continue;
            expected.insert(in + "0.downsample.0.weight");
            addNorm(in + "0.downsample.1");
        }
        const auto network = made({model, {}}, kImages);
        std::set<std::string> names;
        for (const auto& item : network->named_parameters()) names.insert(item.key());
        for (const auto& item : network->named_buffers()) names.insert(item.key());
        QVERIFY2(names == expected, model.c_str());
    }
}

// Bad inputs: models.
void TorchModelTest::refusesWhatAModelCannotTake_data() {
    QTest::addColumn<spec::Choice>("choice");
    QTest::addColumn<models::ModelContext>("context");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown") << spec::Choice{"resnet8", {}} << kImages << "did you mean \"resnet18\"?";
    QTest::newRow("width 0") << spec::Choice{"mlp", {{"hidden", std::vector<double>{512, 0}}}} << kImages
                             << "model.params.hidden: 0 must be at least 1";
    QTest::newRow("activation") << spec::Choice{"mlp", {{"activation", std::string("elu")}}} << kImages
                                << "\"elu\" is not known";
    QTest::newRow("type") << spec::Choice{"mlp", {{"dropout", std::string("much")}}} << kImages
                          << "much is not a number";
    QTest::newRow("points") << spec::Choice{"convnet", {}} << kPoints << "needs images";
    QTest::newRow("small") << spec::Choice{"convnet", {}} << models::ModelContext{{1, 4, 28}, 10}
                           << "at least 5 x 5 pixels";
    QTest::newRow("resnet on points") << spec::Choice{"resnet18", {}} << kPoints << "needs images";
    QTest::newRow("vgg on points") << spec::Choice{"vgg11", {}} << kPoints << "needs images";
    QTest::newRow("patches") << spec::Choice{"vit", {{"patch", std::int64_t{5}}}} << kImages
                             << "images of 28 x 28 do not divide into patches of 5";
    QTest::newRow("heads") << spec::Choice{"gpt", {{"heads", std::int64_t{3}}}} << kText
                           << "model.params.heads: 3 does not divide the width of 128";
    QTest::newRow("text model on images")
        << spec::Choice{"gpt", {}} << kImages << "model gpt serves language, and the run's task is classification";
    QTest::newRow("image model on a text") << spec::Choice{"resnet50", {}} << kText << "the run's task is language";
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
    const auto model = made({"resnet18", {{"stem", std::string("small")}}}, kImages);
    std::vector<torch::Tensor> before;
    for (const auto& buffer : model->buffers()) before.push_back(buffer.clone());
    const auto layers = models::summarize(*model, kImages);
    QVERIFY(layers.ok());
    QVERIFY(model->is_training());
    const auto after = model->buffers();
    for (std::size_t i = 0; i < before.size(); ++i) QVERIFY(before[i].equal(after[i]));
    QCOMPARE(layers->front().name, "conv1");
    QCOMPARE(layers->front().kind, "Conv2d");
    QCOMPARE(layers->front().outputShape, (std::vector<std::int64_t>{64, 28, 28}));
    QVERIFY(models::activationBytes(*layers) >= 64 * 28 * 28 * 4);
    // A sample of another size is an error, not a crash, and the mode is restored then too.
    QVERIFY(!models::summarize(*made({"softmax", {}}, kImages), kColour).ok());
}

void TorchModelTest::generatedSetsCanBeLearned() {
    const auto glyphs = data::loadDataset({"glyphs", {}}, 1), spirals = data::loadDataset({"spirals", {}}, 1);
    QVERIFY(glyphs.ok() && spirals.ok());
    const double linear = accuracyAfter(*glyphs, {"softmax", {}}, 5);
    const double network = accuracyAfter(*glyphs, {"mlp", {{"hidden", std::vector<double>{256}}}}, 8);
    const double points = accuracyAfter(*spirals, {"mlp", {{"hidden", std::vector<double>{64, 64}}}}, 30);
    const double straight = accuracyAfter(*spirals, {"softmax", {}}, 30);
    const auto blobs = data::loadDataset({"blobs", {{"features", std::int64_t{8}}}}, 1);
    QVERIFY(blobs.ok());
    const double clouds = accuracyAfter(*blobs, {"softmax", {}}, 20);
    qInfo("glyphs: softmax %.3f, mlp %.3f; spirals: softmax %.3f, mlp %.3f; blobs: softmax %.3f", linear, network,
          straight, points, clouds);
    QVERIFY(clouds > 0.95);
    QVERIFY(network > 0.95); // a network learns them
    QVERIFY(linear < 0.85);  // and they are not trivial
    QVERIFY(points > 0.95);
    QVERIFY(straight < 0.80);
}

QTEST_GUILESS_MAIN(TorchModelTest)
#include "torch_model_test.moc"
