// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <string_view>

namespace trainyard::wire {

// The value whose word (toString) this is; false when there is none.
bool fromWord(std::string_view word, Phase& value);
bool fromWord(std::string_view word, StopMode& value);
bool fromWord(std::string_view word, CommandKind& value);
bool fromWord(std::string_view word, RunStatus& value);

} // namespace trainyard::wire
