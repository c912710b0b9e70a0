// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard-relay WORKER rank`: what a launcher runs on another host in the place of a rank. It loads no LibTorch. The
// pool of the host forks the rank, with the relay's own standard descriptors; the relay then stands for the rank: it
// passes signals on to it, ends as the rank does, and when the relay is killed, so is the rank. Where no pool can be
// had, it becomes the program `WORKER rank`.
// `trainyard-relay WORKER rank SECONDS`: the rank outlives the channel. Its frames go through the relay, which keeps
// them (rank_holder.h), over this channel and over those that `trainyard-relay attach WORKER LAUNCH` brings later.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::run {

// In the environment of each worker on another host, the relay's too: of this launch, and the id of the run.
inline constexpr const char* kLaunchVariable = "TRAINYARD_LAUNCH";
inline constexpr const char* kRunVariable = "TRAINYARD_WORKER_OF";

// Exit code of `attach`: the rank is not there, or its supervisor was given up.
inline constexpr int kNothingHeld = 4;

// What the launcher writes ahead of the frames: the run file (LaunchRequest::runJson), if the pool has room for it.
std::string relayHead(const std::string& runJson);
// Reads the run file from a descriptor, not a byte more. Input when something else comes, or the end.
Result<std::string> readRelayHead(int fd);

// The program's exit code, as of the rank; it dies of the signal that the rank died of. `words`: its arguments.
// 2 wrong arguments, 3 the pool has failed while it started the rank, 4 (attach) there is nothing to attach to, 255 the
// pool is gone, so it is not known how the rank ended.
int relayCommand(const std::vector<std::string>& words);

// For /bin/sh on a host: $1 a run's id, $2 a signal (name or number) or "0". Prints how many processes of the run's
// workers live there, whoever launched them (kRunVariable), and signals each. What has ended but is not yet
// collected by its parent has no environment, and does not count. Nor can the environment of another user's process be
// read. What a keeper has started is asked to end by the keeper alone.
inline constexpr const char* kSignalWorkersScript = R"sh(
count=0
for file in $(grep -lzxF "TRAINYARD_WORKER_OF=$1" /proc/[0-9]*/environ 2>/dev/null); do
  pid=${file#/proc/}
  pid=${pid%/environ}
  count=$((count + 1))
  case $2 in TERM | 15) grep -qz '^TRAINYARD_METRICS=' "$file" 2>/dev/null && continue ;; esac
  [ "$2" = 0 ] || kill -s "$2" "$pid" 2>/dev/null
done
echo "$count"
)sh";

} // namespace trainyard::run
