// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/learning_rate.h"

#include <charconv>
#include <utility>

namespace trainyard::spec {

std::optional<double> defaultLearningRate(const Entry* optimizer) {
    const auto* info = optimizer ? optimizer->find("lr") : nullptr;
    if (!info) return std::nullopt;
    const double rate = Choice{"", {{"lr", info->defaultValue}}}.number("lr", 0);
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::optional<Choice> usualOptimizer(const Entry* model) {
    if (model == nullptr) return std::nullopt;
    const auto name = model->facts.find("optimizer"), lr = model->facts.find("lr");
    if (name == model->facts.end() || lr == model->facts.end()) return std::nullopt;
    const std::string& text = lr->second;
    double rate = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), rate);
    if (read.ec != std::errc() || !(rate > 0)) return std::nullopt;
    return Choice{name->second, {{"lr", rate}}};
}

void fitOptimizer(RunSpec& spec, const Catalog& catalog) {
    if (auto usual = usualOptimizer(Catalog::find(catalog.models, spec.model.name))) spec.optimizer = std::move(*usual);
}

} // namespace trainyard::spec
