// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::run {

// For /bin/sh on a host: $1 a run's id, $2 a signal (name or number) or "0". Prints how many processes of the run's
// workers live there, whoever launched them (kRunVariable of relay.h), and signals each. What has ended but is not yet
// collected by its parent has no environment, and does not count. Nor can the environment of another user's process be
// read.
inline constexpr const char* kSignalWorkersScript = R"sh(
count=0
for file in $(grep -lzxF "TRAINYARD_WORKER_OF=$1" /proc/[0-9]*/environ 2>/dev/null); do
  pid=${file#/proc/}
  pid=${pid%/environ}
  count=$((count + 1))
  [ "$2" = 0 ] || kill -s "$2" "$pid" 2>/dev/null
done
echo "$count"
)sh";

} // namespace trainyard::run
