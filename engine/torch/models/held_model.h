// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/models/model.h"

namespace trainyard::models {

// A model that a process makes before it is asked for it, with the first weights that `seed` gives. Quiet when it cannot be
// made. The one held before is let go.
void holdModel(const spec::Choice& choice, const ModelContext& context, std::int64_t seed);

// What is held, when it is that model; it is then held no longer. Else makes it. The default generator is seeded with
// `seed` first, and where it stands afterwards is left open. Errors as of makeModel().
Result<std::shared_ptr<Model>> takeOrMakeModel(const spec::Choice& choice, const ModelContext& context,
                                               std::int64_t seed);

} // namespace trainyard::models
