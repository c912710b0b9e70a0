// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/run/actions/first_run.h"

#include <algorithm>

namespace trainyard::run {

spec::RunSpec firstRun(const spec::Catalog& catalog, int cores) {
    const auto* fashion = spec::Catalog::find(catalog.datasets, "fashion-mnist");
    const bool installed = fashion && fashion->available;
    spec::RunSpec spec;
    spec.name = "first-run";
    spec.model = {"mlp", {}};
    spec.dataset = {installed ? "fashion-mnist" : "spirals", {}};
    spec.optimizer = {"sgd", {{"lr", 0.1}, {"momentum", 0.9}}};
    spec.schedule = {"cosine", {{"warmupEpochs", 0.5}}};
    spec.batch = {std::nullopt, 128, 1};
    spec.epochs = installed ? 5 : 20;
    spec.scaling.workers = std::clamp(cores, 1, 2);
    return spec;
}

} // namespace trainyard::run
