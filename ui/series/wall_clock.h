// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace trainyard::ui {

// Rule: the wall clock of a run's training.
// Each launch of its workers is an anchor. Up to the next one, the clock and the seconds of training advance together.
class WallClock {
public:
    struct Anchor {
        double trained = 0; // seconds of training at the launch, as points count them
        double wall = 0;    // seconds since 1970-01-01 UTC
        bool operator==(const Anchor&) const = default;
    };

    WallClock() = default;
    // In the order of the launches. A launch that restarts from an earlier point replaces those after it. A clock that
    // was set back counts as stopped: time in a chart only grows.
    explicit WallClock(const std::vector<Anchor>& anchors);

    // Grows with `trained`. A measurement at an anchor's second was made before the launch. Without an anchor:
    // `trained` itself.
    double at(double trained) const;

    bool operator==(const WallClock&) const = default;

private:
    std::vector<Anchor> m_anchors;
};

} // namespace trainyard::ui
