// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/files/safetensors.h"

#include <algorithm>
#include <string>

namespace trainyard::test {

// Empty when every tensor (of a checkpoint: weights, optimizer state, random numbers) has the same shape and bytes in
// both files, and there are any; else what is not so.
inline std::string difference(const std::string& first, const std::string& second) {
    const auto a = store::SafetensorsFile::open(first), b = store::SafetensorsFile::open(second);
    if (!a) return a.error().text();
    if (!b) return b.error().text();
    if (a->tensors().size() != b->tensors().size()) return "another number of tensors";
    for (const auto& tensor : a->tensors()) {
        const auto* other = b->find(tensor.name);
        if (!other) return tensor.name + " is in one file only";
        const auto x = a->bytes(tensor), y = b->bytes(*other);
        if (tensor.shape != other->shape || !std::equal(x.begin(), x.end(), y.begin(), y.end()))
            return tensor.name + " differs";
    }
    return a->tensors().empty() ? "no tensors" : "";
}

} // namespace trainyard::test
