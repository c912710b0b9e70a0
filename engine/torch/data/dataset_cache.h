// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// Loads a dataset and keeps it in this process, for the ranks forked from it: they share its memory and need not read
// it again. Only a dataset that is worth caching (DatasetEntry) and does not fill the memory; does nothing when it is
// not, or cannot be loaded. Replaces the one cached before.
void cacheDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                  const spec::DataRules& rules = {});

// The cached dataset, when it is that one and its files have not changed since; else null.
const Dataset* cachedDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                             const spec::DataRules& rules = {});
// The same, or loadDataset().
Result<Dataset> loadCached(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                           const spec::DataRules& rules = {});
// The same for a process that loads one dataset after another: of generated ones that are not large the last is kept in
// the place of the cached one.
Result<Dataset> loadOrKeep(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                           const spec::DataRules& rules = {});

} // namespace trainyard::data
