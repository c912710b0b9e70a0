// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/event_marks.h"

#include "ui/models/text/engine_text.h"

namespace trainyard::ui {

std::vector<PlotEvent> plotEvents(const std::vector<store::RunEventRow>& events) {
    std::vector<PlotEvent> marked;
    for (const auto& event : events)
        if (store::isMarked(event))
            marked.push_back({event.step, event.seconds, static_cast<double>(event.wallMs) / 1000,
                              engineSentence(store::describe(event))});
    return marked;
}

WallClock wallClockOf(const std::vector<store::RunEventRow>& events, std::int64_t startedMs) {
    using Kind = store::RunEventKind;
    std::vector<WallClock::Anchor> anchors;
    for (const auto& event : events)
        if (event.kind == Kind::Started || event.kind == Kind::Resumed || event.kind == Kind::Restarted)
            anchors.push_back({event.seconds, static_cast<double>(event.wallMs) / 1000});
    if (anchors.empty() && startedMs > 0) anchors.push_back({0, static_cast<double>(startedMs) / 1000});
    return WallClock(anchors);
}

} // namespace trainyard::ui
