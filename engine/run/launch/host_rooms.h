// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/room.h"

#include <map>
#include <string>

namespace trainyard::run {

// By the names of hosts in run files; an empty one is this computer.
using HostRooms = std::map<std::string, Room>;

// Rule: what another computer has for runs, as far as it is known.
// The other computers of this user that were checked or have trained, as they were then. Each use reads the file
// `host-rooms.json` in the cache folder; what cannot be read is not known.
HostRooms knownHosts();
// Notes what a host has; its memory stays as it was known where `room` does not say it. Quiet when it cannot be
// written: then the host is not known, and the queue gives it one run at a time. Any thread and process.
void noteHost(const std::string& host, Room room);

} // namespace trainyard::run
