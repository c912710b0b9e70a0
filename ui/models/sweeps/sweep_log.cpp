// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sweeps/sweep_log.h"

#include "engine/run/record/home_notes.h"
#include "engine/sweep/control/sweep_journal.h"
#include "ui/models/desktop/background.h"

namespace trainyard::ui {

SweepLog::SweepLog(store::Workspace workspace, QObject* parent) : QObject(parent), m_workspace(std::move(workspace)) {}

void SweepLog::setSweep(const QString& sweep) {
    if (sweep == m_sweep) return;
    m_sweep = sweep;
    m_reports.clear();
    m_requests.clear();
    m_decisions.clear();
    m_adoptions.clear();
    m_last = -1;
    refresh();
}

// One reader at a time; requests made meanwhile are read after it.
void SweepLog::refresh() {
    m_again = m_reading;
    if (m_reading || m_sweep.isEmpty()) return;
    m_reading = true;
    inBackground(
        this,
        [workspace = m_workspace, sweep = m_sweep.toStdString(), last = m_last] {
            News news;
            const bool livesElsewhere = run::livesElsewhere(workspace, sweep); // then the mirror has its record
            const auto query = store::RunQuery::open(livesElsewhere ? run::mirrorWorkspace(workspace) : workspace);
            if (!query) return news; // the feed says why the store cannot be read
            if (auto events = (*query)->trialEvents(sweep, last)) news.events = std::move(*events);
            if (auto decisions = (*query)->trialDecisions(sweep)) news.decisions = std::move(*decisions);
            return news;
        },
        [this, sweep = m_sweep](News news) {
            m_reading = false;
            if (sweep == m_sweep) apply(std::move(news));
            if (sweep != m_sweep || m_again) refresh();
        });
}

void SweepLog::apply(News news) {
    const auto add = [this](const store::TrialEventRow& event) {
        auto asked = sweep::steeringFromBody(event.params);
        if (!asked) return;
        asked->trial = event.trial;
        asked->author = event.author;
        asked->atMs = event.wallMs;
        m_requests.push_back(std::move(*asked));
    };
    const bool same = news.events.empty() && news.decisions.size() == m_decisions.size();
    for (const auto& event : news.events) {
        m_last = std::max(m_last, event.number);
        const auto kind = sweep::kindOf(event);
        if (kind == sweep::Event::Kind::Report || kind == sweep::Event::Kind::Ended)
            m_reports.push_back({event.trial, event.t, event.loss});
        if (kind == sweep::Event::Kind::Steered) add(event);
    }
    for (auto& [trial, list] : sweep::adoptionsOf(news.events))
        m_adoptions[trial].insert(m_adoptions[trial].end(), list.begin(), list.end());
    m_decisions.clear();
    for (auto& decision : news.decisions) {
        const int trial = decision.trial;
        m_decisions.emplace(trial, std::move(decision));
    }
    if (!same) Q_EMIT changed();
}

const store::TrialDecisionRow* SweepLog::decision(int trial) const {
    const auto found = m_decisions.find(trial);
    return found == m_decisions.end() ? nullptr : &found->second;
}

std::vector<sweep::Adoption> SweepLog::adoptions(int trial) const {
    const auto found = m_adoptions.find(trial);
    return found == m_adoptions.end() ? std::vector<sweep::Adoption>() : found->second;
}

} // namespace trainyard::ui
