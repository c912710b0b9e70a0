// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/fault_trial.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace trainyard::bench {
namespace {

constexpr const char* kSeries = "train/loss";
constexpr std::int64_t kBefore = 300;  // steps before anything happens
constexpr std::int64_t kWorthMs = 500; // a shorter silence is none
constexpr std::int64_t kSoonMs = 1500; // a silence that begins later has another cause
constexpr unsigned long kLookMs = 20;

template <class T>
T orThrow(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(result).value();
}

double secondsOf(std::int64_t milliseconds) { return static_cast<double>(milliseconds) / 1000; }

} // namespace

FaultTrial::FaultTrial(const test::LabRuns& runs, const Start& start) : m_runs(runs) {
    const bool isAway = start.where.contains(QStringLiteral("--on"));
    if (start.onTerminal) {
        m_terminal = std::make_unique<QProcess>();
        m_terminal->setStandardErrorFile(QProcess::nullDevice());
        m_terminal->start(test::program("trainyardctl"), {"run", start.file, "--workspace", runs.workspace()});
        m_run = QLatin1String(start.name);
    } else {
        const test::Ended started = runs.command(QStringList{"run", start.file, "--detach"} + start.where);
        if (started.code != 0) throw std::runtime_error(started.said().toStdString());
        m_run = started.json()["run"].toString();
    }
    m_query = orThrow(store::RunQuery::open(orThrow(store::Workspace::open(runs.workspace().toStdString()))));
    const auto step = [&] { return isAway ? runs.show(m_run)["steps"].toInteger() : m_reached; };
    waitUntil("steps", [&] { return step() >= kBefore; });
    if (!isAway) m_run = QString::fromStdString(row().id); // it was known by its name
}

FaultTrial::~FaultTrial() {
    const auto row = m_query ? m_query->run(m_run.toStdString()) : Result<store::RunRow>(inputError("none"));
    if (!row || wire::isActive(row->status)) (void)m_runs.command({"kill", m_run}, 60);
    if (!m_terminal || m_terminal->state() == QProcess::NotRunning) return;
    m_terminal->kill();
    m_terminal->waitForFinished(5000);
}

store::RunRow FaultTrial::row() const { return orThrow(m_query->run(m_run.toStdString())); }

std::int64_t FaultTrial::newestCheckpoint() const {
    std::int64_t newest = 0;
    const auto rows = orThrow(m_query->checkpoints(m_run.toStdString()));
    for (const auto& each : rows)
        if (!each.superseded) newest = std::max(newest, each.step);
    return newest;
}

void FaultTrial::hurt(const std::function<void()>& how) {
    look();
    if (m_hurtAt == 0) m_hurtAt = m_reached;
    m_hurtMs = wallClockMs();
    m_heardMs = m_hurtMs;
    m_silence = m_silenceEndMs = 0;
    how();
}

void FaultTrial::killTerminal() {
    m_terminal->kill();
    if (!m_terminal->waitForFinished(5000)) throw std::runtime_error("the terminal program does not end");
}

// Steps that are there and were not before, and those that were there and are not any more.
void FaultTrial::look() {
    const auto run = m_query->run(m_run.toStdString());
    if (!run) return; // it lives elsewhere, or begins just now
    if (const auto events = m_query->events(run->id); events)
        for (const auto& event : *events) {
            if (event.id <= m_events) continue;
            m_events = event.id;
            const bool goesBack =
                event.kind == store::RunEventKind::Restarted || event.kind == store::RunEventKind::Resumed;
            if (!goesBack || event.step >= m_reached) continue;
            m_cost.lost += m_reached - event.step;
            m_reached = event.step;
        }
    const auto more = m_query->points(RunId(run->id), kSeries, m_reached);
    if (!more || more->empty() || more->back().step <= m_reached) return;
    m_reached = more->back().step;
    noteSilence();
}

void FaultTrial::noteSilence() {
    const auto now = wallClockMs();
    const bool isItsOwn = m_hurtMs > 0 && m_heardMs - m_hurtMs < kSoonMs;
    if (isItsOwn && now - m_heardMs > m_silence) {
        m_silence = now - m_heardMs;
        m_silenceEndMs = now;
    }
    m_heardMs = now;
}

void FaultTrial::wait(double seconds) {
    for (const double until = monotonicSeconds() + seconds; monotonicSeconds() < until; QThread::msleep(kLookMs))
        look();
}

void FaultTrial::waitUntil(const char* what, const std::function<bool()>& condition, double seconds) {
    for (const double until = monotonicSeconds() + seconds; !condition(); QThread::msleep(kLookMs)) {
        look();
        if (monotonicSeconds() < until) continue;
        throw std::runtime_error(std::string("waited in vain for ") + what + ":\n" + m_runs.log(m_run).toStdString());
    }
    look();
}

void FaultTrial::waitForSteps(std::int64_t more) {
    waitUntil("more steps", [this, last = m_reached + more] { return m_reached >= last; }, 300);
}

void FaultTrial::waitForEnd(double seconds) {
    waitUntil("the end", [this] { return !wire::isActive(row().status); }, seconds);
}

void FaultTrial::recovered() {
    if (m_silence < kWorthMs) return;
    m_cost.again = std::max(m_cost.again.value_or(0), secondsOf(m_silenceEndMs - m_hurtMs));
}

void FaultTrial::command(const QStringList& words) {
    const double asked = monotonicSeconds();
    const test::Ended ended = m_runs.command(words);
    m_cost.command = monotonicSeconds() - asked;
    if (ended.code != 0) throw std::runtime_error((ended.said() + m_runs.log(m_run)).toStdString());
    look();
}

void FaultTrial::resume() {
    const test::Ended ended = m_runs.command({"resume", m_run, "--detach"});
    if (ended.code != 0) throw std::runtime_error((ended.said() + m_runs.log(m_run)).toStdString());
}

FaultCost FaultTrial::cost(const std::vector<wire::Point>& undisturbed) {
    recovered();
    const auto id = row().id;
    const auto log = orThrow(m_query->log(id));
    const auto said = std::find_if(log.begin(), log.end(), [this](const auto& line) {
        return line.wallMs >= m_hurtMs && line.level == "warning";
    });
    if (said != log.end()) m_cost.noticed = secondsOf(said->wallMs - m_hurtMs);
    const auto points = orThrow(m_query->points(RunId(id), kSeries));
    m_cost.points = static_cast<std::int64_t>(points.size());
    m_cost.steps = row().totalSteps;
    m_cost.whole = m_cost.points == m_cost.steps;
    m_cost.equal = m_cost.whole && undisturbed.size() >= points.size();
    double longest = 0;
    for (std::size_t at = 0; at < points.size(); ++at) {
        m_cost.whole = m_cost.whole && points[at].step == static_cast<std::int64_t>(at) + 1;
        m_cost.equal = m_cost.equal && std::bit_cast<std::uint64_t>(points[at].value) ==
                                           std::bit_cast<std::uint64_t>(undisturbed[at].value);
        if (at > 0 && points[at].step > m_hurtAt)
            longest = std::max(longest, points[at].seconds - points[at - 1].seconds);
    }
    m_cost.equal = m_cost.equal && m_cost.whole;
    m_cost.lastLoss = points.empty() ? 0 : points.back().value;
    m_cost.pause = longest;
    return m_cost;
}

} // namespace trainyard::bench
