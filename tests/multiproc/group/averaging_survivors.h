// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::test {

// Described in averaging_survivors.cpp. To be called before the process has a thread besides its first.
int surviveKills(int rounds, int ranks, const std::string& optimizer);

} // namespace trainyard::test
