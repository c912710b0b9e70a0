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

Sentence change(const char* what, const RunEventRow& event) {
    if (!std::isfinite(event.after)) return what;
    if (!std::isfinite(event.before)) return {Engine::tr("%1 set to %2"), {what, number(event.after)}};
    return {"%1 %2 → %3", {what, number(event.before), number(event.after)}};
}

Sentence because(Sentence what, const RunEventRow& event) {
    return event.reason.empty() ? what : Sentence("%1: %2", {std::move(what), event.reason});
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

Sentence describe(const RunEventRow& event) {
    const std::string step = std::to_string(event.step), rank = std::to_string(event.rank);
    switch (event.kind) {
    case RunEventKind::Started:
        if (!std::isfinite(event.after)) return Engine::tr("started");
        return Engine::tr("started with %n workers", "started with %n worker", static_cast<int>(event.after));
    case RunEventKind::Resumed: return because({Engine::tr("resumed from step %1"), {step}}, event);
    case RunEventKind::Restarted: return because({Engine::tr("restarted from step %1"), {step}}, event);
    case RunEventKind::Replaced:
        if (event.reason.empty()) return {Engine::tr("rank %1 replaced"), {rank}};
        return {Engine::tr("rank %1 %2; replaced"), {rank, event.reason}};
    case RunEventKind::Workers: return because(change(Engine::tr("workers"), event), event);
    case RunEventKind::LearningRate: return change(Engine::tr("learning rate"), event);
    case RunEventKind::RolledBack: return because({Engine::tr("rolled back to step %1"), {step}}, event);
    case RunEventKind::Unknown: break;
    }
    return because(Engine::tr("event of a newer version"), event);
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
