// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/mirror/mirror_source.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/store/row_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kTrySeconds = 1; // for a run that is not here
constexpr double kRowSeconds = 1; // between looks at a row while nothing but its numbers changes
constexpr std::size_t kPieceEvents = 4000;

bool isSame(const wire::Point& a, const wire::Point& b) {
    const auto same = [](double x, double y) { return x == y || (x != x && y != y); };
    return a.step == b.step && same(a.seconds, b.seconds) && same(a.value, b.value);
}

// Whether it is told for the first time, or is another one than before.
template <class Row>
bool isNews(const Row& row, std::string& told) {
    auto text = asciiJson(store::toJson(row));
    if (text == told) return false;
    told = std::move(text);
    return true;
}

template <class Row>
bool areNews(const std::vector<Row>& rows, std::string& told) {
    auto list = Json::array();
    for (const auto& row : rows) list.push_back(store::toJson(row));
    auto text = asciiJson(list);
    if (text == told) return false;
    told = std::move(text);
    return true;
}

// The live state leads the row.
void takeLive(store::RunRow& row, const wire::RunState& state) {
    if (!wire::isActive(row.status) || state.totalSteps <= 0) return;
    row.status = state.status;
    row.step = std::max(row.step, state.step);
    row.totalSteps = state.totalSteps;
    row.epoch = std::max(row.epoch, state.epoch);
    row.samplesPerSecond = state.samplesPerSecond;
    row.trainSeconds = std::max(row.trainSeconds, state.trainSeconds);
}

} // namespace

void MirrorSource::want(MirrorRequest request) {
    if (request.trialEvents) {
        m_sweeps[request.run] = {.lastEvent = *request.trialEvents, .row = {}, .decisions = {}};
        m_version = m_lastChange = -1;
        return;
    }
    auto& told = m_runs[request.run];
    told = {};
    told.known = std::move(request);
}

// Whether all that the copy has of the series are the first points of those here. A restart that repeats steps gives
// them other times.
Result<bool> MirrorSource::isPrefix(const Told& told) {
    for (const auto& [series, known] : told.known.series) {
        if (known.count <= 0) continue;
        TY_ASSIGN(const auto last, m_query->points(RunId(told.known.run), series, known.count - 1));
        if (last.empty() || !isSame(last.front(), known.last)) return false;
    }
    return true;
}

Result<void> MirrorSource::begin(Told& told, MirrorNews& news) {
    TY_ASSIGN(told.follower, RunFollower::open(m_workspace, told.known.run));
    TY_ASSIGN(const bool keeps, isPrefix(told));
    if (!keeps) news.rewoundTo = -1;
    else
        for (const auto& [series, known] : told.known.series) told.skip[series] = known.count;
    told.skipLines = told.known.logLines;
    return {};
}

// Numbers change with every look; told at a slower pace than the rest.
Result<void> MirrorSource::readRow(Told& told, bool now, MirrorNews& news) {
    if (!now && monotonicSeconds() < told.nextRow) return {};
    told.nextRow = monotonicSeconds() + kRowSeconds;
    TY_ASSIGN(auto row, m_query->run(told.known.run));
    takeLive(row, told.state);
    TY_ASSIGN(auto workers, m_query->workers(row.id));
    if (wire::isActive(row.status) && !told.state.workers.empty()) workers = told.state.workers;
    if (isNews(row, told.row)) news.row = std::move(row);
    if (areNews(workers, told.workers)) news.workers = std::move(workers);
    return {};
}

Result<void> MirrorSource::readCheckpoints(Told& told, MirrorNews& news) {
    TY_ASSIGN(auto rows, m_query->checkpoints(told.known.run));
    if (areNews(rows, told.checkpoints)) news.checkpoints = std::move(rows);
    return {};
}

// A sweep may have thousands of trials that have ended.
Result<void> MirrorSource::letGo(Told& told) {
    TY_ASSIGN(told.known, requestOf(*m_query, told.known.run));
    told.follower.reset();
    told.skip.clear();
    told.nextTry = std::numeric_limits<double>::infinity(); // until its row is another one
    return {};
}

Result<MirrorNews> MirrorSource::newsOf(Told& told) {
    MirrorNews news{.run = told.known.run};
    if (!told.follower) {
        if (monotonicSeconds() < told.nextTry) return news;
        told.nextTry = monotonicSeconds() + kTrySeconds;
        const auto begun = begin(told, news);
        if (!begun && begun.error().code == ErrorCode::RunUnknown) return news;
        TY_TRY(begun);
    }
    TY_ASSIGN(auto update, told.follower->poll(0));
    const bool changed = update.state && update.state->status != told.state.status;
    if (update.state) told.state = std::move(*update.state);
    TY_TRY(readRow(told, changed || update.ended || told.row.empty(), news));
    if (update.checkpointsChanged) TY_TRY(readCheckpoints(told, news));
    if (update.rewoundTo) news.rewoundTo = std::min(*update.rewoundTo, news.rewoundTo.value_or(*update.rewoundTo));
    for (auto& delta : update.points) {
        auto& skip = told.skip[delta.series];
        const auto known = std::min<std::int64_t>(skip, std::ssize(delta.points));
        skip -= known;
        delta.points.erase(delta.points.begin(), delta.points.begin() + known);
        delta.firstIndex += known;
        if (!delta.points.empty()) news.points.push_back(std::move(delta));
    }
    const auto lines = std::min<std::int64_t>(told.skipLines, std::ssize(update.log));
    told.skipLines -= lines;
    news.log.assign(std::move_iterator(update.log.begin() + lines), std::move_iterator(update.log.end()));
    news.events = std::move(update.events);
    if (told.isTrial && update.ended) TY_TRY(letGo(told));
    return news;
}

// One that was let go of is followed again: its row is another one.
void MirrorSource::wantTrial(const std::string& run) {
    auto& told = m_runs[run];
    told.known.run = run;
    told.isTrial = true;
    if (!told.follower) told.nextTry = 0;
}

Result<SweepNews> MirrorSource::newsOf(const std::string& sweep, ToldSweep& told) {
    SweepNews news;
    auto row = m_query->sweep(sweep);
    if (!row && row.error().code == ErrorCode::RunUnknown) return news;
    if (!row) return row.error();
    if (isNews(*row, told.row)) news.row = std::move(*row);
    TY_ASSIGN(news.events, m_query->trialEvents(sweep, told.lastEvent));
    if (!news.events.empty()) told.lastEvent = news.events.back().number;
    TY_ASSIGN(auto decisions, m_query->trialDecisions(sweep));
    for (auto& decision : decisions)
        if (isNews(decision, told.decisions[decision.trial])) news.decisions.push_back(std::move(decision));
    return news;
}

// What is new of the sweeps, and which trials they have.
Result<void> MirrorSource::pollSweeps(std::vector<MirrorNews>& all) {
    if (m_sweeps.empty()) return {};
    TY_ASSIGN(const auto version, m_query->dataVersion());
    if (version == m_version) return {};
    m_version = version;
    for (auto& [sweep, told] : m_sweeps) {
        TY_ASSIGN(auto news, newsOf(sweep, told));
        while (!news.empty()) {
            const auto count = static_cast<std::ptrdiff_t>(std::min(news.events.size(), kPieceEvents));
            MirrorNews piece{.run = sweep};
            piece.sweep = SweepNews{std::exchange(news.row, {}),
                                    {news.events.begin(), news.events.begin() + count},
                                    std::exchange(news.decisions, {})};
            news.events.erase(news.events.begin(), news.events.begin() + count);
            all.push_back(std::move(piece));
        }
    }
    TY_ASSIGN(const auto changes, m_query->changesAfter(m_lastChange));
    m_lastChange = changes.last;
    for (const auto& run : changes.runs)
        if (m_sweeps.contains(run.sweep)) wantTrial(run.id);
    return {};
}

Result<std::vector<MirrorNews>> MirrorSource::poll() {
    std::vector<MirrorNews> all;
    if (!m_query) { TY_ASSIGN(m_query, store::RunQuery::open(m_workspace)); }
    TY_TRY(pollSweeps(all));
    for (auto& [run, told] : m_runs) {
        TY_ASSIGN(auto news, newsOf(told));
        if (news.empty()) continue;
        auto pieces = inPieces(std::move(news), std::exchange(told.isKnown, true));
        std::move(pieces.begin(), pieces.end(), std::back_inserter(all));
    }
    return all;
}

} // namespace trainyard::run
