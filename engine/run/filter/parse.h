// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/filter.h"

#include <variant>

namespace trainyard::run {

// One word of a filter.
struct FilterToken {
    enum class Kind { Word, Quoted, Sign, Open, Close, End } kind = Kind::End;
    std::string text;
    std::size_t position = 0, length = 0; // of its text in the filter, quotes included
};
// The words of a filter, End last; or what is wrong with one.
std::variant<std::vector<FilterToken>, FilterProblem> filterTokens(std::string_view text);
// The filter as a tree; of an empty one an And without parts.
std::variant<FilterNode, FilterProblem> parseFilter(std::string_view text);

} // namespace trainyard::run
