// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace trainyard::spec {

// One thing that is wrong with a run or sweep file.
struct FieldError {
    std::string path;    // "optimizer.lr"
    std::string value;   // as found
    std::string message; // "must be greater than 0"
    std::string remedy;  // "did you mean \"optimizer\"?"; may be empty
    ErrorCode code = ErrorCode::FieldInvalid;
};
// All of them as one Input error, with their code when it is the same; `file` may be empty.
Error toError(const std::vector<FieldError>& errors, const std::string& file);

} // namespace trainyard::spec
