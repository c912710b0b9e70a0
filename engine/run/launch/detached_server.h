// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::run {

// A program that serves this user's processes and outlives the one that starts it.
struct DetachedServer {
    std::vector<std::string> words;       // words[0] is its file
    std::vector<std::string> environment; // all of it, "NAME=value"
    std::filesystem::path log;            // its stderr, begun anew; never a link
    std::vector<int> descriptors;         // they become 3, 4, …; all others are closed
};

// Starts it in a session of its own and in "/", with default signals; reparented, also where this process adopts
// orphans. Does not wait until it serves, nor tell whether it could be executed: what it holds is closed then.
void startDetached(const DetachedServer& server);

} // namespace trainyard::run
