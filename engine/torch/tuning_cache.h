// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace trainyard::train {

// Decisions of earlier timings on this computer, in `tuning.json` of the user's cache folder ($XDG_CACHE_HOME/trainyard
// or ~/.cache/trainyard). They are forgotten after 30 days. A file that cannot be read or written is as none.
std::optional<std::string> rememberedTuning(const std::string& key);
void rememberTuning(const std::string& key, const std::string& text);

} // namespace trainyard::train
