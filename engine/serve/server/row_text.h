// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::serve {

// Cells as one line of CSV, quoted where they must be: what `trainyardctl predict --row` takes.
std::string rowText(const std::vector<std::string>& cells);

} // namespace trainyard::serve
