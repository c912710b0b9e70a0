// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/searchers.h"

#include <memory>

namespace trainyard::sweep {

// A searcher that is asked only once these configurations are under way. It is told of them as of trials before its
// first, whose numbers are negative.
std::unique_ptr<Searcher> withFirst(std::unique_ptr<Searcher> searcher, std::vector<spec::Params> first);

// The searcher of `entry` for the frame's sweep, after the configurations that come first in that. Input: as its make().
Result<std::unique_ptr<Searcher>> makeAfterFirst(const SearcherEntry& entry, SearcherFrame frame);

} // namespace trainyard::sweep
