// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/run_selection.h"

namespace trainyard::ui {

void RunSelection::setSelected(const QStringList& runs) {
    if (runs != m_selected) replace(runs);
    if (!runs.isEmpty() && !isSelected(m_current)) suggestCurrent(runs.first());
}

void RunSelection::replace(const QStringList& runs) {
    m_selected = runs;
    m_chosen = QSet<QString>(runs.begin(), runs.end());
    Q_EMIT selectedChanged();
}

void RunSelection::setCurrent(const QString& run) {
    suggestCurrent(run);
    m_currentChosen = !run.isEmpty();
}

void RunSelection::suggestCurrent(const QString& run) {
    m_currentChosen = false;
    if (run != m_current) {
        m_current = run;
        Q_EMIT currentChanged();
    }
}

void RunSelection::show(const QString& run) {
    setCurrent(run);
    setSelected({run});
}

void RunSelection::clear() {
    setCurrent({});
    setSelected({});
}

void RunSelection::toggle(const QString& run) {
    QStringList runs = m_selected;
    if (!runs.removeOne(run)) runs << run;
    replace(runs);
}

void RunSelection::setHovered(const QString& run) {
    if (run != m_hovered) {
        m_hovered = run;
        Q_EMIT hoveredChanged();
    }
}

} // namespace trainyard::ui
