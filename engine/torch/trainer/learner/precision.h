// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/base/compat.h"

#include <map>
#include <optional>
#include <string>

namespace trainyard::train {

// How numbers are rounded in forward and backward; the weights themselves are fp32. fp16 multiplies the loss so that
// small gradients do not vanish: the factor is halved whenever gradients overflow, and doubled after 2000 good steps
// (Micikevicius et al., Mixed Precision Training, 2017, arXiv:1710.03740; the constants are
// torch.cuda.amp.GradScaler's).
class Precision {
public:
    Precision() = default;
    // `word`: the run file's precision, anything but "auto". Kind Environment: fp16 without a CUDA device.
    static Result<Precision> make(const std::string& word, const torch::Device& device) {
        Precision made;
        made.m_device = device.type();
        if (word == "bf16") made.m_type = torch::kBFloat16;
        if (word != "fp16") return made;
        if (!device.is_cuda())
            return environmentError("fp16 needs a CUDA device, and this rank uses the " + device.str(), "precision",
                                    "use bf16, or scaling.device cuda");
        made.m_type = torch::kHalf;
        made.m_scale = 65536;
        return made;
    }

    // Holds autocast on for a scope; empty for fp32.
    std::unique_ptr<compat::Autocast> scope() const {
        return m_type ? std::make_unique<compat::Autocast>(m_device, *m_type) : nullptr;
    }
    bool scalesLoss() const { return m_scale > 0; }
    double lossScale() const { return scalesLoss() ? m_scale : 1; }
    // After a step: whether its gradients overflowed and it was left out. False when no factor helps any more.
    bool settle(bool overflowed) {
        if (!scalesLoss()) return true;
        m_good = overflowed ? 0 : m_good + 1;
        if (overflowed) m_scale /= 2;
        else if (m_good % kGrowEvery == 0) m_scale *= 2;
        return m_scale >= 1;
    }
    void save(std::map<std::string, double>& state) const {
        if (!scalesLoss()) return;
        state["fp16.scale"] = m_scale;
        state["fp16.good"] = m_good;
    }
    void restore(const std::map<std::string, double>& state) {
        if (!scalesLoss() || !state.contains("fp16.scale")) return;
        m_scale = state.at("fp16.scale");
        if (state.contains("fp16.good")) m_good = static_cast<int>(state.at("fp16.good"));
    }

private:
    static constexpr int kGrowEvery = 2000;
    at::DeviceType m_device = at::kCPU;
    std::optional<at::ScalarType> m_type; // empty: fp32
    double m_scale = 0;                   // 0: the loss is not scaled
    int m_good = 0;                       // steps since the factor changed
};

} // namespace trainyard::train
