// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/sweep_cards.h"

#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/search/searchers.h"
#include "ui/forms/fields/param_field.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/new_run/configuration_table.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

template <class Entries>
QString titleOf(const Entries& entries, const std::string& name) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.info.name == name; });
    return engineText(found == entries.end() ? name : found->info.title);
}

QString runsText(const spec::SweepSpec& sweep, const sweep::Foreseen& foreseen) {
    if (foreseen.openEnded) return SweepCards::tr("as many as the budget allows");
    if (sweep.seeds == 1) return countText(foreseen.trials);
    return SweepCards::tr("%1 (%2 configurations × %3 seeds)")
        .arg(countText(foreseen.trials), countText(foreseen.configurations))
        .arg(sweep.seeds);
}

QString schedulerText(const spec::SweepSpec& sweep, const sweep::Foreseen& foreseen) {
    const QString title = titleOf(sweep::schedulers(), sweep.scheduler.name);
    if (foreseen.rungs.empty()) return title;
    QStringList rungs;
    for (const double rung : foreseen.rungs) rungs << numberText(std::round(rung * 100) / 100);
    const QString at =
        foreseen.epochs ? SweepCards::tr("%1, rungs at epoch %2") : SweepCards::tr("%1, rungs at step %2");
    return at.arg(title, rungs.join(QStringLiteral(", ")));
}

} // namespace

QString boundText(const QString& most, const QString& typical) {
    return most == typical ? most : SweepCards::tr("at most %1, typically %2").arg(most, typical);
}

SweepCards::SweepCards(QObject* parent)
    : QObject(parent), m_configurations(new Card(tr("Configurations"))), m_search(new Card(tr("Search"))),
      m_table(new ConfigurationTable), m_pairs(new PairList), m_reason(new Label(QString(), TextRole::SmallSecondary)) {
    auto* holder = new QWidget;
    auto* layout = column(holder);
    layout->addWidget(m_table);
    layout->addStretch();
    auto* area = scrolled(holder, tr("Configurations"));
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // there may be many axes
    m_configurations->body()->addWidget(area, 1);
    setMargins(m_configurations->body(), 1, 0, 1, 8);
    m_reason->setWordWrap(true);
    m_reason->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    setMargins(m_search->body(), 12, 0, 12, 8);
    m_search->body()->addWidget(m_pairs);
    m_search->body()->addSpacing(Theme::current().px(4));
    m_search->body()->addWidget(m_reason);
    m_search->body()->addStretch();
}

double SweepCards::typicalShare(const sweep::Foreseen& foreseen) {
    return foreseen.longest > 0 ? foreseen.typical / foreseen.longest : 1;
}

void SweepCards::show(const spec::SweepSpec& sweep, const sweep::Foreseen& foreseen, const QStringList& titles,
                      const std::optional<Preview>& preview, const spec::RunSpec& shown) {
    QStringList paths;
    for (const auto& axis : sweep.space) paths << QString::fromStdString(axis.path);
    m_table->setForeseen(foreseen, paths, titles);
    m_configurations->setNote(foreseen.openEnded ? QString() : countText(foreseen.configurations));
    const QString searcher = titleOf(sweep::searchers(), foreseen.searcher);
    const bool automatic = !foreseen.reason.empty();
    QList<PairList::Pair> pairs{{tr("Runs"), runsText(sweep, foreseen), {}},
                                {tr("Searcher"), automatic ? tr("%1, automatic").arg(searcher) : searcher, {}},
                                {tr("Scheduler"), schedulerText(sweep, foreseen), {}}};
    const auto bound = [&](double perT) {
        return boundText(countText(std::round(foreseen.longest * perT)),
                         countText(std::round(foreseen.typical * perT)));
    };
    if (!foreseen.openEnded) {
        pairs << PairList::Pair{foreseen.epochs ? tr("Epochs, est.") : tr("Steps, est."), bound(1),
                                tr("Typically: if trials keep the rank that they start with")};
        if (preview)
            pairs << PairList::Pair{tr("Samples, est."),
                                    bound(static_cast<double>(foreseen.epochs ? preview->train : shown.globalBatch())),
                                    {}};
    }
    pairs << PairList::Pair{tr("Slots"), engineSentence(sweep::describe(foreseen.slots)),
                            tr("Trials that train side by side, and their cores")};
    if (sweep.second)
        pairs << PairList::Pair{
            tr("Compared by"),
            tr("%1 and %2").arg(QString::fromStdString(sweep.scoreBy), QString::fromStdString(sweep.second->series)),
            tr("The result is the Pareto front: the trials that no other beats in both")};
    m_pairs->setPairs(pairs);
    m_reason->setText(tr("Chooses %1: %2.").arg(searcher, engineSentence(foreseen.reason)));
    m_reason->setVisible(automatic);
}

void SweepCards::clear() {
    m_table->setForeseen({}, {}, {});
    m_configurations->setNote(tr("shown when the settings are valid"));
    m_pairs->setPairs({});
    m_reason->hide();
}

} // namespace trainyard::ui
