// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/name_of.h"
#include "engine/wire/messages.h"

#include <map>
#include <string>

namespace trainyard::run {

// Gathers the system samples of a run's ranks and makes points of the series in
// engine/run/record/series/system_series.h from them. A value: times are monotonic seconds that are handed to it.
//
// A rank's time in collectives is communication and waiting. Every rank takes part in every collective, so the rank
// with the least time there shows the cost of communication; the rest of another rank's time is waiting.
class SystemBook {
public:
    struct Moment {
        std::int64_t step = 0;
        double epoch = 0;
    };
    // The training time of the newest point.
    void trained(double trainSeconds, double now);
    // A generation of ranks begins: its time is not known before its first point.
    void relaunched();
    // The ranks have other numbers, or others their places.
    void regrouped() { m_ranks.clear(); }

    void take(int rank, const HostName& host, const wire::SystemSample& sample, double now);
    double due() const; // when points are to be made; infinity: nothing has been measured since
    // The means since the last ones; no series has more than one point.
    wire::Metrics points(const Moment& moment, double now);

private:
    struct Sums { // of shares and rates, weighted by seconds
        double seconds = 0, cpu = 0, data = 0, compute = 0, comm = 0, wait = 0, gpu = 0;
    };
    struct HostSums {
        double seconds = 0, cpu = 0, received = 0, sent = 0;
    };
    struct Rank {
        Sums sums;
        wire::SystemSample last;
        double at = 0; // of the last sample
    };
    struct Host {
        HostSums sums;
        wire::SystemSample last;
    };
    double leastComm(double now) const;
    void addRank(wire::Metrics& metrics, const wire::Point& at, int number, const Rank& rank, double least) const;

    std::map<int, Rank> m_ranks;
    std::map<HostName, Host> m_hosts;
    double m_origin = -1; // when the run's first step was, restarts left out; -1: not known
    double m_made = 0;    // when points were last made
    bool m_fresh = false; // something was measured since
};

} // namespace trainyard::run
