// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: where ticks stand.
// For charts, the scatter plot and the SVG of a run's curves.
#pragma once

#include <vector>

namespace trainyard {

// The smallest of 1, 2, 4 and 5 times a power of ten that is at least `rough`, which must be greater than 0.
double niceStep(double rough);
// The multiples of `step` in [low, high], at most 100; zero is exactly 0.
std::vector<double> multiplesIn(double low, double high, double step);
// Multiples of a nice step, `count` of them or fewer by about half; none when the range is empty or not finite.
std::vector<double> linearTickPositions(double low, double high, int count);
// 1, 2 and 5 of every decade while they are few, decades (or every n-th) when they are many. None when `low` is not
// greater than 0 or the range is less than a factor of five, over which a log axis reads like a linear one.
std::vector<double> logTickPositions(double low, double high, int count);

} // namespace trainyard
