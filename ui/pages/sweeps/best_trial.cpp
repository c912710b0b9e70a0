// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/best_trial.h"

#include "ui/actions/action.h"
#include "ui/models/format.h"
#include "ui/widgets/sparkline.h"

namespace trainyard::ui {

BestTrial::BestTrial(Workbench& bench, const TrialList& trials, QWidget* parent)
    : Surface(SurfaceColor::Panel, NoEdge, parent), m_bench(bench), m_trials(trials), m_content(new QWidget) {
    const Theme& theme = Theme::current();
    setMinimumWidth(theme.px(264));
    auto* layout = column(this, 8);
    setMargins(layout, 16, 16, 16, 16);
    auto* inner = column(m_content, 6);
    m_note = new Label(QString(), TextRole::SmallSecondary);
    m_curve = new Sparkline;
    m_curve->setFixedHeight(theme.px(72));
    m_curve->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_params = new PairList;
    m_lead = new Label(QString(), TextRole::SmallSecondary);
    m_lead->setWordWrap(true);
    inner->addWidget(new Label(tr("Best trial"), TextRole::SectionHeading));
    inner->addLayout(buildName());
    inner->addWidget(m_note);
    inner->addWidget(m_curve);
    inner->addLayout(buildButtons());
    inner->addSpacing(theme.px(12));
    inner->addWidget(new Label(tr("Parameters"), TextRole::SectionHeading));
    inner->addWidget(m_params);
    inner->addSpacing(theme.px(12));
    inner->addWidget(new Label(tr("Lead over the runner-up"), TextRole::SectionHeading));
    inner->addWidget(m_lead);
    layout->addWidget(m_content);
    layout->addStretch();
}

QLayout* BestTrial::buildName() {
    auto* line = row(nullptr, 8);
    m_name = new Label(QString(), TextRole::Title);
    m_score = new Label(QString(), TextRole::Title);
    line->addWidget(m_name, 1);
    line->addWidget(m_score);
    return line;
}

QLayout* BestTrial::buildButtons() {
    auto* line = row(nullptr, 8);
    auto* longer = button(tr("Train this longer"), QStringLiteral("play"), "primary");
    longer->setToolTip(tr("5 more epochs from its last checkpoint"));
    auto* again = button(actionText(action("run-again")), QLatin1String(action("run-again").icon));
    again->setToolTip(actionTip(action("run-again")));
    line->addWidget(longer, 1);
    line->addWidget(again);
    connect(longer, &QPushButton::clicked, this, [this] {
        if (const Trial* best = m_trials.best()) {
            m_bench.actions.resume(best->run->id, best->run->status == wire::RunStatus::Finished ? 5 : 0);
            m_bench.selection.setCurrent(best->run->id);
        }
    });
    connect(again, &QPushButton::clicked, this, [this] {
        if (const Trial* best = m_trials.best()) action("run-again").act({m_bench, best->run, this});
    });
    return line;
}

void BestTrial::refresh() {
    const Trial* best = m_trials.best();
    m_content->setVisible(best != nullptr);
    if (!best) return;
    m_name->setText(best->run->name);
    m_score->setText(metricText(best->score));
    m_note->setText(tr("%1 at step %2").arg(m_trials.scoreSeries(), countText(static_cast<double>(best->scoreStep))));
    const bool scoredAlike = best->run->scoreSeries == m_trials.scoreSeries();
    m_curve->setValues(scoredAlike ? m_bench.feed.spark(*best->run) : QList<double>(),
                       Theme::current().curve(best->run->row.colorIndex));
    QList<PairList::Pair> params;
    for (const auto& [path, value] : best->params)
        params << PairList::Pair{shortPath(QString::fromStdString(path)), best->text(path),
                                 QString::fromStdString(path + " " + spec::toText(value))};
    m_params->setPairs(params);
    const auto& trials = m_trials.trials();
    const bool second = trials.size() > 1 && std::isfinite(trials[1].score);
    m_lead->setText(second
                        ? tr("%1 better than %2 (%3). One seed each: repeat both before trusting a small difference.")
                              .arg(metricText(std::abs(best->score - trials[1].score)), trials[1].run->name,
                                   metricText(trials[1].score))
                        : tr("No other trial has a score yet."));
}

} // namespace trainyard::ui
