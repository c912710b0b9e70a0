// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/device_slots.h"

#include <algorithm>
#include <numeric>

namespace trainyard::sweep {

int slotsOn(const run::CudaDevices& devices, const std::vector<run::CudaDevices>& slots) {
    int most = 0;
    for (const int device : devices) {
        const auto count = std::count_if(slots.begin(), slots.end(), [device](const run::CudaDevices& each) {
            return std::find(each.begin(), each.end(), device) != each.end();
        });
        most = std::max(most, static_cast<int>(count));
    }
    return most;
}

run::CudaDevices dealDevices(const std::vector<run::CudaDevices>& slots, int devices, int ranks) {
    if (ranks <= 0 || devices < ranks) return {};
    run::CudaDevices all(static_cast<std::size_t>(devices));
    std::iota(all.begin(), all.end(), 0);
    std::stable_sort(all.begin(), all.end(), [&](int a, int b) { return slotsOn({a}, slots) < slotsOn({b}, slots); });
    all.resize(static_cast<std::size_t>(ranks));
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace trainyard::sweep
