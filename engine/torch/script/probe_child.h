// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::script {

// Before the name of each stage on the child's output, on a line of its own; the report follows as one line of JSON.
inline constexpr const char* kStageMark = "\nstage: ";

} // namespace trainyard::script
