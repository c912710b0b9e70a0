// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/pyramid.h"

namespace trainyard::ui {

void Pyramid::push(double value) {
    m_tail.add(value);
    if (++m_size % kFan != 0) return;
    Bounds full = m_tail;
    m_tail = {};
    for (std::size_t k = 0;; ++k) {
        if (k == m_levels.size()) m_levels.emplace_back();
        std::vector<Bounds>& level = m_levels[k];
        if (level.size() == level.capacity())
            level.reserve(level.size() + level.size() / 4 + kFan); // half as much waste
        level.push_back(full);
        if (level.size() % kFan != 0) return;
        full = {};
        full.add(level.data() + level.size() - kFan, level.data() + level.size());
    }
}

} // namespace trainyard::ui
