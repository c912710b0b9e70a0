// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of numbers that are not finite: the layer they began in, by whichever kernels the layers are computed.
#include "engine/torch/kernels/eligible.h"
#include "engine/torch/kernels/products.h"
#include "engine/torch/trainer/non_finite/diagnosis.h"

#include <QTest>

#include <functional>
#include <limits>

using namespace trainyard;
using kernels::KernelMode;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kHuge = 3e38f; // two of them are more than a float holds

// A model whose layers all give at least 1 for a batch of ones, so that whatever is multiplied by kHuge overflows.
struct Patient {
    std::shared_ptr<models::Model> model;
    optim::NamedTensors parameters;
    data::Batch batch;

    explicit Patient(const spec::Choice& choice, std::vector<std::int64_t> sampleShape) {
        auto made = models::makeModel(choice, {sampleShape, 3});
        if (!made) qFatal("%s", made.error().text().c_str());
        model = *made;
        parameters = optim::namedParameters(*model);
        const torch::NoGradGuard noGrad;
        for (auto& [name, tensor] : parameters) tensor.abs_().add_(name.ends_with(".bias") ? 1 : 0);
        sampleShape.insert(sampleShape.begin(), 2);
        batch = {torch::ones(sampleShape), torch::zeros({2}, torch::kInt64)};
    }
    torch::Tensor& operator[](const std::string& name) {
        for (auto& [known, tensor] : parameters)
            if (known == name) return tensor;
        qFatal("there is no %s", name.c_str());
    }
    void fill(const std::string& name, float value) {
        const torch::NoGradGuard noGrad;
        (*this)[name].fill_(value);
    }
    // One number of it, the last.
    void spoil(const std::string& name, float value) {
        const torch::NoGradGuard noGrad;
        (*this)[name].view(-1)[-1] = value;
    }
    std::string said() {
        auto text = train::whyNotFinite(*model, parameters, batch);
        return at::hasThreadLocalCallbacks() ? "operations are watched still" : text;
    }
};

Patient mlp() { return Patient({"mlp", {{"hidden", std::vector<double>{8, 8}}}}, {4}); }

std::string cameFrom(const std::string& layer) {
    return "the first output that is not finite came from layer \"" + layer + "\" (";
}

} // namespace

class TorchDiagnosisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { kernels::useKernels(KernelMode::Stock); }

    void weightsAndBatchesAreLookedAtFirst() {
        auto one = mlp();
        one.spoil("layers.1.weight", kInfinity);
        const std::string first = "the first layer with weights that are not finite is ";
        QCOMPARE(one.said(), first + "\"layers.1\" (layers.1.weight)");
        one.spoil("layers.2.bias", kNan); // a later one too
        QCOMPARE(one.said(), first + "\"layers.1\" (layers.1.weight)");
        one.spoil("layers.1.weight", 1);
        QCOMPARE(one.said(), first + "\"layers.2\" (layers.2.bias)");
        one.spoil("layers.2.bias", 1);
        one.batch.inputs[1][2] = kNan;
        QCOMPARE(one.said(), std::string("the batch itself holds values that are not finite"));
        one.batch.inputs[1][2] = 1;
        QCOMPARE(one.said(), std::string("every layer's output is finite: the loss itself overflowed"));
        one.batch = {};
        QCOMPARE(one.said(), std::string("all weights are finite"));
    }

    void theLayerThatOverflowsIsNamed_data() {
        QTest::addColumn<KernelMode>("mode");
        QTest::newRow("LibTorch's kernels") << KernelMode::Stock;
        QTest::newRow("oneDNN's") << KernelMode::OneDnn;
        QTest::newRow("the fastest") << KernelMode::Chosen;
    }
    void theLayerThatOverflowsIsNamed() {
        QFETCH(KernelMode, mode);
        kernels::useKernels(mode);
        const auto check = [](const std::function<Patient()>& make, std::vector<std::string> layers) {
            for (const auto& layer : layers) {
                Patient one = make();
                one.fill(layer + ".weight", kHuge);
                QVERIFY2(one.said().starts_with(cameFrom(layer)), (layer + ": " + one.said()).c_str());
            }
            Patient all = make();
            for (const auto& layer : layers) all.fill(layer + ".weight", kHuge);
            QVERIFY2(all.said().starts_with(cameFrom(layers.front())), all.said().c_str());
            Patient largeBatch = make();
            largeBatch.fill(layers.front() + ".weight", 1);
            largeBatch.batch.inputs.fill_(kHuge);
            QVERIFY2(largeBatch.said().starts_with(cameFrom(layers.front())), largeBatch.said().c_str());
        };
        check(mlp, {"layers.0", "layers.1", "layers.2"});
        check([] { return Patient({"convnet", {}}, {1, 11, 11}); }, {"conv1", "fc"});
    }

    void theGradientNearestToTheLossIsNamed() {
        auto one = mlp();
        for (auto& [name, tensor] : one.parameters) tensor.mutable_grad() = torch::ones_like(tensor);
        QCOMPARE(train::whichGradientNotFinite(one.parameters), std::string("a gradient is not finite"));
        one["layers.0.weight"].mutable_grad()[0][0] = kNan;
        one["layers.1.bias"].mutable_grad()[0] = kInfinity;
        QCOMPARE(train::whichGradientNotFinite(one.parameters),
                 std::string("the gradient of layer \"layers.1\" (layers.1.bias) is not finite"));
    }
};

QTEST_GUILESS_MAIN(TorchDiagnosisTest)
#include "torch_diagnosis_test.moc"
