// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/split.h"

namespace trainyard::data {

// How a text becomes samples.
struct WindowOptions {
    std::int64_t length = 128; // tokens of a sample
    std::int64_t stride = 0;   // from the beginning of one to that of the next; 0: length
    Shares shares;             // of the text; validation is taken from its end, the test from the very end
};

// Sets the splits of a language dataset to views of `tokens` (int64 [n]): inputs [N, length], and as targets the token
// that follows each. Parts do not overlap. Input when a part is shorter than one sample.
Result<void> windowsOf(Dataset& dataset, const torch::Tensor& tokens, const WindowOptions& options);

} // namespace trainyard::data
