// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/form_strip.h"

#include "engine/spec/run/host_ranks.h"
#include "ui/models/desktop/settings.h"
#include "ui/theme/icon.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kButtonRoom = 48; // around the text of a flat button with an icon

} // namespace

QString whereSummary(const RunForm::State& state) {
    if (state.slurm) return FormStrip::tr("Slurm cluster");
    QStringList hosts;
    for (const auto& host : state.spec.hosts) {
        const QString name = spec::isThisComputer(host) ? FormStrip::tr("this computer") : QString::fromStdString(host);
        if (!hosts.contains(name)) hosts << name;
    }
    const QString workers = FormStrip::tr("%n workers", nullptr, state.spec.scaling.workers);
    if (hosts.isEmpty()) hosts << FormStrip::tr("this computer");
    return FormStrip::tr("%1 on %2").arg(workers, hosts.join(QStringLiteral(", ")));
}

QString sweepSummary(const RunForm::State& state) {
    if (!state.sweep) return state.sweeping ? FormStrip::tr("Sweep") : QString();
    QStringList over;
    for (const auto& axis : state.sweep->space) over << state.titles.value(QString::fromStdString(axis.path));
    const QString fields = over.join(QStringLiteral(", "));
    return spec::isOpenEnded(*state.sweep) ? FormStrip::tr("Trials over %1").arg(fields)
                                           : FormStrip::tr("%n trials over %1", nullptr, state.trials).arg(fields);
}

FormStrip::FormStrip()
    : Surface(SurfaceColor::Panel, TopEdge), m_more(button(tr("More settings"), QString(), "flat")),
      m_where(button({}, QStringLiteral("server"), "flat")), m_sweep(button({}, QStringLiteral("sweeps"), "flat")) {
    m_more->setCheckable(true);
    m_more->setChecked(Settings::allRunFields.get());
    m_sweep->hide();
    auto* lines = column(this, 2);
    setMargins(lines, 12, 5, 12, 4);
    auto* line = row();
    line->addWidget(m_more);
    line->addStretch();
    line->addWidget(m_where);
    lines->addWidget(m_sweep, 0, Qt::AlignLeft);
    lines->addLayout(line);
    const auto label = [this](bool all) {
        m_more->setText(all ? tr("Fewer settings") : tr("More settings"));
        m_more->setIcon(icon(all ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down")));
    };
    label(m_more->isChecked());
    connect(m_more, &QPushButton::toggled, this, [this, label](bool all) {
        Settings::allRunFields.set(all);
        label(all);
        Q_EMIT allChosen(all);
    });
    connect(m_where, &QPushButton::clicked, this, &FormStrip::whereRequested);
    connect(m_sweep, &QPushButton::clicked, this, &FormStrip::sweepRequested);
}

void FormStrip::setState(const RunForm::State& state) {
    m_whereText = whereSummary(state);
    m_sweepText = sweepSummary(state);
    m_sweep->setVisible(!m_sweepText.isEmpty());
    fit();
}

void FormStrip::fit() {
    const int room = width() - Theme::current().px(2 * 12 + kButtonRoom);
    const auto put = [](QPushButton& button, const QString& text, int most) {
        const QString shown = button.fontMetrics().elidedText(text, Qt::ElideRight, most);
        button.setText(shown);
        button.setToolTip(shown == text ? QString() : text);
        button.setAccessibleName(text);
    };
    put(*m_where, m_whereText, room - m_more->sizeHint().width());
    put(*m_sweep, m_sweepText, room);
}

void FormStrip::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    fit();
}

} // namespace trainyard::ui
