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
bool fromWord(std::string_view word, Activity& value);
bool fromWord(std::string_view word, RankStatus& value);
bool fromWord(std::string_view word, ErrorKind& value); // always true: Run for another word
bool fromWord(std::string_view word, ErrorCode& value); // always true: General for the word of a newer program

} // namespace trainyard::wire
