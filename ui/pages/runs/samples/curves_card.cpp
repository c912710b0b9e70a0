// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/curves_card.h"

#include "ui/plots/chart/plot.h"
#include "ui/plots/layers/path_layer.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QBoxLayout>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kLeastPlot = 180; // design pixels

int leastWidth(const QWidget& part) {
    return part.isHidden() ? 0 : std::max(part.minimumWidth(), part.minimumSizeHint().width());
}

} // namespace

TurningRow::TurningRow(QWidget* first, QWidget* second, int least, QWidget* parent)
    : QWidget(parent), m_first(first), m_second(second), m_row(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      m_least(least) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSizeConstraint(QLayout::SetNoConstraint); // minimumSizeHint() says the least
    m_row->setSpacing(Theme::current().px(12));
    m_row->addWidget(first, 1);
    m_row->addWidget(second, 1);
}

void TurningRow::setShares(int first, int second) {
    m_row->setStretch(0, first);
    m_row->setStretch(1, second);
}

QSize TurningRow::minimumSizeHint() const {
    return {std::max(leastWidth(*m_first), leastWidth(*m_second)), QWidget::minimumSizeHint().height()};
}

void TurningRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int needed = leastWidth(*m_first) + m_row->spacing() + leastWidth(*m_second); // longer in other languages
    const bool fits = width() >= std::max(Theme::current().px(m_least), needed);
    m_row->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

CurvesCard::CurvesCard(QWidget* parent)
    : Card(tr("Curves"), parent), m_curves(new SegmentedControl({tr("ROC"), tr("Precision"), tr("Reliability")})),
      m_plot(new Plot) {
    m_curves->setCompact();
    m_curves->setAccessibleName(tr("Curves"));
    m_curves->setToolTip(
        tr("How well the probabilities rank the samples of each class, and how far they can be believed"));
    addAction(m_curves);
    m_plot->showTitles();
    m_plot->leaveWheelToPage();
    m_plot->setMinimumHeight(Theme::current().px(kLeastPlot));
    body()->setContentsMargins(1, 0, 1, 1);
    body()->addWidget(m_plot, 1);
    connect(m_curves, &SegmentedControl::currentIndexChanged, this, &CurvesCard::draw);
}

bool CurvesCard::setEvaluation(const run::Evaluation& evaluation, const QString& title) {
    m_evaluation = {};
    m_evaluation.task = evaluation.task;
    m_evaluation.metrics = evaluation.metrics;
    m_evaluation.classes = evaluation.classes;
    m_evaluation.reliability = evaluation.reliability;
    m_title = title;
    bool any = false;
    for (int i = 0; i < m_curves->items().size(); ++i) {
        const bool has = hasCurve(m_evaluation, static_cast<EvaluationCurve>(i));
        m_curves->setUnavailable(i, has ? QString() : tr("This evaluation has no such curve"));
        any = any || has;
    }
    for (int i = 0; any && !m_curves->isAvailable(m_curves->currentIndex()) && i < m_curves->items().size(); ++i)
        if (m_curves->isAvailable(i)) m_curves->setCurrentIndex(i);
    draw();
    return any;
}

void CurvesCard::setCurrent(int number) {
    if (m_class == number) return;
    m_class = number;
    draw();
}

void CurvesCard::draw() {
    const Theme& theme = Theme::current();
    const auto curve = static_cast<EvaluationCurve>(m_curves->currentIndex());
    const auto found = linesOf(m_evaluation, curve, m_class);
    QList<NamedPath> lines;
    const QString xName = curve == EvaluationCurve::Roc         ? tr("Share of others taken for it")
                          : curve == EvaluationCurve::Precision ? tr("Recall")
                                                                : tr("Probability of the prediction");
    const QString yName = curve == EvaluationCurve::Roc         ? tr("Share found")
                          : curve == EvaluationCurve::Precision ? tr("Precision")
                                                                : tr("Accuracy");
    if (curve != EvaluationCurve::Precision)
        lines << NamedPath{
            curve == EvaluationCurve::Roc ? tr("Guessing") : tr("As probable as right"), {}, true, {{0, 0}, {1, 1}}};
    for (const auto& each : found)
        lines << NamedPath{each.name, theme.curve(std::max(0, each.number)), false, each.points};
    setNote(m_class >= 0 && found.size() == 1 ? found.front().name
            : found.size() > 1                ? tr("%n classes", nullptr, static_cast<int>(found.size()))
                                              : QString());
    m_plot->setTitle(m_title);
    m_plot->setAxes({.title = xName}, {.title = yName});
    m_plot->setLayers({std::make_shared<PathLayer>(std::move(lines), xName, yName)});
}

} // namespace trainyard::ui
