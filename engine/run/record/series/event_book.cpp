// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/event_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::run {
namespace {

using store::RunEventKind;
using store::RunEventRow;

RunEventRow at(RunEventKind kind, const RunMoment& now) {
    RunEventRow row;
    row.kind = kind;
    row.step = now.step;
    row.seconds = now.seconds;
    row.wallMs = now.wallMs;
    return row;
}

bool tellsWorkers(RunEventKind kind) {
    return kind == RunEventKind::Started || kind == RunEventKind::Resumed || kind == RunEventKind::Restarted ||
           kind == RunEventKind::Workers;
}

} // namespace

RunEventRow EventBook::add(RunEventRow row) {
    m_rows.push_back(row);
    return row;
}

double EventBook::workersNow() const {
    const auto last =
        std::find_if(m_rows.rbegin(), m_rows.rend(), [](const auto& row) { return tellsWorkers(row.kind); });
    return last == m_rows.rend() ? RunEventRow::kNone : last->after;
}

void EventBook::rewind(std::int64_t step) {
    std::erase_if(m_rows, [&](const auto& row) { return row.step > std::max<std::int64_t>(step, 0); });
}

void EventBook::launched(RunEventKind kind, std::string reason, const RunMoment& from) {
    m_launch = at(kind, from);
    m_launch->reason = std::move(reason);
}

std::vector<RunEventRow> EventBook::training(int workers, std::int64_t wallMs) {
    std::vector<RunEventRow> rows;
    if (!m_launch) return rows;
    auto changed = this->workers(workers, {}, {m_launch->step, m_launch->seconds, wallMs});
    m_launch->after = workers;
    m_launch->wallMs = wallMs;
    rows.push_back(add(std::move(*m_launch)));
    m_launch.reset();
    if (changed) rows.push_back(std::move(*changed));
    return rows;
}

std::optional<RunEventRow> EventBook::workers(int count, std::string reason, const RunMoment& now) {
    const double before = workersNow();
    if (!std::isfinite(before) || before == count) return std::nullopt;
    auto row = at(RunEventKind::Workers, now);
    row.before = before;
    row.after = count;
    row.reason = std::move(reason);
    return add(std::move(row));
}

RunEventRow EventBook::replaced(int rank, std::string reason, const RunMoment& now) {
    auto row = at(RunEventKind::Replaced, now);
    row.rank = rank;
    row.reason = std::move(reason);
    return add(std::move(row));
}

RunEventRow EventBook::learningRate(double before, double after, const RunMoment& now) {
    auto row = at(RunEventKind::LearningRate, now);
    row.before = before;
    row.after = after;
    return add(std::move(row));
}

RunEventRow EventBook::rolledBack(std::string reason, const RunMoment& now) {
    auto row = at(RunEventKind::RolledBack, now);
    row.reason = std::move(reason);
    return add(std::move(row));
}

} // namespace trainyard::run
