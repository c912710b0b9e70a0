// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/cores.h"

#include <climits>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sched.h>
#include <string>

namespace trainyard {
namespace {

std::optional<cpu_set_t> readMask() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::optional(set) : std::nullopt;
}

// Read before main(), while the process has one thread and no other rank can have moved it. A forked process keeps it.
const std::optional<cpu_set_t>& firstMask() {
    static const std::optional<cpu_set_t> mask = readMask();
    return mask;
}
[[maybe_unused]] const bool kHaveMask = firstMask().has_value();

void useAllCoresIn(pid_t thread) {
    if (const auto& mask = firstMask()) ::sched_setaffinity(thread, sizeof *mask, &*mask);
}

// Of this process's cgroup and of those above it: the least quota binds.
int readQuota() {
    std::ifstream own("/proc/self/cgroup");
    std::string line;
    while (std::getline(own, line) && !line.starts_with("0::")) {}
    if (!line.starts_with("0::")) return 0;
    const std::filesystem::path root = "/sys/fs/cgroup";
    int least = 0;
    for (auto path = std::filesystem::path(line.substr(3)); !path.empty(); path = path.parent_path()) {
        std::ifstream file(root / path.relative_path() / "cpu.max");
        std::string text;
        if (std::getline(file, text))
            if (const int cores = coresOfQuota(text); cores > 0) least = least == 0 ? cores : std::min(least, cores);
        if (path == path.root_path()) break;
    }
    return least;
}

} // namespace

int coresOfQuota(std::string_view cpuMax) {
    long long quota = 0, period = 0;
    const char* end = cpuMax.data() + cpuMax.size();
    const auto first = std::from_chars(cpuMax.data(), end, quota); // "max": there is none
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ') return 0;
    const auto second = std::from_chars(first.ptr + 1, end, period);
    if (second.ec != std::errc() || quota <= 0 || period <= 0) return 0;
    return static_cast<int>(std::min<long long>((quota - 1) / period + 1, INT_MAX));
}

int availableCores() {
    static const int quota = readQuota();
    const int allowed = firstMask() ? std::max(1, CPU_COUNT(&*firstMask())) : 1;
    return quota > 0 ? std::min(allowed, quota) : allowed;
}

void useAllCores() { useAllCoresIn(0); }

void useAllCoresInEveryThread() {
    std::error_code error;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
        const std::string name = thread.path().filename().string();
        pid_t id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc()) useAllCoresIn(id);
    }
}

} // namespace trainyard
