// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::wire {

// What the rendezvous store's keys of the group that meets as this generation begin with, before a slash.
inline std::string storePrefix(int generation) { return "generation" + std::to_string(generation); }

} // namespace trainyard::wire
