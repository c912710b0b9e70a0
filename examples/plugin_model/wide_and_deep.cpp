// SPDX-License-Identifier: GPL-3.0-or-later
// A model of one's own for Trainyard: a linear path beside a deep one (Cheng and others: Wide & Deep Learning, 2016).
#include <stdexcept>
#include <trainyard/plugin.h>

class WideAndDeep : public torch::nn::Module {
public:
    explicit WideAndDeep(const trainyard::plugin::Request& request) {
        if (request.task == "language") throw std::invalid_argument("wide_and_deep does not read texts");
        std::int64_t features = 1;
        for (const std::int64_t side : request.sampleShape) features *= side;
        const auto width = static_cast<std::int64_t>(request.setting("width"));
        wide = register_module("wide", torch::nn::Linear(features, request.outputs));
        hidden = register_module("hidden", torch::nn::Linear(features, width));
        deep = register_module("deep", torch::nn::Linear(width, request.outputs));
    }

    torch::Tensor forward(torch::Tensor x) {
        x = x.flatten(1);
        return wide->forward(x) + deep->forward(torch::relu(hidden->forward(x)));
    }

private:
    torch::nn::Linear wide{nullptr}, hidden{nullptr}, deep{nullptr};
};

TRAINYARD_MODEL_PLUGIN(WideAndDeep, "wide_and_deep", {{"width", 64, 1, 65536, "Units of the deep path."}})
