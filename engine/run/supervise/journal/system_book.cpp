// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/journal/system_book.h"

#include "engine/run/record/series/system_series.h"

#include <algorithm>
#include <limits>

namespace trainyard::run {
namespace {

constexpr double kSilentSeconds = 2.5; // without a sample, which comes once a second: the rank is suspended, or gone
constexpr double kMega = 1e6;

// Every value as a float: it is stored in half the bytes.
void add(wire::Metrics& metrics, wire::Point at, std::string series, double value) {
    at.value = static_cast<double>(static_cast<float>(value));
    metrics.series.push_back({std::move(series), 0, {at}});
}

} // namespace

// The latest point has come the fastest.
void SystemBook::trained(double trainSeconds, double now) {
    const double origin = now - trainSeconds;
    if (m_origin < 0) m_made = now;
    m_origin = m_origin < 0 ? origin : std::min(m_origin, origin);
}

void SystemBook::relaunched() {
    m_ranks.clear();
    m_hosts.clear();
    m_origin = -1;
    m_fresh = false;
}

void SystemBook::take(int rank, const HostName& host, const wire::SystemSample& sample, double now) {
    if (!(sample.seconds > 0)) return;
    auto& known = m_ranks[rank];
    auto& sums = known.sums;
    const double seconds = sample.seconds;
    sums.seconds += seconds;
    sums.cpu += seconds * sample.cpuCores;
    sums.data += seconds * sample.dataShare;
    sums.compute += seconds * sample.computeShare;
    sums.comm += seconds * sample.commShare;
    sums.wait += seconds * sample.waitShare;
    sums.gpu += seconds * sample.gpuShare;
    known.last = sample;
    known.at = now;
    m_fresh = true;
    if (!sample.hasHost) return;
    auto& place = m_hosts[host];
    place.sums.seconds += seconds;
    place.sums.cpu += seconds * sample.hostCpuShare;
    place.sums.received += seconds * sample.hostReceived;
    place.sums.sent += seconds * sample.hostSent;
    place.last = sample;
}

double SystemBook::due() const {
    if (m_origin < 0 || !m_fresh) return std::numeric_limits<double>::infinity();
    return m_made + systemInterval(m_made - m_origin, m_ranks.size());
}

// 0 while a rank is silent: the others can only wait for it.
double SystemBook::leastComm(double now) const {
    double least = 1;
    for (const auto& [number, rank] : m_ranks) {
        if (rank.sums.seconds > 0) least = std::min(least, rank.sums.comm / rank.sums.seconds);
        else if (now - rank.at > kSilentSeconds) least = 0;
    }
    return m_ranks.size() < 2 ? 1 : least;
}

void SystemBook::addRank(wire::Metrics& metrics, const wire::Point& at, int number, const Rank& rank,
                         double least) const {
    const auto& sums = rank.sums;
    const auto put = [&](std::string_view what, double value) { add(metrics, at, rankSeries(number, what), value); };
    const double comm = sums.comm / sums.seconds, communication = std::min(comm, least);
    put(kCpuPercent, 100 * sums.cpu / sums.seconds);
    put(kMemoryMb, static_cast<double>(rank.last.residentBytes) / kMega);
    if (rank.last.computeShare >= 0) { // else a program: nobody knows
        put(kData, sums.data / sums.seconds);
        put(kCompute, sums.compute / sums.seconds);
        put(kCommunication, communication);
        put(kWait, sums.wait / sums.seconds + comm - communication);
    }
    if (!rank.last.hasGpu) return;
    put(kGpuPercent, 100 * sums.gpu / sums.seconds);
    put(kGpuMemoryMb, static_cast<double>(rank.last.gpuMemoryUsed) / kMega);
}

wire::Metrics SystemBook::points(const Moment& moment, double now) {
    wire::Metrics metrics;
    const wire::Point at{moment.step, moment.epoch, std::max(0.0, now - m_origin), 0};
    const double least = leastComm(now);
    for (auto& [number, rank] : m_ranks) {
        if (rank.sums.seconds > 0) addRank(metrics, at, number, rank, least);
        rank.sums = {};
    }
    for (auto& [name, host] : m_hosts) {
        const auto& sums = host.sums;
        if (sums.seconds <= 0) continue;
        add(metrics, at, hostSeries(name, kCpuPercent), 100 * sums.cpu / sums.seconds);
        add(metrics, at, hostSeries(name, kMemoryMb), static_cast<double>(host.last.hostMemoryUsed) / kMega);
        add(metrics, at, hostSeries(name, kNetworkIn), sums.received / sums.seconds / kMega);
        add(metrics, at, hostSeries(name, kNetworkOut), sums.sent / sums.seconds / kMega);
        host.sums = {};
    }
    m_made = now;
    m_fresh = false;
    return metrics;
}

} // namespace trainyard::run
