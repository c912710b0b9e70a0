// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/room.h"

#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/cuda_devices.h"
#include "engine/run/launch/programs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace trainyard::run {
namespace {

std::int64_t memoryHere() {
    return std::max<std::int64_t>(0, ::sysconf(_SC_PHYS_PAGES)) * std::max<std::int64_t>(0, ::sysconf(_SC_PAGESIZE));
}

// What is cached may be from a program that saw more of them.
Room roomWith(const spec::Catalog& catalog) {
    const auto found = std::count_if(catalog.devices.begin(), catalog.devices.end(),
                                     [](const auto& each) { return each.name.starts_with("cuda"); });
    return {.devices = visibleOf(static_cast<int>(found), std::getenv(kVisibleDevices)), .memoryBytes = memoryHere()};
}

} // namespace

Room roomHere() {
    const auto catalog = loadCatalog(workerProgram());
    return catalog ? roomWith(**catalog) : Room{.memoryBytes = memoryHere()};
}

Room knownRoom() {
    const auto catalog = knownCatalog(workerProgram());
    return catalog ? roomWith(*catalog) : Room{.memoryBytes = memoryHere()};
}

} // namespace trainyard::run
