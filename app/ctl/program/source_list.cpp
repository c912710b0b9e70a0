// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/program/source_list.h"

#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/run/program/follow/source_record.h"
#include "engine/run/program/rank_environment.h"

#include <nlohmann/json.hpp>

namespace trainyard::ctl {

Json sourcesJson(const store::RunRow& row) {
    const auto file = run::RankFiles{row.folder}.sources();
    std::error_code failure;
    if (row.folder.empty() || !std::filesystem::is_regular_file(file, failure)) return nullptr;
    const auto record = run::readSourceRecord(file);
    Json sources = Json::array(), summary = Json::object();
    for (const auto& each : record.sources)
        sources.push_back({{"source", program::wordOf(each.kind)},
                           {"feeds", each.feeds},
                           {"points", each.points},
                           {"repeated", each.repeated},
                           {"late", each.late},
                           {"last_step", each.lastStep < 0 ? Json(nullptr) : Json(each.lastStep)},
                           {"series", each.series}});
    for (const auto& [name, value] : record.summary)
        summary[name] = std::visit([](const auto& each) { return Json(each); }, value);
    return {{"sources", std::move(sources)}, {"summary", std::move(summary)}};
}

void printSources(const Json& sources) {
    if (sources.is_null()) return;
    if (sources["sources"].size() > 1) {
        std::vector<std::vector<std::string>> table{{"source", "points", "last step", ""}};
        for (const auto& each : sources["sources"]) {
            const auto kind = program::sourceKindOf(each["source"].get<std::string>());
            const bool hasStep = each["last_step"].is_number();
            table.push_back({program::toString(kind.value_or(program::SourceKind::Printed)),
                             grouped(each["points"].get<std::int64_t>()),
                             hasStep ? grouped(each["last_step"].get<std::int64_t>()) : "-",
                             each["feeds"].get<bool>()
                                 ? "feeds the curves"
                                 : "kept beside them, as source/" + each["source"].get<std::string>() + "/…"});
        }
        std::printf("\n");
        printTable(table);
    }
    if (sources["summary"].empty()) return;
    std::vector<std::vector<std::string>> table{{"summary", ""}};
    for (const auto& [name, value] : sources["summary"].items())
        table.push_back(
            {printable(name, 80), printable(value.is_string() ? value.get<std::string>() : jsonText(value), 80)});
    std::printf("\n");
    printTable(table);
}

} // namespace trainyard::ctl
