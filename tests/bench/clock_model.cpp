// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in whose output is the time: CLOCK_MONOTONIC in units of 10 µs, modulo 100 s, which a 32-bit float holds. With
// the loss "l1" against targets near 0, each step's loss says when the step was computed. A step takes 1 ms.
#include <chrono>
#include <thread>
#include <trainyard/plugin.h>

class ClockModel : public torch::nn::Module {
public:
    explicit ClockModel(const trainyard::plugin::Request& request) : m_outputs(request.outputs) {
        weight = register_parameter("weight", torch::zeros({1}));
    }

    torch::Tensor forward(torch::Tensor x) {
        std::this_thread::sleep_for(std::chrono::microseconds(700));
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        const auto units = std::chrono::duration_cast<std::chrono::microseconds>(now).count() / 10 % 10'000'000;
        return torch::full({x.size(0), m_outputs}, static_cast<float>(units)) + weight * 0;
    }

private:
    std::int64_t m_outputs;
    torch::Tensor weight;
};

TRAINYARD_MODEL_PLUGIN(ClockModel, "clock", {{"unused", 0, 0, 1, "Nothing."}})
