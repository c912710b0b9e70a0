// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/script/probe.h"

namespace trainyard::models {

// What a library registers, which is loaded into this process for good. Input: it is not a plug-in that fits.
Result<script::PluginReport> describePlugin(const std::string& path);

} // namespace trainyard::models

namespace trainyard::script {

// Before the name of each stage on the child's output, on a line of its own; the report follows as one line of JSON.
inline constexpr const char* kStageMark = "\nstage: ";

} // namespace trainyard::script
