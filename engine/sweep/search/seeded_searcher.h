// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/search/searcher.h"

#include <memory>

namespace trainyard::sweep {

// A searcher that tries each configuration with several seeds. For each configuration it asks `searcher` once and
// tells it of one trial: rungs of the trial that started first, and at the end, when all its trials are over, the mean
// of their scores by each series. If the first trial is stopped, the configuration ends.
std::unique_ptr<Searcher> withSeeds(std::unique_ptr<Searcher> searcher, int seeds);

} // namespace trainyard::sweep
