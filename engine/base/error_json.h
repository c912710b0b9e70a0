// SPDX-License-Identifier: GPL-3.0-or-later
// An error as programs print it for other programs: {"error", "error_kind", "error_code"} and its parts, as ERRORS.md
// describes.
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

// An object of these members, indented by two; `error` is Error::text(). An error with a place or a remedy has its
// parts as "error_message", "error_where" and "error_remedy", too.
std::string errorToJson(const Error& error);
// The error that such an object describes; without its parts, as older programs print it, the message is the whole
// sentence. Nothing when `json` is no such object.
std::optional<Error> errorFromJson(std::string_view json);

// Rule: why another program failed.
// After it exited with `exitCode`: the object that it printed, else the last line of its standard error, else an
// Environment error with `name` and the exit code.
Error programError(const std::string& name, int exitCode, std::string_view output, std::string_view errors);

} // namespace trainyard
