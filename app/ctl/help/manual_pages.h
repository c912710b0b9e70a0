// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/help/command_tree.h"
#include "app/manual/man_page.h"

namespace trainyard::ctl {

// trainyardctl(1), and trainyardctl-VERB(1) for each of its commands with the commands below it.
std::vector<manual::Page> manualPages(const CommandInfo& program);

} // namespace trainyard::ctl
