// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/fork.h"

#include "engine/base/text/names.h"

namespace trainyard::run {

Result<spec::RunSpec> freshSpec(const store::RunRow& source) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(source.specJson, "run " + source.name));
    spec.name = forkName(source.name);
    // Of a version that divided at random: what the source has trained on must not become the fork's validation.
    if (spec.data.division == "auto") spec.data.division = "random";
    return spec;
}

Result<spec::RunSpec> forkedSpec(const store::RunRow& source, const store::CheckpointRow& from) {
    TY_ASSIGN(auto spec, freshSpec(source));
    if (spec.epochs && from.epoch >= static_cast<double>(*spec.epochs))
        spec.epochs = *spec.epochs + static_cast<std::int64_t>(from.epoch);
    if (spec.steps && from.step >= *spec.steps) spec.steps = *spec.steps + from.step;
    return spec;
}

} // namespace trainyard::run
