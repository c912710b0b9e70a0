// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/space.h"

#include <memory>

namespace trainyard::sweep {

// A Gaussian process over a space: a Matérn 5/2 kernel with a length for each axis (choices are equal or not) and
// noise. Larger values are better.
class GaussianProcess {
public:
    // Fits lengths, scale and noise to the values, which have mean 0 and variance 1, by maximum likelihood with weak
    // priors (SBPLX of NLopt). Starts at `start`, logarithms from parameters(); empty: from the defaults.
    GaussianProcess(const Space& space, std::vector<Point> points, std::vector<double> values,
                    std::vector<double> start);
    ~GaussianProcess();

    const std::vector<double>& parameters() const; // logarithms
    // Points without a value yet get their mean, so that the next proposal keeps away from them.
    void addAtMean(const std::vector<Point>& points);
    // The logarithm of the expected improvement over the best value (Ament and others 2023, arXiv 2310.20708).
    double logExpectedImprovement(const Point& point) const;

private:
    struct Model;
    std::unique_ptr<Model> m_model; // Eigen stays out of headers
};

} // namespace trainyard::sweep
