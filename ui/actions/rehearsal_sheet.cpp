// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/rehearsal_sheet.h"

#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"
#include "ui/widgets/sheets/checklist.h"

#include <QComboBox>
#include <QPointer>
#include <QPushButton>

namespace trainyard::ui {

namespace {

QString rankText(int rank, const std::string& host) {
    return host.empty() ? RehearsalSheet::tr("Rank %1").arg(rank)
                        : RehearsalSheet::tr("Rank %1 on %2").arg(rank).arg(QString::fromStdString(host));
}

QString secondsText(double seconds) { return RehearsalSheet::tr("%1 s").arg(QLocale().toString(seconds, 'f', 2)); }

} // namespace

RehearsalSheet::RehearsalSheet(Workbench& bench, const RunItem& run, QWidget* parent)
    : Sheet(coveredBy(parent), QSize(460, 460)), m_bench(bench), m_run(run.id), m_rank(new QComboBox),
      m_words(new Label(QString(), TextRole::Secondary)), m_result(new Label(QString(), TextRole::Heading)),
      m_timeline(new Checklist) {
    setFitsContent();
    build(run);
    listRanks(run);
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
}

void RehearsalSheet::build(const RunItem& run) {
    panel()->setAccessibleName(tr("Rehearse a lost worker"));
    auto* content = new QWidget;
    auto* all = column(content);
    auto* rows = column(nullptr, 12);
    setMargins(rows, 20, 16, 20, 16);
    rows->addWidget(new Label(tr("Rehearse a lost worker"), TextRole::Title));
    m_words->setText(
        tr("Kills one worker of %1, as a crash would. The run replaces it and uses up one restart.").arg(run.name));
    m_words->setWordWrap(true);
    m_rank->setAccessibleName(tr("Worker to kill"));
    m_result->setWordWrap(true);
    for (QWidget* each : std::initializer_list<QWidget*>{m_words, m_rank, m_result, m_timeline}) rows->addWidget(each);
    for (QWidget* later : std::initializer_list<QWidget*>{m_result, m_timeline}) later->hide();
    all->addLayout(rows);
    all->addStretch();
    all->addWidget(buildFooter());
    body()->addWidget(content);
    setFirst(m_rank);
}

QWidget* RehearsalSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    m_close = button(tr("Cancel"));
    m_go = button(tr("Kill the worker"), {}, "primary");
    buttons->addStretch();
    buttons->addWidget(m_close);
    buttons->addWidget(m_go);
    connect(m_close, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, &RehearsalSheet::go);
    return footer;
}

// Of a run that lives elsewhere the hosts of its ranks may not be known.
void RehearsalSheet::listRanks(const RunItem& run) {
    if (const auto* state = m_bench.feed.state(run.id); state != nullptr && !state->workers.empty())
        for (const auto& worker : state->workers) m_rank->addItem(rankText(worker.rank, worker.host), worker.rank);
    else
        for (int rank = 0; rank < run.workers; ++rank) m_rank->addItem(rankText(rank, {}), rank);
    m_rank->setCurrentIndex(m_rank->count() - 1);
}

void RehearsalSheet::go() {
    if (!m_go->isEnabled()) return;
    showWaiting();
    const auto then = [self = QPointer<RehearsalSheet>(this), &bench = m_bench](const Result<run::Rehearsal>& done) {
        if (self) self->show(done);
        else if (done) Q_EMIT bench.actions.done(sentence(QString::fromStdString(done->text())), {});
        else Q_EMIT bench.actions.failed(tr("The rehearsal failed"), done.error());
    };
    m_bench.actions.rehearseLoss(m_run, m_rank->currentData().toInt(), then);
}

void RehearsalSheet::showWaiting() {
    m_go->setEnabled(false);
    m_rank->setEnabled(false);
    m_close->setText(tr("Close"));
    m_result->hide();
    m_timeline->setSteps({{tr("%1 is killed").arg(m_rank->currentText()), StepState::Running, {}},
                          {tr("The loss is noticed"), StepState::Waiting, {}},
                          {tr("A new group forms"), StepState::Waiting, {}},
                          {tr("The next step is done"), StepState::Waiting, {}}});
    m_timeline->show();
    reposition();
}

void RehearsalSheet::show(const Result<run::Rehearsal>& rehearsal) {
    m_close->setText(tr("Close"));
    m_result->setVisible(true);
    m_go->setEnabled(!rehearsal);
    m_rank->setEnabled(!rehearsal);
    m_timeline->setVisible(rehearsal.ok());
    if (rehearsal) {
        m_rank->hide();
        m_go->hide();
        m_result->setText(
            rehearsal->stepsLost == 0
                ? tr("Recovered in %1, no step was lost").arg(secondsText(rehearsal->secondsToNextStep))
                : tr("Recovered in %1, %n steps are repeated", nullptr, static_cast<int>(rehearsal->stepsLost))
                      .arg(secondsText(rehearsal->secondsToNextStep)));
        const auto step = [](const QString& text, double seconds) {
            return ChecklistStep{text, StepState::Done, secondsText(seconds)};
        };
        m_timeline->setSteps(
            {step(tr("%1 killed after step %2")
                      .arg(rankText(rehearsal->rank, rehearsal->host), countText(static_cast<double>(rehearsal->step))),
                  0),
             step(tr("Loss noticed"), rehearsal->secondsToNotice),
             step(tr("New group formed"), rehearsal->secondsToRegroup),
             step(tr("Next step done"), rehearsal->secondsToNextStep)});
        setFirst(m_close);
    } else {
        m_result->setText(sentence(QString::fromStdString(rehearsal.error().text())));
    }
    reposition();
}

} // namespace trainyard::ui
