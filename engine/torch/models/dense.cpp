// SPDX-License-Identifier: GPL-3.0-or-later
// Models that see a sample as one vector: softmax regression and the multilayer perceptron.
#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/trace.h"

#include <functional>
#include <numeric>

namespace trainyard::models {

using spec::ParamInfo;
using spec::ParamType;

namespace {

std::int64_t featuresOf(const ModelContext& context) {
    return std::accumulate(context.sampleShape.begin(), context.sampleShape.end(), std::int64_t{1},
                           std::multiplies<>());
}

class Softmax final : public Model {
public:
    explicit Softmax(const ModelContext& context)
        : m_fc(register_module("fc", kernels::Linear(featuresOf(context), context.outputs))) {}

    torch::Tensor forward(torch::Tensor x) override { return traced(m_fc, x.flatten(1)); }

private:
    kernels::Linear m_fc;
};

using Activation = torch::Tensor (*)(const torch::Tensor&);

Activation activationOf(const std::string& name) {
    if (name == "tanh") return [](const torch::Tensor& x) { return torch::tanh(x); };
    if (name == "gelu") return [](const torch::Tensor& x) { return torch::gelu(x); };
    return [](const torch::Tensor& x) { return torch::relu(x); };
}

// Linear layers "layers.0", "layers.1", …, an activation and a dropout after each but the last.
class Mlp final : public HeadedModel {
public:
    Mlp(const ModelContext& context, const train::Arguments& arguments)
        : m_activation(activationOf(arguments.text("activation"))), m_dropout(arguments.number("dropout")) {
        std::int64_t width = featuresOf(context);
        torch::nn::ModuleList list;
        for (const std::int64_t hidden : arguments.integers("hidden")) {
            list->push_back(m_layers.emplace_back(width, hidden));
            width = hidden;
        }
        list->push_back(m_layers.emplace_back(width, context.outputs));
        register_module("layers", list);
    }

    torch::Tensor features(torch::Tensor x) override {
        x = x.flatten(1);
        for (std::size_t i = 0; i + 1 < m_layers.size(); ++i) {
            x = m_activation(traced(m_layers[i], x));
            if (m_dropout > 0) x = torch::dropout(x, m_dropout, is_training());
        }
        return x;
    }
    torch::Tensor head(const torch::Tensor& features) override { return traced(m_layers.back(), features); }
    std::string headName() const override { return "layers." + std::to_string(m_layers.size() - 1); }

private:
    std::vector<kernels::Linear> m_layers;
    Activation m_activation;
    double m_dropout;
};

spec::Entry mlpInfo() {
    spec::Entry entry;
    entry.name = "mlp";
    entry.title = Engine::tr("Multilayer perceptron");
    entry.help = Engine::tr("Fully connected layers; the usual first network.");
    entry.params = {
        {.name = "hidden",
         .title = Engine::tr("Hidden layers"),
         .type = ParamType::IntegerList,
         .defaultValue = std::vector<double>{512, 512},
         .min = 1.0,
         .max = 65536.0,
         .help = Engine::tr("Width of each hidden layer; an empty list gives softmax regression.")},
        {.name = "activation",
         .title = Engine::tr("Activation"),
         .type = ParamType::Option,
         .defaultValue = std::string("relu"),
         .options = {"relu", "tanh", "gelu"},
         .help = Engine::tr("Activation after each hidden layer.")},
        {.name = "dropout",
         .title = Engine::tr("Dropout"),
         .defaultValue = 0.0,
         .min = 0.0,
         .max = 0.95,
         .help = Engine::tr("Share of each hidden layer's outputs set to zero while training.")},
    };
    return entry;
}

} // namespace

ModelEntry softmaxEntry() {
    spec::Entry entry;
    entry.name = "softmax";
    entry.title = Engine::tr("Softmax regression");
    entry.help = Engine::tr("One linear layer: the baseline that every other model should beat.");
    return {entry, [](const spec::Choice&, const ModelContext& context) -> Result<std::shared_ptr<Model>> {
                return std::shared_ptr<Model>(std::make_shared<Softmax>(context));
            }};
}

ModelEntry mlpEntry() {
    return {mlpInfo(), [](const spec::Choice& choice, const ModelContext& context) -> Result<std::shared_ptr<Model>> {
                const spec::Entry info = mlpInfo();
                const train::Arguments arguments(choice, info, "model");
                return std::shared_ptr<Model>(std::make_shared<Mlp>(context, arguments));
            }};
}

} // namespace trainyard::models
