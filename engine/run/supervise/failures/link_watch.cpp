// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/failures/link_watch.h"

#include "engine/run/supervise/failures/stop_sequence.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kMargin = 2;       // seconds, for a rank to end itself first
constexpr double kHeardSeconds = 3; // a supervisor that is there says something every second

} // namespace

void LinkWatch::heard(double now) { m_heard = std::max(m_heard, now); }

void LinkWatch::cut(double now) {
    if (!m_cut) m_cut = std::min(now, m_heard + m_linkSeconds);
}

double LinkWatch::orphanedAt() const {
    if (m_cut) return *m_cut;
    return m_heard + (m_askedToEnd ? std::min(kHeardSeconds, m_linkSeconds) : m_linkSeconds);
}

LinkWatch::Action LinkWatch::next(double now, bool saving) {
    const bool orphaned = now >= orphanedAt();
    if (m_stage <= Action::SaveTogether && orphaned != (m_stage == Action::SaveTogether)) {
        m_stage = orphaned ? Action::SaveTogether : Action::GoOn;
        m_since = now;
    }
    if (m_stage == Action::GoOn || m_stage == Action::End) return m_stage;
    if (now - m_since >= (saving ? kSaveLimit : kSaveSeconds)) {
        m_stage = m_stage == Action::SaveTogether ? Action::SaveAlone : Action::End;
        m_since = now;
    }
    return m_stage;
}

double LinkWatch::endedBy(double now) const {
    const double begins = m_stage == Action::GoOn ? std::max(now, orphanedAt()) : now;
    return begins + kSaveSeconds + kMargin;
}

} // namespace trainyard::run
