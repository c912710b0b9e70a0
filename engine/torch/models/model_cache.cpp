// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/model_cache.h"

#include <optional>
#include <utility>

namespace trainyard::models {
namespace {

struct CachedModel {
    spec::Choice choice;
    ModelContext context;
    std::int64_t seed = 0;
    std::shared_ptr<Model> model;
};

std::optional<CachedModel>& cachedModel() {
    static std::optional<CachedModel> one;
    return one;
}

bool same(const ModelContext& a, const ModelContext& b) {
    return a.sampleShape == b.sampleShape && a.outputs == b.outputs && a.task == b.task;
}

} // namespace

void cacheModel(const spec::Choice& choice, const ModelContext& context, std::int64_t seed) {
    cachedModel().reset();
    torch::manual_seed(static_cast<std::uint64_t>(seed));
    if (auto made = makeModel(choice, context)) cachedModel() = CachedModel{choice, context, seed, std::move(*made)};
}

Result<std::shared_ptr<Model>> takeOrMakeModel(const spec::Choice& choice, const ModelContext& context,
                                               std::int64_t seed) {
    torch::manual_seed(static_cast<std::uint64_t>(seed));
    const auto here = std::exchange(cachedModel(), {});
    if (here && here->choice == choice && here->seed == seed && same(here->context, context)) return here->model;
    return makeModel(choice, context);
}

} // namespace trainyard::models
