// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "remote/book/host_book.h"
#include "remote/book/sign_in.h"
#include "remote/files/host_cache.h"

namespace trainyard::ctl {

// `hosts clean`: frees what runs have left in the cache of these hosts and what can be copied there again, and prints
// what became of each item. With `dryRun` nothing is removed.
Result<int> cleanHosts(const Session& session, const std::vector<remote::HostEntry>& hosts,
                       const remote::ConnectOptions& connect, bool dryRun);

// The step of the newest checkpoint here of each of these runs that the workspace has; -1: it has none (judgeCache()).
std::map<std::string, std::int64_t> newestHere(store::RunQuery& query, const std::vector<remote::CachedItem>& items);

} // namespace trainyard::ctl
