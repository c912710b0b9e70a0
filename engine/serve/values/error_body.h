// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>

namespace trainyard::serve {

// The body of an answer that is an error, as the Open Inference Protocol has it with two members of our own:
// {"error": "what is wrong", "where": "inputs[0].shape", "remedy": "what to do"}; empty parts are left out.
std::string errorBody(const Error& error);

} // namespace trainyard::serve
