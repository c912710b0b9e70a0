// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard {

// The share of a standard normal distribution below x.
double normalCdf(double x);
// The x below which the share p lies: -infinity at 0, infinity at 1 (Boost.Math).
double normalQuantile(double p);

} // namespace trainyard
