// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::serve {

// So many a second, with as many at once as a second has.
class RateLimit {
public:
    // 0: no limit.
    explicit RateLimit(double perSecond);

    // Rule: whether one more may come. `now` is monotonic seconds and never goes back.
    bool take(double now);
    // Seconds until the next one may, rounded up to whole ones, at least 1: what Retry-After says.
    int retryAfter(double now) const;

private:
    double m_perSecond, m_most, m_left, m_at = 0;
};

} // namespace trainyard::serve
