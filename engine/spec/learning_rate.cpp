// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/learning_rate.h"

namespace trainyard::spec {

std::optional<double> defaultLearningRate(const Entry* optimizer) {
    const auto* info = optimizer ? optimizer->find("lr") : nullptr;
    if (!info) return std::nullopt;
    const double rate = Choice{"", {{"lr", info->defaultValue}}}.number("lr", 0);
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

} // namespace trainyard::spec
