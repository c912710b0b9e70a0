// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/home/recent_runs.h"

#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/sparkline.h"
#include "ui/widgets/marks/status_chip.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPainter>
#include <QPainterPath>

namespace trainyard::ui {

namespace {

// A dashed curve in axes, as a promise of what the card will show.
class EmptyCurve : public QWidget {
public:
    EmptyCurve() { setFixedSize(Theme::current().px(200), Theme::current().px(104)); }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(1, 4, -1, -1);
        for (int line = 0; line < 3; ++line)
            paintHLine(painter, box.left(), box.top() + line * box.height() / 3.6 + 18, box.width(), theme.grid);
        paintVLine(painter, box.left(), box.top(), box.height(), theme.axis);
        paintHLine(painter, box.left(), box.bottom(), box.width(), theme.axis);
        QPainterPath path;
        for (int step = 0; step <= 50; ++step) {
            const double t = step / 50.0;
            const QPointF at(box.left() + t * box.width(),
                             box.bottom() - 8 - (1 - std::exp(-4 * t)) * (box.height() - 24));
            step == 0 ? path.moveTo(at) : path.lineTo(at);
        }
        QPen pen(theme.borderStrong, 1.5);
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.drawPath(path);
    }
};

} // namespace

RecentRunRow::RecentRunRow(Workbench& bench, QWidget* parent) : QAbstractButton(parent), m_bench(bench) {
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, &RecentRunRow::open);
}

void RecentRunRow::open() {
    if (!m_work) return;
    if (!m_work->sweep.isEmpty()) return Q_EMIT m_bench.sweepRequested(m_work->sweep);
    m_bench.selection.show(m_work->run->id);
    Q_EMIT m_bench.pageRequested(PageId::runs);
}

void RecentRunRow::setWork(const std::optional<RecentWork>& work) {
    m_work = work;
    setVisible(work.has_value());
    if (!work) return;
    const QString what = work->sweep.isEmpty() ? tr("Open run %1, %2") : tr("Open sweep %1, %2");
    setAccessibleName(what.arg(work->name, statusText()));
    update();
}

QString RecentRunRow::statusText() const {
    const auto status = m_work->sweep.isEmpty() ? m_bench.feed.status(*m_work->run) : m_work->status;
    if (m_work->sweep.isEmpty() && m_work->run->home.isOutOfReach()) return statusWord(*m_work->run, status);
    if (status != wire::RunStatus::Running || (m_work->sweep.isEmpty() && m_work->run->isProgram))
        return statusWord(status);
    const double share = m_work->sweep.isEmpty() ? m_bench.feed.progress(*m_work->run)
                                                 : static_cast<double>(m_work->done) / std::max(1, m_work->trials);
    return tr("%1 %2%").arg(statusWord(status)).arg(static_cast<int>(std::min(1.0, share) * 100));
}

QString RecentRunRow::aboutText() const {
    const RunItem& run = *m_work->run;
    if (!run.importedFrom.isEmpty()) return tr("Imported from %1").arg(QFileInfo(run.importedFrom).fileName());
    if (m_work->sweep.isEmpty()) return aboutRun(run);
    const int trials = std::max(m_work->trials, m_work->done);
    if (run.isProgram) return tr("Sweep, %n trials, %1", nullptr, trials).arg(run.model);
    return tr("Sweep, %n trials, %1, %2", nullptr, trials).arg(run.model, run.dataset);
}

QSize RecentRunRow::sizeHint() const { return {Theme::current().px(400), Theme::current().px(36)}; }

void RecentRunRow::paintEvent(QPaintEvent*) {
    if (!m_work) return;
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus()) painter.fillRect(rect(), theme.hover);
    const RunItem& run = *m_work->run;
    const QColor color = theme.curve(run.color);
    const int w = width();
    const int h = height();
    const auto placed = [&](const QRectF& box) { return mirrored(layoutDirection(), rect(), box); };
    const auto at = [&](int left, int wide) { return placed(QRectF(left, 0, wide, h)); };
    const QPointF chip = at(theme.px(16), theme.px(10)).center();
    if (m_work->sweep.isEmpty()) paintRunChip(painter, chip, color, true);
    else
        paintIcon(painter, QStringLiteral("sweeps"),
                  QRectF(chip.x() - theme.px(8), chip.y() - theme.px(8), theme.px(16), theme.px(16)), theme.text2);
    painter.setFont(theme.heading);
    painter.setPen(theme.text);
    const int nameWidth = std::max(theme.px(120), w / 5);
    painter.drawText(at(theme.px(36), nameWidth), Qt::AlignVCenter,
                     elidedName(painter.fontMetrics(), m_work->name, nameWidth));
    const QString words = statusText();
    const auto status = m_work->sweep.isEmpty() ? m_bench.feed.status(run) : m_work->status;
    const int chipLeft = theme.px(36) + nameWidth + theme.px(8);
    paintChip(painter, placed(QRectF(chipLeft, (h - theme.px(20)) / 2.0, chipWidth(words, {}), theme.px(20))), words,
              statusTint(status), {});
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    const int aboutLeft = chipLeft + theme.px(112);
    const int sparkLeft = w - theme.px(340);
    painter.drawText(at(aboutLeft, sparkLeft - aboutLeft - 8), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(aboutText(), Qt::ElideRight, sparkLeft - aboutLeft - 8));
    const QList<double> spark = run.scoreSeries == m_work->scoreSeries ? m_bench.feed.spark(run) : QList<double>();
    if (spark.size() > 1)
        paintSparkline(painter, placed(QRectF(sparkLeft, h / 2.0 - theme.px(9), theme.px(96), theme.px(18))), spark,
                       color);
    painter.setPen(theme.text2);
    painter.drawText(at(w - theme.px(232), theme.px(96)), Qt::AlignVCenter | Qt::AlignRight,
                     painter.fontMetrics().elidedText(seriesText(m_work->scoreSeries), Qt::ElideLeft, theme.px(96)));
    painter.setPen(theme.text);
    paintTabular(painter, at(w - theme.px(128), theme.px(48)), Qt::AlignVCenter | Qt::AlignRight, theme.medium,
                 metricText(m_work->best));
    painter.setPen(theme.text3);
    paintTabular(painter, at(w - theme.px(72), theme.px(58)), Qt::AlignVCenter | Qt::AlignRight, theme.small,
                 ageText(m_work->atMs, QDateTime::currentMSecsSinceEpoch()));
}

RecentRuns::RecentRuns(Workbench& bench, QWidget* parent) : Card(parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    m_ages.setSingleShot(true);
    connect(&m_ages, &QTimer::timeout, this, &RecentRuns::showAges);
    setMinimumHeight(theme.px(168));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    body()->setContentsMargins(1, theme.px(4), 1, theme.px(4));
    m_empty = new QWidget;
    auto* layout = row(m_empty, 32);
    trainyard::ui::setMargins(layout, 32, 20, 32, 20);
    layout->addWidget(new EmptyCurve);
    auto* words = new QVBoxLayout;
    words->setSpacing(theme.px(4));
    words->addStretch();
    words->addWidget(new Label(tr("No runs yet"), TextRole::Heading));
    auto* text =
        new Label(tr("Runs you start appear here with their curve and best value. Everything stays on this computer."),
                  TextRole::Secondary);
    text->setWordWrap(true);
    text->setMaximumWidth(theme.px(440));
    words->addWidget(text);
    words->addSpacing(theme.px(8));
    auto* open = trainyard::ui::button(tr("Open a run file"), QStringLiteral("import"));
    open->setToolTip(tr("A run or sweep file, shown in the New run sheet before anything starts  Ctrl+O"));
    connect(open, &QPushButton::clicked, this, [this] { Q_EMIT m_bench.openFileRequested(); });
    words->addWidget(open, 0, Qt::AlignLeft);
    words->addStretch();
    layout->addLayout(words, 1);
    body()->addWidget(m_empty);
    for (int i = 0; i < 5; ++i) {
        auto* entry = new RecentRunRow(bench);
        entry->hide();
        m_rows << entry;
        body()->addWidget(entry);
    }
    body()->addStretch();
}

// Draws the ages, and again when they will have changed; a hidden page waits until it is shown and refreshed.
void RecentRuns::showAges() {
    std::int64_t newest = 0;
    for (RecentRunRow* row : std::as_const(m_rows)) {
        row->update();
        if (row->work()) newest = std::max(newest, row->work()->atMs);
    }
    if (isVisible()) m_ages.start(ageTickMs(newest, QDateTime::currentMSecsSinceEpoch()));
}

void RecentRuns::refresh() {
    const auto& runs = m_bench.feed.runs();
    const auto work = recentWork(runs, m_bench.feed.sweeps(), static_cast<std::size_t>(m_rows.size()), m_scores);
    setMinimumHeight(runs.empty() ? Theme::current().px(168) : 0);
    m_empty->setVisible(runs.empty());
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_rows.size()); ++i)
        m_rows[static_cast<qsizetype>(i)]->setWork(i < work.size() ? std::optional(work[i]) : std::nullopt);
    showAges();
}

} // namespace trainyard::ui
