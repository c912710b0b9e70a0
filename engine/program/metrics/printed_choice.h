// SPDX-License-Identifier: GPL-3.0-or-later
// Names of printed values that somebody takes as metrics, or drops: entries of the run file's metrics.patterns.
#pragma once

#include "engine/imports/printed/printed_line.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// What somebody wants of a name: as the scanner thinks, a metric whatever it thinks, or none.
enum class PrintedChoice { Automatic, Taken, Dropped };

// Rule: which entries of metrics.patterns are names and no regular expressions.
// "+grad norm" takes the value of that name, "-tokens" drops it. An expression has a group, "(?<value>…)".
bool isNameOfPrinted(std::string_view entry);

// The names among the entries.
imports::PrintedNames namesOfPrinted(const std::vector<std::string>& entries);

// The entries with this choice for a name; the others stay as they are.
std::vector<std::string> withChoice(std::vector<std::string> entries, const std::string& name, PrintedChoice choice);

} // namespace trainyard::program
