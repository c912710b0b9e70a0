// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::program {

// resources/python/argument_probe.py, which the build puts into the program.
std::string_view probeSource();

} // namespace trainyard::program
