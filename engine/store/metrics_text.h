// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace trainyard::store {

// {"val/loss": 0.25} as JSON and back. A value that is not finite is null and comes back as NaN.
std::string metricsToText(const std::map<std::string, double>& metrics);
std::map<std::string, double> metricsFromText(const std::string& text); // empty when it is no JSON object

} // namespace trainyard::store
