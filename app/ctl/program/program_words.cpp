// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/program/program_words.h"

#include "app/ctl/help/command_tree.h"
#include "engine/base/json_text.h"
#include "engine/base/text/quoted.h"
#include "engine/run/start/program_run.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
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

std::vector<std::string> ProgramLine::settings() const {
    std::vector<std::string> all;
    if (workers > 0) all.push_back("scaling.workers=" + std::to_string(workers));
    if (!name.empty()) all.push_back("name=" + jsonText(Json(name)));
    if (!hosts.empty()) {
        Json list = Json::array();
        for (std::size_t at = 0; at <= hosts.size();) {
            const auto end = std::min(hosts.find(',', at), hosts.size());
            list.push_back(hosts.substr(at, end - at));
            at = end + 1;
        }
        all.push_back("hosts=" + jsonText(list));
    }
    all.insert(all.end(), overrides.begin(), overrides.end());
    return all;
}

void addProgramOptions(CLI::App& command, ProgramLine& line) {
    command.add_option("--workers", line.workers, "how many ranks, on all hosts together")
        ->type_name("NUMBER")
        ->check(CLI::Range(1, 100'000));
    command.add_option("--hosts", line.hosts, "where they run: h1,h2, or h1:4,h2:4 with ranks for each")
        ->type_name("HOSTS");
    command.add_option("--name", line.name, "what the run is called")->type_name("TEXT");
}

Result<std::string> runFileOf(const ProgramLine& line) {
    std::error_code ignored;
    TY_ASSIGN(const auto made, run::runOfCommand(line.words, fs::current_path(ignored)));
    if (made.hosts && line.hosts.empty())
        return inputError("the program is to run on " + std::to_string(*made.hosts) + " hosts", "--nnodes",
                          "name them: trainyardctl run --hosts h1,h2 …");
    return spec::toJson(made.spec);
}

} // namespace trainyard::ctl
