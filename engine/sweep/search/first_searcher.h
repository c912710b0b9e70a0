// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/search/searchers.h"

#include <memory>

namespace trainyard::sweep {

// A searcher that is asked only after these configurations have started. It receives their events under negative trial
// numbers, before its own first trial.
std::unique_ptr<Searcher> withFirst(std::unique_ptr<Searcher> searcher, std::vector<spec::Params> first);

// The searcher of `entry` for the sweep of `frame`, after the sweep's first configurations. Fails as its make() does.
Result<std::unique_ptr<Searcher>> makeAfterFirst(const SearcherEntry& entry, SearcherFrame frame);

} // namespace trainyard::sweep
