// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/search/searcher.h"

#include <memory>

namespace trainyard::sweep {

// A searcher whose configurations are each tried with several seeds. It is asked for a parameter set, and told of one
// trial, for each configuration: of its rungs by the trial of it that started first, and of its end, with the mean of
// its scores by each series, once all of its trials are over. A first trial that is stopped ends the configuration.
std::unique_ptr<Searcher> withSeeds(std::unique_ptr<Searcher> searcher, int seeds);

} // namespace trainyard::sweep
