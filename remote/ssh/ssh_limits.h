// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: how long what may take on a connection to a host, in seconds. The same for both ways to speak SSH.
#pragma once

namespace trainyard::remote {

// A link that is cut in silence is noticed within about 6 s: it is probed as often as this, ...
constexpr int kProbeSeconds = 2;
// ... and lost after so many probes without an answer, or when a byte sent over it stays unanswered for as long.
constexpr int kUnansweredProbes = 3;
constexpr int kUnansweredSeconds = 5;

// ConnectOptions::timeoutSeconds is for each of TCP connect, handshake and sign-in.
constexpr double kTerminalSeconds = 300; // for a sign-in that asks a person, who looks for a password
constexpr int kLeftSeconds = 60;         // a connection left open waits for its user

constexpr double kOpenSeconds = 15;  // for the host to open a channel
constexpr double kStartSeconds = 20; // for a slow login profile to come to the command
constexpr double kLastSeconds = 2;   // for what was asked before the connection is closed
constexpr double kTermSeconds = 2;   // between SIGTERM and SIGKILL for the system's ssh

// Between two tries to reach a lost host (backoffSeconds): one that is back is found before it gives up its ranks
// (held_link.cpp).
constexpr double kMostBackoff = 4;

} // namespace trainyard::remote
