// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/confusion_card.h"

#include "engine/run/record/evaluation.h"
#include "ui/pages/shared/curves_export.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

ConfusionCard::ConfusionCard(Workbench& bench, QWidget* parent) : Card(tr("Confusion"), parent) {
    m_shares = new SegmentedControl({tr("Count"), tr("Share")});
    m_shares->setAccessibleName(tr("Counts, or shares of the true class in percent"));
    m_shares->setToolTip(tr("Counts, or shares of the true class in percent"));
    auto* exporter = iconButton(QStringLiteral("export"), tr("Export the confusion table"));
    addAction(m_shares);
    addAction(exporter);
    m_chart = new ConfusionChart;
    m_line = new NumberLabel(TextRole::SmallSecondary);
    m_line->setAlignment(Qt::AlignLeft);
    auto* line = row(nullptr);
    setMargins(line, 12, 0, 12, 8);
    line->addWidget(m_line, 1);
    body()->addWidget(m_chart, 1);
    body()->addLayout(line);
    connect(m_shares, &SegmentedControl::currentIndexChanged, this,
            [this](int index) { m_chart->setShares(index == 1); });
    connect(exporter, &QToolButton::clicked, this, [this, &bench, exporter] {
        showChartExport(bench, m_chart, exporter->mapToGlobal(QPoint(0, exporter->height())));
    });
    connect(m_chart, &ConfusionChart::moved, this, &ConfusionCard::describe);
    connect(m_chart, &ConfusionChart::chosen, this, &ConfusionCard::describe);
    connect(m_chart, &ConfusionChart::released, this, &ConfusionCard::describe);
    describe();
}

void ConfusionCard::setEvaluation(const run::Evaluation& evaluation, const QString& title) {
    QStringList names;
    for (const run::ClassScore& each : evaluation.classes) names << QString::fromStdString(each.name);
    m_chart->setTitle(title);
    m_chart->setTable({names, evaluation.confusion});
    describe();
}

void ConfusionCard::setCurrent(const std::optional<ConfusionCell>& cell) {
    if (cell == m_chart->current()) return;
    m_chart->setCurrent(cell);
    describe();
}

void ConfusionCard::describe() {
    const auto cell = m_chart->current();
    m_line->setText(cell ? ConfusionChart::describe(m_chart->table(), *cell)
                         : tr("Rows: true class, columns: predicted"));
    m_line->setToolTip(m_line->text());
}

} // namespace trainyard::ui
