// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/out_of_memory.h"

#include "engine/base/text/amounts.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>

namespace trainyard::train {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// The number in a file of one number; kUnknown for "max" or no file.
double numberIn(const std::string& file) {
    std::ifstream stream(file);
    double number = 0;
    return stream >> number ? number : kUnknown;
}

double freeOnComputer() {
    std::ifstream stream("/proc/meminfo");
    std::string word;
    for (double kilobytes = 0; stream >> word;)
        if (word == "MemAvailable:" && stream >> kilobytes) return kilobytes * 1024;
    return kUnknown;
}

// Of the innermost control group (version 2) that has a limit.
double leftOfControlGroup() {
    std::ifstream stream("/proc/self/cgroup");
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("0::")) continue;
        const std::string folder = "/sys/fs/cgroup" + line.substr(3);
        const double limit = numberIn(folder + "/memory.max"), used = numberIn(folder + "/memory.current");
        if (limit < kUnknown && used < kUnknown) return std::max(0.0, limit - used);
    }
    return kUnknown;
}

double leftOfAddressSpace() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
    const double pages = numberIn("/proc/self/statm"); // its first number: the size of the address space
    const double used = pages < kUnknown ? pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) : 0;
    return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

} // namespace

double availableMemory() { return std::min({freeOnComputer(), leftOfControlGroup(), leftOfAddressSpace()}); }

OutOfMemory::OutOfMemory(const std::string& need) : m_text("not enough memory for " + need) {
    if (const double left = availableMemory(); std::isfinite(left))
        m_text += ", and " + bytesText(static_cast<std::int64_t>(left)) + " are left";
}

} // namespace trainyard::train
