// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/stop_sheet.h"

#include "engine/run/actions/stop_cost.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QPushButton>

#include <algorithm>

namespace trainyard::ui {

namespace {

// The grace of its run file, in seconds.
QString graceOf(const RunItem& run) {
    return run.settings.value(QStringLiteral("program.stop.graceSeconds"), QStringLiteral("60"));
}

} // namespace

StopSheet::StopSheet(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent)
    : Sheet(coveredBy(parent), QSize(520, 360)), m_bench(bench), m_runs(runs),
      m_words(new Label(QString(), TextRole::Body)), m_after(new Label(QString(), TextRole::SmallSecondary)),
      m_cancel(button(tr("Cancel"))), m_now(button(tr("Stop now"), QStringLiteral("stop"))),
      m_atCheckpoint(button(tr("Stop at the next checkpoint"), {}, "primary")) {
    setFitsContent();
    build();
    refresh();
    connect(&bench.feed, &WorkspaceFeed::stateChanged, this, &StopSheet::refresh);
    connect(&bench.feed, &WorkspaceFeed::checkpointsChanged, this, &StopSheet::refresh);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &StopSheet::refresh);
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    setFirst(m_atCheckpoint);
}

void StopSheet::build() {
    const QString title = m_runs.size() == 1 ? tr("Stop %1").arg(m_runs.front()->name)
                                             : tr("Stop %n programs", nullptr, static_cast<int>(m_runs.size()));
    panel()->setAccessibleName(title);
    auto* content = new QWidget;
    auto* all = column(content);
    auto* rows = column(nullptr, 12);
    setMargins(rows, 20, 16, 20, 16);
    rows->addWidget(new Label(title, TextRole::Title));
    for (Label* each : {m_words, m_after}) {
        each->setWordWrap(true);
        rows->addWidget(each);
    }
    m_after->setText(
        tr("At the next checkpoint: it goes on until it has saved, and ends within about a second. Now: it is asked "
           "to end, and has %1 s to save if it can.")
            .arg(localText(graceOf(*m_runs.front()))));
    all->addLayout(rows);
    all->addStretch();
    all->addWidget(buildFooter());
    body()->addWidget(content);
}

QWidget* StopSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    buttons->addStretch();
    for (QPushButton* each : {m_cancel, m_now, m_atCheckpoint}) buttons->addWidget(each);
    connect(m_cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_now, &QPushButton::clicked, this,
            [this] { stop(m_atCheckpoint->isHidden() ? wire::StopMode::StopNow : wire::StopMode::SaveAndStop); });
    connect(m_atCheckpoint, &QPushButton::clicked, this, [this] { stop(wire::StopMode::AtCheckpoint); });
    return footer;
}

QString StopSheet::words() const { return m_words->text(); }

// With the step that the run has reached by now.
QString StopSheet::costText() const {
    store::RunRow row = m_runs.front()->row;
    if (const auto* live = m_bench.feed.state(m_runs.front()->id)) row.step = std::max(row.step, live->step);
    const auto cost = run::stopCost(row, m_bench.feed.checkpoints(m_runs.front()->id));
    return cost ? engineSentence(cost->sentence()) : QString();
}

void StopSheet::refresh() {
    bool isOver = true, waits = true;
    for (RunItemPtr& run : m_runs) {
        if (const RunItemPtr known = m_bench.feed.run(run->id)) run = known;
        const auto status = m_bench.feed.status(*run);
        isOver = isOver && !wire::isActive(status);
        waits = waits && status == wire::RunStatus::Stopping;
    }
    if (isOver) return close();
    m_atCheckpoint->setVisible(!waits); // it was asked for that already
    const QString words = m_runs.size() == 1
                              ? costText()
                              : tr("Unless a program saves when it is asked to end, what it has done since its newest "
                                   "checkpoint is lost.");
    if (words == m_words->text()) return;
    m_words->setText(words);
    if (isVisible()) reposition();
}

void StopSheet::stop(wire::StopMode mode) {
    for (const RunItemPtr& run : m_runs) m_bench.actions.stop(run->id, mode);
    close();
}

void stopOrAsk(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent) {
    std::vector<RunItemPtr> programs;
    for (const RunItemPtr& run : runs) {
        const auto status = bench.feed.status(*run);
        const bool hasBegun = status == wire::RunStatus::Running || status == wire::RunStatus::Stopping;
        if (run->isProgram && hasBegun) programs.push_back(run);
        else bench.actions.stop(run->id, wire::StopMode::SaveAndStop);
    }
    if (!programs.empty()) (new StopSheet(bench, programs, parent))->open();
}

} // namespace trainyard::ui
