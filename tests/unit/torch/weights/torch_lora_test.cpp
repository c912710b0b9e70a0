// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank matrices of finetune.lora in models, checkpoints and exports.
#include "engine/run/share/export_adapters.h"
#include "engine/run/share/export_run.h"
#include "engine/store/files/safetensors.h"
#include "engine/torch/optim/update_rule.h"
#include "engine/torch/trainer/learner/learner.h"
#include "engine/torch/worker/trained_model.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>

using namespace trainyard;

namespace {

namespace fs = std::filesystem;

const models::ModelContext kTokens{{8}, 11, train::TaskKind::Language};

spec::RunSpec loraSpec(const std::string& finetune, const std::string& model = "gpt") {
    const std::string params = model == "gpt" ? R"({"width": 16, "depth": 2, "heads": 2})" : "{}";
    return spec::parseRunSpec(R"({"version": 1, "model": {"name": ")" + model + R"(", "params": )" + params +
                              R"(}, "optimizer": {"name": "adamw", "lr": 0.05}, "finetune": )" + finetune + "}")
        .value();
}

torch::Tensor someTokens() { return torch::arange(24, torch::kInt64).reshape({3, 8}).remainder(11); }

// Some steps of the optimizer.
void trainLora(train::Learner& learner) {
    const torch::AutoGradMode gradients(true);
    learner.model().train();
    for (int step = 0; step < 3; ++step) {
        optim::zeroGradients(learner.parameters());
        const auto inputs = someTokens(), logits = learner.model().forward(inputs).reshape({-1, 11});
        torch::nn::functional::cross_entropy(logits, inputs.roll(-1, 1).reshape({-1})).backward();
        learner.optimizer().step();
    }
    learner.model().eval();
}

train::TrainState stateOf(const train::Learner& learner, const spec::RunSpec& spec) {
    train::TrainState state;
    learner.capture(state, [](const std::string&, const torch::Tensor& live) { return live.detach().clone(); });
    state.runJson = spec::toJson(spec);
    state.modelInfo.sampleShape = kTokens.sampleShape;
    state.modelInfo.classes = kTokens.outputs;
    state.modelInfo.task = kTokens.task;
    return state;
}

// A checkpoint of trained low-rank matrices, and the weights that they were trained beside.
struct Adapted {
    spec::RunSpec spec;
    models::ModelContext context;
    train::ModelInfo info;
    std::vector<std::string> classNames;
    torch::Tensor inputs, withoutAdapter;
};
Adapted adapted(const fs::path& folder, const std::string& model) {
    Adapted made;
    made.spec = loraSpec(R"({"lora": {"rank": 2, "alpha": 6}})", model);
    const bool reads = model == "gpt";
    made.context = reads            ? kTokens
                   : model == "mlp" ? models::ModelContext{{6}, 3}
                                    : models::ModelContext{{3, 32, 32}, 3};
    if (!reads) made.classNames = {"a", "b", "c"};
    made.info.sampleShape = made.context.sampleShape;
    made.info.classes = made.context.outputs;
    made.info.classNames = made.classNames;
    made.info.task = made.context.task;
    torch::manual_seed(3);
    const auto save = [&](const train::Learner& learner, const spec::RunSpec& spec, const char* name) {
        train::TrainState state;
        learner.capture(state, [](const std::string&, const torch::Tensor& live) { return live.detach().clone(); });
        state.runJson = spec::toJson(spec);
        state.modelInfo = made.info;
        if (const auto saved = train::saveCheckpoint(folder / name, state); !saved)
            qFatal("%s", saved.error().text().c_str());
    };
    auto plainSpec = made.spec;
    plainSpec.finetune.lora = {};
    const auto plain = train::Learner::make(plainSpec, made.context, torch::kCPU).value();
    save(*plain, plainSpec, "base.safetensors");
    made.spec.weights.file = (folder / "base.safetensors").string();
    const auto learner = train::Learner::make(made.spec, made.context, torch::kCPU).value();
    if (!learner->loadWeights(made.context, made.classNames)) qFatal("the weights are not read");
    made.inputs = reads ? someTokens() : torch::randn({2, 3, 32, 32});
    if (model == "mlp") made.inputs = torch::randn({4, 6});
    const torch::NoGradGuard noGrad;
    plain->model().eval();
    made.withoutAdapter = plain->model().forward(made.inputs);
    for (const auto& [name, values] : learner->parameters()) torch::Tensor(values).add_(torch::randn_like(values), 0.1);
    save(*learner, made.spec, "step-3.safetensors");
    return made;
}

std::set<std::string> namesOf(const optim::NamedTensors& tensors) {
    std::set<std::string> names;
    for (const auto& [name, tensor] : tensors) names.insert(name);
    return names;
}

} // namespace

class TorchLoraTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: at first the model puts out what it did, on every rank the same; then only matrices and head change.
    void onlyMatricesAndHeadAreTrained() {
        const auto plainSpec = loraSpec("{}"), spec = loraSpec(R"({"lora": {"rank": 2, "dropout": 0.1}})");
        const auto plain = train::Learner::make(plainSpec, kTokens, torch::kCPU).value();
        const auto learner = train::Learner::make(spec, kTokens, torch::kCPU).value();
        const auto other = train::Learner::make(spec, kTokens, torch::kCPU).value();
        plain->model().eval(), learner->model().eval();
        QVERIFY(plain->model().forward(someTokens()).equal(learner->model().forward(someTokens())));
        std::map<std::string, torch::Tensor> before;
        for (const auto& item : learner->model().named_parameters()) {
            before[item.key()] = item.value().detach().clone();
            QVERIFY(item.value().equal(other->model().named_parameters()[item.key()]));
        }
        trainLora(*learner);
        for (const auto& item : learner->model().named_parameters()) {
            const bool trained = item.key().find(".lora_") != std::string::npos || item.key() == "lm_head.weight";
            QVERIFY2(item.value().equal(before[item.key()]) != trained, item.key().c_str());
        }
        // in_proj, out_proj, c_fc and c_proj of each of two blocks
        QCOMPARE(learner->parameters().size(), std::size_t{2 * 4 * 2 + 1});
    }

    // Feature: targets are globs, layers or their last words; one that means nothing is refused with the nearest.
    void targetsMeanLayers_data() {
        QTest::addColumn<QString>("finetune");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("matrices"); // that are trained
        QTest::addColumn<QString>("error");
        QTest::newRow("all") << R"({"lora": {"rank": 2}})" << "gpt" << 16 << "";
        QTest::newRow("word") << R"({"lora": {"rank": 2, "targets": "c_fc"}})" << "gpt" << 4 << "";
        QTest::newRow("two") << R"({"lora": {"rank": 2, "targets": "c_fc, *.attn"}})" << "gpt" << 12 << "";
        QTest::newRow("block") << R"({"lora": {"rank": 2, "targets": "h.1"}})" << "gpt" << 8 << "";
        QTest::newRow("frozen head") << R"({"freeze": ["body", "lm_head"], "lora": {"rank": 2}})" << "gpt" << 16 << "";
        QTest::newRow("typo") << R"({"lora": {"rank": 2, "targets": "c_fs"}})" << "gpt" << 0
                              << "did you mean \"c_fc\"?";
        QTest::newRow("no layers") << R"({"lora": {"rank": 2}})" << "convnet" << 0 << "has no linear layers";
    }
    void targetsMeanLayers() {
        QFETCH(QString, finetune);
        QFETCH(QString, model);
        QFETCH(int, matrices);
        QFETCH(QString, error);
        const auto spec = loraSpec(finetune.toStdString(), model.toStdString());
        const models::ModelContext context = model == "gpt" ? kTokens : models::ModelContext{{1, 8, 8}, 3};
        const auto learner = train::Learner::make(spec, context, torch::kCPU);
        if (!error.isEmpty()) {
            QVERIFY(!learner.ok());
            QVERIFY2(learner.error().text().find(error.toStdString()) != std::string::npos,
                     learner.error().text().c_str());
            return;
        }
        QVERIFY2(learner.ok(), learner ? "" : learner.error().text().c_str());
        const auto names = namesOf((*learner)->parameters());
        QCOMPARE(std::ranges::count_if(names, [](const auto& n) { return n.find(".lora_") != n.npos; }), matrices);
    }

    // Feature: a checkpoint predicts and exports with the sum, and a fork without matrices trains on with it.
    void checkpointsGiveTheSum() {
        const QTemporaryDir folder;
        const fs::path checkpoint = fs::path(folder.path().toStdString()) / "step-3.safetensors";
        const auto spec = loraSpec(R"({"lora": {"rank": 2, "alpha": 6}})");
        const auto learner = train::Learner::make(spec, kTokens, torch::kCPU).value();
        trainLora(*learner);
        const train::TrainState state = stateOf(*learner, spec);
        QVERIFY(train::saveCheckpoint(checkpoint, state).ok());
        const torch::NoGradGuard noGrad;
        const auto expected = learner->model().forward(someTokens());

        const auto trained = train::loadTrained(checkpoint);
        QVERIFY2(trained.ok(), trained ? "" : trained.error().text().c_str());
        const auto found = trained->model->forward(someTokens());
        QVERIFY2(torch::allclose(found, expected, 1e-4, 1e-5), "predictions");
        QVERIFY(!torch::allclose(
            found, train::Learner::make(loraSpec("{}"), kTokens, torch::kCPU).value()->model().forward(someTokens())));

        const fs::path out = checkpoint.parent_path() / "out.safetensors";
        QVERIFY(run::exportSafetensors(checkpoint, out).ok());
        const auto exported = store::SafetensorsFile::open(out);
        QVERIFY(exported.ok());
        QCOMPARE(exported->tensors().size(), trained->model->named_parameters().size());
        for (const auto& item : trained->model->named_parameters()) {
            const auto* tensor = exported->find(item.key());
            QVERIFY2(tensor, item.key().c_str());
            const auto bytes = exported->bytes(*tensor);
            QVERIFY2(std::memcmp(bytes.data(), item.value().data_ptr(), bytes.size()) == 0, item.key().c_str());
        }

        const auto plainSpec = loraSpec("{}");
        const auto fork = train::Learner::make(plainSpec, kTokens, torch::kCPU).value();
        const auto restored = fork->restore(state, "checkpoint");
        QVERIFY2(restored.ok(), restored ? "" : restored.error().text().c_str());
        fork->model().eval();
        QVERIFY(fork->model().forward(someTokens()).equal(found));
        trainLora(*fork);
    }

    // Feature: a fork may begin to train matrices on a run's weights, and a run resumes to the same bits.
    void forksAndResumes() {
        const auto plainSpec = loraSpec("{}"), spec = loraSpec(R"({"lora": {"rank": 2}})");
        const auto plain = train::Learner::make(plainSpec, kTokens, torch::kCPU).value();
        trainLora(*plain);
        const auto fork = train::Learner::make(spec, kTokens, torch::kCPU).value();
        const auto restored = fork->restore(stateOf(*plain, plainSpec), "checkpoint");
        QVERIFY2(restored.ok(), restored ? "" : restored.error().text().c_str());
        fork->model().eval();
        QVERIFY(fork->model().forward(someTokens()).equal(plain->model().forward(someTokens())));
        trainLora(*fork);

        // Matrices of another rank or alpha begin on the sum.
        for (const char* other : {R"({"lora": {"rank": 3}})", R"({"lora": {"rank": 2, "alpha": 4}})"}) {
            const auto otherSpec = loraSpec(other);
            const auto next = train::Learner::make(otherSpec, kTokens, torch::kCPU).value();
            QVERIFY(next->restore(stateOf(*fork, spec), "checkpoint").ok());
            next->model().eval();
            QVERIFY(
                torch::allclose(next->model().forward(someTokens()), fork->model().forward(someTokens()), 1e-4, 1e-5));
        }

        const auto again = train::Learner::make(spec, kTokens, torch::kCPU).value();
        QVERIFY(again->restore(stateOf(*fork, spec), "checkpoint").ok());
        trainLora(*fork), trainLora(*again);
        for (const auto& item : fork->model().named_parameters())
            QVERIFY2(item.value().equal(again->model().named_parameters()[item.key()]), item.key().c_str());
    }

    // Feature: an export for PEFT is read back, beside its weights or into matrices that are trained on: to the bit.
    void adaptersAreReadBack_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<bool>("trainsOn");
        QTest::newRow("gpt") << QByteArray("gpt") << false;
        QTest::newRow("gpt, trained on") << QByteArray("gpt") << true;
        QTest::newRow("mlp") << QByteArray("mlp") << false;
        QTest::newRow("vit") << QByteArray("vit") << false;
    }
    void adaptersAreReadBack() {
        QFETCH(QByteArray, model);
        QFETCH(bool, trainsOn);
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString(), checkpoint = base / "step-3.safetensors";
        const Adapted made = adapted(base, model.toStdString());
        const auto exported = run::exportAdapters(checkpoint, base / "adapter");
        QVERIFY2(exported.ok(), exported ? "" : exported.error().text().c_str());

        auto next = made.spec;
        if (!trainsOn) next.finetune.lora = {};
        next.weights.file = (base / "adapter").string();
        next.seed = 5; // other weights at first
        const auto learner = train::Learner::make(next, made.context, torch::kCPU).value();
        const auto report = learner->loadWeights(made.context, made.classNames);
        QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
        QCOMPARE(report->share(), 1.0);
        QCOMPARE(std::string(weights::toString(report->head)), std::string("kept"));
        QVERIFY2(report->adapted.back().why.ends_with(trainsOn ? "are trained on" : "are added to the weights"),
                 report->adapted.back().why.c_str());
        // As a checkpoint predicts: with the product in the weights.
        train::TrainState state;
        learner->capture(state, [](const std::string&, const torch::Tensor& live) { return live.detach().clone(); });
        state.runJson = spec::toJson(next);
        state.modelInfo = made.info;
        QVERIFY(train::saveCheckpoint(base / "next.safetensors", state).ok());
        const auto before = train::loadTrained(checkpoint), after = train::loadTrained(base / "next.safetensors");
        QVERIFY2(before.ok() && after.ok(), after ? "" : after.error().text().c_str());
        const torch::NoGradGuard noGrad;
        QVERIFY(before->model->forward(made.inputs).equal(after->model->forward(made.inputs)));
        QVERIFY(!before->model->forward(made.inputs).equal(made.withoutAdapter));
    }

    // Bad inputs: adapters of PEFT that are of another model, of another method, or damaged.
    void refusesAdapters_data() {
        QTest::addColumn<QByteArray>("config"); // with BASE for the weights; empty: as exported
        QTest::addColumn<QByteArray>("tensor"); // is renamed, or given another shape
        QTest::addColumn<QByteArray>("change");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const QByteArray& config, const char* says) {
            QTest::newRow(name) << config << QByteArray() << QByteArray() << QString(says);
        };
        row("no JSON", "{", "is no JSON object");
        row("a list", "[]", "is no JSON object");
        row("another method", R"({"peft_type": "IA3"})", "peft_type is \"IA3\", which is not read");
        row("no method", R"({"r": 2})", "peft_type is missing");
        row("DoRA", R"({"peft_type": "LORA", "use_dora": true})", "use_dora is true");
        row("ranks apart", R"({"peft_type": "LORA", "rank_pattern": {"c_fc": 4}})", "rank_pattern is");
        row("biases", R"({"peft_type": "LORA", "bias": "all"})", "bias is \"all\"");
        row("rank of words", R"({"peft_type": "LORA", "r": "two"})", "a rank is a number from 1 to 4096");
        row("rank 0", R"({"peft_type": "LORA", "r": 0})", "a rank is a number from 1 to 4096");
        row("a huge rank", R"({"peft_type": "LORA", "r": 18446744073709551615})", "a rank is a number");
        row("alpha", R"({"peft_type": "LORA", "r": 2, "lora_alpha": "a"})", "lora_alpha is \"a\"");
        row("no base", R"({"peft_type": "LORA", "r": 2})", "does not say which weights the adapter belongs to");
        row("a base elsewhere", R"({"peft_type": "LORA", "r": 2, "base_model_name_or_path": "gpt2"})",
            "names \"gpt2\" as the weights that the adapter belongs to");
        row("itself", R"({"peft_type": "LORA", "r": 2, "base_model_name_or_path": "adapter_model.safetensors"})",
            "which is an adapter, too");
        row("another rank", R"({"peft_type": "LORA", "r": 3, "lora_alpha": 6, "base_model_name_or_path": "BASE"})",
            "and the rank is 3");
        const auto changed = [](const char* name, const char* tensor, const char* change, const char* says) {
            QTest::newRow(name) << QByteArray() << QByteArray(tensor) << QByteArray(change) << QString(says);
        };
        const char* a = "base_model.model.transformer.h.1.mlp.c_fc.lora_A.weight";
        changed("another layer", a, "base_model.model.transformer.h.7.mlp.c_fc.lora_A.weight", "has one of the two");
        changed("no layer", a, "base_model.model.transformer.h.1.mlp.c_no.lora_A.weight", "has one of the two");
        changed("turned", a, "turned", "and the weight here 64 x 16");
        changed("not a number", a, "NaN", "holds NaN or infinity");
    }
    void refusesAdapters() {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, tensor);
        QFETCH(QByteArray, change);
        QFETCH(QString, error);
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const Adapted made = adapted(base, "gpt");
        const fs::path adapter = base / "adapter";
        QVERIFY(run::exportAdapters(base / "step-3.safetensors", adapter).ok());
        if (!config.isEmpty())
            std::ofstream(adapter / "adapter_config.json")
                << config.replace("BASE", QByteArray::fromStdString(made.spec.weights.file)).toStdString();
        if (!tensor.isEmpty()) {
            const auto file = store::SafetensorsFile::open(adapter / "adapter_model.safetensors");
            std::vector<store::TensorBytes> tensors;
            std::vector<float> bad;
            for (const auto& each : file->tensors()) {
                store::TensorBytes copy{each.name, each.dtype, each.shape, file->bytes(each)};
                if (each.name == tensor.toStdString()) {
                    if (change == "turned") std::swap(copy.shape[0], copy.shape[1]);
                    else if (change == "NaN") {
                        bad.assign(copy.bytes.size() / sizeof(float), std::nanf(""));
                        copy.bytes = std::as_bytes(std::span(bad));
                    } else copy.name = change.toStdString();
                }
                tensors.push_back(copy);
            }
            QVERIFY(store::writeSafetensors(base / "changed.safetensors", tensors, {}).ok());
            fs::rename(base / "changed.safetensors", adapter / "adapter_model.safetensors");
        }
        auto next = made.spec;
        next.finetune.lora = {};
        next.weights.file = adapter.string();
        const auto learner = train::Learner::make(next, made.context, torch::kCPU).value();
        const auto report = learner->loadWeights(made.context, made.classNames);
        QVERIFY(!report.ok());
        QVERIFY2(report.error().text().find(error.toStdString()) != std::string::npos, report.error().text().c_str());
        QVERIFY(!report.error().remedy.empty());
    }

    // Feature: an adapter for PEFT has Hugging Face's names; what has none is refused.
    void adaptersHavePeftsNames() {
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString(), checkpoint = base / "step-3.safetensors";
        const auto spec = loraSpec(R"({"lora": {"rank": 2, "targets": "*.attn, c_fc"}})");
        const auto learner = train::Learner::make(spec, kTokens, torch::kCPU).value();
        QVERIFY(train::saveCheckpoint(checkpoint, stateOf(*learner, spec)).ok());
        const auto written = run::exportAdapters(checkpoint, base / "adapter");
        QVERIFY2(written.ok(), written ? "" : written.error().text().c_str());
        const auto file = store::SafetensorsFile::open(base / "adapter" / "adapter_model.safetensors");
        QVERIFY(file.ok());
        QCOMPARE(file->tensors().size(), std::size_t{2 * 3 * 2 + 1});
        const auto* matrix = file->find("base_model.model.transformer.h.1.attn.c_attn.lora_B.weight");
        QVERIFY(matrix);
        QCOMPARE(matrix->shape, (std::vector<std::int64_t>{48, 2}));
        QVERIFY(file->find("base_model.model.lm_head.weight"));
        std::ifstream stream(base / "adapter" / "adapter_config.json");
        const auto config = nlohmann::json::parse(stream);
        QVERIFY(config["target_modules"] == nlohmann::json({"c_attn", "c_fc", "c_proj"}));
        QCOMPARE(config["r"].get<int>(), 2);
        QVERIFY(config["fan_in_fan_out"].get<bool>());

        const auto plainSpec = loraSpec("{}");
        const auto plain = train::Learner::make(plainSpec, kTokens, torch::kCPU).value();
        QVERIFY(train::saveCheckpoint(checkpoint, stateOf(*plain, plainSpec)).ok());
        QVERIFY(!run::exportAdapters(checkpoint, base / "none").ok());
    }
};

QTEST_GUILESS_MAIN(TorchLoraTest)
#include "torch_lora_test.moc"
