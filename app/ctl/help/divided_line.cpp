// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/help/divided_line.h"

#include "app/ctl/help/command_tree.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>

namespace trainyard::ctl {
namespace {

namespace fs = std::filesystem;

// A file of ours ends in .json, or begins with a brace.
bool isOurFile(const std::string& word) {
    if (word.ends_with(".json")) return true;
    std::error_code ignored;
    if (!fs::is_regular_file(word, ignored)) return false;
    std::ifstream file(word, std::ios::binary);
    char first = 0;
    file >> std::ws >> first;
    return first == '{';
}

// Where they begin; the end: nowhere.
std::size_t programBegin(const CommandInfo& command, const std::vector<std::string>& words) {
    for (std::size_t at = 1; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (word == "--" || word == "-m") return at;
        if (word.starts_with('-')) {
            const auto* option = command.option(word.substr(0, word.find('=')));
            if (!option) return words.size(); // it is said that there is none
            if (option->takesValue() && word.find('=') == word.npos) ++at;
            continue;
        }
        const bool ours = command.command(word) != nullptr || isOurFile(word);
        return ours ? words.size() : at;
    }
    return words.size();
}

} // namespace

DividedLine divideLine(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty() || (words[0] != "run" && words[0] != "sweep")) return {words, {}};
    const auto tree = commandTree(app);
    const auto* command = tree.command(words[0]);
    const std::size_t begin = command ? programBegin(*command, words) : words.size();
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(begin);
    return {{words.begin(), middle}, {middle, words.end()}};
}

} // namespace trainyard::ctl
