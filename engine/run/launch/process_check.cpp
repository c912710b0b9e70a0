// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/process_check.h"

#include "engine/base/files/atomic_file.h"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace trainyard::run {
namespace {

struct ProcessStat {
    char state = '?';
    std::int64_t group = 0;
};

std::optional<ProcessStat> readStat(const std::string& pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    // The program's name is in parentheses and may hold any character: the fields begin after the last one.
    const auto nameEnd = line.rfind(')');
    if (nameEnd == std::string::npos) return std::nullopt;
    std::istringstream fields(line.substr(nameEnd + 1));
    ProcessStat stat;
    std::int64_t parent = 0;
    if (!(fields >> stat.state >> parent >> stat.group)) return std::nullopt;
    return stat;
}

bool isDead(char state) { return state == 'Z' || state == 'X' || state == 'x'; }

} // namespace

std::vector<std::int64_t> livingInGroups(const std::vector<std::int64_t>& groups) {
    std::vector<std::int64_t> alive;
    DIR* folder = groups.empty() ? nullptr : ::opendir("/proc");
    if (!folder) return alive;
    while (const dirent* entry = ::readdir(folder)) {
        const std::string name = entry->d_name;
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto stat = readStat(name);
        if (!stat || isDead(stat->state)) continue;
        if (std::find(groups.begin(), groups.end(), stat->group) != groups.end())
            alive.push_back(std::strtoll(name.c_str(), nullptr, 10));
    }
    ::closedir(folder);
    return alive;
}

bool isAlive(std::int64_t pid) {
    const auto stat = pid > 0 ? readStat(std::to_string(pid)) : std::nullopt;
    return stat && !isDead(stat->state);
}

std::int64_t endedForMemory() {
    constexpr std::string_view kName = "\noom_kill ";
    const auto text = readFile("/proc/vmstat", 1u << 20);
    const auto at = text ? text->find(kName) : std::string::npos;
    return at == std::string::npos ? 0 : std::strtoll(text->c_str() + at + kName.size(), nullptr, 10);
}

} // namespace trainyard::run
