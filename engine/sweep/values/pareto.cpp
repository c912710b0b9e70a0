// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/pareto.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace trainyard::sweep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// By the first loss, then by the second: none is dominated by one that follows.
std::vector<std::size_t> inOrder(std::span<const LossPair> trials) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (trials[i].isFinite()) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(trials[a].first, trials[a].second) < std::tie(trials[b].first, trials[b].second);
    });
    return order;
}

LossPair worstOf(std::span<const LossPair> trials) {
    LossPair worst{-kInfinity, -kInfinity};
    for (const LossPair& each : trials) {
        if (!each.isFinite()) continue;
        worst.first = std::max(worst.first, each.first);
        worst.second = std::max(worst.second, each.second);
    }
    return worst;
}

// The members of each front, by their first loss.
std::vector<std::vector<std::size_t>> membersOf(std::span<const LossPair> trials) {
    std::vector<std::vector<std::size_t>> fronts;
    for (const std::size_t index : inOrder(trials)) {
        // The last member of a front has the least second loss of it: if that one does not dominate, none of it does.
        const auto front = std::partition_point(fronts.begin(), fronts.end(), [&](const auto& members) {
            return dominates(trials[members.back()], trials[index]);
        });
        if (front == fronts.end()) fronts.push_back({index});
        else front->push_back(index);
    }
    return fronts;
}

// What the front of these members loses without each of them. Of equal ones none is missed.
std::vector<double> sharesOf(std::span<const LossPair> trials, std::span<const std::size_t> members,
                             const LossPair& reference) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const LossPair& each = trials[members[i]];
        const double right = i + 1 < members.size() ? trials[members[i + 1]].first : reference.first;
        const double above = i > 0 ? trials[members[i - 1]].second : reference.second;
        shares.push_back((right - each.first) * (above - each.second));
    }
    return shares;
}

// By fronts, and on each by its share, negated.
std::vector<std::vector<std::pair<double, std::size_t>>> inPlaces(std::span<const LossPair> trials) {
    const LossPair reference = worstOf(trials);
    std::vector<std::vector<std::pair<double, std::size_t>>> fronts;
    for (const auto& members : membersOf(trials)) {
        const auto shares = sharesOf(trials, members, reference);
        auto& front = fronts.emplace_back();
        for (std::size_t i = 0; i < members.size(); ++i) front.emplace_back(-shares[i], members[i]);
        std::sort(front.begin(), front.end());
    }
    return fronts;
}

} // namespace

bool LossPair::isFinite() const { return std::isfinite(first) && std::isfinite(second); }

bool dominates(const LossPair& a, const LossPair& b) { return a.first <= b.first && a.second <= b.second && a != b; }

ParetoFront paretoOf(std::span<const LossPair> trials) {
    const auto fronts = membersOf(trials);
    if (fronts.empty()) return {};
    ParetoFront front;
    front.reference = worstOf(trials);
    double above = front.reference.second;
    for (const std::size_t index : fronts.front()) {
        if (!front.indices.empty() && trials[front.indices.back()] == trials[index]) continue;
        front.hypervolume += (front.reference.first - trials[index].first) * (above - trials[index].second);
        above = trials[index].second;
        front.indices.push_back(index);
    }
    return front;
}

std::vector<int> frontsOf(std::span<const LossPair> trials) {
    std::vector<int> numbers(trials.size(), -1);
    int number = 0;
    for (const auto& members : membersOf(trials)) {
        for (const std::size_t index : members) numbers[index] = number;
        ++number;
    }
    return numbers;
}

std::vector<std::size_t> bestFirst(std::span<const LossPair> trials) {
    std::vector<std::size_t> order;
    for (const auto& front : inPlaces(trials))
        for (const auto& [share, index] : front) order.push_back(index);
    return order;
}

std::vector<int> placesOf(std::span<const LossPair> trials) {
    std::vector<int> places(trials.size(), 0);
    int before = 0;
    for (const auto& front : inPlaces(trials)) {
        for (std::size_t i = 0; i < front.size(); ++i) {
            const bool same = i > 0 && front[i].first == front[i - 1].first;
            places[front[i].second] = same ? places[front[i - 1].second] : before + 1;
            ++before;
        }
    }
    return places;
}

} // namespace trainyard::sweep
