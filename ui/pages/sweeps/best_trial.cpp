// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/best_trial.h"

#include "engine/spec/values/flat_settings.h"
#include "ui/actions/action.h"
#include "ui/models/text/format.h"
#include "ui/widgets/marks/sparkline.h"

namespace trainyard::ui {

namespace {

// "0.891 ± 0.002 over 3 seeds".
QString seedsText(const sweep::SeedStats& stats) {
    if (stats.count < 2) return BestTrial::tr("%1 with one seed").arg(metricText(stats.mean));
    return BestTrial::tr("%1 ± %2 over %3 seeds").arg(metricText(stats.mean), metricText(stats.sd)).arg(stats.count);
}

// The seed varies between trials but is not part of a configuration.
bool isOneConfiguration(const Trial& trial) {
    return std::none_of(trial.params.begin(), trial.params.end(),
                        [](const auto& param) { return spec::isOfConfiguration(param.first); });
}

} // namespace

BestTrial::BestTrial(Workbench& bench, const TrialList& trials, QWidget* parent)
    : Surface(SurfaceColor::Panel, NoEdge, parent), m_bench(bench), m_trials(trials), m_content(new QWidget) {
    const Theme& theme = Theme::current();
    setMinimumWidth(theme.px(264));
    auto* layout = column(this, 8);
    setMargins(layout, 16, 16, 16, 16);
    auto* inner = column(m_content, 6);
    m_note = new Label(QString(), TextRole::SmallSecondary);
    m_note->setWordWrap(true);
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
    m_leadTitle = new Label(QString(), TextRole::SectionHeading);
    inner->addWidget(m_leadTitle);
    inner->addWidget(m_lead);
    layout->addWidget(m_content);
    layout->addStretch();
}

QLayout* BestTrial::buildName() {
    auto* line = row(nullptr, 8);
    m_name = new Label(QString(), TextRole::Title);
    m_score = new Label(QString(), TextRole::Title);
    m_name->setWordWrap(true); // long names differ at their end
    line->addWidget(m_name, 1);
    line->addWidget(m_score, 0, Qt::AlignTop);
    return line;
}

QLayout* BestTrial::buildButtons() {
    auto* line = row(nullptr, 8);
    m_longer = button(tr("Train longer"), QStringLiteral("play"), "primary");
    m_longer->setToolTip(tr("5 more epochs from its last checkpoint"));
    auto* again = button(actionText(action("run-again")), QLatin1String(action("run-again").icon));
    again->setToolTip(actionTip(action("run-again")));
    line->addWidget(m_longer, 1);
    line->addWidget(again);
    connect(m_longer, &QPushButton::clicked, this, [this] {
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
    m_longer->setVisible(!best->run->isProgram); // how long it trains is one of its arguments
    const QString where =
        tr("%1 at step %2")
            .arg(seriesTitle(m_trials.scoreSeries()), countText(static_cast<double>(best->standing.step)));
    const auto& configurations = m_trials.configurations();
    const QString second = m_trials.secondSeries();
    m_leadTitle->setText(!second.isEmpty()           ? tr("Pareto front")
                         : isOneConfiguration(*best) ? tr("Spread over the seeds")
                                                     : tr("Lead over the runner-up"));
    QStringList note{where};
    if (!second.isEmpty()) note << tr("%1: %2").arg(seriesTitle(second), metricText(best->second));
    if (!configurations.empty()) note << tr("Mean: %1").arg(seedsText(configurations[0].stats));
    if (!configurations.empty() && !second.isEmpty())
        note << tr("Mean of %1: %2").arg(seriesText(second), seedsText(configurations[0].second));
    m_note->setText(note.join(QLatin1Char('\n')));
    const bool scoredAlike = best->run->scoreSeries == m_trials.scoreSeries();
    m_curve->setValues(scoredAlike ? m_bench.feed.spark(*best->run) : QList<double>(),
                       Theme::current().curve(best->run->color));
    QList<PairList::Pair> params;
    for (const auto& [path, value] : best->params)
        params << PairList::Pair{shortPath(QString::fromStdString(path)), best->text(path),
                                 localText(QString::fromStdString(path + " " + spec::toText(value)))};
    m_params->setPairs(params);
    m_lead->setText(leadText(*best));
}

QString BestTrial::leadText(const Trial& best) const {
    const auto& all = m_trials.configurations();
    if (!m_trials.secondSeries().isEmpty() && !all.empty()) {
        const auto front = std::count_if(all.begin(), all.end(), [](const auto& each) { return each.onFront; });
        if (front == 1)
            return tr("Its means are the best in both %1 and %2.")
                .arg(seriesText(m_trials.scoreSeries()), seriesText(m_trials.secondSeries()));
        return tr("No other configuration beats the %1 on the Pareto front in the means of both %2 and %3. This one "
                  "contributes most to the hypervolume.")
            .arg(front)
            .arg(seriesText(m_trials.scoreSeries()), seriesText(m_trials.secondSeries()));
    }
    if (!m_trials.secondSeries().isEmpty() && m_trials.front() == 1)
        return tr("It is the best in both %1 and %2.")
            .arg(seriesText(m_trials.scoreSeries()), seriesText(m_trials.secondSeries()));
    if (!m_trials.secondSeries().isEmpty())
        return tr("No other trial beats the %1 on the Pareto front in both %2 and %3. This one contributes most to the "
                  "hypervolume.")
            .arg(m_trials.front())
            .arg(seriesText(m_trials.scoreSeries()), seriesText(m_trials.secondSeries()));
    if (all.size() > 1 && all[1].stats.count > 0) {
        const auto &first = all[0].stats, &next = all[1].stats;
        const auto within = sweep::isWithinNoise(first, next);
        const QString lead = tr("%1 better than the next configuration (%2).")
                                 .arg(metricText(std::abs(first.mean - next.mean)), seedsText(next));
        if (!within) return lead;
        return *within ? tr("%1 That is within noise: more seeds may reverse it.").arg(lead)
                       : tr("%1 That is more than noise explains.").arg(lead);
    }
    const auto& trials = m_trials.trials();
    if (isOneConfiguration(best)) {
        std::vector<double> scores;
        for (const Trial& trial : trials) scores.push_back(trial.score);
        return tr("The trials differ only in their seed, so any lead is chance: %1.")
            .arg(seedsText(sweep::seedStats(scores)));
    }
    if (trials.size() < 2 || !std::isfinite(trials[1].score) || !all.empty())
        return tr("No other configuration has a score yet.");
    if (best.score == trials[1].score)
        return tr("%1 has the same score. More seeds may tell them apart.").arg(trials[1].run->name);
    return tr("%1 better than %2 (%3). One seed each: repeat both before trusting a small difference.")
        .arg(digitsText(std::abs(best.score - trials[1].score), 2), trials[1].run->name, metricText(trials[1].score));
}

} // namespace trainyard::ui
