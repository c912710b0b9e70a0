// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_strip.h"

#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/shell/load_segments.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/marks/bars.h"

#include <QDateTime>
#include <QPainter>

namespace trainyard::ui {

namespace {

constexpr qint64 kPassingMs = 8'000; // long enough to read it twice

} // namespace

StatusSegment::StatusSegment(const QString& iconName, bool withBar, QWidget* parent)
    : QAbstractButton(parent), m_icon(iconName), m_withBar(withBar) {
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setAttribute(Qt::WA_Hover);
}

void StatusSegment::setContent(const QString& words, double share, const QColor& barColor) {
    if (words == m_words && share == m_share && barColor == m_barColor) return;
    m_words = words;
    m_share = share;
    m_barColor = barColor;
    setAccessibleName(words);
    setVisible(!words.isEmpty());
    updateGeometry();
    update();
}

void StatusSegment::setIconName(const QString& iconName) {
    m_icon = iconName;
    update();
}

void StatusSegment::setChip(const QColor& color) {
    m_chip = color;
    update();
}

void StatusSegment::setAlarming(bool on) {
    if (std::exchange(m_alarming, on) != on) update();
}

void StatusSegment::setMostWidth(int width) {
    if (std::exchange(m_mostWidth, width) == width) return;
    updateGeometry();
    update();
}

int StatusSegment::wordsWidth() const {
    const int whole = static_cast<int>(std::ceil(tabularWidth(Theme::current().small, m_words)));
    return m_mostWidth > 0 ? std::min(whole, m_mostWidth) : whole;
}

QSize StatusSegment::sizeHint() const {
    const Theme& theme = Theme::current();
    const bool mark = !m_icon.isEmpty() || m_chip.isValid();
    return {wordsWidth() + theme.px(20 + (mark ? 22 : 0) + (m_withBar ? 38 : 0)), theme.px(27)};
}

void StatusSegment::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    if ((underMouse() && isEnabled()) || hasFocus()) painter.fillRect(rect(), theme.hover);
    const auto placed = [this](qreal left, qreal top, qreal wide, qreal high) {
        return mirrored(layoutDirection(), rect(), QRectF(left, top, wide, high));
    };
    if (m_separated) paintVLine(painter, placed(0, 0, 1, height()).left(), theme.px(8), theme.px(12), theme.border);
    qreal x = theme.px(10);
    const qreal side = theme.px(16);
    if (m_chip.isValid()) {
        paintRunChip(painter, placed(x, 0, theme.px(10), height()).center(), m_chip, true);
        x += theme.px(16);
    } else if (!m_icon.isEmpty()) {
        paintIcon(painter, m_icon, placed(x, (height() - side) / 2, side, side),
                  m_alarming ? theme.error : theme.text2);
        x += side + theme.px(6);
    }
    painter.setPen(m_alarming ? theme.error : theme.text2);
    const int words = wordsWidth();
    const bool whole = tabularWidth(theme.small, m_words) <= words;
    paintTabular(painter, placed(x, 0, words + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, theme.small,
                 whole ? m_words : QFontMetrics(theme.small).elidedText(m_words, Qt::ElideMiddle, words));
    if (m_withBar) {
        x += words + theme.px(6);
        paintBar(painter, placed(x, (height() - theme.px(4)) / 2.0, theme.px(32), theme.px(4)), std::max(0.0, m_share),
                 m_barColor.isValid() ? m_barColor : theme.text3, theme.border);
    }
}

StatusStrip::StatusStrip(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, TopEdge, parent), m_bench(bench) {
    setFixedHeight(Theme::current().px(28));
    auto* layout = row(this);
    setMargins(layout, 4, 1, 4, 0);
    m_runs = new StatusSegment(QStringLiteral("check-circle"), false);
    m_failed = new StatusSegment(QStringLiteral("error"), false);
    m_load = new LoadSegments;
    m_job = new StatusSegment(QStringLiteral("export"), true);
    m_job->setFocusPolicy(Qt::TabFocus);
    m_said = new StatusSegment({}, false);
    m_failed->setSeparated(true);
    for (QWidget* each : std::initializer_list<QWidget*>{m_runs, m_failed, m_load}) layout->addWidget(each);
    layout->addStretch();
    layout->addWidget(m_job);
    layout->addWidget(m_said);
    m_failed->hide();
    m_job->hide();
    connect(&bench.actions, &RunActions::jobStarted, this, &StatusStrip::follow);
    connect(m_job, &QAbstractButton::clicked, this, [this] {
        if (!m_jobs.isEmpty()) m_jobs.back()->cancel();
    });
    connect(m_load, &LoadSegments::pressed, this, [this] { Q_EMIT m_bench.pageRequested(PageId::cluster); });
    connect(m_failed, &QAbstractButton::clicked, this, [this] {
        Q_EMIT m_bench.pageRequested(PageId::runs);
        Q_EMIT m_bench.filterShown(QStringLiteral("status:failed"));
    });
    for (auto* segment : {m_runs, m_said})
        connect(segment, &QAbstractButton::clicked, this, [this] { Q_EMIT m_bench.pageRequested(PageId::runs); });
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &StatusStrip::showRuns);
    connect(&bench.feed, &WorkspaceFeed::queueChanged, this, &StatusStrip::showRuns);
    connect(&bench, &Workbench::loadChanged, this, &StatusStrip::showLoad);
    connect(&ThemeController::instance(), &ThemeController::changed, this, &StatusStrip::showLoad);
    connect(&bench, &Workbench::statusMessage, this,
            [this](const QString& text, const QColor& color) { say({.text = text, .color = color, .passes = true}); });
    connect(&bench.feed, &WorkspaceFeed::runEnded, this, [this](const QString& id) {
        if (const RunItemPtr run = m_bench.feed.run(id)) sayOfRun(*run, statusWord(run->status).toLower(), id);
    });
    m_event.text = tr("Ready · no account, no telemetry");
    showLastEvent();
    showRuns();
}

void StatusStrip::showRuns() {
    const int running = m_bench.feed.activeCount();
    const int queued =
        m_bench.feed.countOf(wire::RunStatus::Queued) + static_cast<int>(m_bench.feed.queue().waiting.size());
    QStringList words;
    if (running > 0) words << tr("%1 running").arg(running);
    if (queued > 0) words << tr("%1 queued").arg(queued);
    m_runs->setIconName(words.isEmpty() ? QStringLiteral("check-circle") : QStringLiteral("play"));
    m_runs->setContent(words.isEmpty() ? tr("Idle") : words.join(QLatin1String(", ")));
    // Only failures of the last day: an old one is history, not news.
    const qint64 since = QDateTime::currentMSecsSinceEpoch() - 86'400'000;
    const auto& runs = m_bench.feed.runs();
    const auto failed = std::count_if(runs.begin(), runs.end(), [since](const auto& run) {
        return run->status == wire::RunStatus::Failed && run->row.finishedMs > since;
    });
    m_failed->setContent(failed > 0 ? tr("%1 failed").arg(failed) : QString());
    // It is not over any more.
    const RunItemPtr resumed = m_event.ended.isEmpty() ? nullptr : m_bench.feed.run(m_event.ended);
    if (resumed && resumed->active()) sayOfRun(*resumed, tr("resumed"), {});
}

void StatusStrip::showLoad() {
    QColor color;
    bool network = false;
    for (const auto& run : m_bench.feed.runs()) {
        if (!run->active() || run->status == wire::RunStatus::Queued) continue;
        if (!color.isValid()) color = Theme::current().curve(run->color);
        network = network || reachesOtherHosts(*run);
    }
    m_load->setLoad(m_bench.load(), color, network);
    showLastEvent();
    fit();
}

// The load gives way to the last event, except the disk.
void StatusStrip::fit() {
    m_said->setMostWidth(width() / 2);
    int others = Theme::current().px(12);
    for (const auto* each : {m_runs, m_failed, m_job, m_said})
        if (!each->accessibleName().isEmpty()) others += each->sizeHint().width();
    m_load->setRoom(width() - others);
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    fit();
}

void StatusStrip::follow(BackgroundJob* job) {
    m_jobs << job;
    connect(job, &BackgroundJob::progressed, this, &StatusStrip::showJob);
    connect(job, &BackgroundJob::ended, this, [this, job] {
        m_jobs.removeOne(job);
        showJob();
    });
    showJob();
}

void StatusStrip::showJob() {
    if (m_jobs.isEmpty()) return m_job->setContent({});
    const BackgroundJob& job = *m_jobs.back();
    m_job->setIconName(job.icon());
    m_job->setToolTip(job.cancelTip());
    m_job->setContent(job.share() < 0 ? tr("%1 · Cancel").arg(job.title())
                                      : tr("%1, %2% · Cancel").arg(job.title(), fixedText(job.share() * 100, 0)),
                      std::max(0.0, job.share()), Theme::current().accent);
}

void StatusStrip::sayOfRun(const RunItem& run, const QString& word, const QString& ended) {
    say({.text = tr("%1 · %2").arg(run.name, word), .run = run.color, .ended = ended});
}

void StatusStrip::say(Event event) {
    if (!m_event.passes) m_before = m_event;
    m_event = std::move(event);
    m_event.age.start();
    showLastEvent();
    fit();
}

void StatusStrip::showLastEvent() {
    if (m_event.passes && m_event.age.elapsed() >= kPassingMs) m_event = m_before;
    QString text = m_event.text;
    if (m_event.age.isValid() && m_event.age.elapsed() >= 2000) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        text = tr("%1, %2 ago").arg(m_event.text, ageText(now - m_event.age.elapsed(), now));
    }
    m_said->setChip(m_event.run ? Theme::current().curve(*m_event.run) : m_event.color);
    m_said->setContent(text);
    m_said->setToolTip(m_event.text);
}

} // namespace trainyard::ui
