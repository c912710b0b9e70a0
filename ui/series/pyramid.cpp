// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/pyramid.h"

namespace trainyard::ui {

void Pyramid::push(double value) {
    const std::size_t index = m_size++;
    std::size_t span = kFan;
    for (std::size_t k = 0;; ++k, span *= kFan) {
        if (k == m_levels.size()) {
            // A level is worth having once the one below has a second block; the first block of
            // that one is complete by then.
            if (k > 0 && m_levels[k - 1].size() < 2) return;
            m_levels.emplace_back();
            if (k > 0) m_levels[k].push_back(m_levels[k - 1].front());
        }
        std::vector<Extent>& level = m_levels[k];
        if (level.size() <= index / span) level.emplace_back();
        level.back().add(value);
    }
}

void Pyramid::clear() {
    m_levels.clear();
    m_size = 0;
}

} // namespace trainyard::ui
