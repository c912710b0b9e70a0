// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/batch_table.h"

#include <algorithm>

namespace trainyard::serve {

BatchTable::BatchTable(const std::vector<Row>& rows) {
    for (const Row& row : rows)
        if (row.rows > (m_rows.empty() ? 0 : m_rows.back().rows)) m_rows.push_back({row.rows, std::max(0.1, row.us)});
}

int BatchTable::cut(int waiting) const {
    if (m_rows.empty()) return 1;
    const int most = std::clamp(waiting, 1, largest());
    int best = most;
    double bestUs = expectedUs(most) / most;
    for (const Row& row : m_rows) {
        if (row.rows >= most) break;
        if (row.us / row.rows < bestUs) {
            best = row.rows;
            bestUs = row.us / row.rows;
        }
    }
    return best;
}

double BatchTable::expectedUs(int rows) const {
    if (m_rows.empty()) return 0;
    const auto after = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& each) { return each.rows >= rows; });
    if (after == m_rows.end()) return m_rows.back().us * rows / m_rows.back().rows;
    if (after == m_rows.begin()) return after->us;
    const auto before = after - 1;
    const double part = static_cast<double>(rows - before->rows) / (after->rows - before->rows);
    return before->us + part * (after->us - before->us);
}

double BatchTable::rowsPerSecond() const {
    double best = 0;
    for (const Row& row : m_rows) best = std::max(best, 1e6 * row.rows / row.us);
    return best;
}

} // namespace trainyard::serve
