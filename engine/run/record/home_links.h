// SPDX-License-Identifier: GPL-3.0-or-later
// The state of links to hosts of runs that live elsewhere: written by `trainyardctl mirror`, which follows those runs,
// read by the window.
#pragma once

#include "engine/run/record/home_notes.h"

#include <map>

namespace trainyard::run {

struct HomeLink {
    enum class State {
        Connecting, // for the first time
        Up,
        Lost, // tried again now and then
    };
    State state = State::Connecting;
    std::int64_t sinceMs = 0;            // wall clock
    std::string error{};                 // why it is lost, for people
    ErrorCode code = ErrorCode::General; // of that

    bool operator==(const HomeLink&) const = default;
};
using HomeLinks = std::map<std::string, HomeLink>; // by the name of the host in HomeNote

// Environment: it cannot be written.
Result<void> writeHomeLinks(const store::Workspace& workspace, const HomeLinks& links);
// Rule: when a host with runs was reached last.
// Empty if the file is missing or unreadable.
HomeLinks readHomeLinks(const store::Workspace& workspace);

} // namespace trainyard::run
