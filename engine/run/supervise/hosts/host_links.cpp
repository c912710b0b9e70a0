// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/host_links.h"

#include "engine/base/error_code.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr double kWorthTelling = 5; // seconds

std::string wholeSeconds(double seconds) { return std::to_string(std::lround(seconds)) + " s"; }

} // namespace

std::vector<HostLinks::Word> HostLinks::look(const Ranks& ranks, double now) {
    std::map<HostName, double> away;
    std::set<HostName> heard;
    for (const auto* rank : ranks) {
        if (rank->exit || rank->failureNoted || !rank->trained) continue;
        const auto& host = rank->placement.host;
        if (rank->awaySince < 0) heard.insert(host);
        else if (const auto [at, isNew] = away.emplace(host, rank->awaySince); !isNew)
            at->second = std::min(at->second, rank->awaySince);
    }
    std::vector<Word> words;
    const bool isNeeded = heard.empty() && std::ranges::any_of(ranks, &RankRecord::joining);
    const char* then =
        isNeeded ? "; waiting for it, since no other host has the training state" : "; its ranks continue";
    for (const auto& [host, since] : away)
        if (now - since >= kWorthTelling && m_told.emplace(host, since).second)
            words.push_back({false, host.text() + ": no link for " + wholeSeconds(now - since) + then});
    for (const auto* rank : ranks) {
        const auto& host = rank->placement.host;
        if (!rank->awayError || isLostHost(rank->awayError->code) || !m_told.contains(host)) continue;
        if (m_refusing.insert(host).second)
            words.push_back({false, host.text() + ": cannot reconnect: " + rank->awayError->text()});
    }
    std::erase_if(m_refusing, [&](const auto& host) { return !away.contains(host); });
    std::erase_if(m_told, [&](const auto& each) {
        if (away.contains(each.first)) return false;
        if (heard.contains(each.first))
            words.push_back({true, each.first.text() + ": the link is back after " + wholeSeconds(now - each.second) +
                                       "; nothing was lost"});
        return true; // or its ranks were given up, which is told as their loss
    });
    return words;
}

} // namespace trainyard::run
