// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

namespace trainyard::test {

// A point whose value is its step.
inline wire::Point pointAt(std::int64_t step) { return {step, 0, 0, static_cast<double>(step)}; }

} // namespace trainyard::test
