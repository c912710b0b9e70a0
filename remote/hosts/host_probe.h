// SPDX-License-Identifier: GPL-3.0-or-later
// "Will runs work on this host?": six checks, each with its finding and remedy.
#pragma once

#include "remote/book/host_book.h"
#include "remote/book/sign_in.h"
#include "remote/hosts/host_facts.h"

namespace trainyard::remote {

struct HostCheck {
    std::string name; // reach, sign in, version, devices, ports, disk: in this order; "from h1": a way between hosts
    bool ok = false;
    bool made = true;                    // false: an earlier failure left no way to check it
    std::string detail;                  // what was found: "3 ms to 10.0.0.7:22", or the exact cause
    std::string fix;                     // what the user can do; empty when ok
    double seconds = 0;                  // that the check took
    ErrorCode code = ErrorCode::General; // of the error, when it is not ok
};

// The checks of a host, each with its fix.
struct HostReport {
    std::string alias;
    std::vector<HostCheck> checks; // always six; those after the first failed sign-in say "not checked"
    HostFacts facts;
    std::optional<ChannelReason> over; // why over the system's ssh, or None; nothing when there is no connection
    // Set if the host is unknown and there is no askHostKey: show it, call recordHostKey(), probe again.
    std::optional<HostKeyQuestion> question;
    bool ok() const; // all six
};

// What is checked of a host.
struct ProbeOptions {
    ConnectOptions connect;
    // The local worker that shall run there; empty: the version check compares nothing and only describes the host.
    std::filesystem::path workerProgram;
    // Another host that must reach this one; none: this computer.
    std::optional<HostEntry> peer;
    std::int64_t neededDiskBytes = 2LL << 30;
    // Called after each check, on the probing thread, so that a list can fill meanwhile.
    std::function<void(const HostCheck&)> onCheck;
};

// Runs the checks in order; blocks for some 100 ms, or until the deadlines if the host is silent. Copies nothing. Any
// thread; several hosts can be probed at once.
HostReport probeHost(const HostEntry& host, const ProbeOptions& options = {});

// Whether one host can reach ports of another, as the ranks of a run need it. Blocks; any thread.
HostCheck probeWay(const HostEntry& from, const HostEntry& to, const ConnectOptions& options);

} // namespace trainyard::remote
