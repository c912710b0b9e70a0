// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/run_header.h"

#include "engine/spec/run/host_ranks.h"
#include "ui/actions/action.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/split_button.h"
#include "ui/widgets/marks/bars.h"
#include "ui/widgets/marks/color_chip.h"
#include "ui/widgets/marks/status_chip.h"

#include <QAction>

namespace trainyard::ui {
namespace {

constexpr int kButtonSpacing = 2; // of many buttons
constexpr int kWideSpacing = 8;   // where there is room
constexpr double kLongRate = 1e5; // samples a second that are written in thousands

} // namespace

RunHeader::RunHeader(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    m_guard.setSingleShot(true);
    m_guard.setInterval(800);
    connect(&m_guard, &QTimer::timeout, this, [this] { m_continue->setEnabled(true); });
    connect(&ThemeController::instance(), &ThemeController::changed, this, &RunHeader::refresh);
}

void RunHeader::build() {
    const Theme& theme = Theme::current();
    auto* layout = column(this, 4);
    setMargins(layout, 16, 12, 16, 12);
    auto* top = row(nullptr, 8);
    m_name = new Label(QString(), TextRole::Title);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_chip = new StatusChip(QString());
    m_color = new ColorChip(tr("Colour of the run"));
    m_color->setToolTip(actionTip(action("color")));
    connect(m_color, &QAbstractButton::clicked, this, [this] { perform("color"); });
    auto* named = row(nullptr, 4);
    named->addWidget(m_color);
    named->addWidget(m_name, 1);
    top->addLayout(named, 1);
    top->addWidget(m_chip);
    m_about = new Label(QString(), TextRole::SmallSecondary);
    m_about->setContentsMargins(theme.px(18), 0, 0, 0);
    m_about->setWordWrap(true); // a column that is too narrow would cut the numbers below

    auto* line = row(nullptr, 6);
    m_percent = new Label(QString(), TextRole::Title);
    m_epoch = new Label(QString(), TextRole::SmallSecondary);
    m_eta = new Label(QString(), TextRole::Value);
    line->addWidget(m_percent);
    line->addWidget(m_epoch);
    line->addStretch();
    line->addWidget(m_eta);
    m_bar = new ProgressLine;
    auto* under = row(nullptr, 6);
    m_step = new NumberLabel(TextRole::SmallSecondary);
    m_step->setAlignment(Qt::AlignLeft);
    m_throughput = new NumberLabel(TextRole::SmallSecondary);
    under->addWidget(m_step);
    under->addStretch();
    under->addWidget(m_throughput);
    m_after = new Label(QString(), TextRole::SmallSecondary);
    m_after->setWordWrap(true);
    m_after->hide();

    layout->addLayout(top);
    layout->addWidget(m_about);
    layout->addSpacing(theme.px(8));
    layout->addLayout(line);
    layout->addWidget(m_bar);
    layout->addLayout(under);
    layout->addSpacing(theme.px(4));
    buildButtons(layout);
    layout->addWidget(m_after); // below the buttons, which never move
}

void RunHeader::perform(const char* id) {
    if (m_run) action(id).act({m_bench, m_run, window()});
}

QToolButton* RunHeader::controlButton(const char* id) {
    auto* made = iconButton(QLatin1String(action(id).icon), actionName(action(id)));
    connect(made, &QToolButton::clicked, this, [this, made, id] {
        made->setEnabled(false); // until the run has answered, or the next state comes
        perform(id);
    });
    return made;
}

void RunHeader::buildButtons(QVBoxLayout* layout) {
    auto* buttons = row(nullptr, kButtonSpacing); // narrow: the words of another language are longer
    m_buttons = buttons;
    m_stop = new SplitButton(actionName(action("stop")), QLatin1String(action("stop").icon));
    m_stop->setToolTip(actionTip(action("stop")));
    connect(m_stop, &QToolButton::clicked, this, [this] { perform("stop"); });
    for (const char* id : {"stop", "stop-now", "kill"}) {
        const Action& each = action(id);
        if (each.danger) m_stop->addSeparator();
        connect(m_stop->addItem(actionName(each), each.danger), &QAction::triggered, this, [this, id] { perform(id); });
    }
    m_continue = new SplitButton(actionName(action("continue")), QLatin1String(action("continue").icon));
    connect(m_continue, &QToolButton::clicked, this, &RunHeader::pressed);
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
    connect(m_fork, &QPushButton::clicked, this, [this] { perform("fork"); });
    m_fetch = button(tr("Fetch"), QLatin1String(action("fetch").icon)); // the name of its host stands above
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
        buttons->addWidget(each);
    }
    buttons->addStretch();
    layout->addLayout(buttons);
}

void RunHeader::pressed() {
    if (m_run) m_bench.actions.resume(m_run->id, m_run->status == wire::RunStatus::Finished ? 5 : 0);
}

void RunHeader::setRun(const RunItemPtr& run) {
    m_run = run;
    refresh();
}

QString RunHeader::homeOf(const RunItem& run) const {
    if (!run.isAway()) return {};
    return run.home == QLatin1String(spec::kSlurmHost) ? tr(", job of Slurm") : tr(", lives on %1").arg(run.home);
}

void RunHeader::refresh() {
    if (!m_run) return;
    const RunItem& run = *m_run;
    const wire::RunStatus status = m_bench.feed.status(run);
    m_chip->setChip(statusWord(run, status), statusTint(run, status));
    m_color->setColor(Theme::current().curve(run.color));
    showName(run);
    const QString model = run.model.isEmpty() ? QString() : run.model + QLatin1String(", ");
    m_about->setText(run.importedFrom.isEmpty()
                         ? model + run.dataset + tr(", %n workers", nullptr, run.workers) + homeOf(run)
                         : m_about->fontMetrics().elidedText(tr("Imported from %1").arg(run.importedFrom),
                                                             Qt::ElideMiddle, Theme::current().px(240)));
    m_about->setToolTip(run.importedFrom);
    showProgress(run, status);
    showButton(run, status);
}

void RunHeader::showProgress(const RunItem& run, wire::RunStatus status) {
    const auto* live = m_bench.feed.state(run.id);
    const double share = m_bench.feed.progress(run);
    m_percent->setText(percentText(std::floor(share * 100) / 100));
    const QColor color = Theme::current().curve(run.color);
    const bool starting = status == wire::RunStatus::Starting || status == wire::RunStatus::Queued;
    m_bar->setValue(starting && share == 0 && status == wire::RunStatus::Starting ? -1 : share, color);
    const double epoch = live && live->totalSteps > 0 ? std::max(live->epoch, run.row.epoch) : run.row.epoch;
    std::int64_t epochs = live ? live->totalEpochs : 0;
    if (epochs <= 0) epochs = run.settings.value(QStringLiteral("epochs")).toLongLong();
    const bool done = status == wire::RunStatus::Finished;
    const double shownEpoch =
        done ? epoch : std::min(std::floor(epoch) + 1, std::max(1.0, static_cast<double>(epochs)));
    m_epoch->setText(epochs > 0 ? tr("epoch %1 of %2").arg(shownEpoch, 0, 'f', 0).arg(epochs) : QString());
    const auto step = live && live->totalSteps > 0 ? std::max(live->step, run.row.step) : run.row.step;
    const auto total = live && live->totalSteps > 0 ? live->totalSteps : run.row.totalSteps;
    m_step->setText(
        total > step
            ? tr("step %1 of %2").arg(countText(static_cast<double>(step)), countText(static_cast<double>(total)))
            : tr("step %1").arg(countText(static_cast<double>(step))));
    const double throughput = live && live->samplesPerSecond > 0 ? live->samplesPerSecond : run.row.samplesPerSecond;
    m_throughput->setText(
        throughput > 0 && status != wire::RunStatus::Paused
            ? tr("%1 samples/s").arg(throughput < kLongRate ? countText(throughput) : metricText(throughput))
            : QString());
    const double trained = live && live->trainSeconds > 0 ? live->trainSeconds : run.row.trainSeconds;
    if (wire::isActive(status))
        m_eta->setText(live && live->etaSeconds >= 0 ? tr("est. %1 left").arg(durationText(live->etaSeconds))
                                                     : QString());
    else m_eta->setText(trained > 0 ? tr("in %1").arg(durationText(trained)) : QString());
    QString after;
    const bool over = status == wire::RunStatus::Finished || status == wire::RunStatus::Stopped;
    if (over && !m_bench.feed.notice(run.id).isEmpty()) {
        after = m_bench.feed.notice(run.id);
    } else if (!wire::isActive(status) && live && live->processesLeft >= 0) {
        const bool isUnseen = live->processesLeft == 0 && !live->unseenOn.empty();
        after = isUnseen ? tr("What is left on %1 cannot be seen").arg(QString::fromStdString(live->unseenOn))
                         : (live->processesLeft == 0 ? QStringLiteral("✓ ") : QString()) +
                               tr("%n processes left", nullptr, live->processesLeft);
    } else if (status == wire::RunStatus::Queued) {
        after = QString::fromStdString(run.row.error.message); // why a job waits for its turn
    } // the notice of a run that is active stands in its banner
    m_after->setText(after);
    m_after->setVisible(!after.isEmpty());
}

void RunHeader::showButton(const RunItem& run, wire::RunStatus status) {
    const bool active = wire::isActive(status);
    if (!active && m_stop->isVisibleTo(this)) {
        m_continue->setEnabled(false);
        m_guard.start();
    }
    m_stop->setVisible(active);
    m_stop->setEnabled(active);
    const bool trainedHere = run.importedFrom.isEmpty();
    m_continue->setVisible(!active && trainedHere && run.isRecorded());
    const bool paused = status == wire::RunStatus::Paused, trains = status == wire::RunStatus::Running || paused;
    m_pause->setVisible(active && !paused);
    m_unpause->setVisible(paused);
    m_save->setVisible(active);
    m_fetch->setVisible(run.isAway() && isOffered(action("fetch"), {m_bench, m_run, window()})); // again: in the menu
    for (auto* each : {m_pause, m_unpause, m_save}) each->setEnabled(trains);
    m_stop->setText(status == wire::RunStatus::Stopping ? tr("Stopping…") : actionName(action("stop")));
    const bool fresh = m_bench.feed.checkpoints(run.id).empty() && !run.isAway();
    const bool finished = run.status == wire::RunStatus::Finished;
    const Action& next = action(finished ? "continue" : fresh ? "start-again" : "resume");
    const QString name = actionName(next);
    m_resumeWith->setVisible(isOffered(action("resume-with"), {m_bench, m_run, window()}));
    m_continue->setText(name);
    m_continue->setToolTip(finished ? tr("Train for 5 more epochs from the last checkpoint") : actionTip(next));
    m_continue->setAccessibleName(name);
    // One width for both, so that the buttons beside them stay where they are.
    const int wide = std::max(m_stop->sizeHint().width(), m_continue->sizeHint().width());
    m_stop->setMinimumWidth(wide);
    m_continue->setMinimumWidth(wide);
    showFork(run, active, wide);
}

int RunHeader::room() const {
    const QMargins margins = layout()->contentsMargins();
    const QWidget* shownIn =
        parentWidget() ? parentWidget()->parentWidget() : nullptr; // the rest of a header is cut off
    return (shownIn ? shownIn->width() : width()) - margins.left() - margins.right();
}

// A long name makes no column wider than what is seen of it.
void RunHeader::showName(const RunItem& run) {
    const Theme& theme = Theme::current();
    const int room = std::max(theme.px(60), this->room() - theme.px(18) - theme.px(8) - m_chip->sizeHint().width());
    const QString shown = elidedName(m_name->fontMetrics(), run.name, room);
    m_name->setText(shown);
    m_name->setToolTip(shown == run.name ? QString() : run.name);
}

// By its icon alone where its word has no room beside the others.
void RunHeader::showFork(const RunItem& run, bool active, int widthOfFirst) {
    const bool may = !run.isAway() && (active || run.importedFrom.isEmpty());
    const Theme& theme = Theme::current();
    const int both = widthOfFirst + m_fork->sizeHint().width();
    const bool fits = both + theme.px(kButtonSpacing) <= room();
    const bool fitsWide = !active && both + theme.px(kWideSpacing) <= room();
    const int spacing = theme.px(fitsWide ? kWideSpacing : kButtonSpacing);
    if (m_buttons->spacing() != spacing) m_buttons->setSpacing(spacing); // which lays everything out anew
    m_forkIcon->setVisible(may && (active || !fits));
    m_fork->setVisible(may && !active && fits);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

} // namespace trainyard::ui
