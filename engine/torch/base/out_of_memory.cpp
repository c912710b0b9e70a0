// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/out_of_memory.h"

#include "engine/base/text/amounts.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace trainyard::train {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

RanksOfHost g_ranksOfHost;

// The number in a file of one number; kUnknown for "max" or no file.
double numberIn(const std::filesystem::path& file) {
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

// Of one control group; kUnknown where it has no limit. The cache of files can be given up: it does not count as used.
double leftOfGroup(const std::filesystem::path& folder, const char* limitFile, const char* usedFile,
                   const std::string& cacheWord) {
    const double limit = numberIn(folder / limitFile), used = numberIn(folder / usedFile);
    if (limit >= 1e18 || used == kUnknown) return kUnknown; // version 1 says "none" as nearly 2^63
    double cache = 0;
    std::ifstream stream(folder / "memory.stat");
    std::string word;
    for (double number = 0; stream >> word >> number;)
        if (word == cacheWord) cache = number;
    return std::max(0.0, limit - std::max(0.0, used - cache));
}

double leftOfAddressSpace() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
    const double pages = numberIn("/proc/self/statm"); // its first number: the size of the address space
    const double used = pages < kUnknown ? pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) : 0;
    return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

} // namespace

// Lines are NUMBER:CONTROLLERS:PATH; version 2 has number 0 and no controllers. A group is limited by those around it.
// In a container the path is that of the host, and the limits stand at the root.
double leftOfControlGroups(const std::string& listing, const std::filesystem::path& root) {
    double left = kUnknown;
    std::istringstream lines(listing);
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool isSecond = controllers == ",,";
        if (!isSecond && controllers.find(",memory,") == std::string::npos) continue;
        const std::filesystem::path top = isSecond ? root : root / "memory";
        for (std::filesystem::path path = line.substr(second + 1);; path = path.parent_path()) {
            const auto folder = top / path.relative_path();
            left = std::min(left, isSecond ? leftOfGroup(folder, "memory.max", "memory.current", "inactive_file")
                                           : leftOfGroup(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                                         "total_inactive_file"));
            if (!path.has_relative_path()) break;
        }
    }
    return left;
}

double availableMemory() {
    std::ifstream stream("/proc/self/cgroup");
    std::ostringstream listing;
    listing << stream.rdbuf();
    return std::min({freeOnComputer(), leftOfControlGroups(listing.str(), "/sys/fs/cgroup"), leftOfAddressSpace()});
}

std::string memoryText() {
    std::ifstream stream("/proc/sys/kernel/random/boot_id");
    std::string boot;
    stream >> boot;
    const char* host = std::getenv("TRAINYARD_HOST");
    return boot + " " + (host ? host : "") + "\n" +
           std::to_string(static_cast<std::int64_t>(std::min(1e18, availableMemory())));
}

RanksOfHost ranksBeside(const std::vector<std::string>& texts, const std::string& mine) {
    const auto hostOf = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    RanksOfHost ranks{.count = 0, .available = kUnknown, .leastOfRun = kUnknown};
    for (const std::string& text : texts) {
        const auto at = text.find('\n');
        const double free = at == std::string::npos ? kUnknown : std::strtod(text.c_str() + at, nullptr);
        ranks.leastOfRun = std::min(ranks.leastOfRun, free);
        if (hostOf(text) != hostOf(mine)) continue;
        ++ranks.count;
        ranks.available = std::min(ranks.available, free);
    }
    return ranks;
}

RanksOfHost ranksOfHost() { return g_ranksOfHost; }
void setRanksOfHost(const RanksOfHost& ranks) { g_ranksOfHost = ranks; }

OutOfMemory::OutOfMemory(const std::string& need) : m_text("not enough memory for " + need) {
    if (const double left = availableMemory(); std::isfinite(left))
        m_text += ", and " + bytesText(static_cast<std::int64_t>(left)) + " are left";
}

} // namespace trainyard::train
