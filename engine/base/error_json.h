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
// The error that such an object tells of: its message is the whole sentence. Nothing when `json` is no such object.
std::optional<Error> errorFromJson(std::string_view json);

} // namespace trainyard
