// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/quick_head.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {

namespace {

constexpr double kRateOfWhole = 0.1;
constexpr double kRateOfHead = 0.001; // of AdamW

} // namespace

spec::RunSpec quickHead(const spec::RunSpec& spec) {
    spec::RunSpec head = spec;
    if (!head.name.empty()) head.name += "-head";
    head.finetune = {};
    head.finetune.freeze = {"body"};
    head.finetune.features = "cache";
    head.augment = {};
    // The rate of SGD depends on the scale of the features, which nobody knows; that of AdamW does not.
    if (head.optimizer.name == "sgd") head.optimizer = {"adamw", {{"lr", kRateOfHead}}};
    head.steps.reset();
    head.epochs = kEpochsOfHead;
    return head;
}

bool isQuickHead(const spec::RunSpec& spec) { return isQuickHead(spec.finetune.features); }

bool isQuickHead(std::string_view features) { return features == "cache"; }

spec::RunSpec trainedOn(spec::RunSpec fork, double epoch) {
    fork.finetune = {};
    if (const double lr = fork.optimizer.number("lr", 0); lr > 0) fork.optimizer.params["lr"] = lr * kRateOfWhole;
    fork.steps.reset();
    fork.epochs = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(epoch))) + kEpochsOfWhole;
    return fork;
}

} // namespace trainyard::run
