// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/run_files.h"

#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "engine/spec/sweep/paths.h"

#include <filesystem>

namespace trainyard::run {

RunFiles filesOf(const spec::RunSpec& spec) {
    RunFiles here;
    const auto catalog = loadCatalog(workerProgram());
    if (!catalog.ok()) return here;
    const auto collect = [&](const std::string& part, const spec::Choice& choice, const auto& entries) {
        const auto* entry = spec::Catalog::find(entries, choice.name);
        if (!entry) return;
        if (const auto folder = entry->facts.find("folder"); folder != entry->facts.end())
            here[part + ".folder"] = folder->second;
        for (const auto& info : entry->params)
            if (const auto path = choice.text(info.name, {}); info.type == spec::ParamType::Path && !path.empty())
                here[part + "." + info.name] = path;
    };
    collect("model", spec.model, (*catalog)->models);
    collect("dataset", spec.dataset, (*catalog)->datasets);
    if (!spec.weights.file.empty()) here[spec::kWeightsFile] = spec.weights.file;
    std::error_code ignored;
    std::erase_if(here, [&](const auto& file) { return !std::filesystem::exists(file.second, ignored); });
    return here;
}

} // namespace trainyard::run
