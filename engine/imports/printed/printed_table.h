// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that a program prints line by line: a heading of names, then rows of numbers.
#pragma once

#include "engine/imports/printed/printed_line.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::imports {

// Rule: which printed lines are rows of a table, as YOLO, fastai and spaCy print them.
// A heading has at least three names, divided by two spaces or a tab, one of which is a metric's, and no number. Rows
// of as many numbers follow it; rules of dashes may stand between.
class PrintedTable {
public:
    // Looks at the next line. True: it is a heading, a rule below one, or a row, which `row` then is.
    bool add(std::string_view line, PrintedLine& row);

private:
    bool readRow(std::string_view line, PrintedLine& row) const;

    std::vector<std::string> m_names{}; // empty: there is no table
};

} // namespace trainyard::imports
