// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/searchers.h"

#include <memory>

namespace trainyard::sweep {

// A searcher that is asked only once these configurations are under way. It is told of them as of trials before its
// first, whose numbers are negative.
std::unique_ptr<Searcher> withFirst(std::unique_ptr<Searcher> searcher, std::vector<spec::Params> first);

// The searcher of `entry` for the sweep of `frame`, after the configurations that come first in it. Fails as its
// make() does.
Result<std::unique_ptr<Searcher>> makeAfterFirst(const SearcherEntry& entry, SearcherFrame frame);

} // namespace trainyard::sweep
