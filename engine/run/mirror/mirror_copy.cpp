// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/mirror/mirror_copy.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kSyncSeconds = 5; // the host has it all: a loss of power costs another look

bool isSame(const store::RunEventRow& a, const store::RunEventRow& b) {
    return a.kind == b.kind && a.step == b.step && a.wallMs == b.wallMs;
}

} // namespace

Result<MirrorCopy> MirrorCopy::open(const store::Workspace& workspace) {
    const auto copy = awayWorkspace(workspace);
    TY_ASSIGN(auto store, store::Store::open(copy));
    store->setSyncInterval(kSyncSeconds);
    TY_ASSIGN(auto query, store::RunQuery::open(copy));
    return MirrorCopy(copy, std::move(store), std::move(query));
}

Result<MirrorRequest> MirrorCopy::requestFor(const std::string& run) {
    MirrorRequest request{.run = run};
    const auto row = m_query->run(run);
    if (!row || row->id != run) return request;
    TY_ASSIGN(const auto summaries, m_query->summaries(run));
    for (const auto& each : summaries) {
        if (each.count <= 0) continue;
        TY_ASSIGN(const auto last, m_query->points(run, each.series, each.count - 1));
        if (!last.empty()) request.series[each.series] = {each.count, last.front()};
    }
    TY_ASSIGN(const auto log, m_query->log(run));
    request.logLines = std::ssize(log);
    return request;
}

Result<std::optional<store::RunRow>> MirrorCopy::rowOf(const std::string& run) {
    auto row = m_query->run(run);
    if (row && row->id == run) return std::optional(std::move(*row));
    if (!row && row.error().code != ErrorCode::RunUnknown) return std::move(row).error();
    return std::optional<store::RunRow>();
}

// Its paths and its process are those of the host; a trial leaves its sweep.
Result<void> MirrorCopy::applyRow(store::RunRow row) {
    row.folder = m_workspace.runFolder(row.id).string();
    row.socketPath.clear();
    row.supervisorPid = 0;
    row.sweep.clear();
    row.trial = -1;
    const auto known = m_query->run(row.id);
    if (!known || known->id != row.id) return m_store->createRun(row);
    TY_TRY(m_store->updateRun(row));
    if (known->name != row.name) TY_TRY(m_store->rename(row.id, row.name));
    if (known->tags != row.tags) TY_TRY(m_store->setTags(row.id, row.tags));
    if (known->notes != row.notes) TY_TRY(m_store->setNotes(row.id, row.notes));
    if (known->archived != row.archived) TY_TRY(m_store->setArchived(row.id, row.archived));
    return {};
}

// Those of later steps than one that the run went back to are gone already.
Result<void> MirrorCopy::applyEvents(const std::string& run, const std::vector<store::RunEventRow>& events) {
    TY_ASSIGN(const auto known, m_query->events(run));
    std::vector<store::RunEventRow> added;
    for (const auto& event : events)
        if (std::none_of(known.begin(), known.end(), [&event](const auto& each) { return isSame(each, event); }))
            added.push_back(event);
    return added.empty() ? Result<void>() : m_store->appendEvents(run, added);
}

Result<void> MirrorCopy::apply(const MirrorNews& news) {
    if (news.row && news.row->id != news.run)
        return environmentError("the host tells of another run than it was asked for", "run " + news.run);
    return m_store->together([&]() -> Result<void> {
        if (news.row) TY_TRY(applyRow(*news.row));
        if (news.workers) TY_TRY(m_store->setWorkers(news.run, *news.workers));
        if (news.rewoundTo) TY_TRY(m_store->truncateAfter(news.run, *news.rewoundTo));
        if (news.events) TY_TRY(applyEvents(news.run, *news.events));
        if (!news.points.empty()) TY_TRY(m_store->appendPoints(news.run, news.points));
        if (!news.log.empty()) TY_TRY(m_store->appendLog(news.run, news.log));
        return {};
    });
}

Result<void> MirrorCopy::keepOnly(const std::set<std::string>& runs) {
    TY_ASSIGN(const auto rows, m_query->runs(true));
    for (const auto& row : rows) {
        if (runs.contains(row.id)) continue;
        TY_TRY(m_store->setArchived(row.id, true));
        TY_TRY(m_store->deleteArchived(row.id));
    }
    return {};
}

} // namespace trainyard::run
