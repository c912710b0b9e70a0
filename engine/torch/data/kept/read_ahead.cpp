// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/kept/read_ahead.h"

#include <sys/mman.h>

#include <cstdint>

namespace trainyard::data {

namespace {

void advise(const void* bytes, std::size_t size, int advice) {
    constexpr std::uintptr_t kPage = 4096;
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes) / kPage * kPage;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes) + size;
    if (size > 0) ::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

} // namespace

void bringNear(const void* bytes, std::size_t size) { advise(bytes, size, MADV_WILLNEED); }

void bringNothingElse(const void* bytes, std::size_t size) { advise(bytes, size, MADV_RANDOM); }

} // namespace trainyard::data
