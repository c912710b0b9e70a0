// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/pinned_split.h"

#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"

#include <algorithm>
#include <array>

namespace trainyard::sweep {
namespace {

constexpr const char* kShare = "validation";

// The name of the dataset whose share is still open; empty when there is none.
Result<std::string> openDataset(const spec::SweepSpec& spec) {
    constexpr std::array kWithTestPart{"fashion-mnist", "mnist", "cifar10", "cifar100"};
    TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, "the sweep's run"));
    if (run.program) return std::string(); // it divides its data itself
    const bool chosen = std::ranges::any_of(
        spec.space, [](const auto& axis) { return axis.path == "dataset" || axis.path == "dataset.name"; });
    const bool open = !chosen && !run.dataset.params.contains(kShare) &&
                      std::ranges::find(kWithTestPart, run.dataset.name) != kWithTestPart.end();
    return open ? run.dataset.name : std::string();
}

Result<spec::SweepSpec> withShare(spec::SweepSpec spec, const spec::Value& share) {
    TY_ASSIGN(spec.runJson,
              spec::withOverride(spec.runJson, std::string("dataset.params.") + kShare, spec::toText(share)));
    return spec;
}

} // namespace

Result<spec::SweepSpec> withPinnedSplit(spec::SweepSpec spec) {
    TY_ASSIGN(const auto name, openDataset(spec));
    if (name.empty()) return spec;
    TY_ASSIGN(const auto catalog, run::loadCatalog(run::workerProgram()));
    const auto* dataset = spec::Catalog::find(catalog->datasets, name);
    const auto* share = dataset ? dataset->find(kShare) : nullptr;
    return share ? withShare(std::move(spec), share->defaultValue) : std::move(spec);
}

Result<spec::SweepSpec> withEarlierSplit(spec::SweepSpec spec) {
    TY_ASSIGN(const auto name, openDataset(spec));
    return name.empty() ? std::move(spec) : withShare(std::move(spec), 0.0);
}

} // namespace trainyard::sweep
