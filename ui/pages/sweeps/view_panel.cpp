// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/view_panel.h"

#include "ui/pages/shared/curves_export.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QStackedWidget>

namespace trainyard::ui {

ViewPanel::ViewPanel(const SweepContext& context, const QString& name, const QList<Entry>& views,
                     const Setting<int>& chosen, QWidget* parent)
    : QWidget(parent), m_context(context), m_entries(views), m_views(views.size(), nullptr), m_setting(chosen),
      m_line(row(nullptr, 6)), m_stack(new QStackedWidget) {
    QStringList titles;
    for (const Entry& entry : views) titles << entry.title;
    m_choice = new SegmentedControl(titles);
    m_choice->setAccessibleName(name);
    m_list = new QComboBox;
    m_list->setAccessibleName(name);
    m_list->addItems(titles);
    m_list->hide();
    auto* layout = column(this, 6);
    m_line->addWidget(m_choice);
    m_line->addWidget(m_list);
    m_line->addStretch();
    m_exporter = iconButton(QStringLiteral("export"), tr("Export chart or data"));
    m_line->addWidget(m_exporter);
    layout->addLayout(m_line);
    layout->addWidget(m_stack, 1);
    connect(m_exporter, &QToolButton::clicked, this, [this] {
        showChartExport(m_context.bench, current()->chart(), m_exporter->mapToGlobal(QPoint(0, m_exporter->height())));
    });
    connect(m_choice, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        m_setting.set(index);
        show(index);
    });
    connect(m_list, &QComboBox::activated, this, &ViewPanel::setCurrentIndex);
    m_choice->setCurrentIndex(std::clamp(chosen.get(), 0, static_cast<int>(views.size()) - 1));
    show(m_choice->currentIndex());
}

SweepView* ViewPanel::made(int index) {
    SweepView*& view = m_views[index];
    if (view != nullptr) return view;
    view = m_entries[index].make(m_context);
    m_stack->addWidget(view);
    if (auto* options = view->options()) m_line->insertWidget(m_line->count() - 1, options);
    return view;
}

void ViewPanel::show(int index) {
    SweepView* shown = made(index);
    for (SweepView* view : std::as_const(m_views))
        if (auto* options = view ? view->options() : nullptr) options->setVisible(view == shown);
    m_stack->setCurrentWidget(shown);
    m_list->setCurrentIndex(index);
    m_exporter->setVisible(shown->chart() != nullptr);
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

SweepView* ViewPanel::current() const { return m_views[currentIndex()]; }

int ViewPanel::currentIndex() const { return m_choice->currentIndex(); }

void ViewPanel::setCurrentIndex(int index) { m_choice->setCurrentIndex(index); }

void ViewPanel::refresh() {
    for (SweepView* view : std::as_const(m_views))
        if (view) view->refresh();
}

void ViewPanel::restart() {
    for (SweepView* view : std::as_const(m_views))
        if (view) view->restart();
}

} // namespace trainyard::ui
