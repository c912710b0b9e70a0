// SPDX-License-Identifier: GPL-3.0-or-later
// Which pool a rank may come from: one that is in every respect as a program started from here would be.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// The socket in `folder` of the pool that fits this process, `worker` and the environment its ranks get ("NAME=value").
std::filesystem::path poolSocket(const std::filesystem::path& folder, const std::filesystem::path& worker,
                                 const std::vector<std::string>& environment);

// This process's environment with what is added, as "NAME=value".
std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added);

// A text of /proc/PID/cgroup without the scopes of single sign-ins ("/session-12.scope"), which limit nothing by
// themselves: each connection of a user to a host has one of its own.
std::string withoutSessions(std::string_view cgroups);

} // namespace trainyard::run
