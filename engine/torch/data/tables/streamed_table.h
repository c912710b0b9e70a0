// SPDX-License-Identifier: GPL-3.0-or-later
// A table that is larger than memory: read once into rows of a mapped file, from which batches are gathered.
#pragma once

#include "engine/torch/data/dataset.h"
#include "engine/torch/data/tables/table_roles.h"

namespace trainyard::data {

// Rule: whether a table is streamed: where data.loading asks for it, or with auto where it would not fit into memory.
bool streamsTable(const std::filesystem::path& file, const spec::DataRules& rules);

// Loads the table so. Parts are the same as in memory up to kShuffledInMemory rows; of more rows they are drawn by a
// keyed permutation, and stay in the order of the file, so that neighbours are read together. Mean and deviation are
// those of all training rows; the median that fills a gap is that of 131,072 of them, spread evenly. Errors as of a
// table in memory. Environment: there is no room to keep it.
Result<Dataset> loadStreamedTable(const train::Arguments& arguments, std::int64_t seed, train::TaskKind task,
                                  const spec::DataRules& rules);

} // namespace trainyard::data
