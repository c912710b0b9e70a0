// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a run are dealt to its hosts.
#pragma once

#include "engine/base/math/rank_of.h"
#include "engine/base/text/name_of.h"
#include "engine/spec/run/run_spec.h"

#include <string>
#include <utility>
#include <vector>

namespace trainyard::spec {

// Rule: which names mean this computer.
// "local" and "localhost" in a run file mean this computer, as no host at all does.
bool isThisComputer(const std::string& host);

// Rule: what is an IPv6 address.
// "2001:db8::1", or "fe80::1%eth0" with the interface that it is behind.
bool isIpv6Address(const std::string& text);

// Rule: what no host can be called.
// What a run file means by this word, so that no host can have it for a name: "this computer", "the nodes of a Slurm
// job"; empty: it is free.
std::string reservedMeaning(const std::string& host);

// "slurm" in a run file means all nodes of the Slurm job that the run is started in, "slurm:n1" one of them.
inline constexpr const char* kSlurmHost = "slurm";
bool isSlurmHost(const std::string& host);
std::string slurmNodeOf(const std::string& host); // "n1" of "slurm:n1"; empty for "slurm"

// Rule: which host a rank is on.
// The host of a rank, from a run file's `hosts`; empty: this computer. Ranks are dealt in order, in blocks: neighbours
// share a host, and no two hosts differ by more than one rank. Fewer ranks than hosts: one each for the first ones.
HostName hostOfRank(const std::vector<std::string>& hosts, RankOf rank);
// Its place in a list of so many hosts, at least one.
std::size_t hostPlaceOf(RankOf rank, std::size_t hosts);
// After other hosts were chosen: takes out the spares that are among them; all of them for this computer alone.
void dropUsedSpares(RunSpec& spec);
// How many of them the host has that has most.
int mostRanksOfOneHost(const std::vector<std::string>& hosts, int ranks);

// Which ways between the hosts of a run are tried, as {from, to}: all of them, or of many hosts one to each. The empty
// host is this computer. A host that is alone is tried from itself.
std::vector<std::pair<std::string, std::string>> waysToTry(const std::vector<std::string>& hosts);

} // namespace trainyard::spec
