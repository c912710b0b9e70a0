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

std::vector<std::int64_t> livingMarked(const std::string& name, const std::string& value) {
    const std::string mark = name + "=" + value;
    std::vector<std::int64_t> alive;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry("/proc", failure), end; !failure && entry != end;
         entry.increment(failure)) {
        const std::string pid = entry->path().filename().string();
        if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto variables = readFile(entry->path() / "environ", 4u << 20); // of another user: it cannot be read
        if (!variables) continue;
        const auto at = ('\0' + *variables).find('\0' + mark + '\0');
        if (at == std::string::npos) continue;
        const auto stat = readStat(pid);
        if (stat && !isDead(stat->state)) alive.push_back(std::strtoll(pid.c_str(), nullptr, 10));
    }
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
