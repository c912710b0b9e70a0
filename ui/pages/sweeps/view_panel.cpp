// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/view_panel.h"

#include "ui/pages/shared/curves_export.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QStackedWidget>

namespace trainyard::ui {

ViewPanel::ViewPanel(Workbench& bench, const QString& name, const QList<Entry>& views, const Setting<int>& chosen,
                     QWidget* parent)
    : QWidget(parent), m_bench(bench), m_views(views), m_setting(chosen), m_stack(new QStackedWidget) {
    QStringList titles;
    for (const Entry& entry : views) titles << entry.title;
    m_choice = new SegmentedControl(titles);
    m_choice->setAccessibleName(name);
    m_list = new QComboBox;
    m_list->setAccessibleName(name);
    m_list->addItems(titles);
    m_list->hide();
    auto* layout = column(this, 6);
    auto* line = row(nullptr, 6);
    line->addWidget(m_choice);
    line->addWidget(m_list);
    line->addStretch();
    for (const Entry& entry : views) {
        m_stack->addWidget(entry.view);
        if (auto* options = entry.view->options()) line->addWidget(options);
    }
    m_exporter = iconButton(QStringLiteral("export"), tr("Export chart or data"));
    line->addWidget(m_exporter);
    layout->addLayout(line);
    layout->addWidget(m_stack, 1);
    connect(m_exporter, &QToolButton::clicked, this, [this] {
        showChartExport(m_bench, current()->chart(), m_exporter->mapToGlobal(QPoint(0, m_exporter->height())));
    });
    connect(m_choice, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        m_setting.set(index);
        show(index);
    });
    connect(m_list, &QComboBox::activated, this, &ViewPanel::setCurrentIndex);
    m_choice->setCurrentIndex(std::clamp(chosen.get(), 0, static_cast<int>(views.size()) - 1));
    show(m_choice->currentIndex());
}

void ViewPanel::show(int index) {
    for (int i = 0; i < m_views.size(); ++i)
        if (auto* options = m_views[i].view->options()) options->setVisible(i == index);
    m_stack->setCurrentIndex(index);
    m_list->setCurrentIndex(index);
    m_exporter->setVisible(m_views[index].view->chart() != nullptr);
    fitChoice();
}

void ViewPanel::fitChoice() {
    const int gap = Theme::current().px(6);
    int beside = m_exporter->sizeHint().width() + gap;
    if (auto* options = current()->options()) beside += options->sizeHint().width() + gap;
    const bool fits = m_choice->sizeHint().width() + beside <= width();
    const bool focused = m_choice->hasFocus() || m_list->hasFocus();
    m_choice->setVisible(fits);
    m_list->setVisible(!fits);
    if (focused) (fits ? static_cast<QWidget*>(m_choice) : m_list)->setFocus();
}

void ViewPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitChoice();
}

SweepView* ViewPanel::current() const { return m_views[currentIndex()].view; }

int ViewPanel::currentIndex() const { return m_choice->currentIndex(); }

void ViewPanel::setCurrentIndex(int index) { m_choice->setCurrentIndex(index); }

void ViewPanel::refresh() {
    for (const Entry& entry : m_views) entry.view->refresh();
}

void ViewPanel::restart() {
    for (const Entry& entry : m_views) entry.view->restart();
}

} // namespace trainyard::ui
