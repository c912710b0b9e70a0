// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/system_series.h"

#include <algorithm>
#include <charconv>

namespace trainyard::run {
namespace {

constexpr std::string_view kPrefix = "system/";
constexpr std::string_view kRankPrefix = "system/rank";
constexpr double kFinePoints = 3600; // at a second each; then a point stands for this part of the time so far
constexpr double kLongest = 60;
constexpr double kRanksASecond = 16;

} // namespace

bool isSystemSeries(std::string_view series) { return series.starts_with(kPrefix); }

std::string foreignSystemSeries(std::string_view name) { return std::string(kPrefix) + std::string(name); }

std::string rankSeries(int rank, std::string_view what) {
    return std::string(kRankPrefix) + std::to_string(rank) + "/" + std::string(what);
}

std::string hostSeries(const HostName& host, std::string_view what) {
    return std::string(kPrefix) + "host/" + (host.empty() ? "localhost" : host.text()) + "/" + std::string(what);
}

std::optional<RankTime> rankTimeOf(std::string_view series) {
    if (!series.starts_with(kRankPrefix)) return {};
    series.remove_prefix(kRankPrefix.size());
    RankTime time;
    const auto [end, error] = std::from_chars(series.data(), series.data() + series.size(), time.rank);
    const std::string_view rest = series.substr(static_cast<std::size_t>(end - series.data()));
    if (error != std::errc() || time.rank < 0 || !rest.starts_with('/')) return {};
    for (const auto part : {kData, kCompute, kCommunication, kWait})
        if (rest.substr(1) == part) {
            time.part = part;
            return time;
        }
    return {};
}

double systemInterval(double trainSeconds, std::size_t ranks) {
    const double byLength = trainSeconds / kFinePoints, byRanks = static_cast<double>(ranks) / kRanksASecond;
    return std::clamp(std::max(1.0, byLength) * std::max(1.0, byRanks), 1.0, kLongest);
}

} // namespace trainyard::run
