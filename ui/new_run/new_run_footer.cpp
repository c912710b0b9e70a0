// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/new_run_footer.h"

#include "ui/theme/icon.h"
#include "ui/widgets/label.h"

#include <QPushButton>

namespace trainyard::ui {

NewRunFooter::NewRunFooter() : Surface(SurfaceColor::Panel, TopEdge) {
    const Theme& theme = Theme::current();
    setMinimumHeight(theme.px(52)); // higher if the error needs several lines
    buildTools();
    m_reason = new Label(QString(), TextRole::SmallError);
    m_reason->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_reason->setWordWrap(true);
    m_reason->setMinimumWidth(0);
    m_reason->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_faults = button({}, QStringLiteral("error"), "flat");
    m_faults->hide();
    connect(m_faults, &QPushButton::clicked, this, &NewRunFooter::faultRequested);
    auto* cancel = button(tr("Cancel"));
    connect(cancel, &QPushButton::clicked, this, &NewRunFooter::cancelRequested);
    m_queue = button(tr("Add to queue"), QStringLiteral("clock"));
    connect(m_queue, &QPushButton::clicked, this, &NewRunFooter::queueRequested);
    m_start = button(tr("Start"), QStringLiteral("play"), "primary");
    m_start->setToolTip(tr("Start  Ctrl+Enter"));
    connect(m_start, &QPushButton::clicked, this, &NewRunFooter::startRequested);
    for (auto* each : {m_copy, m_save, m_queue, m_start}) each->setEnabled(false); // until the form exists

    auto* line = row(this, 8);
    setMargins(line, 20, 1, 20, 0);
    line->addWidget(m_copy);
    line->addWidget(m_save);
    line->addWidget(m_reason, 1);
    line->addWidget(m_faults);
    line->addSpacing(theme.px(4));
    line->addWidget(cancel);
    line->addWidget(m_queue);
    line->addWidget(m_start);
}

void NewRunFooter::buildTools() {
    m_copy = button({}, QStringLiteral("terminal"), "flat");
    m_save = button({}, QStringLiteral("copy"), "flat");
    labelTools();
    connect(m_copy, &QPushButton::clicked, this, &NewRunFooter::copyRequested);
    connect(m_save, &QPushButton::clicked, this, &NewRunFooter::saveRequested);
}

void NewRunFooter::setState(const State& state) {
    m_state = state;
    showReason();
    m_copy->setEnabled(state.isRight);
    m_save->setEnabled(state.isRight);
    m_start->setEnabled(state.why.isEmpty() && !state.isStarted);
    m_start->setAccessibleDescription(state.why);
    m_start->setText(state.trials    ? tr("Start %n trials", nullptr, *state.trials)
                     : state.isSweep ? tr("Start sweep")
                                     : tr("Start"));
    m_queue->setEnabled(m_start->isEnabled() && state.queues);
    m_queue->setAccessibleDescription(state.why);
    m_queue->setToolTip(state.queues ? tr("Start it as soon as this computer has room for it  Ctrl+Shift+Enter")
                                     : tr("The queue is only for runs that live on this computer"));
    labelTools();
}

void NewRunFooter::setNarrow(bool narrow) {
    m_narrow = narrow;
    labelTools();
    showReason();
}

// Not twice: an error stands at its field; in a wide sheet, the preview shows what the worker refuses.
void NewRunFooter::showReason() {
    const bool atFields = m_state.faults > 0 && m_state.unplaced.isEmpty();
    m_faults->setText(tr("%n to fix", nullptr, m_state.faults));
    m_faults->setToolTip(tr("Go to the first field in error"));
    m_faults->setAccessibleDescription(m_state.all);
    m_faults->setVisible(atFields);
    m_reason->setText(atFields                           ? QString()
                      : !m_state.unplaced.isEmpty()      ? m_state.unplaced
                      : m_state.isSaidAbove && !m_narrow ? tr("%n to fix", nullptr, 1)
                                                         : m_state.why);
    m_reason->setToolTip(m_state.all.isEmpty() ? m_state.why : m_state.all);
}

void NewRunFooter::labelTools() {
    const auto label = [narrow = m_narrow](QPushButton& tool, const QString& text) {
        tool.setText(narrow ? QString() : text);
        tool.setToolTip(narrow ? text : QString());
        tool.setAccessibleName(text);
    };
    label(*m_copy, tr("Copy as command"));
    label(*m_save, m_state.isSweep ? tr("Save sweep file") : tr("Save run file"));
}

QString NewRunFooter::reason() const { return m_state.why; }

} // namespace trainyard::ui
