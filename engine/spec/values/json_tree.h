// SPDX-License-Identifier: GPL-3.0-or-later
// Untrusted JSON text to a tree, with everything that is wrong with it. Only for engine/spec.
#pragma once

#include "engine/base/json_text.h"
#include "engine/spec/values/field_error.h"

namespace trainyard::spec {

using Errors = std::vector<FieldError>;

inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxKeys = 1000;          // in one object
inline constexpr std::size_t kMaxFileBytes = 4u << 20; // of a run, sweep or catalog file

// The tree, as far as it could be read. Reports malformed text with line and column, doubled keys, numbers that are
// too large, nesting deeper than kMaxDepth (refused before anything recurses) and a value that is no object.
Json parseTree(std::string_view text, Errors& errors);
// "a.b" from "a" and "b"; "b" when the first is empty.
std::string joinPath(const std::string& path, const std::string& key);
// A value as a person wrote it, shortened and made printable.
std::string shown(const Json& value);

} // namespace trainyard::spec
