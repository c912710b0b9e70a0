// SPDX-License-Identifier: GPL-3.0-or-later
// Files of weights that real programs wrote, in the catalog's models.
#include "engine/spec/run/parameter_globs.h"
#include "engine/store/files/safetensors.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/trainer/learner/learner.h"
#include "engine/torch/weights/adapt_tensor.h"
#include "engine/torch/weights/guess_model.h"
#include "engine/torch/weights/load_weights.h"
#include "tests/unit/torch/torch_python.h"

#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace trainyard;
using weights::WeightsReport;

namespace {

using Names = std::vector<std::string>;

spec::Value number(std::int64_t value) { return value; }

std::shared_ptr<models::Model> modelOf(const spec::Choice& choice, const models::ModelContext& context) {
    torch::manual_seed(1);
    auto model = models::makeModel(choice, context);
    if (!model) qFatal("%s", model.error().text().c_str());
    (*model)->eval();
    return *model;
}

// A tensor of a file of torch.save, by name.
torch::Tensor tensorIn(const std::string& path, const std::string& name) {
    const auto file = program::TensorFile::open(path);
    if (!file) qFatal("%s", file.error().text().c_str());
    for (std::size_t i = 0; i < file->tensors().size(); ++i) {
        const auto& place = file->tensors()[i];
        if (place.path != name) continue;
        auto values = torch::empty(place.shape, place.dtype == "I64" ? torch::kInt64 : torch::kFloat);
        if (!file->read(i, {static_cast<std::byte*>(values.data_ptr()), values.nbytes()})) break;
        return values;
    }
    qFatal("no tensor %s in %s", name.c_str(), path.c_str());
}

Names namesOf(const torch::nn::Module& module) {
    Names names;
    for (const auto& item : module.named_parameters()) names.push_back(item.key());
    return names;
}

std::string joined(const Names& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
}

} // namespace

class TorchWeightsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        if (test::pythonWithTorch().isEmpty()) return;
        const auto made = test::runScript("make_weights.py", {m_folder.path()});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        m_python = true;
        m_torchvision = QJsonDocument::fromJson(made.out.toUtf8()).object()["torchvision"].toBool();
    }

    // Feature: weights of torchvision's models, timm's and Hugging Face's vision transformers and GPT-2 load, and give
    // the outputs of the programs that wrote them.
    void outputsAreThoseOfTheWriter_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("dictionary");
        QTest::addColumn<int>("tensors"); // of the body
        for (const auto& [file, model, dictionary, tensors] : {std::tuple{"resnet18", "resnet18", "", 100},
                                                               {"references", "resnet18", "model", 100},
                                                               {"whole_module", "resnet18", "", 100},
                                                               {"resnet34", "resnet34", "", 180},
                                                               {"resnet50", "resnet50", "", 265},
                                                               {"mobilenet_v2", "mobilenet_v2", "", 260},
                                                               {"efficientnet", "efficientnet", "", 309},
                                                               {"convnext", "convnext", "", 117},
                                                               {"vit", "vit", "state_dict", 30},
                                                               {"vit_timm", "vit", "", 30},
                                                               {"vit_face", "vit", "", 30},
                                                               {"gpt2", "gpt", "", 28}})
            QTest::newRow(file) << file << model << dictionary << tensors;
    }
    void outputsAreThoseOfTheWriter() {
        QFETCH(QString, file);
        QFETCH(QString, model);
        QFETCH(QString, dictionary);
        QFETCH(int, tensors);
        if (!m_python) QSKIP("no Python with torch here to write the files");
        if (!m_torchvision && file != "gpt2") QSKIP("no torchvision here (python3-torchvision) to write the files");
        const auto given = program::TensorFile::open(path(file));
        QVERIFY2(given.ok(), given ? "" : given.error().text().c_str());
        const auto guessed = weights::guessModel(given->tensors(), given->bytes());
        QVERIFY(guessed.has_value());
        QCOMPARE(guessed->model.name, model.toStdString());
        auto choice = guessed->model;
        auto context = guessed->context;
        if (model == "gpt") {
            choice.params["heads"] = number(4);
            context.sampleShape = {16};
        } else {
            context.sampleShape = {3, 32, 32};
        }
        const auto made = modelOf(choice, context);
        const auto report = weights::loadWeights(*made, path(file), {choice.name, context, {}, "keep"});
        QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
        QCOMPARE(report->tensors, qint64(tensors));
        QCOMPARE(report->tensors, report->tensorsOfModel);
        QCOMPARE(report->numbers, report->numbersOfModel);
        QCOMPARE(QString::fromStdString(report->dictionary), dictionary);
        QVERIFY(report->missing.empty());
        QCOMPARE(report->sha256.size(), std::size_t{64});
        const std::string answer = m_folder.filePath(file + ".answer.pt").toStdString();
        const torch::NoGradGuard noGrad;
        const auto output = made->forward(tensorIn(answer, "input"));
        const auto wanted = tensorIn(answer, "output");
        const double off = (output - wanted).abs().max().item<double>() / wanted.abs().max().item<double>();
        QVERIFY2(off < 1e-5, std::to_string(off).c_str());
    }

    // Feature: averaged weights of a checkpoint come first, and code in it is named and never run.
    void averagedWeightsComeFirst() {
        if (!m_torchvision) QSKIP("no torchvision here (python3-torchvision) to write the files");
        const models::ModelContext context{{3, 32, 32}, 12};
        const auto model = modelOf({"resnet18", {}}, context);
        const auto report = weights::loadWeights(*model, path("average"), {"resnet18", context, {}, "auto"});
        QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
        QCOMPARE(report->dictionary, std::string("state_dict_ema"));
        QCOMPARE(report->head, WeightsReport::Head::New);
        QCOMPARE(report->headRowsOfFile, qint64(1000));
        QCOMPARE(model->named_parameters()["conv1.weight"].abs().sum().item<double>(), 0.0);
        const auto file = program::TensorFile::open(path("references"));
        QVERIFY(file.ok());
        QCOMPARE(file->code(), Names{"argparse.Namespace"});
    }

    // Feature: rows of the head are kept for classes of the same names.
    void headKeepsRowsOfTheSameClasses() {
        const models::ModelContext old{{4}, 3}, now{{4}, 4};
        const spec::Choice choice{"mlp", {{"hidden", std::vector<double>{5}}}};
        const auto before = modelOf(choice, old);
        train::TrainState state;
        state.runJson = "{}";
        state.modelInfo.sampleShape = {4};
        state.modelInfo.classes = 3;
        state.modelInfo.classNames = {"cat", "dog", "owl"};
        state.model = train::modelTensors(*before);
        const auto file = m_folder.filePath("own.safetensors").toStdString();
        const auto saved = train::saveCheckpoint(file, state);
        QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str());
        const struct {
            const char* head;
            Names classes;
            WeightsReport::Head found;
            int rows;
        } rows[] = {{"auto", {"owl", "fox", "cat", "hen"}, WeightsReport::Head::Rows, 2},
                    {"auto", {"a", "b", "c", "d"}, WeightsReport::Head::New, 0},
                    {"new", {"owl", "fox", "cat", "hen"}, WeightsReport::Head::New, 0}};
        for (const auto& row : rows) {
            const auto model = modelOf(choice, now), fresh = modelOf(choice, now);
            const auto report = weights::loadWeights(*model, file, {"mlp", now, row.classes, row.head});
            QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
            QCOMPARE(report->head, row.found);
            QCOMPARE(report->headRows, qint64(row.rows));
            QCOMPARE(report->tensors, qint64(2));
            if (row.rows == 0) continue;
            const char* const name = "layers.1.weight";
            const auto head = model->named_parameters()[name], from = before->named_parameters()[name];
            QVERIFY(head[0].equal(from[2]) && head[2].equal(from[0]));
            QVERIFY(head[1].equal(fresh->named_parameters()[name][1]));
        }
        const auto model = modelOf(choice, now);
        const auto kept = weights::loadWeights(*model, file, {"mlp", now, {}, "keep"});
        QVERIFY(!kept.ok());
        QCOMPARE(kept.error().where, std::string("model.weights.head"));
        // The same classes: the whole head.
        const auto same = modelOf(choice, old);
        const auto all = weights::loadWeights(*same, file, {"mlp", old, {"cat", "dog", "owl"}, "auto"});
        QVERIFY(all.ok());
        QCOMPARE(all->head, WeightsReport::Head::Kept);
        QVERIFY(same->named_parameters()["layers.1.bias"].equal(before->named_parameters()["layers.1.bias"]));
    }

    // Feature: positions are resampled and a first convolution takes other channels.
    void shapesAreMadeToFit() {
        const auto positions =
            torch::cat({torch::zeros({1, 1, 2}), torch::arange(4).reshape({1, 4, 1}).repeat({1, 1, 2})}, 1)
                .to(torch::kFloat);
        const auto larger = weights::resampledPositions(positions, 3, 3, {1, 10, 2});
        QVERIFY(larger.has_value());
        QCOMPARE(larger->values.sizes().vec(), (std::vector<std::int64_t>{1, 10, 2}));
        for (const auto& [place, value] : {std::pair{0, 0.0}, {1, 0.0}, {3, 1.0}, {5, 1.5}, {7, 2.0}, {9, 3.0}})
            QVERIFY(std::abs(larger->values[0][place][0].item<double>() - value) < 1e-6); // the corners stay
        QVERIFY(!weights::resampledPositions(positions, 3, 3, {1, 10, 4}));
        QVERIFY(!weights::resampledPositions(torch::zeros({1, 4, 2}), 3, 3, {1, 10, 2})); // no square
        const auto filters = torch::rand({2, 3, 3, 3});
        const auto grey = weights::otherChannels(filters, {2, 1, 3, 3});
        QVERIFY(grey && grey->values.allclose(filters.sum(1, true)));
        const auto five = weights::otherChannels(filters, {2, 5, 3, 3});
        QVERIFY(five && five->values.select(1, 4).allclose(filters.select(1, 1) * 0.6));
        QVERIFY(!weights::otherChannels(filters, {2, 1, 5, 5}));
        QVERIFY(weights::firstPositions(torch::rand({8, 4}), {6, 4})->values.size(0) == 6);
        QVERIFY(!weights::firstPositions(torch::rand({8, 4}), {9, 4}));
    }

    // Bad inputs: files of weights of another model, of an optimizer, with NaN, damaged, or of other kinds.
    void misfitsAreExplained_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("says");
        QTest::newRow("another model") << "gpt2.pth" << "resnet18" << "of the body of resnet18";
        QTest::newRow("an optimizer") << "optimizer.pth" << "resnet18" << "holds the state of an optimizer";
        QTest::newRow("not there") << "nowhere.pth" << "resnet18" << "no such file";
        QTest::newRow("a page") << "page.pth" << "resnet18" << "a page of the web";
        QTest::newRow("a pointer") << "pointer.pth" << "resnet18" << "a pointer of Git LFS";
        QTest::newRow("for llama.cpp") << "model.gguf" << "resnet18" << "a GGUF file";
        QTest::newRow("an index alone") << "model.safetensors.index.json" << "resnet18" << "which is not there";
        QTest::newRow("an index that climbs") << "climbs.index.json" << "resnet18" << "which is not beside it";
        QTest::newRow("flipped") << "flipped.pth" << "gpt" << "CRC-32";
        QTest::newRow("NaN") << "nan.safetensors" << "softmax" << "holds NaN";
    }
    void misfitsAreExplained() {
        QFETCH(QString, file);
        QFETCH(QString, model);
        QFETCH(QString, says);
        if (!m_python && file.endsWith(".pth") && file != "nowhere.pth" && file != "page.pth" && file != "pointer.pth")
            QSKIP("no Python with torch here to write the files");
        if (!m_torchvision && file == "optimizer.pth") QSKIP("no torchvision here to write the file");
        put("page.pth", "<!DOCTYPE html>\n<html><body>Sign in</body></html>");
        put("pointer.pth", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 46830571\n");
        put("model.gguf", std::string("GGUF\x03\0\0\0", 8) + std::string(100, '\0'));
        put("model.safetensors.index.json", R"({"weight_map": {"a": "model-00001-of-00002.safetensors"}})");
        put("climbs.index.json", R"({"weight_map": {"a": "../../etc/passwd"}})");
        if (file == "flipped.pth") {
            std::ifstream in(path("gpt2"), std::ios::binary);
            std::string bytes((std::istreambuf_iterator<char>(in)), {});
            bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
            put("flipped.pth", bytes);
        }
        if (file == "nan.safetensors") {
            const std::array<float, 8> bad{1, 2, std::nanf(""), 4, 5, 6, 7, 8};
            const auto written =
                store::writeSafetensors(m_folder.filePath(file).toStdString(),
                                        {{"fc.weight", "F32", {2, 4}, std::as_bytes(std::span(bad))}}, {});
            QVERIFY(written.ok());
        }
        const bool text = model == "gpt";
        const models::ModelContext context =
            text ? models::ModelContext{{16}, 50, train::TaskKind::Language}
                 : models::ModelContext{
                       model == "softmax" ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{3, 32, 32}, 2};
        const spec::Choice choice{model.toStdString(),
                                  text ? spec::Params{{"width", number(32)}, {"depth", number(2)}} : spec::Params{}};
        const auto made = modelOf(choice, context);
        const auto report =
            weights::loadWeights(*made, m_folder.filePath(file).toStdString(), {choice.name, context, {}, "auto"});
        QVERIFY(!report.ok());
        const std::string error = report.error().text();
        QVERIFY2(error.find(says.toStdString()) != error.npos, error.c_str());
        QVERIFY2(!report.error().remedy.empty() || !report.error().where.empty(), error.c_str());
    }

    // Feature: weights in several files, named by an index, are read as one.
    void shardsAreRead() {
        const models::ModelContext context{{4}, 3};
        const spec::Choice choice{"mlp", {{"hidden", std::vector<double>{5}}}};
        const auto from = modelOf(choice, context);
        QVERIFY(QDir(m_folder.path()).mkpath("sharded"));
        const std::filesystem::path folder = m_folder.filePath("sharded").toStdString();
        std::string map;
        for (const auto& item : from->named_parameters()) {
            const std::string file = item.key().starts_with("layers.0") ? "model-1.safetensors" : "model-2.safetensors";
            map += (map.empty() ? "" : ", ") + ('"' + item.key() + "\": \"" + file + '"');
        }
        for (const int layer : {0, 1}) {
            const auto weight = from->named_parameters()["layers." + std::to_string(layer) + ".weight"].detach(),
                       bias = from->named_parameters()["layers." + std::to_string(layer) + ".bias"].detach();
            const auto bytes = [](const torch::Tensor& t) {
                return std::span(static_cast<const std::byte*>(t.data_ptr()), t.nbytes());
            };
            const std::string base = "layers." + std::to_string(layer) + ".";
            QVERIFY(store::writeSafetensors(folder / ("model-" + std::to_string(layer + 1) + ".safetensors"),
                                            {{base + "weight", "F32", weight.sizes().vec(), bytes(weight)},
                                             {base + "bias", "F32", bias.sizes().vec(), bytes(bias)}},
                                            {})
                        .ok());
        }
        put("sharded/model.safetensors.index.json", "{\"weight_map\": {" + map + "}}");
        for (const auto& given : {folder, folder / "model.safetensors.index.json"}) {
            torch::manual_seed(9);
            const auto model = *models::makeModel(choice, context);
            const auto report = weights::loadWeights(*model, given, {"mlp", context, {}, "keep"});
            QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
            for (const auto& item : model->named_parameters())
                QVERIFY(item.value().equal(from->named_parameters()[item.key()]));
        }
    }

    // Feature: which parameters are frozen and how fast the others learn, by globs and layers.
    void partsFollowTheRunFile_data() {
        QTest::addColumn<QString>("finetune"); // as in a run file
        QTest::addColumn<QString>("trained");  // the parameters of an mlp of three layers; an error begins with !
        QTest::addColumn<QString>("factors");
        const QString all = "layers.0.weight layers.0.bias layers.1.weight layers.1.bias layers.2.weight layers.2.bias";
        QTest::newRow("nothing") << "{}" << all << "";
        QTest::newRow("body") << R"({"freeze": ["body"]})" << "layers.2.weight layers.2.bias" << "";
        QTest::newRow("glob") << R"({"freeze": ["*.bias"]})" << "layers.0.weight layers.1.weight layers.2.weight" << "";
        QTest::newRow("layer") << R"({"freeze": ["layers.0", "layers.1.w*"]})"
                               << "layers.1.bias layers.2.weight layers.2.bias" << "";
        QTest::newRow("no such") << R"({"freeze": ["layrs.0.*"]})" << R"(!did you mean "layers.0*"?)" << "";
        QTest::newRow("all") << R"({"freeze": ["*"]})" << "!nothing is left to train" << "";
        QTest::newRow("decay") << R"({"layerDecay": 0.5})" << all
                               << "layers.0.weight=0.25 layers.0.bias=0.25 layers.1.weight=0.5 layers.1.bias=0.5";
        QTest::newRow("groups") << R"({"freeze": ["layers.0"], "groups": {"head": 10, "*.bias": 2}})"
                                << "layers.1.weight layers.1.bias layers.2.weight layers.2.bias"
                                << "layers.0.bias=2 layers.1.bias=2 layers.2.weight=10 layers.2.bias=20";
        QTest::newRow("group of nothing") << R"({"groups": {"fc": 2}})" << "!finetune.groups" << "";
    }
    void partsFollowTheRunFile() {
        QFETCH(QString, finetune);
        QFETCH(QString, trained);
        QFETCH(QString, factors);
        const auto spec = spec::parseRunSpec(R"({"version": 1, "model": {"name": "mlp", "params": {"hidden": [4, 4]}},
            "finetune": )" + finetune.toStdString() +
                                             "}");
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        const auto learner = train::Learner::make(*spec, {{4}, 3}, torch::kCPU);
        if (trained.startsWith('!')) {
            QVERIFY(!learner.ok());
            const std::string error = learner.error().text();
            QVERIFY2(error.find(trained.mid(1).toStdString()) != error.npos, error.c_str());
            return;
        }
        QVERIFY2(learner.ok(), learner ? "" : learner.error().text().c_str());
        Names names;
        for (const auto& [name, tensor] : (*learner)->parameters()) names.push_back(name);
        QCOMPARE(joined(names), trained.toStdString());
        // Frozen weights have no slot in the optimizer, and take no gradient.
        for (const auto& item : (*learner)->model().named_parameters())
            QCOMPARE(item.value().requires_grad(), std::ranges::find(names, item.key()) != names.end());
        const auto parts = train::trainedPartsOf(spec->finetune, namesOf((*learner)->model()), "layers.2");
        QVERIFY(parts.ok());
        std::map<std::string, double> wanted;
        for (const auto& each : factors.split(' ', Qt::SkipEmptyParts))
            wanted[each.section('=', 0, 0).toStdString()] = each.section('=', 1).toDouble();
        QCOMPARE(parts->factors, wanted);
    }

    // Feature: each padlock of the window freezes its part of the model and nothing else.
    void blocksCoverTheModel_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("blocks"); // the first and the last
        QTest::newRow("resnet18") << "resnet18" << "conv1 fc";
        QTest::newRow("mobilenet_v2") << "mobilenet_v2" << "features.0 classifier.1";
        QTest::newRow("efficientnet") << "efficientnet" << "features.0 classifier.1";
        QTest::newRow("vit") << "vit" << "class_token heads.head";
        QTest::newRow("convnet") << "convnet" << "conv1 fc";
        QTest::newRow("mlp") << "mlp" << "layers.0 layers.2";
    }
    void blocksCoverTheModel() {
        QFETCH(QString, model);
        QFETCH(QString, blocks);
        const auto names = namesOf(*modelOf({model.toStdString(), {}}, {{3, 32, 32}, 4}));
        const auto blockOf = train::blockOfEach(names);
        QCOMPARE(blockOf.size(), names.size());
        QCOMPARE(QString::fromStdString(blockOf.front() + " " + blockOf.back()), blocks);
        for (std::size_t b = 0; b < names.size(); ++b)
            for (std::size_t i = 0; i < names.size(); ++i)
                QVERIFY2(spec::meansParameter(blockOf[b], names[i]) == (blockOf[i] == blockOf[b]),
                         (blockOf[b] + " " + names[i]).c_str());
    }

    // Feature: layers are counted as the models number them.
    void layersAreCounted_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("layers");
        QTest::newRow("resnet18") << "resnet18" << 8;
        QTest::newRow("vit") << "vit" << 12;
        QTest::newRow("convnet") << "convnet" << 1;
    }
    void layersAreCounted() {
        QFETCH(QString, model);
        QFETCH(int, layers);
        const auto names = namesOf(*modelOf({model.toStdString(), {}}, {{3, 32, 32}, 4}));
        const auto above = train::layersAbove(names);
        QCOMPARE(above.front(), layers);
        QCOMPARE(above.back(), 0);
        QVERIFY(std::ranges::is_sorted(above, std::greater()));
    }

private:
    std::string path(const QString& name) const { return m_folder.filePath(name + ".pth").toStdString(); }
    void put(const char* name, const std::string& bytes) const {
        std::ofstream(m_folder.filePath(name).toStdString(), std::ios::binary) << bytes;
    }

    QTemporaryDir m_folder;
    bool m_python = false, m_torchvision = false;
};

QTEST_GUILESS_MAIN(TorchWeightsTest)
#include "torch_weights_test.moc"
