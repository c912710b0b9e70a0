// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/run_controls.h"

#include "ui/actions/action.h"
#include "ui/theme/icon.h"
#include "ui/widgets/inputs/split_button.h"

#include <QAction>

namespace trainyard::ui {
namespace {

constexpr int kButtonSpacing = 2; // between many buttons
constexpr int kWideSpacing = 8;   // where there is room
constexpr int kMoreEpochs = 5;    // by the button of a finished run

} // namespace

RunControls::RunControls(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    m_guard.setSingleShot(true);
    m_guard.setInterval(800);
    connect(&m_guard, &QTimer::timeout, this, [this] { m_continue->setEnabled(true); });
}

void RunControls::perform(const char* id) {
    if (m_run) action(id).act({m_bench, m_run, window()});
}

QToolButton* RunControls::controlButton(const char* id) {
    auto* made = iconButton(QLatin1String(action(id).icon), actionName(action(id)));
    connect(made, &QToolButton::clicked, this, [this, made, id] {
        made->setEnabled(false); // until the run answers, or its next state arrives
        perform(id);
    });
    return made;
}

void RunControls::build() {
    m_buttons = row(this, kButtonSpacing); // narrow, because words of other languages are longer
    m_stop = new SplitButton(actionName(action("stop")), QLatin1String(action("stop").icon));
    m_stop->setToolTip(actionTip(action("stop")));
    connect(m_stop, &QToolButton::clicked, this, [this] { perform("stop"); });
    for (const char* id : {"stop", "stop-at-checkpoint", "stop-now", "kill"}) {
        const Action& each = action(id);
        if (each.danger) m_stop->addSeparator();
        auto* item = m_stop->addItem(actionName(each), each.danger);
        connect(item, &QAction::triggered, this, [this, id] { perform(id); });
        m_stops << item;
    }
    m_continue = new SplitButton(actionName(action("continue")), QLatin1String(action("continue").icon));
    connect(m_continue, &QToolButton::clicked, this, &RunControls::pressed);
    for (const int epochs : {1, 5, 20}) {
        connect(m_continue->addItem(tr("Continue for %n more epochs", nullptr, epochs)), &QAction::triggered, this,
                [this, epochs] {
                    if (m_run) m_bench.actions.resume(m_run->id, epochs);
                });
    }
    connect(m_continue->addItem(actionText(action("continue"))), &QAction::triggered, this,
            [this] { perform("continue"); });
    m_resumeWith = m_continue->addItem(actionText(action("resume-with")));
    connect(m_resumeWith, &QAction::triggered, this, [this] { perform("resume-with"); });
    m_fork = button(actionName(action("fork")), QLatin1String(action("fork").icon));
    m_fork->setToolTip(actionTip(action("fork")));
    connect(m_fork, &QPushButton::clicked, this, [this] { perform(forkAction()); });
    m_fetch = button(tr("Fetch"), QLatin1String(action("fetch").icon)); // the host's name stands above
    m_fetch->setToolTip(actionTip(action("fetch")));
    connect(m_fetch, &QPushButton::clicked, this, [this] { perform("fetch"); });
    m_pause = controlButton("pause");
    m_unpause = controlButton("unpause");
    m_save = controlButton("save-checkpoint");
    m_forkIcon = iconButton(QLatin1String(action("fork").icon),
                            m_fork->text()); // beside three others there is no room for the word
    m_forkIcon->setToolTip(m_fork->toolTip());
    connect(m_forkIcon, &QToolButton::clicked, m_fork, &QPushButton::click);
    for (QToolButton* each : {m_pause, m_unpause, m_save, m_forkIcon})
        each->setFixedSize(Theme::current().px(26), Theme::current().px(28));
    for (QWidget* each :
         std::initializer_list<QWidget*>{m_stop, m_continue, m_pause, m_unpause, m_save, m_forkIcon, m_fork, m_fetch}) {
        m_buttons->addWidget(each);
    }
    m_buttons->addStretch();
}

void RunControls::pressed() {
    if (m_run) m_bench.actions.resume(m_run->id, m_run->status == wire::RunStatus::Finished ? kMoreEpochs : 0);
}

void RunControls::setRun(const RunItemPtr& item, wire::RunStatus status, int room) {
    m_run = item;
    const RunItem& run = *item;
    const bool active = wire::isActive(status);
    if (!active && m_stop->isVisibleTo(this)) {
        m_continue->setEnabled(false);
        m_guard.start();
    }
    m_stop->setVisible(active);
    m_stop->setEnabled(active);
    const bool trainedHere = run.importedFrom.isEmpty();
    const bool isProgram = run.isProgram; // it cannot pause, save on request, or train for longer
    const bool canGoOn = !isProgram || run.status != wire::RunStatus::Finished;
    // Of a head more epochs are in the menu: what comes next is the whole model.
    const bool isHead = qstrcmp(forkAction(), "fork") != 0;
    m_continue->setVisible(!active && trainedHere && run.isRecorded && canGoOn && !isHead);
    const bool paused = status == wire::RunStatus::Paused, trains = status == wire::RunStatus::Running || paused;
    m_pause->setVisible(active && !paused && !isProgram);
    m_unpause->setVisible(paused);
    m_save->setVisible(active && !isProgram);
    // The menu fetches news of a run fetched before.
    m_fetch->setVisible(run.fetchFrom == run.home.host && isOffered(action("fetch"), {m_bench, m_run, window()}));
    for (auto* each : {m_pause, m_unpause, m_save}) each->setEnabled(trains);
    m_stop->setText(status == wire::RunStatus::Stopping ? tr("Stopping…") : actionName(action("stop"), &run));
    m_stop->setToolTip(actionTip(action("stop"), &run));
    m_stops[0]->setVisible(!isProgram);
    m_stops[1]->setVisible(isProgram && status == wire::RunStatus::Running);
    const bool fresh = m_bench.feed.isFresh(run);
    const bool finished = run.status == wire::RunStatus::Finished;
    const Action& next = action(finished ? "continue" : fresh ? "start-again" : "resume");
    const QString name = finished ? tr("%n more epochs", nullptr, kMoreEpochs) : actionName(next);
    m_resumeWith->setVisible(isOffered(action("resume-with"), {m_bench, m_run, window()}));
    m_continue->setText(name);
    m_continue->setToolTip(finished ? tr("Train for %n more epochs from the last checkpoint", nullptr, kMoreEpochs)
                                    : actionTip(next));
    m_continue->setAccessibleName(name);
    // One width for both, so that the buttons beside them stay where they are.
    const int wide = std::max(m_stop->sizeHint().width(), m_continue->sizeHint().width());
    m_stop->setMinimumWidth(wide);
    m_continue->setMinimumWidth(wide);
    showFork(run, active, wide, room);
    setVisible(!m_buttons->isEmpty()); // else the header has a gap where none stands, as of an imported run
}

// The next thing to do with a head is to train the whole model.
const char* RunControls::forkAction() const {
    return m_run && isOffered(action("train-on"), {m_bench, m_run, window()}) ? "train-on" : "fork";
}

// Shows only its icon where the word has no room.
void RunControls::showFork(const RunItem& run, bool active, int widthOfFirst, int room) {
    const bool may = run.home.isHere() && (active || run.importedFrom.isEmpty());
    m_fork->setText(actionName(action(forkAction())));
    m_fork->setToolTip(actionTip(action(forkAction())));
    const Theme& theme = Theme::current();
    const int both = (active || !m_continue->isHidden() ? widthOfFirst : 0) + m_fork->sizeHint().width();
    const bool fits = both + theme.px(kButtonSpacing) <= room;
    const bool fitsWide = !active && both + theme.px(kWideSpacing) <= room;
    const int spacing = theme.px(fitsWide ? kWideSpacing : kButtonSpacing);
    if (m_buttons->spacing() != spacing) m_buttons->setSpacing(spacing); // each change lays everything out again
    m_forkIcon->setVisible(may && (active || !fits));
    m_fork->setVisible(may && !active && fits);
}

} // namespace trainyard::ui
