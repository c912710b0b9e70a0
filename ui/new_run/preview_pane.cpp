// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/preview_pane.h"

#include "engine/sweep/judge/foresee.h"
#include "ui/models/text/format.h"
#include "ui/new_run/preview_cards.h"
#include "ui/new_run/preview_paint.h"
#include "ui/new_run/samples_card.h"
#include "ui/new_run/sweep_cards.h"

#include <QGridLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kListed = 48;                          // configurations of a sweep
constexpr int kDataHeight = 147, kDrawsHeight = 232; // of the first row of cards, in design pixels

} // namespace

PreviewPane::PreviewPane(Workbench& bench, QWidget* parent)
    : QWidget(parent), m_classes(new DrawingCard(tr("Classes"), m_facts, paintClasses)),
      m_model(new DrawingCard(tr("Model"), m_facts, paintLayers)), m_samples(new SamplesCard(m_facts)),
      m_rates(new RatesCard(m_facts)), m_batch(new BatchCard(m_facts)), m_cost(new CostCard(bench, m_facts)),
      m_check(new CheckCard(bench, m_facts)), m_sweep(new SweepCards(this)), m_balance(new QToolButton) {
    connect(m_rates, &RatesCard::swapRequested, this, &PreviewPane::swapRequested);
    connect(m_check, &CheckCard::newWeightsRequested, this, &PreviewPane::newWeightsRequested);
    connect(m_samples, &SamplesCard::viewChanged, this, [this] {
        fitSamples();
        showSweep();
    });
    build();
    refresh();
}

// Draws take the place of the classes, too.
void PreviewPane::fitSamples() {
    auto* grid = static_cast<QGridLayout*>(layout());
    const bool isWide = m_samples->isWide();
    grid->removeWidget(m_samples);
    grid->addWidget(m_samples, 0, isWide ? 0 : 1, 1, isWide ? 2 : 1);
    grid->setRowMinimumHeight(0, Theme::current().px(isWide ? kDrawsHeight : kDataHeight));
}

void PreviewPane::build() {
    auto* menu = new QMenu(m_balance);
    menu->addAction(tr("Draw rare classes more often"), this, [this] { Q_EMIT balanceRequested(false); });
    menu->addAction(tr("Let rare classes weigh more"), this, [this] { Q_EMIT balanceRequested(true); });
    m_balance->setText(tr("Balance"));
    m_balance->setToolTip(tr("Let rare classes count for more"));
    m_balance->setMenu(menu);
    m_balance->setPopupMode(QToolButton::InstantPopup);
    m_balance->hide();
    m_classes->addAction(m_balance);
    const Theme& theme = Theme::current();
    auto* grid = new QGridLayout(this);
    grid->setSpacing(theme.px(12));
    setMargins(grid, 20, 12, 20, 12);
    grid->addWidget(m_sweep->configurations(), 0, 0, 2, 1);
    grid->addWidget(m_sweep->search(), 0, 1);
    grid->addWidget(m_classes, 0, 0);
    grid->addWidget(m_samples, 0, 1);
    grid->addWidget(m_model, 1, 0);
    grid->addWidget(m_rates, 1, 1);
    grid->addWidget(m_batch, 2, 0);
    grid->addWidget(m_cost, 2, 1);
    grid->addWidget(m_check, 3, 0, 1, 2);
    const int heights[] = {184, 150, 112, 108};
    for (int line = 0; line < 4; ++line) {
        grid->setRowMinimumHeight(line, theme.px(heights[line]) * (line < 2 ? 8 : 10) / 10);
        grid->setRowStretch(line, heights[line]);
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
}

void PreviewPane::setState(const RunForm::State& state) {
    m_facts.state = state;
    if (state.errors.isEmpty()) {
        m_check->askHosts();
    } else { // the worker was not asked, so nothing is known about these settings
        m_facts.busy = false;
        m_facts.preview.reset();
    }
    refresh();
}

void PreviewPane::setPreview(const Preview& preview) {
    m_facts.preview = preview;
    m_facts.refused.clear();
    m_facts.busy = false;
    refresh();
}

void PreviewPane::setRefused(const QString& why, bool atField) {
    m_facts.refused = why;
    m_facts.isRefusedAtField = atField;
    m_facts.busy = false;
    m_facts.preview.reset();
    refresh();
}

void PreviewPane::setBusy() {
    m_facts.busy = true;
    m_facts.refused.clear();
    refresh();
}

QString PreviewPane::misfit() const { return m_facts.misfit(); }

void PreviewPane::refresh() {
    for (auto* card : {m_classes, m_model}) card->redraw();
    m_samples->refresh();
    m_rates->refresh();
    m_batch->refresh();
    m_check->refresh();
    showNotes();
    showSweep();
}

// The notes beside the titles of the cards that the worker fills.
void PreviewPane::showNotes() {
    if (!m_facts.current()) {
        for (auto* card : std::initializer_list<Card*>{m_classes, m_samples, m_model})
            card->setNote(m_facts.busy ? tr("checking…") : QString());
        return;
    }
    const Preview& preview = *m_facts.current();
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
    for (const auto& cls : preview.classes) {
        least = std::min(least, cls.train);
        most = std::max(most, cls.train);
    }
    const bool balanced = most > 0 && static_cast<double>(least) > 0.9 * static_cast<double>(most);
    const spec::RunSpec& shown = m_facts.state.shown;
    m_balance->setVisible(most > 0 && !balanced && shown.data.balance == 0 &&
                          shown.loss.text("classWeights", {}).empty() && shown.loss.name == "cross-entropy");
    m_classes->setTitle(preview.learned.isEmpty() ? tr("Classes") : tr("Task"));
    m_classes->setNote(preview.classes.isEmpty() ? preview.learned
                       : least == most
                           ? tr("balanced, %1 each").arg(countText(static_cast<double>(most)))
                           : (balanced ? tr("balanced, %1 to %2 each") : tr("unbalanced, %1 to %2 each"))
                                 .arg(countText(static_cast<double>(least)), countText(static_cast<double>(most))));
    m_samples->setNote(!preview.points.isEmpty()      ? tr("points in a plane")
                       : preview.thumbnails.isEmpty() ? QString()
                                                      : preview.dataShape);
    m_model->setNote(tr("%1 parameters").arg(countText(static_cast<double>(preview.parameters))));
}

// Replaces data and model, which are the same in every trial.
void PreviewPane::showSweep() {
    const bool sweeping = m_facts.state.sweeping;
    for (QWidget* card : std::initializer_list<QWidget*>{m_samples, m_model}) card->setVisible(!sweeping);
    m_classes->setVisible(!sweeping && !m_samples->isWide());
    for (QWidget* card : std::initializer_list<QWidget*>{m_sweep->configurations(), m_sweep->search()})
        card->setVisible(sweeping);
    if (!sweeping) return m_cost->refresh(1, 1);
    const auto foreseen = m_facts.state.sweep ? sweep::foresee(*m_facts.state.sweep, kListed, run::knownRoom())
                                              : Result<sweep::Foreseen>(inputError("something is wrong"));
    m_cost->refresh(foreseen ? foreseen->slots.slots : 1, foreseen ? SweepCards::typicalShare(*foreseen) : 1);
    if (!foreseen) return m_sweep->clear();
    QStringList titles;
    for (const auto& axis : m_facts.state.sweep->space)
        titles << m_facts.state.titles.value(QString::fromStdString(axis.path));
    m_sweep->show(*m_facts.state.sweep, *foreseen, titles, m_facts.preview, m_facts.state.shown);
}

} // namespace trainyard::ui
