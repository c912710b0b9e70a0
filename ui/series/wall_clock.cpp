// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/wall_clock.h"

#include <algorithm>

namespace trainyard::ui {

WallClock::WallClock(const std::vector<Anchor>& anchors) {
    for (Anchor anchor : anchors) {
        while (!m_anchors.empty() && !(m_anchors.back().trained < anchor.trained)) m_anchors.pop_back();
        if (!m_anchors.empty()) {
            const Anchor& before = m_anchors.back();
            anchor.wall = std::max(anchor.wall, before.wall + (anchor.trained - before.trained));
        }
        m_anchors.push_back(anchor);
    }
}

double WallClock::at(double trained) const {
    if (m_anchors.empty()) return trained;
    auto launch = std::lower_bound(m_anchors.begin(), m_anchors.end(), trained,
                                   [](const Anchor& anchor, double when) { return anchor.trained < when; });
    if (launch != m_anchors.begin()) --launch;
    return launch->wall + (trained - launch->trained);
}

} // namespace trainyard::ui
