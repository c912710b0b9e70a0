// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/room.h"

#include <map>
#include <string>

namespace trainyard::run {

// By host names as in run files; the empty name is this computer.
using HostRooms = std::map<std::string, Room>;

// Rule: what another computer has for runs, as far as it is known.
// The other computers that this user checked or trained on, as they were then. Each call reads `host-rooms.json` in
// the cache folder; unreadable entries are unknown hosts.
HostRooms knownHosts();
// Records the room of a host; keeps the known memory if `room` has none. Says nothing if the file cannot be written:
// the host stays unknown, and the queue gives it one run at a time. Any thread and process.
void noteHost(const std::string& host, Room room);

} // namespace trainyard::run
