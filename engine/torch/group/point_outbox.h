// SPDX-License-Identifier: GPL-3.0-or-later
// The points of series that a rank has still to send, and when they leave. A value: it knows no clock and no thread.
#pragma once

#include "engine/wire/messages.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace trainyard::train {

class PointOutbox {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr auto kEvery = std::chrono::milliseconds(50); // unless they are hastened
    static constexpr auto kPause = std::chrono::milliseconds(8);  // when they are: what a window can draw
    static constexpr std::size_t kPerFrame = 20'000;              // well below wire::kMaxPayload

    bool isEmpty() const { return m_points.empty(); }
    // When there are too many of a series, it keeps every second of them.
    void add(const std::string& series, const wire::Point& point);
    // They leave now, or as soon as the last ones have left long enough ago.
    void hasten() { sendBy(m_left + kPause); }
    void sendBy(Time time) { m_due = std::min(m_due, time); }
    // When the next points leave, as seen at `now`.
    Time due(Time now) const { return m_points.empty() ? now + kEvery : m_due; }
    // Appends the frames of all points, which leave at `now`.
    void takeAll(std::vector<std::byte>& frames, Time now);

private:
    std::map<std::string, std::vector<wire::Point>> m_points;
    Time m_due{}, m_left{}; // m_left: when the last ones did
};

} // namespace trainyard::train
