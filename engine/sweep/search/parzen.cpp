// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/parzen.h"

#include "engine/base/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace trainyard::sweep {
namespace {

constexpr std::size_t kFullWeight = 25; // of the newest points
constexpr double kSmallest = 1e-300;

// 1 for the newest, rising from 1/m to it before them.
std::vector<double> weightsOf(std::size_t m) {
    std::vector<double> weights(m, 1.0);
    const std::size_t older = m > kFullWeight ? m - kFullWeight : 0;
    const double low = 1.0 / static_cast<double>(m);
    for (std::size_t i = 0; i < older; ++i)
        weights[i] = older == 1 ? low : low + (1 - low) * static_cast<double>(i) / static_cast<double>(older - 1);
    return weights;
}

double shareWithin(double mean, double sigma, double from, double to) {
    return normalCdf((to - mean) / sigma) - normalCdf((from - mean) / sigma);
}

} // namespace

Parzen::Parzen(const Space& space, const std::vector<const Point*>& points) : m_space(space) {
    auto weights = weightsOf(points.size());
    weights.push_back(1); // the prior
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double sum = 0;
    for (const double weight : weights) {
        m_logWeights.push_back(std::log(weight / total));
        m_shares.push_back(sum += weight / total);
    }
    m_kernels.resize(space.size());
    for (std::size_t axis = 0; axis < space.size(); ++axis)
        if (space.isChoice(axis)) fitChoices(axis, points);
        else fitNumbers(axis, points);
}

void Parzen::fitChoices(std::size_t axis, const std::vector<const Point*>& points) {
    const auto cells = static_cast<std::size_t>(m_space.cells(axis));
    const double spread = 1.0 / static_cast<double>(points.size() + 1);
    for (const Point* point : points) {
        Kernel kernel{.chances = std::vector<double>(cells, 1.0 / static_cast<double>(cells))};
        if (const double place = (*point)[axis]; place >= 0) {
            const double total = 1 + spread * static_cast<double>(cells);
            kernel.chances.assign(cells, spread / total);
            kernel.chances[static_cast<std::size_t>(place * static_cast<double>(cells))] += 1 / total;
        }
        m_kernels[axis].push_back(std::move(kernel));
    }
    m_kernels[axis].push_back({.chances = std::vector<double>(cells, 1.0 / static_cast<double>(cells))});
}

// A kernel is as wide as the larger gap to a neighbour; the outermost have one neighbour, and one alone the ends.
void Parzen::fitNumbers(std::size_t axis, const std::vector<const Point*>& points) {
    auto& kernels = m_kernels[axis];
    kernels.resize(points.size() + 1);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if ((*points[i])[axis] >= 0) order.push_back(i);
    const auto place = [&](std::size_t rank) { return (*points[order[rank]])[axis]; };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return (*points[a])[axis] < (*points[b])[axis]; });
    const double narrowest = 1 / std::min(100.0, static_cast<double>(points.size()) + 2);
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const bool first = rank == 0, last = rank + 1 == order.size();
        const double below = first ? (last ? place(rank) : 0) : place(rank) - place(rank - 1);
        const double above = last ? (first ? 1 - place(rank) : 0) : place(rank + 1) - place(rank);
        kernels[order[rank]] = {.mean = place(rank), .sigma = std::clamp(std::max(below, above), narrowest, 1.0)};
    }
    for (Kernel& kernel : kernels) {
        kernel.logNorm = std::log(shareWithin(kernel.mean, kernel.sigma, 0, 1));
        if (m_space.cells(axis) == 0) kernel.logNorm += std::log(kernel.sigma * std::sqrt(2 * std::numbers::pi));
    }
}

double Parzen::logKernel(std::size_t axis, const Kernel& kernel, double place) const {
    if (!kernel.chances.empty())
        return std::log(kernel.chances[static_cast<std::size_t>(place * static_cast<double>(kernel.chances.size()))]);
    if (const int cells = m_space.cells(axis); cells > 0) {
        const double half = 0.5 / cells;
        return std::log(std::max(kSmallest, shareWithin(kernel.mean, kernel.sigma, place - half, place + half))) -
               kernel.logNorm;
    }
    const double away = (place - kernel.mean) / kernel.sigma;
    return -0.5 * away * away - kernel.logNorm;
}

double Parzen::logDensity(const Point& point) const {
    std::vector<double> logs = m_logWeights;
    for (std::size_t axis = 0; axis < m_kernels.size(); ++axis)
        if (point[axis] >= 0)
            for (std::size_t i = 0; i < logs.size(); ++i) logs[i] += logKernel(axis, m_kernels[axis][i], point[axis]);
    const double largest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (const double each : logs) sum += std::exp(each - largest);
    return largest + std::log(sum);
}

double Parzen::drawKernel(std::size_t axis, const Kernel& kernel, double share) const {
    if (!kernel.chances.empty()) {
        std::size_t cell = 0;
        for (double sum = kernel.chances[0]; share >= sum && cell + 1 < kernel.chances.size();)
            sum += kernel.chances[++cell];
        return (static_cast<double>(cell) + 0.5) / static_cast<double>(kernel.chances.size());
    }
    const double from = normalCdf(-kernel.mean / kernel.sigma), to = normalCdf((1 - kernel.mean) / kernel.sigma);
    const double place = std::clamp(kernel.mean + kernel.sigma * normalQuantile(from + share * (to - from)), 0.0, 1.0);
    const int cells = m_space.cells(axis);
    return cells == 0 ? place : (std::min(std::floor(place * cells), cells - 1.0) + 0.5) / cells;
}

Point Parzen::draw(DrawStream& draws) const {
    const double share = draws.next();
    const auto at = std::upper_bound(m_shares.begin(), m_shares.end() - 1, share) - m_shares.begin();
    Point point;
    for (std::size_t axis = 0; axis < m_kernels.size(); ++axis)
        point.push_back(drawKernel(axis, m_kernels[axis][static_cast<std::size_t>(at)], draws.next()));
    return point;
}

} // namespace trainyard::sweep
