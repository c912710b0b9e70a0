// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::spec {

// The series that runs record by themselves, such as val/loss. Programs on the library may report others.
const std::vector<std::string>& knownSeries();

} // namespace trainyard::spec
