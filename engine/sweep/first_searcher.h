// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/searcher.h"

#include <memory>

namespace trainyard::sweep {

// A searcher that is asked only once these configurations are under way. It is told of them as of trials before its
// first, whose numbers are negative.
std::unique_ptr<Searcher> withFirst(std::unique_ptr<Searcher> searcher, std::vector<spec::Params> first);

} // namespace trainyard::sweep
