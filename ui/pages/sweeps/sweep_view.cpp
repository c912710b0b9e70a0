// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/sweep_view.h"

#include "ui/theme/theme_controller.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layout.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

SweepView::SweepView(const SweepContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    connect(&ThemeController::instance(), &ThemeController::changed, this, &SweepView::refresh); // the colours change
}

void SweepView::refresh() {
    m_stale = !isVisible();
    if (!m_stale) draw();
}

void SweepView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(m_stale, false)) draw();
}

QString SweepView::nameOf(const Trial& trial) const { return tr("Trial %1").arg(trial.run->row.trial); }

QColor SweepView::colorOf(const Trial& trial) { return Theme::current().curve(trial.run->color); }

double SweepView::ScoreSpan::place(double score) const {
    return best == worst ? 1 : std::clamp((score - worst) / (best - worst), 0.0, 1.0);
}

SweepView::ScoreSpan SweepView::scoreSpan() const {
    std::vector<double> scores;
    for (const Trial& trial : m_context.trials.trials())
        if (std::isfinite(trial.score)) scores.push_back(trial.score);
    if (scores.empty()) return {};
    std::sort(scores.begin(), scores.end());
    const std::size_t tenth = scores.size() / 10;
    if (m_context.trials.better() == spec::Better::Larger) return {scores[tenth], scores.back()};
    return {scores[scores.size() - 1 - tenth], scores.front()};
}

std::vector<double> SweepView::qualities() const {
    const ScoreSpan span = scoreSpan();
    std::vector<double> qualities;
    for (const Trial& trial : m_context.trials.trials())
        qualities.push_back(std::isfinite(trial.score) ? span.place(trial.score) : 0);
    return qualities;
}

PlotView::PlotView(const SweepContext& context, QWidget* parent)
    : SweepView(context, parent), m_plot(new Plot), m_stack(new QStackedLayout) {
    auto* card = new Card;
    setMargins(card->body(), 0, 8, 0, 4);
    auto* holder = new QWidget;
    holder->setLayout(m_stack);
    m_stack->addWidget(m_plot);
    card->body()->addWidget(holder, 1);
    column(this)->addWidget(card);
    m_plot->showTitles();
    auto& selection = m_context.bench.selection;
    connect(m_plot, &Plot::chosen, this, [this](const QString& run) {
        if (!run.isEmpty()) m_context.bench.selection.setCurrent(run);
    });
    connect(m_plot, &Plot::hovered, &selection, &RunSelection::setHovered);
    connect(&selection, &RunSelection::hoveredChanged, this,
            [this] { m_plot->setHovered(m_context.bench.selection.hovered()); });
    connect(&selection, &RunSelection::currentChanged, this,
            [this] { m_plot->setCurrent(m_context.bench.selection.current()); });
}

void PlotView::show(PlotLayers layers) {
    m_plot->setCurrent(m_context.bench.selection.current());
    m_plot->setLayers(std::move(layers));
    m_stack->setCurrentWidget(m_plot);
}

void PlotView::showNothing(const QString& what, const QString& why) {
    m_plot->setLayers({});
    if (m_nothing != nullptr && m_nothing->accessibleDescription() == why) return m_stack->setCurrentWidget(m_nothing);
    if (m_nothing != nullptr) m_nothing->deleteLater();
    m_nothing = new QWidget;
    m_nothing->setAccessibleDescription(why);
    auto* layout = column(m_nothing);
    setMargins(layout, 24, 24, 24, 24);
    auto* words = new EmptyState(what, why);
    words->setMaximumWidth(Theme::current().px(420));
    layout->addWidget(words, 0, Qt::AlignCenter);
    m_stack->addWidget(m_nothing);
    m_stack->setCurrentWidget(m_nothing);
}

} // namespace trainyard::ui
