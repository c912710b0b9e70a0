// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "remote/launch/head.h"

namespace trainyard::ctl {

// Connects to the host, an alias of the host book or user@host, and copies the programs of this computer there if need
// be; says so unless --json is given. Environment, with the code of what failed.
Result<remote::Head> openHead(const Session& session, const std::string& host);

// The same, and says and asks nothing but what the options ask.
Result<remote::Head> openHead(const std::string& host, const remote::ConnectOptions& options,
                              const std::function<void(const std::string&)>& say = {});

// Runs trainyardctl there and passes on what it prints, and Ctrl+C to it. Returns its exit code. Environment,
// ConnectionLost: the link broke; runs there continue.
Result<int> passThrough(remote::Head& head, const std::vector<std::string>& words);

// Runs it to its end and returns what it printed. Errors are those that it printed, with the host. Environment,
// ConnectionLost: it did not answer, and what it did is not known.
Result<std::string> callHead(remote::Head& head, const std::vector<std::string>& words, const std::string& input = {});

} // namespace trainyard::ctl
