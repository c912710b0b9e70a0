// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/base64.h"

#include <string>
#include <string_view>

namespace trainyard::remote {

std::string hmacSha1(std::string_view key, std::string_view message); // 20 raw bytes

} // namespace trainyard::remote
