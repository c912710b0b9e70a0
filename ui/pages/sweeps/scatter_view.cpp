// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/scatter_view.h"

#include "ui/forms/fields/axis_defaults.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/format.h"
#include "ui/pages/sweeps/axis_scale.h"
#include "ui/plots/layers/scatter_layer.h"
#include "ui/widgets/layout.h"

#include <QComboBox>

namespace trainyard::ui {

namespace {

QPushButton* logToggle(const QString& text, const QString& name, const Setting<bool>& setting) {
    auto* toggle = button(text, {}, "flat");
    toggle->setAccessibleName(name);
    toggle->setToolTip(name);
    toggle->setCheckable(true);
    toggle->setChecked(setting.get());
    QObject::connect(toggle, &QPushButton::toggled, toggle, [&setting](bool on) { setting.set(on); });
    return toggle;
}

} // namespace

QComboBox* axisChoice(const QString& accessibleName) {
    auto* choice = new QComboBox;
    choice->setAccessibleName(accessibleName);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return choice;
}

void fillAxisChoice(QComboBox& choice, const std::vector<spec::Axis>& axes, int standard) {
    QStringList before, now;
    for (int i = 0; i < choice.count(); ++i) before << choice.itemData(i).toString();
    for (const auto& axis : axes) now << QString::fromStdString(axis.path);
    if (before == now) return;
    const QString chosen = choice.currentData().toString();
    choice.clear();
    for (const QString& path : now) choice.addItem(shortPath(path), path);
    const auto lr = now.indexOf(QLatin1String(kLrPath));
    const auto usual = standard == 0 && lr >= 0 ? lr : std::min<qsizetype>(standard, now.size() - 1);
    int widest = 0;
    for (int i = 0; i < choice.count(); ++i)
        widest = std::max(widest, choice.fontMetrics().horizontalAdvance(choice.itemText(i)));
    choice.setMinimumWidth(std::min(widest, Theme::current().px(120)) + Theme::current().px(44)); // and the arrow
    choice.setCurrentIndex(static_cast<int>(now.contains(chosen) ? now.indexOf(chosen) : usual));
}

ScatterView::ScatterView(const SweepContext& context, QWidget* parent)
    : PlotView(context, parent), m_options(new QWidget), m_axis(axisChoice(tr("Parameter"))),
      m_logX(logToggle(tr("log x"), tr("Logarithmic x axis"), Settings::scatterLogX)),
      m_logY(logToggle(tr("log y"), tr("Logarithmic y axis"), Settings::scatterLogY)) {
    m_axis->setObjectName(QStringLiteral("scatterParameter"));
    auto* line = row(m_options, 4);
    line->addWidget(m_axis);
    line->addWidget(m_logX);
    line->addWidget(m_logY);
    connect(m_axis, &QComboBox::activated, this, &ScatterView::refresh);
    for (auto* toggle : {m_logX, m_logY}) connect(toggle, &QPushButton::toggled, this, &ScatterView::refresh);
}

void ScatterView::draw() {
    const auto& axes = m_context.trials.axes();
    fillAxisChoice(*m_axis, axes, 0);
    if (axes.empty() || m_context.trials.trials().empty())
        return showNothing(tr("No trials yet"), tr("Each trial is drawn as a dot: its score against a parameter."));
    const auto& axis = axes[static_cast<std::size_t>(std::max(0, m_axis->currentIndex()))];
    const AxisScale scale(axis);
    const Trial* best = m_context.trials.best();
    QList<ScatterDot> under, over; // trials outside the filter are drawn below
    for (std::size_t i = 0; i < m_context.trials.trials().size(); ++i) {
        const Trial& trial = m_context.trials.trials()[i];
        const bool faded = !m_context.filter.keeps(i);
        (faded ? under : over)
            .prepend({trial.run->id, nameOf(trial), scale.coordinate(trial), trial.score, colorOf(trial),
                      &trial == best && !faded, faded});
    }
    const QString score = m_context.trials.scoreSeries();
    m_logX->setVisible(!scale.isChoice());
    plot()->setAxes(scale.plotAxis(), {.title = seriesTitle(score)});
    plot()->setLog(m_logX->isChecked() && !scale.isChoice(), m_logY->isChecked());
    show({std::make_shared<ScatterLayer>(under + over, scale.title(), score)});
}

} // namespace trainyard::ui
