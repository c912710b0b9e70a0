// SPDX-License-Identifier: GPL-3.0-or-later
// An error as programs print it for other programs: {"error", "error_kind", "error_code"}, as ERRORS.md describes.
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

// An object of the three members, indented by two; `error` is Error::text().
std::string errorToJson(const Error& error);
// The error that such an object describes: its message is the whole sentence. Nothing when `json` is no such object.
std::optional<Error> errorFromJson(std::string_view json);

// Why a program ended with `exitCode`: the object it printed, else the last line of its standard error, else
// Environment with `name` and the exit code.
Error programError(const std::string& name, int exitCode, std::string_view output, std::string_view errors);

} // namespace trainyard
