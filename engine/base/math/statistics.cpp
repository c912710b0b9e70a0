// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/statistics.h"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace trainyard {

double normalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normalQuantile(double p) {
    if (p <= 0) return -std::numeric_limits<double>::infinity();
    if (p >= 1) return std::numeric_limits<double>::infinity();
    return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);
}

} // namespace trainyard
