// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

// A new run or sweep id: time-ordered and safe as a file name, e.g. "20261120-104512-7f3a9c".
std::string newId();
// The id of the one run that a key of others names, such as the number of a cluster's job: always the same for a key.
std::string idOfKey(std::string_view key);
// A friendly two-word name, e.g. "brave-otter"; random, not unique.
std::string newRunName();

} // namespace trainyard
