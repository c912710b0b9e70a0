// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace trainyard::serve {

RateLimit::RateLimit(double perSecond)
    : m_perSecond(perSecond), m_most(std::max(1.0, perSecond)), m_left(std::max(1.0, perSecond)) {}

bool RateLimit::take(double now) {
    if (m_perSecond <= 0) return true;
    m_left = std::min(m_most, m_left + m_perSecond * (now - m_at));
    m_at = now;
    if (m_left < 1) return false;
    m_left -= 1;
    return true;
}

int RateLimit::retryAfter(double now) const {
    if (m_perSecond <= 0) return 1;
    const double left = m_left + m_perSecond * (now - m_at);
    return static_cast<int>(std::clamp(std::ceil((1 - left) / m_perSecond), 1.0, 3600.0));
}

} // namespace trainyard::serve
