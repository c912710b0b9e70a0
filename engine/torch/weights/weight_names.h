// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors of a file are which of a catalog's model: names and shapes alone (WEIGHTS.md has the tables).
#pragma once

#include "engine/program/checkpoints/file_content.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::weights {

// Tensors that a file has under one key, or all of them; by their names there.
struct Dictionary {
    std::string key;                               // "state_dict"; empty: the file itself
    std::map<std::string, std::size_t> tensors;    // numbers of the file's
    std::map<std::string, std::size_t> fallback{}; // of the dictionary that has what this one lacks
};

// Rule: which dictionary of a checkpoint holds the weights.
// Those of the file, the one to be preferred first: averages of the weights, "state_dict", "model", the file itself.
// What an average lacks (running statistics) it has from the next.
std::vector<Dictionary> dictionariesOf(const std::vector<program::TensorPlace>& tensors);

// Where the values of a model's tensor are: in one of the file's, or in several whose rows follow one another.
struct Origin {
    std::vector<std::size_t> tensors;
    bool transposed = false;
};

// What a file has for a model.
struct NameMap {
    std::string dictionary;
    std::string convention; // whose names they are: "torchvision", "timm", "Hugging Face"; empty: the model's own
    std::map<std::string, Origin> origins; // by the model's name
    std::set<std::string> unused;          // names of the dictionary
};

// `model`: of the catalog; `wanted`: names of its tensors. Of the dictionaries the first that has one of them is taken.
NameMap mapNames(const std::string& model, const std::set<std::string>& wanted,
                 const std::vector<program::TensorPlace>& tensors);

// A name of a file without what programs put before it: "module.", "model.", "backbone.", "_orig_mod.", and "vit."
// or "transformer." of those models.
std::string plainName(std::string_view name, std::string_view model);

// The weight of the model's first convolution, which takes the channels of an image; empty: it has none.
std::string firstConvolution(const std::string& model);

} // namespace trainyard::weights
