// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/sweep_journal.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/results/adoption_record.h"
#include "engine/sweep/results/decision_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace trainyard::sweep {
namespace {

// The kinds of events that are recorded; the others follow from the sweep file and from the orders.
constexpr std::array kKinds = {
    std::pair{Event::Kind::SlotFree, "slot_free"}, std::pair{Event::Kind::Started, "started"},
    std::pair{Event::Kind::Report, "report"},      std::pair{Event::Kind::Ended, "ended"},
    std::pair{Event::Kind::Failed, "failed"},      std::pair{Event::Kind::Passed, "passed"},
    std::pair{Event::Kind::Tick, "tick"},          std::pair{Event::Kind::Steered, "steered"},
    std::pair{Event::Kind::Adopted, kAdopted}};

// What there is to an event of its kind alone, as parameters by name.
spec::Params detailsOf(const Event& event) {
    switch (event.kind) {
    case Event::Kind::Started:
    case Event::Kind::Adopted: return event.params;
    case Event::Kind::Report:
    case Event::Kind::Ended:
        return std::isfinite(event.second) ? spec::Params{{"second", event.second}} : spec::Params{};
    case Event::Kind::Passed: return {{"rule", std::int64_t{event.rule}}};
    case Event::Kind::Failed:
        return {{"kind", std::string(toString(event.failure.kind))},
                {"code", std::string(toString(event.failure.code))},
                {"atMs", event.failure.atMs}};
    case Event::Kind::Tick:
        return {{"seconds", event.spent.seconds},
                {"trainSeconds", event.spent.trainSeconds},
                {"epochs", event.spent.epochs}};
    default: return {};
    }
}

void setDetails(Event& event, const spec::Params& params) {
    const spec::Choice details{{}, params};
    if (event.kind == Event::Kind::Started || event.kind == Event::Kind::Adopted) event.params = params;
    if (event.kind == Event::Kind::Report || event.kind == Event::Kind::Ended)
        event.second = details.number("second", event.second);
    if (event.kind == Event::Kind::Passed) event.rule = static_cast<int>(details.integer("rule", -1));
    if (event.kind == Event::Kind::Failed)
        event.failure = {errorKindFromString(details.text("kind", "")), errorCodeFromString(details.text("code", "")),
                         details.integer("atMs", 0)};
    if (event.kind == Event::Kind::Tick)
        event.spent = {details.number("seconds", 0), details.number("trainSeconds", 0), details.number("epochs", 0)};
}

store::TrialEventRow rowOf(const Event& event, std::int64_t number) {
    store::TrialEventRow row{.number = number, .trial = event.trial, .t = event.t, .loss = event.loss};
    for (const auto& [kind, word] : kKinds)
        if (kind == event.kind) row.kind = word;
    row.params = spec::paramsToText(detailsOf(event));
    if (event.kind == Event::Kind::Started) row.memo = jsonText(nlohmann::json(event.memo));
    if (event.kind == Event::Kind::Adopted) row.memo = std::to_string(event.donor);
    row.wallMs = wallClockMs();
    if (event.kind == Event::Kind::Steered) {
        row.params = bodyOf(event.steering);
        row.author = event.steering.author;
        row.wallMs = event.steering.atMs;
    }
    return row;
}

Result<Event> eventOf(const store::TrialEventRow& row, const std::string& sweep) {
    const auto kind = kindOf(row);
    if (!kind)
        return environmentError("holds an event that this program does not know: " + row.kind, "sweep " + sweep,
                                "resume it with the program that began it");
    Event event{.kind = *kind, .trial = row.trial, .t = row.t, .loss = row.loss};
    if (event.kind == Event::Kind::Steered) {
        TY_ASSIGN(event.steering, steeringFromBody(row.params));
        event.steering.trial = row.trial;
        event.steering.author = row.author;
        event.steering.atMs = row.wallMs;
        return event;
    }
    setDetails(event, spec::paramsFromText(row.params));
    if (event.kind == Event::Kind::Adopted) event.donor = donorOf(row);
    const auto memo = parseSortedJson(row.memo);
    if (memo.is_array())
        for (const auto& number : memo)
            if (number.is_number()) event.memo.push_back(number.get<double>());
    return event;
}

store::TrialDecision decisionOf(Order::Kind order, bool killed) {
    switch (order) {
    case Order::Kind::Stop: return killed ? store::TrialDecision::Killed : store::TrialDecision::Stopped;
    case Order::Kind::End: return store::TrialDecision::Ended;
    case Order::Kind::Pause: return store::TrialDecision::Paused;
    case Order::Kind::Adopt: return store::TrialDecision::Adopts;
    case Order::Kind::Start:
    case Order::Kind::Resume: break;
    }
    return store::TrialDecision::Resumed;
}

bool isEnd(store::TrialDecision decision) {
    using enum store::TrialDecision;
    return decision == Stopped || decision == Killed || decision == Ended;
}

} // namespace

std::optional<Event::Kind> kindOf(const store::TrialEventRow& row) {
    for (const auto& [kind, word] : kKinds)
        if (row.kind == word) return kind;
    return std::nullopt;
}

SweepJournal::SweepJournal(std::string sweep, const spec::SweepSpec& spec, Judge judge, RunLength length)
    : m_sweep(std::move(sweep)), m_spec(spec), m_length(length), m_judge(std::move(judge)) {}

Result<SweepJournal> SweepJournal::open(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec) {
    TY_ASSIGN(const auto length, lengthOf(spec));
    TY_ASSIGN(auto judge, Judge::make(spec));
    SweepJournal journal(sweep, spec, std::move(judge), length);
    TY_TRY(query.eachTrialEvent(sweep, [&](const store::TrialEventRow& row) -> Result<void> {
        TY_ASSIGN(const auto event, eventOf(row, sweep));
        journal.m_judge.replay(event);
        ++journal.m_recorded;
        return {};
    }));
    return journal;
}

std::vector<int> SweepJournal::take(const Event& event) {
    const bool wentOn = !m_judge.end();
    const auto orders = m_judge.take(event);
    for (const Event& each : m_judge.takeRecord()) m_pending.events.push_back(rowOf(each, m_recorded++));
    std::vector<int> ordered;
    for (const Order& order : orders) {
        note(order);
        ordered.push_back(order.trial);
    }
    if (wentOn && m_judge.end()) m_pending.decisions.push_back(decisionOf(*m_judge.end()));
    if (!wentOn && !m_judge.end())
        m_pending.decisions.push_back({.trial = kWholeSweep, .decision = store::TrialDecision::Resumed, .rule = {}});
    return ordered;
}

void SweepJournal::take(const store::SweepRequestRow& request) {
    const auto answer = [&]() -> Result<int> {
        TY_ASSIGN(auto steering, steeringFromBody(request.body));
        steering.trial = request.trial;
        steering.author = request.author;
        steering.atMs = request.wallMs;
        TY_TRY(m_judge.check(steering));
        const auto before = static_cast<int>(m_judge.trials().size());
        take({.kind = Event::Kind::Steered, .trial = request.trial, .steering = steering});
        return static_cast<int>(m_judge.trials().size()) > before ? before : request.trial;
    }();
    m_pending.answers.push_back({request.id, answerText(answer)});
}

// The judge has taken a request before it is recorded: it must not be told again when that fails at first.
Result<bool> SweepJournal::takeRequests(store::KeptStore& store, const RunOf& runOf) {
    TY_ASSIGN(store::RunQuery * query, store.reader());
    TY_ASSIGN(const auto requests, query->openRequests(m_sweep));
    const auto isTaken = [&](const store::SweepRequestRow& request) {
        return std::any_of(m_pending.answers.begin(), m_pending.answers.end(),
                           [&](const auto& answer) { return answer.request == request.id; });
    };
    for (const auto& request : requests)
        if (!isTaken(request)) take(request);
    if (requests.empty()) return false;
    TY_TRY(record(store, runOf));
    return true;
}

void SweepJournal::note(const Order& order) {
    if (order.kind == Order::Kind::Start) return;
    const bool killed = m_judge.trial(order.trial).killed;
    const Why& why = order.why;
    m_pending.decisions.push_back(
        {order.trial, decisionOf(order.kind, killed), why.rule, why.rung, why.loss, why.cut, why.place, why.of});
}

// Why trials stop, and what they adopted, for their runs.
std::vector<store::TrialNotice> SweepJournal::notices(const RunOf& runOf) const {
    std::vector<store::TrialNotice> notices;
    const auto add = [&](int trial, std::string text) {
        if (auto run = runOf(trial); !run.empty()) notices.push_back({std::move(run), std::move(text)});
    };
    for (const auto& each : m_pending.decisions)
        if (each.trial != kWholeSweep && isEnd(each.decision))
            add(each.trial, reasonOf(each, m_spec, m_length.epochs).full);
    for (const auto& [trial, adoptions] : adoptionsOf(m_pending.events))
        for (const Adoption& each : adoptions) add(trial, adoptionText(each, m_length.epochs));
    return notices;
}

Result<void> SweepJournal::record(store::KeptStore& store, const RunOf& runOf) {
    if (m_pending.empty()) return {};
    return record(store, runOf, [](store::Store&) { return Result<void>(); });
}

Result<void> SweepJournal::record(store::KeptStore& store, const RunOf& runOf,
                                  const std::function<Result<void>(store::Store&)>& also) {
    m_pending.notices = notices(runOf);
    TY_ASSIGN(store::Store * writer, store.writer());
    const auto writes = [&]() -> Result<void> {
        if (!m_pending.empty()) TY_TRY(writer->appendTrialRecord(m_sweep, m_pending));
        return also(*writer);
    };
    TY_TRY(writer->together(writes, m_pending.answers.empty() ? Outlives::Process : Outlives::PowerLoss));
    m_pending = {};
    return {};
}

} // namespace trainyard::sweep
