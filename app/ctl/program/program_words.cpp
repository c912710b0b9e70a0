// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/program/program_words.h"

#include "engine/base/json_text.h"
#include "engine/base/text/quoted.h"
#include "engine/run/start/program_run.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace trainyard::ctl {
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
    TY_ASSIGN(const auto made, run::runOfCommand(line.words, std::filesystem::current_path(ignored)));
    if (made.hosts && line.hosts.empty())
        return inputError("the program is to run on " + std::to_string(*made.hosts) + " hosts", "--nnodes",
                          "name them: trainyardctl run --hosts h1,h2 …");
    return spec::toJson(made.spec);
}

} // namespace trainyard::ctl
