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
#include <filesystem>
#include <fstream>
#include <set>

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
