// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/rank_of.h"
#include "engine/base/result.h"
#include "engine/base/text/name_of.h"
#include "engine/spec/run/run_spec.h"

#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// "h2", or "this computer".
inline std::string nameOf(const HostName& host) { return host.empty() ? "this computer" : host.text(); }

// Rule: which hosts are spares, which replaces a lost one, and how many are given up soon.
// The hosts of a run, as its ranks are dealt to them, and those that stand in for a lost one. A value. An empty name is
// this computer.
class HostPool {
public:
    // Spares are those of `hosts` that no rank can be dealt to, since there are too few, then those of `spareHosts`.
    explicit HostPool(const spec::RunSpec& spec);

    HostName hostOf(RankOf rank) const; // as spec::hostOfRank()
    std::set<HostName> used() const;    // by any rank
    // In the order in which they are tried: those that have been lost or were no use come last.
    const std::vector<HostName>& spares() const { return m_spares; }
    void putLast(const HostName& spare); // it was no use
    // All ranks of `lost` go to `spare`, and `lost` becomes the last spare, for it may come back.
    void replace(const HostName& lost, const HostName& spare);
    // The hosts, of these lost at the same time, that spares should replace without waiting: the first ones, as many as
    // there are spares that were neither lost nor unusable.
    std::set<HostName> givenUpSoon(const std::vector<HostName>& lost) const;
    // The host that this one replaces: the one that the run file deals these ranks to.
    HostName placeOf(const HostName& host) const;

private:
    std::vector<HostName> m_hosts, m_places, m_spares; // places: as the run file has them
    std::set<HostName> m_doubtful;                     // were lost, or of no use as spares
};

// The hosts that a run needs a connection to: those that train, and the spares.
std::vector<std::string> hostsToReach(const spec::RunSpec& spec);
// Whether the run can start although one of them failed with this error: there is a spare.
bool startsWithout(const spec::RunSpec& spec, const Error& error);

} // namespace trainyard::run
