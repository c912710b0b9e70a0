// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/cuda_devices.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

namespace trainyard::run {
namespace {

constexpr std::string_view kCuda = "cuda:";

// Up to the first one that is no device, as the driver reads them.
std::vector<std::string> namesIn(std::string_view value) {
    std::vector<std::string> names;
    while (!value.empty()) {
        const auto comma = std::min(value.find(','), value.size());
        std::string_view name = value.substr(0, comma);
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (name.empty() || name.starts_with('-')) break;
        names.emplace_back(name);
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return names;
}

} // namespace

int visibleOf(int found, const char* value) {
    return value == nullptr ? found : std::min(found, static_cast<int>(namesIn(value).size()));
}

std::string valueFor(const CudaDevices& devices, const char* value) {
    const auto names = namesIn(value == nullptr ? "" : value);
    std::string list;
    for (const int device : devices) {
        if (value != nullptr && device >= static_cast<int>(names.size())) return {};
        list += (list.empty() ? "" : ",") +
                (value == nullptr ? std::to_string(device) : names[static_cast<std::size_t>(device)]);
    }
    return list;
}

CudaDevices devicesOfPlace(int place, RanksOnDevices host) {
    const auto [ranks, devices] = host;
    if (place < 0 || ranks < 1 || devices < ranks) return {};
    const int first = place % (devices / ranks) * ranks;
    CudaDevices list(static_cast<std::size_t>(ranks));
    std::iota(list.begin(), list.end(), first);
    return list;
}

CudaDevices devicesOfSpare(const CudaDevices& dealt, RanksOnDevices spare) {
    const bool has = !dealt.empty() && std::ranges::all_of(dealt, [&](int device) { return device < spare.devices; });
    return has ? dealt : devicesOfPlace(0, spare);
}

std::string nameHere(const std::string& device, const CudaDevices& devices) {
    if (!device.starts_with(kCuda)) return device;
    std::size_t number = 0;
    const char* const end = device.data() + device.size();
    const auto [at, problem] = std::from_chars(device.data() + kCuda.size(), end, number);
    if (problem != std::errc() || at != end || number >= devices.size()) return device;
    return std::string(kCuda) + std::to_string(devices[number]);
}

} // namespace trainyard::run
