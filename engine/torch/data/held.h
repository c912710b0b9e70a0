// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// Loads a data set and holds it in this process, for the ranks that are forked from it: they share its memory and need
// not read it again. Only one of the sets that are installed as they are and do not fill the memory; quiet when it is
// not, or cannot be loaded. The one held before is let go.
void hold(const spec::Choice& choice, std::int64_t seed, train::TaskKind task);

// What is held, when it is that data set and its files have not changed since; else null.
const Dataset* heldSet(const spec::Choice& choice, std::int64_t seed, train::TaskKind task);
// The same, or loadDataset().
Result<Dataset> loadOrTakeHeld(const spec::Choice& choice, std::int64_t seed, train::TaskKind task);

} // namespace trainyard::data
