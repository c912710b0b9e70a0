// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/memory.h"

#include "engine/torch/base/out_of_memory.h"

#include <array>
#include <cstdio>

namespace trainyard::data {

namespace {

std::string gigabytes(double bytes) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f GB", bytes / 1e9);
    return text.data();
}

} // namespace

Result<void> checkMemoryFor(double bytes, const std::string& what) {
    if (bytes < 64e6) return {}; // not worth asking
    const double available = train::availableMemory();
    if (bytes <= available) return {};
    return environmentError("needs about " + gigabytes(bytes) + " of memory in each worker, and " +
                                gigabytes(available) + " are free",
                            what, "use fewer or smaller samples, or a computer with more memory");
}

} // namespace trainyard::data
