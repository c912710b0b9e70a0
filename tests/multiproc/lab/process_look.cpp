// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/multiproc/lab/process_look.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace trainyard::test {
namespace {

std::filesystem::path placeOf(std::int64_t pid) { return "/proc/" + std::to_string(pid); }

} // namespace

std::string commandLine(std::int64_t pid) {
    std::ostringstream text;
    text << std::ifstream(placeOf(pid) / "cmdline").rdbuf();
    auto words = text.str();
    std::replace(words.begin(), words.end(), '\0', ' ');
    return words;
}

std::int64_t parentOf(std::int64_t pid) {
    std::ifstream file(placeOf(pid) / "status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("PPid:")) return std::stoll(line.substr(5));
    return 0;
}

std::vector<std::string> openOf(std::int64_t pid) {
    std::vector<std::string> open;
    std::error_code ended;
    for (auto entry = std::filesystem::directory_iterator(placeOf(pid) / "fd", ended);
         !ended && entry != std::filesystem::directory_iterator(); entry.increment(ended)) {
        std::error_code closed;
        const auto what = std::filesystem::read_symlink(entry->path(), closed).string();
        if (!closed) open.push_back(what.substr(0, what.find(":[")));
    }
    std::sort(open.begin(), open.end());
    return open;
}

} // namespace trainyard::test
