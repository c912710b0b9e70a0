// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace trainyard {

// What this process has in memory, shared pages included, in bytes.
std::int64_t residentBytes();

} // namespace trainyard
