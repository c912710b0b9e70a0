// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace trainyard::spec {

// Which ways between the hosts of a run are tried, as {from, to}: all of them, or of many hosts one to each. The empty
// host is this computer. A host that is alone is tried from itself.
std::vector<std::pair<std::string, std::string>> waysToTry(const std::vector<std::string>& hosts);

} // namespace trainyard::spec
