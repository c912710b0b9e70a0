// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_events.h"

#include "engine/store/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trainyard::store {
namespace {

// In the order of the enumeration.
constexpr std::array kWords = {"started", "resumed",       "restarted",  "replaced",
                               "workers", "learning_rate", "rolled_back"};

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string change(const char* what, const RunEventRow& event) {
    if (!std::isfinite(event.after)) return what;
    if (!std::isfinite(event.before)) return std::string(what) + " set to " + number(event.after);
    return std::string(what) + " " + number(event.before) + " → " + number(event.after);
}

std::string because(std::string text, const RunEventRow& event) {
    return event.reason.empty() ? text : text + ": " + event.reason;
}

std::string withWorkers(const char* what, double workers) {
    if (!std::isfinite(workers)) return what;
    return std::string(what) + " with " + number(workers) + (workers == 1 ? " worker" : " workers");
}

} // namespace

const char* toString(RunEventKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kWords.size() ? kWords[index] : "unknown";
}

RunEventKind runEventKindFromString(std::string_view word) {
    const auto found = std::find(kWords.begin(), kWords.end(), word);
    return static_cast<RunEventKind>(found - kWords.begin()); // past the last word: Unknown
}

std::string eventText(const RunEventRow& event) {
    switch (event.kind) {
    case RunEventKind::Started: return withWorkers("started", event.after);
    case RunEventKind::Resumed: return because("resumed from step " + std::to_string(event.step), event);
    case RunEventKind::Restarted: return because("restarted from step " + std::to_string(event.step), event);
    case RunEventKind::Replaced:
        return "rank " + std::to_string(event.rank) + (event.reason.empty() ? " " : " " + event.reason + "; ") +
               "replaced";
    case RunEventKind::Workers: return because(change("workers", event), event);
    case RunEventKind::LearningRate: return change("learning rate", event);
    case RunEventKind::RolledBack: return because("rolled back to step " + std::to_string(event.step), event);
    case RunEventKind::Unknown: break;
    }
    return because("event of a newer version", event);
}

Result<void> Store::appendEvents(const std::string& run, const std::vector<RunEventRow>& events) {
    return inTransaction([&]() -> Result<void> {
        Statement insert(m_db, "INSERT INTO run_events (run, " + columnList<RunEventRow>() + ") VALUES (?, " +
                                   placeholders<RunEventRow>() + ")");
        for (const RunEventRow& event : events) {
            int at = 1;
            insert.bind(at, run);
            columns(event, [&](const char*, const auto& member, Column kind) {
                if (kind == Column::Key) insert.bind(++at, RunEventRow::kNone); // NULL: the table gives the next one
                else bindMember(insert, ++at, member);
            });
            TY_TRY(insert.run());
        }
        return {};
    });
}

bool isMarked(const RunEventRow& event) { return event.kind != RunEventKind::Started; }

} // namespace trainyard::store
