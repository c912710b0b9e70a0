// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sweeps/trial_filter.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

TrialFilter::TrialFilter(const TrialList& trials, QObject* parent) : QObject(parent), m_trials(trials) {
    connect(&trials, &TrialList::changed, this, &TrialFilter::refresh);
    connect(&trials, &TrialList::sweepChanged, this, [this] { m_brushes.clear(); });
}

void TrialFilter::setText(const QString& text) {
    if (text == m_text) return;
    m_text = text;
    m_filter = RunFilter(text);
    refresh();
}

void TrialFilter::setBrush(const std::string& path, const QList<Span>& spans) {
    if (spans == brush(path)) return;
    if (spans.isEmpty()) m_brushes.erase(path);
    else m_brushes[path] = spans;
    refresh();
}

QList<Span> TrialFilter::brush(const std::string& path) const {
    const auto found = m_brushes.find(path);
    return found == m_brushes.end() ? QList<Span>() : found->second;
}

QStringList TrialFilter::brushed() const {
    QStringList paths;
    for (const auto& [path, spans] : m_brushes) paths << QString::fromStdString(path);
    return paths;
}

void TrialFilter::clearBrushes() {
    if (m_brushes.empty()) return;
    m_brushes.clear();
    refresh();
}

bool TrialFilter::accepts(const Trial& trial) const {
    if (m_filter.error().isEmpty() && !m_filter.empty() && !m_filter.matches(*trial.run)) return false;
    for (const auto& [path, spans] : m_brushes) {
        double place = trial.score;
        if (!path.empty()) {
            const auto& axes = m_trials.axes();
            const auto axis =
                std::find_if(axes.begin(), axes.end(), [&](const auto& each) { return each.path == path; });
            const auto value = trial.params.find(path);
            if (axis == axes.end()) continue;
            if (value == trial.params.end()) return false;
            place = spec::placeOf(*axis, value->second);
        }
        const auto inside = [place](const Span& span) { return place >= span.low && place <= span.high; };
        if (std::none_of(spans.begin(), spans.end(), inside)) return false;
    }
    return true;
}

void TrialFilter::refresh() {
    const auto& trials = m_trials.trials();
    m_kept.assign(trials.size(), 1);
    m_count = trials.size();
    if (isOn()) {
        for (std::size_t i = 0; i < trials.size(); ++i) m_kept[i] = accepts(trials[i]) ? 1 : 0;
        m_count = static_cast<std::size_t>(std::count(m_kept.begin(), m_kept.end(), char{1}));
    }
    Q_EMIT changed();
}

} // namespace trainyard::ui
