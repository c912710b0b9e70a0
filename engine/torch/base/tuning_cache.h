// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <optional>
#include <string>

namespace trainyard::train {

// Decisions of earlier timings on this computer, in `tuning.json` of the user's cache folder ($XDG_CACHE_HOME/trainyard
// or ~/.cache/trainyard). They are forgotten after 30 days. A file that cannot be read or written is as none.
std::optional<std::string> rememberedTuning(const std::string& key);
void rememberTuning(const std::string& key, const std::string& text);

// Lets one process of this user measure at a time, so that timings do not disturb each other and processes that start
// together reuse the first one's result. Waits for its turn, but not for ever: past a minute, or where
// the folder cannot be written, it goes without.
class TuningTurn {
public:
    TuningTurn();

private:
    UniqueFd m_lock; // tuning.lock
};

} // namespace trainyard::train
