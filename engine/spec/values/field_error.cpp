// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/field_error.h"

#include <algorithm>

namespace trainyard::spec {
namespace {

std::string withValue(const FieldError& error) {
    return error.value.empty() ? error.message : error.message + ", found " + error.value;
}

} // namespace

Error toError(const std::vector<FieldError>& errors, const std::string& file) {
    if (errors.empty()) return inputError("nothing is wrong", file);
    const bool alike = std::all_of(errors.begin(), errors.end(),
                                   [&](const FieldError& each) { return each.code == errors.front().code; });
    const ErrorCode code = alike ? errors.front().code : ErrorCode::FieldInvalid;
    if (errors.size() == 1) {
        const FieldError& only = errors.front();
        const bool both = !file.empty() && !only.path.empty();
        return inputError(withValue(only), file + (both ? ": " : "") + only.path, only.remedy).withCode(code);
    }
    constexpr std::size_t kShown = 20;
    std::string message = std::to_string(errors.size()) + " fields are wrong: ";
    for (std::size_t i = 0; i < errors.size() && i < kShown; ++i) {
        const FieldError& error = errors[i];
        message += (i == 0 ? "" : "; ") + error.path + (error.path.empty() ? "" : " ") + withValue(error);
        if (!error.remedy.empty()) message += " (" + error.remedy + ")";
    }
    if (errors.size() > kShown) message += "; and " + std::to_string(errors.size() - kShown) + " more";
    return inputError(message, file).withCode(code);
}

} // namespace trainyard::spec
