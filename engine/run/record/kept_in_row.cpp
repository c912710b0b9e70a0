// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/kept_in_row.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>

namespace trainyard::run {
namespace {

constexpr const char* kLeft = "left"; // {"processes": 0, "unseenOn": "h2, h3"}

} // namespace

Result<void> writeRunFile(const RunFolder& folder, store::RunRow& row, const std::string& text, Outlives outlives) {
    TY_TRY(writeFileAtomic(folder.runFile(), text, outlives));
    row.specJson = text;
    return {};
}

void keepLeft(store::RunRow& row, const wire::RunState& state) {
    const bool isKnown = state.processesLeft >= 0;
    if (!isKnown && row.environmentJson.find(kLeft) == std::string::npos) return;
    auto json = parseJson(row.environmentJson);
    if (!json.is_object()) json = Json::object();
    json.erase(kLeft);
    if (isKnown) json[kLeft] = {{"processes", state.processesLeft}, {"unseenOn", state.unseenOn}};
    row.environmentJson = jsonText(json);
}

void readLeft(const store::RunRow& row, wire::RunState& state) {
    if (row.environmentJson.find(kLeft) == std::string::npos) return; // of versions before, and of all that train
    const auto json = parseJson(row.environmentJson);
    const auto left = json.is_object() ? json.value(kLeft, Json()) : Json();
    if (!left.is_object()) return;
    const auto processes = left.find("processes");
    const auto unseenOn = left.find("unseenOn");
    if (processes != left.end() && processes->is_number_integer()) state.processesLeft = processes->get<int>();
    if (unseenOn != left.end() && unseenOn->is_string()) state.unseenOn = unseenOn->get<std::string>();
}

std::string toJson(const RunEnvironment& environment) {
    utsname system{};
    ::uname(&system);
    Json json{{"trainyard", TRAINYARD_VERSION},
              {"libtorch", environment.libtorch},
              {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
              {"computer", system.nodename},
              {"computed", environment.computed}};
    for (const auto& [rank, host, device, threads] : environment.workers)
        json["workers"].push_back({{"rank", rank}, {"host", host}, {"device", device}, {"threads", threads}});
    for (const auto& [name, cores, ranks] : environment.hosts)
        json["hosts"].push_back({{"host", name}, {"cores", cores}, {"ranks", ranks}});
    return jsonText(json);
}

} // namespace trainyard::run
