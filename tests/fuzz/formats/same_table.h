// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/table.h"

#include <algorithm>
#include <bit>
#include <string>

// What of two readings of a table differs, to the bit; empty: nothing.
inline std::string differenceOf(const trainyard::Result<trainyard::formats::Table>& a,
                                const trainyard::Result<trainyard::formats::Table>& b) {
    if (!a || !b) {
        const std::string one = a ? "a table" : a.error().text(), other = b ? "a table" : b.error().text();
        if (one != other) return one + " / " + other;
        return a || b || a.error().code == b.error().code ? "" : "the code of: " + one;
    }
    const auto sameBits = [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    if (a->lines != b->lines || a->leftOut != b->leftOut || a->decimal != b->decimal) return "the rows";
    if (a->columns.size() != b->columns.size()) return "how many columns there are";
    for (std::size_t i = 0; i < a->columns.size(); ++i) {
        const trainyard::formats::Column &one = a->columns[i], &other = b->columns[i];
        const std::string of = " of column " + std::to_string(i + 1);
        if (!std::equal(one.numbers.begin(), one.numbers.end(), other.numbers.begin(), other.numbers.end(), sameBits))
            return "numbers" + of;
        if (one.words != other.words || one.vocabulary != other.vocabulary) return "words" + of;
        if (one.missing != other.missing || one.hasGaps != other.hasGaps) return "missing cells" + of;
        if (one.isWords != other.isWords || one.isDates != other.isDates || one.style != other.style ||
            one.unit != other.unit || one.example != other.example || one.look != other.look)
            return "the kind" + of;
        if (one.hasDate != other.hasDate || one.hasTime != other.hasTime || one.isEmpty != other.isEmpty ||
            one.isRead != other.isRead || one.countsRows != other.countsRows || one.fitsFloats != other.fitsFloats)
            return "what is known" + of;
    }
    return "";
}
