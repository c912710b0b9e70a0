// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/run_fields.h"

#include <nlohmann/json.hpp>

#include <array>

namespace trainyard::spec {
namespace {

// Version 0 had no "version" and its batch size, per rank, at the top.
void from0to1(Json& tree) {
    const auto size = tree.find("batchSize");
    if (size != tree.end() && !tree.contains("batch")) {
        tree["batch"] = Json::object({{"perRank", *size}});
        tree.erase("batchSize");
    }
    tree["version"] = 1;
}

// kSteps[v] takes a tree of version v to v + 1.
constexpr std::array kSteps = {from0to1};
static_assert(kSteps.size() == kRunFileVersion);

} // namespace

void upgradeRun(Json& tree, const std::string& path, Errors& errors) {
    std::int64_t version = 0;
    if (const auto found = tree.find("version"); found != tree.end()) {
        if (!found->is_number_integer()) return; // the reader reports it
        version = found->is_number_unsigned() && found->get<std::uint64_t>() > 1'000'000 ? 1'000'000
                                                                                         : found->get<std::int64_t>();
        if (version < 0 || version > kRunFileVersion) {
            errors.push_back({joinPath(path, "version"), shown(*found),
                              "this program reads run files up to version " + std::to_string(kRunFileVersion),
                              "open it with a newer Trainyard"});
            return;
        }
    }
    for (; version < kRunFileVersion; ++version) kSteps[static_cast<std::size_t>(version)](tree);
}

} // namespace trainyard::spec
