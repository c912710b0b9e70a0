// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/run_header.h"

#include "ui/actions/action.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/inspector/run_controls.h"
#include "ui/pages/runs/inspector/run_progress.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/marks/color_chip.h"
#include "ui/widgets/marks/status_chip.h"

namespace trainyard::ui {

RunHeader::RunHeader(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    const auto follow = [this](const QString& run) {
        if (m_run && run == m_run->id) refresh();
    };
    connect(&bench.feed, &WorkspaceFeed::stateChanged, this, follow);
    connect(&bench.feed, &WorkspaceFeed::checkpointsChanged, this, follow);
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
    connect(m_color, &QAbstractButton::clicked, this, [this] {
        if (m_run) action("color").act({m_bench, m_run, window()});
    });
    auto* named = row(nullptr, 4);
    named->addWidget(m_color);
    named->addWidget(m_name, 1);
    top->addLayout(named, 1);
    top->addWidget(m_chip);
    m_about = new Label(QString(), TextRole::SmallSecondary);
    m_about->setContentsMargins(theme.px(18), 0, 0, 0);
    m_about->setWordWrap(true); // else a narrow column would cut off the numbers below

    m_progress = new RunProgress(m_bench.feed);
    m_controls = new RunControls(m_bench);
    m_after = new Label(QString(), TextRole::SmallSecondary);
    m_after->setWordWrap(true);
    m_after->hide();

    layout->addLayout(top);
    layout->addWidget(m_about);
    layout->addSpacing(theme.px(8));
    layout->addWidget(m_progress);
    layout->addSpacing(theme.px(4));
    layout->addWidget(m_controls);
    layout->addWidget(m_after); // below the buttons, which never move
}

void RunHeader::setRun(const RunItemPtr& run) {
    m_run = run;
    refresh();
}

void RunHeader::refresh() {
    if (!m_run) return;
    const RunItem& run = *m_run;
    const wire::RunStatus status = m_bench.feed.status(run);
    m_chip->setChip(statusWord(run, status), statusTint(run, status));
    m_color->setColor(Theme::current().curve(run.color));
    showName(run);
    m_about->setText(run.importedFrom.isEmpty()
                         ? aboutRun(run)
                         : m_about->fontMetrics().elidedText(tr("Imported from %1").arg(run.importedFrom),
                                                             Qt::ElideMiddle, Theme::current().px(240)));
    m_about->setToolTip(run.importedFrom);
    m_progress->setRun(run, status);
    m_controls->setRun(m_run, status, room());
    const QString after = afterwards(run, status);
    m_after->setText(after);
    m_after->setVisible(!after.isEmpty());
}

// The processes left of an ended run, or the reason that a job waits. The banner shows the notice of an active run.
QString RunHeader::afterwards(const RunItem& run, wire::RunStatus status) const {
    const bool over = status == wire::RunStatus::Finished || status == wire::RunStatus::Stopped;
    if (const QString notice = m_bench.feed.notice(run.id); over && !notice.isEmpty()) return notice;
    if (status == wire::RunStatus::Queued) return QString::fromStdString(run.row.error.message);
    const auto* live = m_bench.feed.state(run.id);
    if (wire::isActive(status) || !live || live->processesLeft < 0) return {};
    if (live->processesLeft == 0 && !live->unseenOn.empty())
        return tr("What is left on %1 cannot be seen").arg(QString::fromStdString(live->unseenOn));
    return (live->processesLeft == 0 ? QStringLiteral("✓ ") : QString()) +
           tr("%n processes left", nullptr, live->processesLeft);
}

int RunHeader::room() const {
    const QMargins margins = layout()->contentsMargins();
    const QWidget* shownIn =
        parentWidget() ? parentWidget()->parentWidget() : nullptr; // the rest of a header is cut off
    return (shownIn ? shownIn->width() : width()) - margins.left() - margins.right();
}

// A long name must not make the column wider than its visible part.
void RunHeader::showName(const RunItem& run) {
    const Theme& theme = Theme::current();
    const int room = std::max(theme.px(60), this->room() - theme.px(18) - theme.px(8) - m_chip->sizeHint().width());
    const QString shown = elidedName(m_name->fontMetrics(), run.name, room);
    m_name->setText(shown);
    m_name->setToolTip(shown == run.name ? QString() : run.name);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

} // namespace trainyard::ui
