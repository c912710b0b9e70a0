// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// How long a model takes for batches of 1, 2, 4 … rows, as its replica measured while it warmed up.
class BatchTable {
public:
    struct Row {
        int rows = 0;
        double us = 0;
        bool operator==(const Row&) const = default;
    };

    BatchTable() = default;
    // Rows ascend; what does not is passed over, and times below 0.1 µs count as that.
    explicit BatchTable(const std::vector<Row>& rows);

    // Rule: how many of the rows that wait are computed at once.
    // The number up to `waiting` and the largest measured that costs the least for each row; of equals the larger, as
    // the others then wait less. At least 1.
    int cut(int waiting) const;
    // What a batch of so many rows is expected to take: between measured sizes along a line, beyond them by the row.
    double expectedUs(int rows) const;
    int largest() const { return m_rows.empty() ? 1 : m_rows.back().rows; }
    // Rows a second that one replica computes at the best.
    double rowsPerSecond() const;
    const std::vector<Row>& rows() const { return m_rows; }
    bool operator==(const BatchTable&) const = default;

private:
    std::vector<Row> m_rows;
};

} // namespace trainyard::serve
