// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::spec {

inline constexpr std::size_t kMostPreloaded = 16;

// The run file's program.preload: what is imported once, before ranks are forked.
struct Preload {
    enum class Mode { Off, Auto, Named };
    Mode mode = Mode::Auto;
    std::vector<std::string> modules{}; // of Named
    bool operator==(const Preload&) const = default;
};

// "off", "auto", or modules: "torch,numpy". Input: an empty, doubled or bad name, or more than kMostPreloaded.
Result<Preload> parsePreload(std::string_view text);
// Whether Python could import it: names of ASCII letters, digits and _, with dots between them, at most 100 characters.
bool isModuleName(std::string_view text);

} // namespace trainyard::spec
