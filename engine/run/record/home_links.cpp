// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/home_links.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {
namespace {

constexpr std::pair<HomeLink::State, const char*> kWords[] = {
    {HomeLink::State::Connecting, "connecting"}, {HomeLink::State::Up, "up"}, {HomeLink::State::Lost, "lost"}};

const char* toString(HomeLink::State state) {
    for (const auto& [each, word] : kWords)
        if (each == state) return word;
    return "";
}

HomeLink::State stateFrom(const std::string& word) {
    for (const auto& [state, each] : kWords)
        if (word == each) return state;
    return HomeLink::State::Connecting;
}

// No note of a run has that name.
std::filesystem::path fileOf(const store::Workspace& workspace) {
    return mirrorWorkspace(workspace).root / "links.json";
}

} // namespace

Result<void> writeHomeLinks(const store::Workspace& workspace, const HomeLinks& links) {
    auto json = Json::object();
    for (const auto& [host, link] : links)
        json[host] = {{"state", toString(link.state)},
                      {"since_ms", link.sinceMs},
                      {"error", link.error},
                      {"code", trainyard::toString(link.code)}};
    return writeFileAtomic(fileOf(workspace), jsonFile(json), Outlives::Process);
}

HomeLinks readHomeLinks(const store::Workspace& workspace) {
    const auto text = readFile(fileOf(workspace), 1u << 20);
    const auto json = text ? parseJson(*text) : Json();
    HomeLinks links;
    if (!json.is_object()) return links;
    for (const auto& [host, each] : json.items()) {
        try {
            links[host] = {stateFrom(each.at("state").get<std::string>()), each.at("since_ms").get<std::int64_t>(),
                           each.at("error").get<std::string>(), errorCodeFromString(each.value("code", std::string()))};
        } catch (const Json::exception&) { links.erase(host); } // not written by this program
    }
    return links;
}

} // namespace trainyard::run
