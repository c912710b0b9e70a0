// SPDX-License-Identifier: GPL-3.0-or-later
// Two checkpoints compared tensor by tensor. The files are read in pieces, so memory stays small whatever their size.
#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::run {

// A tensor of one file or both. "First" and "second" are the files in the order given.
struct TensorDiff {
    enum class State { Same, Changed, Reshaped, OnlyFirst, OnlySecond };
    static constexpr std::size_t kBins = 24;

    std::string name;
    State state = State::Same;
    std::string dtype{}, otherDtype{}; // of the first and the second file; empty where it is missing
    std::vector<std::int64_t> shape{}, otherShape{};
    std::int64_t values = 0;        // of the first, else of the second
    std::int64_t changed = 0;       // values that differ; NaN equals NaN
    std::int64_t notFinite = 0;     // NaN and infinities in both together
    double norm = 0, otherNorm = 0; // L2, over the finite values
    double differenceNorm = 0;      // L2 of second - first
    double greatest = 0;            // the largest |second - first|
    double low = 0, high = 0;       // the range of the histograms: of the finite values of both
    std::array<std::int64_t, kBins> histogram{}, otherHistogram{};

    // differenceNorm / norm: by how much it has moved; infinite where the first is all zeros and the second is not.
    double relative() const;
};
const char* toString(TensorDiff::State state); // "changed", "only first"

// How two checkpoints differ.
struct CheckpointDiff {
    std::vector<TensorDiff> tensors; // in the order of their names
    int differing = 0;               // tensors that are not Same
    TensorDiff all;                  // norms and counts over the tensors of both; no histogram
    std::int64_t step = -1, otherStep = -1;
};

// What is compared, and how its progress is reported.
struct DiffOptions {
    bool withOptimizer = false; // what only training needs, too: optimizer and average
    // Told how much of the work is done, 0 to 1; false ends it with an error of kind Stopped.
    std::function<bool(double share)> goesOn{};
};

// Rule: how two checkpoints differ.
// Compares the model's tensors, or all tensors if a file is not a checkpoint: of safetensors and of .pt files, also one
// of each. Input: a file is damaged or neither, or the two have no tensor in common.
Result<CheckpointDiff> diffCheckpoints(const std::filesystem::path& first, const std::filesystem::path& second,
                                       const DiffOptions& options = {});

} // namespace trainyard::run
