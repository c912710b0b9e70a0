// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>

namespace trainyard::data {

// Environment when `bytes`, which a dataset is about to need, are more than this process can still get: free memory of
// the computer, what is left of the control group's limit, and of the address space limit. Before anything is reserved,
// since Linux grants what it does not have and kills later. `what` is named as the place: "dataset images".
Result<void> checkMemoryFor(double bytes, const std::string& what);

} // namespace trainyard::data
