// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/hash_draw.h"
#include "engine/sweep/values/space.h"

namespace trainyard::sweep {

// A density over a space, made of a kernel for each of some points and a wide one for the prior: a mixture of products
// over the axes (Watanabe 2023, arXiv 2304.11127). An axis that does not count at a point has the prior's kernel there.
class Parzen {
public:
    // The points in the order of arrival: the newest 25 weigh 1, earlier ones less.
    Parzen(const Space& space, const std::vector<const Point*>& points);

    // Up to a constant that all densities of the space share; leaves out the axes that are inactive at `point`.
    double logDensity(const Point& point) const;
    Point draw(DrawStream& draws) const;

private:
    struct Kernel { // of one axis: a truncated normal distribution, or for choices the chance of each
        double mean = 0.5, sigma = 1, logNorm = 0;
        std::vector<double> chances{};
    };
    void fitChoices(std::size_t axis, const std::vector<const Point*>& points);
    void fitNumbers(std::size_t axis, const std::vector<const Point*>& points);
    double logKernel(std::size_t axis, const Kernel& kernel, double place) const;
    double drawKernel(std::size_t axis, const Kernel& kernel, double share) const;

    const Space& m_space;
    std::vector<double> m_logWeights, m_shares; // of the kernels; their running sums
    std::vector<std::vector<Kernel>> m_kernels; // by axis; the last one is the prior's
};

} // namespace trainyard::sweep
