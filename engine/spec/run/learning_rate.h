// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <optional>

namespace trainyard::spec {

// Rule: the limit of a learning rate.
// Greater than 0 and at most this, whatever the optimizer.
inline constexpr double kMaxLearningRate = 100;

// Rule: the default learning rate of each optimizer.
// The learning rate of an optimizer where the run file gives none: the default of its entry in the catalog, which each
// optimizer writes once (engine/torch/optim/optimizer_table.h). Nothing for an optimizer that is not in it (null).
std::optional<double> defaultLearningRate(const Entry* optimizer);

// Rule: how a model is usually trained.
// The optimizer that usually trains a model, with its learning rate: the facts "optimizer" and "lr" of the model's
// entry, which each model writes once. Nothing for a model that has none (SGD trains it well), or that is not in the
// catalog (null).
std::optional<Choice> usualOptimizer(const Entry* model);

// Gives a new run the usual optimizer of its model. Where the model has none, the run keeps its own.
void fitOptimizer(RunSpec& spec, const Catalog& catalog);

} // namespace trainyard::spec
