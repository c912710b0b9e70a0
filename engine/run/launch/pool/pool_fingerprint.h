// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies the pool that a rank may come from: it equals a program started from here in every respect.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// The socket in `folder` of the pool that fits this process, `worker` and the ranks' environment ("NAME=value").
std::filesystem::path poolSocket(const std::filesystem::path& folder, const std::filesystem::path& worker,
                                 const std::vector<std::string>& environment);

// Sixteen hexadecimal digits of all that a process forked elsewhere must have in common with one that is started from
// here: the program's file, these texts, and what a child inherits silently.
std::string inheritancePrint(const std::filesystem::path& program, const std::vector<std::string>& texts);

// The text of /proc/PID/cgroup without the scopes of single sign-ins ("/session-12.scope"), which limit nothing: each
// connection of a user to a host has its own.
std::string withoutSessions(std::string_view cgroups);

} // namespace trainyard::run
