// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/held_model.h"

#include <optional>
#include <utility>

namespace trainyard::models {
namespace {

struct HeldModel {
    spec::Choice choice;
    ModelContext context;
    std::int64_t seed = 0;
    std::shared_ptr<Model> model;
};

std::optional<HeldModel>& heldModel() {
    static std::optional<HeldModel> one;
    return one;
}

bool same(const ModelContext& a, const ModelContext& b) {
    return a.sampleShape == b.sampleShape && a.outputs == b.outputs && a.task == b.task;
}

} // namespace

void holdModel(const spec::Choice& choice, const ModelContext& context, std::int64_t seed) {
    heldModel().reset();
    torch::manual_seed(static_cast<std::uint64_t>(seed));
    if (auto made = makeModel(choice, context)) heldModel() = HeldModel{choice, context, seed, std::move(*made)};
}

Result<std::shared_ptr<Model>> takeOrMakeModel(const spec::Choice& choice, const ModelContext& context,
                                               std::int64_t seed) {
    torch::manual_seed(static_cast<std::uint64_t>(seed));
    const auto here = std::exchange(heldModel(), {});
    if (here && here->choice == choice && here->seed == seed && same(here->context, context)) return here->model;
    return makeModel(choice, context);
}

} // namespace trainyard::models
