// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/models/model.h"

namespace trainyard::models {

// Makes a model before it is asked for, with the first weights that `seed` gives. Does nothing when it cannot be made.
// Replaces the one cached before.
void cacheModel(const spec::Choice& choice, const ModelContext& context, std::int64_t seed);

// Takes the cached model out of the cache when it is that one, else makes it. The default generator is seeded with
// `seed` first, and where it stands afterwards is left open. Errors as for makeModel().
Result<std::shared_ptr<Model>> takeOrMakeModel(const spec::Choice& choice, const ModelContext& context,
                                               std::int64_t seed);

} // namespace trainyard::models
