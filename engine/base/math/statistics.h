// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>

namespace trainyard {

// Mean and standard deviation in one pass by Welford (Technometrics 4(3), 1962), which keeps the digits that a sum of
// squares loses. Values that are not finite do not count.
class RunningMean {
public:
    void add(double value) {
        if (!std::isfinite(value)) return;
        const double before = value - m_mean;
        m_mean += before / ++m_count;
        m_squares += before * (value - m_mean);
    }
    int count() const { return m_count; }
    double mean() const { return m_mean; } // 0 of none
    // Of a sample, over n - 1; NaN below two values.
    double deviation() const {
        return m_count < 2 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(m_squares / (m_count - 1));
    }

private:
    int m_count = 0;
    double m_mean = 0, m_squares = 0; // of the distances to the mean
};

// A point of a curve.
struct CurvePoint {
    double x = 0, y = 0;
};

// The value at x on the straight line between two neighbouring points, left.x < x <= right.x.
inline double between(const CurvePoint& left, const CurvePoint& right, double x) {
    const double share = (x - left.x) / (right.x - left.x);
    return left.y * (1 - share) + right.y * share;
}

// The share of a standard normal distribution below x.
double normalCdf(double x);
// The x below which the share p lies: -infinity at 0, infinity at 1 (Boost.Math).
double normalQuantile(double p);

} // namespace trainyard
