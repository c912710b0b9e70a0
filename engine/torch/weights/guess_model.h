// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/file_content.h"
#include "engine/spec/run/catalog.h"
#include "engine/torch/models/model.h"

#include <optional>

namespace trainyard::weights {

// A model of the catalog that weights are of, and what it was made for.
struct GuessedModel {
    spec::Choice model;
    models::ModelContext context;
};

// By names and shapes alone. Heads of attention show nowhere in weights: one for each 64 numbers of width is taken, as
// the published models have it. Only tensors count whose values are in the file, of `bytes`, and no model is guessed
// that is larger. Nothing: none of the catalog's.
std::optional<GuessedModel> guessModel(const std::vector<program::TensorPlace>& tensors, std::uint64_t bytes);

} // namespace trainyard::weights
