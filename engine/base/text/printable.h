// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

// Printable form of untrusted text: control and direction-changing characters escaped, cut at maxLength.
std::string printable(std::string_view text, std::size_t maxLength = 200);

} // namespace trainyard
