// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/program/record_text.h"

#include "app/ctl/session.h"
#include "engine/base/text/quoted.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

std::string textIn(const Json& json, const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::size_t sizeIn(const Json& json, const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() ? found->size() : 0;
}

Json partOf(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_object() ? *found : Json();
}

// "commit 4f1e2a3b (main), changed since: /…/changes.patch"
std::string gitText(const Json& git, const std::string& folder) {
    if (const auto missing = textIn(git, "missing"); !missing.empty()) return "no version control: " + missing;
    std::string text = "commit " + textIn(git, "commit").substr(0, 12);
    if (const auto branch = textIn(git, "branch"); !branch.empty()) text += " (" + branch + ")";
    if (const auto remote = textIn(git, "remote"); !remote.empty()) text += " of " + remote;
    const auto changed = git.find("changed");
    if (changed != git.end() && *changed == true) text += ", changed since: " + folder + "/program/changes.patch";
    return text;
}

} // namespace

void printMadeOf(const Json& record, const std::string& folder) {
    if (!record.is_object()) return;
    const auto started = partOf(record, "started"), code = partOf(record, "code"), git = partOf(record, "git"),
               python = partOf(record, "python");
    if (const auto words = started.find("words"); started.is_object() && words != started.end() && words->is_array()) {
        std::string line;
        for (const auto& word : *words)
            if (word.is_string()) line += " " + shellArgument(word.get<std::string>());
        std::printf("$%s\n", forTerminal(line).c_str());
    }
    if (code.is_object())
        std::printf("code %s of %s\n", forTerminal(textIn(code, "digest")).c_str(),
                    forTerminal(textIn(code, "project")).c_str());
    if (git.is_object()) std::printf("%s\n", forTerminal(gitText(git, folder)).c_str());
    if (python.is_object())
        std::printf("Python %s, %s, %zu packages\n", forTerminal(textIn(python, "version")).c_str(),
                    forTerminal(textIn(python, "file")).c_str(), sizeIn(python, "packages"));
    if (const auto driver = textIn(record, "driver"); !driver.empty())
        std::printf("CUDA driver %s\n", forTerminal(driver).c_str());
    std::printf("\n");
}

} // namespace trainyard::ctl
