// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/drawn_note.h"

namespace trainyard::ui {

DrawnNote::DrawnNote(Workbench& bench, QWidget* parent)
    : QWidget(parent), m_bench(bench), m_words(new Label(QString(), TextRole::SmallSecondary)),
      m_stop(button(tr("Stop"), QStringLiteral("stop"), "flat")) {
    m_words->setWordWrap(true);
    m_stop->setToolTip(tr("Keep only the runs drawn so far"));
    auto* line = row(this, 8);
    setMargins(line, 12, 0, 12, 8);
    line->addWidget(m_words, 1);
    line->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, &bench.drawn, &DrawnRuns::stop);
    connect(&bench.drawn, &DrawnRuns::changed, this, &DrawnNote::refresh);
    connect(&bench.drawn, &DrawnRuns::fillingChanged, this, &DrawnNote::refresh);
    connect(&bench.selection, &RunSelection::selectedChanged, this, &DrawnNote::refresh);
    refresh();
}

void DrawnNote::refresh() {
    const QString note = m_bench.drawn.note();
    m_words->setText(note);
    m_stop->setVisible(m_bench.drawn.isFilling());
    setVisible(!note.isEmpty());
}

} // namespace trainyard::ui
