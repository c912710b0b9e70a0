// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in that trains like a person's model, and takes its time: each step of it sleeps. What a test waits for passes
// in as much time and a fraction of the steps, and other tests have the cores meanwhile.
#include <chrono>
#include <thread>
#include <trainyard/plugin.h>

class PacedModel : public torch::nn::Module {
public:
    explicit PacedModel(const trainyard::plugin::Request& request)
        : m_pause(static_cast<std::int64_t>(1000 * request.setting("ms"))) {
        std::int64_t inputs = 1;
        for (const std::int64_t side : request.sampleShape) inputs *= side;
        const auto hidden = static_cast<std::int64_t>(request.setting("hidden"));
        layers->push_back(torch::nn::Linear(inputs, hidden));
        layers->push_back(torch::nn::ReLU());
        layers->push_back(torch::nn::Dropout(request.setting("dropout")));
        layers->push_back(torch::nn::Linear(hidden, request.outputs));
        register_module("layers", layers);
    }

    torch::Tensor forward(torch::Tensor x) {
        if (is_training()) std::this_thread::sleep_for(m_pause);
        return layers->forward(x.flatten(1));
    }

private:
    std::chrono::microseconds m_pause;
    torch::nn::Sequential layers;
};

TRAINYARD_MODEL_PLUGIN(PacedModel, "paced",
                       {{"ms", 1, 0, 1000, "How long a step sleeps."},
                        {"hidden", 64, 1, 1e6, "As that of mlp."},
                        {"dropout", 0, 0, 1, "As that of mlp."}})
