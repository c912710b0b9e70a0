// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sweeps/trial_list.h"

#include "engine/spec/values/params.h"
#include "engine/sweep/judge/judge.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/results/decision_text.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kMany = 500;      // trials; ranking more of them for every change would fill a core
constexpr int kManyPause = 100; // ms between two rankings of that many

} // namespace

QString Trial::text(const std::string& path) const {
    const auto found = params.find(path);
    if (found == params.end()) return kNoValue;
    if (const auto* real = std::get_if<double>(&found->second)) return digitsText(*real, 3);
    return localText(QString::fromStdString(spec::toText(found->second)));
}

double Trial::number(const std::string& path) const {
    return spec::Choice{{}, params}.number(path, std::numeric_limits<double>::quiet_NaN());
}

TrialList::TrialList(WorkspaceFeed& feed, QObject* parent) : QObject(parent), m_feed(feed), m_log(feed.workspace()) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &TrialList::refresh);
    connect(&feed, &WorkspaceFeed::runsChanged, this, &TrialList::take);
    connect(&feed, &WorkspaceFeed::sweepsChanged, this, &TrialList::refresh);
    connect(&m_log, &SweepLog::changed, this, &TrialList::refreshSoon);
}

void TrialList::setSweep(const QString& sweep) {
    m_sweep = sweep;
    m_sweepJson.clear();
    m_known.clear();
    m_axes.clear();
    m_scores = {};
    m_log.setSweep(sweep);
    for (const auto& run : m_feed.runs()) learn(run);
    Q_EMIT sweepChanged();
    refresh();
}

void TrialList::learn(const RunItemPtr& run) {
    if (m_sweep.isEmpty() || run->row.sweep != m_sweep.toStdString()) return;
    auto& known = m_known[run->id];
    if (!known.run) known.params = spec::paramsFromText(run->row.paramsJson); // a trial keeps its own
    known.run = run;
    known.score = sweep::scoreTrialByAll(run->series, m_scores);
}

void TrialList::take(const RunsDelta& delta) {
    const auto before = m_known.size();
    for (const QString& run : delta.removed) m_known.remove(run);
    bool ours = before != m_known.size();
    for (const auto& run : delta.runs) {
        ours = ours || run->row.sweep == m_sweep.toStdString();
        learn(run);
    }
    if (ours) refreshSoon();
}

const store::SweepRow* TrialList::row() const {
    const auto& sweeps = m_feed.sweeps();
    const auto at = std::find_if(sweeps.begin(), sweeps.end(),
                                 [this](const auto& sweep) { return QString::fromStdString(sweep.id) == m_sweep; });
    return at == sweeps.end() ? nullptr : &*at;
}

// The sweep file is parsed once; one that cannot be read leaves its trials with the usual score.
void TrialList::readSweep() {
    const auto* sweep = row();
    if (!sweep || sweep->specJson == m_sweepJson) return;
    m_sweepJson = sweep->specJson;
    const auto spec = sweep::specOf(*sweep);
    m_spec = spec.valueOr(spec::SweepSpec());
    m_scores = spec ? sweep::scoresOf(*spec) : sweep::Scores();
    m_axes = spec ? spec->space : std::vector<spec::Axis>{};
    const auto length = spec ? sweep::lengthOf(*spec) : Result<sweep::RunLength>(spec.error());
    m_epochs = !length || length->epochs;
    const auto first = spec::foreseenConfigurations(m_spec, 1);
    const auto trial = spec && first ? spec::trialSpec(m_spec, first->front(), 0)
                                     : Result<spec::RunSpec>(inputError("the sweep cannot be read"));
    m_workers = trial ? trial->scaling.workers : 0;
    for (Known& known : m_known) known.score = sweep::scoreTrialByAll(known.run->series, m_scores);
}

void TrialList::refreshSoon() {
    if (m_known.size() < kMany) refresh();
    else if (!m_timer.isActive()) m_timer.start(kManyPause);
}

void TrialList::refresh() {
    readSweep();
    std::vector<const Known*> known;
    for (const Known& each : m_known) known.push_back(&each);
    std::sort(known.begin(), known.end(),
              [](const Known* a, const Known* b) { return a->run->row.trial < b->run->row.trial; });
    const auto plan = sweep::seedPlanOf(m_spec);
    std::vector<sweep::Standing> standings;
    for (const Known* each : known)
        standings.push_back(plan.standing(each->run->row.trial, each->run->status, each->score));
    const auto order = sweep::rank(standings, m_scores);
    m_configurations = sweep::configurationsOf(standings, order, m_scores);
    m_trials.clear();
    m_byRun.clear();
    for (const std::size_t index : order.indices) {
        const Known& each = *known[index];
        m_byRun.insert(each.run->id, static_cast<int>(m_trials.size()));
        const auto* decision = m_log.decision(each.run->row.trial);
        const bool holds =
            decision && decision->decision != store::TrialDecision::Resumed &&
            (each.run->status == wire::RunStatus::Stopped || decision->decision == store::TrialDecision::Paused);
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        m_trials.push_back({each.run, each.params, each.score.value.value_or(kNone), each.score.second.value_or(kNone),
                            m_trials.size() < order.front, holds ? std::optional(*decision) : std::nullopt,
                            m_log.adoptions(each.run->row.trial), standings[index]});
    }
    m_hasBest = order.hasBest;
    m_front = static_cast<int>(order.front);
    ++m_revision;
    m_log.refresh();
    Q_EMIT changed();
}

QString TrialList::secondSeries() const {
    return m_scores.second ? QString::fromStdString(m_scores.second->series) : QString();
}

QString TrialList::slotsText() const {
    if (m_workers == 0 || !m_feed.homeOf(m_sweep).isHere()) return {}; // the number of cores of a host is unknown here
    auto spec = m_spec;
    spec.parallel = slots();
    const auto* sweep = row();
    const int trials = !sweep || spec::isOpenEnded(spec) ? 0 : sweep->trials;
    return engineSentence(sweep::describe(sweep::slotCount(spec, m_workers, {.trials = trials}, run::knownRoom())));
}

int TrialList::slots() const {
    const auto& requests = m_log.requests();
    for (auto request = requests.rbegin(); request != requests.rend(); ++request)
        if (request->parallel) return *request->parallel;
    return m_spec.parallel;
}

const Trial* TrialList::best() const { return m_hasBest ? &m_trials.front() : nullptr; }

QString TrialList::reason(const Trial& trial) const {
    if (!trial.decision) return {};
    return QString::fromStdString(sweep::reasonOf(*trial.decision, m_spec, m_epochs).brief);
}

QString TrialList::fullReason(const Trial& trial) const {
    QStringList lines;
    if (trial.decision) lines << QString::fromStdString(sweep::reasonOf(*trial.decision, m_spec, m_epochs).full);
    for (const auto& each : trial.adoptions) lines << QString::fromStdString(sweep::adoptionText(each, m_epochs));
    return lines.join(QLatin1Char('\n'));
}

QString TrialList::lineage(const Trial& trial) const {
    if (trial.adoptions.empty() || trial.adoptions.back().donor < 0) return {};
    const auto& last = trial.adoptions.back();
    const QString at = digitsText(last.t, 6);
    return (m_epochs ? tr("adopted trial %1 at epoch %2") : tr("adopted trial %1 at step %2")).arg(last.donor).arg(at);
}

QString TrialList::statusText(const Trial& trial) const {
    const auto status = m_feed.status(*trial.run);
    if (status == wire::RunStatus::Running && trial.run->isProgram)
        return statusWord(status).toLower(); // it tells no length
    if (status == wire::RunStatus::Running) return percentText(std::floor(m_feed.progress(*trial.run) * 100) / 100);
    if (status == wire::RunStatus::Failed && !trial.run->row.error.message.empty())
        return tr("failed: %1")
            .arg(QString::fromStdString(trial.run->row.error.message).section(QLatin1Char('\n'), 0, 0));
    const QString why = reason(trial), from = lineage(trial);
    const QString words = why.isEmpty() ? statusWord(status).toLower() : why;
    return from.isEmpty() ? words : tr("%1, %2").arg(words, from);
}

} // namespace trainyard::ui
