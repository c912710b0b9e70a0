// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/mirror/mirror_copy.h"

#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/run/record/run_folder.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kSyncSeconds = 5; // the host has it all: a loss of power costs another look

namespace fs = std::filesystem;

bool isSame(const store::RunEventRow& a, const store::RunEventRow& b) {
    return a.kind == b.kind && a.step == b.step && a.wallMs == b.wallMs;
}

bool isSame(const store::CheckpointRow& a, const store::CheckpointRow& b) {
    return a.path == b.path && a.step == b.step && a.bytes == b.bytes && a.wallMs == b.wallMs;
}

// One record, into which the news of one run go.
struct Writer {
    store::Store& store;
    store::RunQuery& known;
    const store::Workspace& into;
    UserEdits edits;

    Result<void> row(store::RunRow row) const {
        row.folder = into.runFolder(row.id).string();
        row.socketPath.clear();
        row.supervisorPid = 0;
        const auto before = known.run(row.id);
        if (!before || before->id != row.id) return store.createRun(row);
        TY_TRY(store.updateRun(row));
        if (edits == UserEdits::OfThisComputer) return {};
        const RunId run(row.id);
        if (before->name != row.name) TY_TRY(store.rename(run, row.name));
        if (before->tags != row.tags) TY_TRY(store.setTags(run, row.tags));
        if (before->notes != row.notes) TY_TRY(store.setNotes(run, row.notes));
        if (before->color != row.color) TY_TRY(store.setColor(run, row.color));
        if (before->archived != row.archived) TY_TRY(store.setArchived(run, row.archived));
        return {};
    }

    // `rewoundTo`: those of later steps are gone already.
    Result<void> events(const std::string& run, const std::vector<store::RunEventRow>& all,
                        std::optional<std::int64_t> rewoundTo) const {
        TY_ASSIGN(auto before, known.events(run));
        if (rewoundTo)
            std::erase_if(before,
                          [to = std::max<std::int64_t>(*rewoundTo, 0)](const auto& each) { return each.step > to; });
        std::vector<store::RunEventRow> added;
        for (const auto& event : all)
            if (std::none_of(before.begin(), before.end(), [&event](const auto& each) { return isSame(each, event); }))
                added.push_back(event);
        return added.empty() ? Result<void>() : store.appendEvents(run, added);
    }

    // A file that is here stays listed for as long as its checkpoint is not another one there.
    Result<void> checkpoints(const std::string& run, std::vector<store::CheckpointRow> rows) const {
        const RunFolder folder{into.runFolder(run)};
        for (auto& row : rows) row.path = (folder.checkpoints() / fs::path(row.path).filename()).string();
        TY_ASSIGN(const auto before, known.checkpoints(run));
        for (auto row : before) {
            const auto now =
                std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.path == row.path; });
            std::error_code none;
            if (now == rows.end() && isFetched(row)) {
                row.best = row.last = false;
                rows.push_back(row);
            } else if (now != rows.end() && !isSame(*now, row)) {
                fs::remove(row.path, none);
            } else if (now != rows.end() && now->pinned != row.pinned) {
                TY_TRY(store.setPinned(row.id, now->pinned));
            }
        }
        TY_TRY(store.setCheckpoints(run, rows));
        return {};
    }
};

} // namespace

fs::path mirrorOfCheckpoint(const store::Workspace& workspace, const std::string& run, const fs::path& there) {
    return RunFolder{mirrorWorkspace(workspace).runFolder(run)}.checkpoints() / there.filename();
}

bool isFetched(const store::CheckpointRow& row) {
    std::error_code none;
    return fs::is_regular_file(row.path, none);
}

std::optional<FetchedCheckpoint> fetchedCheckpoint(const store::Workspace& workspace, const std::string& given) {
    const auto at = given.rfind('@');
    const std::string name = given.substr(0, at);
    auto away = findNote(homeNotes(workspace), name);
    if (!away) away = homeNote(workspace, name);
    const auto query = away ? store::RunQuery::open(mirrorWorkspace(workspace)) : inputError("lives here");
    if (!query) return {};
    const auto row = (*query)->run(away->id);
    const auto checkpoint = (*query)->checkpoint(away->id + (at == std::string::npos ? "" : given.substr(at)));
    if (!row || !checkpoint || !isFetched(*checkpoint)) return {};
    return FetchedCheckpoint{*row, *checkpoint};
}

Result<void> writeNews(store::Store& store, store::RunQuery& known, const store::Workspace& into,
                       const MirrorNews& news, UserEdits edits) {
    const Writer writer{store, known, into, edits};
    if (news.row) TY_TRY(writer.row(*news.row));
    if (news.workers) TY_TRY(store.setWorkers(news.run, *news.workers));
    if (news.rewoundTo) TY_TRY(store.truncateAfter(news.run, *news.rewoundTo));
    if (news.events) TY_TRY(writer.events(news.run, *news.events, news.rewoundTo));
    if (!news.points.empty()) TY_TRY(store.appendPoints(news.run, news.points));
    if (!news.log.empty()) TY_TRY(store.appendLog(news.run, news.log));
    return {};
}

Result<MirrorCopy> MirrorCopy::open(const store::Workspace& workspace) {
    const auto copy = mirrorWorkspace(workspace);
    TY_ASSIGN(auto store, store::Store::open(copy));
    store->setSyncInterval(kSyncSeconds);
    TY_ASSIGN(auto query, store::RunQuery::open(copy));
    return MirrorCopy(copy, std::move(store), std::move(query));
}

Result<std::vector<MirrorRequest>> MirrorCopy::requestsForSweep(const std::string& sweep) {
    std::vector<MirrorRequest> requests;
    TY_ASSIGN(const auto trials, m_query->trials(sweep));
    for (const auto& trial : trials) { TY_ASSIGN(requests.emplace_back(), requestOf(*m_query, trial.id)); }
    TY_ASSIGN(const auto events, m_query->trialEvents(sweep));
    requests.push_back({.run = sweep, .trialEvents = events.empty() ? -1 : events.back().number});
    return requests;
}

Result<void> MirrorCopy::applySweep(const std::string& sweep, const SweepNews& news) {
    if (news.row) {
        auto row = *news.row;
        row.supervisorPid = 0;
        const auto known = m_query->sweep(sweep);
        TY_TRY(known && known->id == sweep ? m_store->updateSweep(row) : m_store->createSweep(row));
    }
    return m_store->appendTrialRecord(sweep, {.events = news.events, .decisions = news.decisions, .notices = {}});
}

Result<std::optional<store::RunRow>> MirrorCopy::rowOf(const std::string& run) {
    auto row = m_query->run(run);
    if (row && row->id == run) return std::optional(std::move(*row));
    if (!row && row.error().code != ErrorCode::RunUnknown) return std::move(row).error();
    return std::optional<store::RunRow>();
}

Result<void> MirrorCopy::apply(const MirrorNews& news) {
    const bool isOther =
        (news.row && news.row->id != news.run) || (news.sweep && news.sweep->row && news.sweep->row->id != news.run);
    if (isOther || !isPlainId(news.run))
        return environmentError("the host sent another run than the requested one", "run " + printable(news.run, 60));
    return m_store->together([&]() -> Result<void> {
        if (news.sweep) return applySweep(news.run, *news.sweep);
        TY_TRY(writeNews(*m_store, *m_query, m_workspace, news, UserEdits::OfTheHost));
        if (!news.checkpoints) return {};
        return Writer{*m_store, *m_query, m_workspace, UserEdits::OfTheHost}.checkpoints(news.run, *news.checkpoints);
    });
}

Result<void> MirrorCopy::keepOnly(const std::set<std::string>& runsAndSweeps) {
    TY_ASSIGN(const auto rows, m_query->runs(true));
    for (const auto& row : rows) {
        if (runsAndSweeps.contains(row.id) || runsAndSweeps.contains(row.sweep)) continue;
        TY_TRY(m_store->setArchived(row.id, true));
        TY_TRY(m_store->deleteArchived(row.id));
        std::error_code ignored;
        fs::remove_all(m_workspace.runFolder(row.id), ignored);
    }
    return {};
}

} // namespace trainyard::run
