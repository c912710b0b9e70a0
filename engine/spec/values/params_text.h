// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/values/params.h"

#include <string_view>

namespace trainyard::spec {

// {"optimizer.lr": 0.1} as JSON on one line, as rows of the database hold a trial's parameters, and back; what is no
// parameter is left out.
std::string paramsToText(const Params& params);
Params paramsFromText(std::string_view text);

} // namespace trainyard::spec
