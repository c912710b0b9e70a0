// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/inspector_sections.h"

#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/marks/status_chip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace trainyard::ui {

InspectorSection::InspectorSection(const QString& title, QWidget* parent)
    : Surface(SurfaceColor::Panel, TopEdge, parent), m_heading(title),
      m_title(new Label(title, TextRole::SectionHeading)), m_note(new Label(QString(), TextRole::SmallTertiary)) {
    const Theme& theme = Theme::current();
    auto* layout = column(this, 4);
    setMargins(layout, 16, 12, 16, 12);
    m_header = row(nullptr, 6);
    m_header->addWidget(m_title);
    m_header->addWidget(m_note);
    m_header->addStretch();
    layout->addLayout(m_header);
    m_body = new QVBoxLayout;
    m_body->setSpacing(0);
    layout->addLayout(m_body);
    m_title->setMinimumHeight(theme.px(20));
    for (Label* label : {m_title, m_note}) label->setMinimumWidth(1); // a long name must not widen the column
}

void InspectorSection::setTitle(const QString& title) {
    m_heading = title;
    fitHeading();
}

void InspectorSection::setNote(const QString& note) {
    m_note->setText(note);
    fitHeading();
}

void InspectorSection::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    fitHeading();
}

// The note shrinks first; a heading too long for the column is elided.
void InspectorSection::fitHeading() {
    const QMargins margins = layout()->contentsMargins();
    int room = width() - margins.left() - margins.right();
    for (int i = 0; i < m_header->count(); ++i)
        if (const QWidget* part = m_header->itemAt(i)->widget(); part != nullptr && part != m_title && part != m_note)
            room -= part->sizeHint().width() + m_header->spacing();
    const QFontMetrics metrics(m_title->font());
    const QString shown = metrics.elidedText(m_heading, Qt::ElideRight, room);
    m_title->setText(shown);
    m_title->setToolTip(shown == m_heading ? QString() : m_heading);
    const int wide = metrics.horizontalAdvance(shown) + m_header->spacing() + m_note->sizeHint().width();
    m_note->setVisible(!m_note->text().isEmpty() && wide <= room);
}

namespace {

bool isGone(const wire::WorkerState& worker) {
    return worker.status == wire::RankStatus::Lost || worker.status == wire::RankStatus::Failed;
}

// Its rate while it trains; a rank that has ended has none.
QString workerText(const wire::WorkerState& worker) {
    const bool trains = worker.status == wire::RankStatus::Running && worker.beat.samplesPerSecond > 0;
    return trains ? WorkerList::tr("%1/s").arg(countText(worker.beat.samplesPerSecond))
                  : engineText(toString(worker.status));
}

} // namespace

WorkerList::WorkerList(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); }

int WorkerList::rowHeight() const { return Theme::current().px(m_isMeasured ? 32 : 22); }

void WorkerList::setMeasured(bool on) {
    if (m_isMeasured == on) return;
    m_isMeasured = on;
    updateGeometry();
    update();
}

void WorkerList::setWorkers(const std::vector<wire::WorkerState>& workers) {
    const auto shares = [](const wire::WorkerState& worker) {
        return worker.beat.dataShare + worker.beat.computeShare + worker.beat.commShare > 0;
    };
    const bool told = std::any_of(workers.begin(), workers.end(), shares);
    const bool taller = workers.size() != m_workers.size() || told != m_hasLegend;
    m_workers = workers;
    m_hasLegend = told;
    QStringList spoken;
    for (const auto& worker : workers) {
        spoken << tr("rank %1: %2, %3").arg(worker.rank).arg(QString::fromStdString(worker.device), workerText(worker));
    }
    setAccessibleDescription(spoken.join(QLatin1String("; ")));
    if (taller) updateGeometry();
    update();
}

QSize WorkerList::sizeHint() const {
    const int legend = m_hasLegend ? Theme::current().px(18) : 0;
    return {Theme::current().px(200), static_cast<int>(m_workers.size()) * rowHeight() + legend};
}

QSize WorkerList::minimumSizeHint() const { return {Theme::current().px(80), sizeHint().height()}; }

namespace {

std::array<QColor, 3> shareColors(const Theme& theme) { return {theme.seq[1], theme.seq[3], theme.seq[4]}; }

} // namespace

void WorkerList::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto colors = shareColors(theme);
    std::array<double, 3> mean{};
    qreal y = 0;
    const QFontMetricsF rankMetrics(theme.medium);
    for (const auto& worker : m_workers) {
        const QRectF line(0, y, width(), theme.px(20));
        const auto placed = [&](const QRectF& box) { return mirrored(layoutDirection(), line, box); };
        const QString rank = tr("rank %1").arg(worker.rank);
        painter.setFont(theme.medium);
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignVCenter, rank);
        const QString right = workerText(worker);
        painter.setPen(isGone(worker) ? theme.error : theme.text2);
        paintTabular(painter, line, Qt::AlignRight | Qt::AlignVCenter, theme.small, right);
        painter.setFont(theme.small);
        painter.setPen(theme.text2);
        QString where = m_isMeasured || worker.device != "auto" ? QString::fromStdString(worker.device) : QString();
        if (where == QLatin1String("cpu")) where = QStringLiteral("CPU");
        if (!worker.host.empty())
            where = QString::fromStdString(worker.host) + (where.isEmpty() ? QString() : QLatin1String(", ") + where);
        const qreal left = rankMetrics.horizontalAdvance(tr("rank %1").arg(QStringLiteral("00"))) + theme.px(8);
        const qreal room = width() - left - tabularWidth(theme.small, right) - theme.px(8);
        painter.drawText(placed(QRectF(left, y, room, theme.px(20))), Qt::AlignVCenter,
                         QFontMetricsF(theme.small).elidedText(where, Qt::ElideRight, room));
        if (!m_isMeasured) {
            y += rowHeight();
            continue;
        }
        const std::array<double, 3> share{worker.beat.dataShare, worker.beat.computeShare, worker.beat.commShare};
        qreal x = 0;
        const QRectF track(0, y + theme.px(21), width(), theme.px(5));
        painter.fillRect(track, theme.track);
        for (std::size_t part = 0; part < 3; ++part) {
            mean[part] += share[part] / static_cast<double>(m_workers.size());
            const qreal w = std::clamp(share[part], 0.0, 1.0) * width();
            const QRectF bar(x, track.top(), std::max(0.0, w - (part < 2 ? 1.0 : 0.0)), track.height());
            painter.fillRect(placed(bar), colors[part]);
            x += w;
        }
        y += rowHeight();
    }
    if (m_hasLegend) paintLegend(painter, y, mean);
}

void WorkerList::paintLegend(QPainter& painter, qreal y, const std::array<double, 3>& mean) const {
    const Theme& theme = Theme::current();
    const auto colors = shareColors(theme);
    const std::array<QString, 3> names{tr("data"), tr("compute"), tr("sync")};
    std::array<QString, 3> words;
    qreal needed = 0;
    for (std::size_t part = 0; part < 3; ++part) {
        words[part] = names[part] + QLatin1Char(' ') + percentText(mean[part]);
        needed += theme.px(12) + QFontMetricsF(theme.small).horizontalAdvance(words[part]);
    }
    // Narrower gaps where the words are long.
    const qreal left = width() - needed, gap = std::clamp<qreal>(left / 2, theme.px(3), theme.px(12));
    const qreal word = left < 2 * gap ? theme.px(10) : theme.px(12); // its distance from its square's left edge
    qreal x = 0;
    painter.setFont(theme.small);
    for (std::size_t part = 0; part < 3; ++part) {
        const qreal wide = QFontMetricsF(theme.small).horizontalAdvance(words[part]);
        const auto placed = [&](const QRectF& box) { return mirrored(layoutDirection(), rect(), box); };
        painter.fillRect(placed(QRectF(x, y + theme.px(5), theme.px(8), theme.px(8))), colors[part]);
        painter.setPen(theme.text2);
        painter.drawText(placed(QRectF(x + word, y + theme.px(1), wide + 1, theme.px(16))), Qt::AlignVCenter,
                         words[part]);
        x += word + wide + gap;
    }
}

bool WorkerList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto at = static_cast<std::size_t>(std::max(0, help->pos().y() / rowHeight()));
        if (at < m_workers.size()) {
            const auto& worker = m_workers[at];
            QToolTip::showText(help->globalPos(),
                               tr("rank %1, process %2, %3\nmemory %4\nnow: %5")
                                   .arg(worker.rank)
                                   .arg(worker.pid)
                                   .arg(engineText(toString(worker.status)),
                                        bytesText(static_cast<double>(worker.beat.residentBytes)),
                                        activityText(worker)),
                               this);
        }
        return true;
    }
    return QWidget::event(event);
}

CheckpointRowButton::CheckpointRowButton(const store::CheckpointRow& row, const QString& scoreSeries, QWidget* parent)
    : QAbstractButton(parent), m_row(row) {
    const auto score = row.metrics.find(scoreSeries.toStdString());
    m_score = score == row.metrics.end() ? QString() : metricText(score->second);
    setAccessibleName(
        tr("%1 at step %2%3%4%5")
            .arg(checkpointTitle(row))
            .arg(row.step)
            .arg(row.best ? tr(", best") : QString(), row.last ? tr(", last") : QString(),
                 (row.pinned ? tr(", pinned") : QString()) + (row.superseded ? tr(", superseded") : QString())));
    QString tip =
        tr("step %1, saved %2\n%3").arg(row.step).arg(clockText(row.wallMs), QString::fromStdString(row.path));
    if (row.superseded) tip += QLatin1Char('\n') + tr("superseded: the run has gone on from an earlier checkpoint");
    for (const auto& [name, value] : row.metrics)
        tip += QStringLiteral("\n%1  %2").arg(QString::fromStdString(name), exactText(value));
    setToolTip(tip);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
}

void CheckpointRowButton::setHome(const Residence& home) {
    if (home.isHere()) return;
    m_fetched = home.hasFile(m_row);
    const QString before = toolTip();
    const QString place =
        m_fetched ? tr("on %1, and fetched").arg(home.host) : tr("on %1; click to fetch it").arg(home.host);
    setToolTip(place + QLatin1Char('\n') + before);
    setAccessibleName(accessibleName() + QStringLiteral(", ") + place);
}

QSize CheckpointRowButton::sizeHint() const { return {Theme::current().px(200), Theme::current().px(24)}; }

void CheckpointRowButton::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || hasFocus())
        paintFrame(painter, QRectF(rect()).adjusted(-4, 0, 4, 0), theme.px(3), theme.hover, {});
    const QString mark = m_row.best     ? QStringLiteral("star-filled")
                         : m_row.pinned ? QStringLiteral("pin")
                         : m_row.last   ? QStringLiteral("clock")
                                        : QString();
    const qreal side = theme.px(14);
    const auto placed = [this](const QRectF& box) { return mirrored(layoutDirection(), rect(), box); };
    if (!mark.isEmpty()) paintIcon(painter, mark, placed(QRectF(0, (height() - side) / 2, side, side)), theme.text2);
    painter.setFont(theme.small);
    const QColor ink = m_row.superseded ? theme.text3 : theme.text; // of a curve that the run has left
    painter.setPen(ink);
    const QString title = checkpointTitle(m_row);
    qreal x = theme.px(22);
    painter.drawText(placed(QRectF(x, 0, width() - x, height())), Qt::AlignVCenter, title);
    x += painter.fontMetrics().horizontalAdvance(title) + theme.px(8);
    const qreal sizeWidth = tabularWidth(theme.small, QStringLiteral("999.9 MB"));
    const qreal scoreEnd = width() - sizeWidth - theme.px(8);
    const qreal scoreBegin = scoreEnd - tabularWidth(theme.small, m_score);
    const auto chip = [&](const QString& words, Status status) {
        const int wide = chipWidth(words, {});
        if (x + wide + theme.px(6) > scoreBegin) return; // the mark at the left and the tooltip show it too
        paintChip(painter, placed(QRectF(x, (height() - theme.px(18)) / 2.0, wide, theme.px(18))), words, status, {});
        x += wide + theme.px(4);
    };
    if (m_row.best) chip(tr("best"), Status::Success);
    if (m_row.last) chip(tr("last"), Status::Neutral);
    if (m_row.pinned) chip(tr("pinned"), Status::Info);
    if (m_fetched) chip(tr("fetched"), Status::Info);
    painter.setPen(theme.text3);
    paintTabular(painter, placed(QRectF(width() - sizeWidth, 0, sizeWidth, height())),
                 Qt::AlignRight | Qt::AlignVCenter, theme.small, bytesText(static_cast<double>(m_row.bytes)));
    painter.setPen(ink);
    paintTabular(painter, placed(QRectF(0, 0, scoreEnd, height())), Qt::AlignRight | Qt::AlignVCenter, theme.small,
                 m_score);
}

DifferenceList::DifferenceList(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void DifferenceList::setDifferences(const QList<Difference>& differences, const QStringList& titles) {
    m_differences = differences;
    m_titles = titles;
    QStringList spoken;
    for (qsizetype i = 0; i < differences.size(); ++i)
        spoken << tr("%1 from %2 to %3").arg(titles.value(i), differences[i].before, differences[i].after);
    setToolTip(spoken.join(QLatin1Char('\n')));
    setAccessibleDescription(spoken.join(QLatin1String("; ")));
    updateGeometry();
    update();
}

QSize DifferenceList::sizeHint() const {
    const auto lines = std::max<qsizetype>(1, std::min<qsizetype>(m_differences.size(), kMost + 1));
    return {Theme::current().px(200), static_cast<int>(lines) * Theme::current().px(22)};
}

QSize DifferenceList::minimumSizeHint() const { return {Theme::current().px(80), sizeHint().height()}; }

void DifferenceList::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.small);
    const QFontMetricsF metrics(theme.small);
    const qreal lineHeight = theme.px(22);
    if (m_differences.isEmpty()) {
        painter.setPen(theme.text3);
        painter.drawText(QRectF(0, 0, width(), lineHeight), Qt::AlignVCenter, tr("Same settings"));
    }
    const qreal afterWidth = width() * 0.28;
    const qreal arrowAt = width() - afterWidth - theme.px(24);
    for (qsizetype i = 0; i < m_differences.size(); ++i) {
        const qreal y = static_cast<qreal>(i) * lineHeight;
        if (i == kMost) {
            painter.setPen(theme.text3);
            painter.drawText(QRectF(0, y, width(), lineHeight), Qt::AlignVCenter,
                             tr("+ %1 more").arg(m_differences.size() - kMost));
            break;
        }
        const Difference& difference = m_differences[i];
        const auto shown = [](const QString& value) {
            bool number = false;
            const double read = value.toDouble(&number);
            if (number && value.size() > 7) return digitsText(read, 4); // the tooltip has all digits
            return value.isEmpty() ? kNoValue : localText(value);
        };
        const auto placed = [&](const QRectF& box) { return mirrored(layoutDirection(), rect(), box); };
        painter.setPen(theme.text2);
        const QRectF name(0, y, arrowAt * 0.62, lineHeight);
        painter.drawText(placed(name), Qt::AlignVCenter,
                         metrics.elidedText(m_titles.value(i), Qt::ElideRight, name.width()));
        painter.setPen(theme.text3);
        const QRectF before(name.right(), y, arrowAt - name.right() - theme.px(6), lineHeight);
        painter.drawText(placed(before), Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(shown(difference.before), Qt::ElideRight, before.width()));
        paintIcon(painter, isLeftToRight() ? QStringLiteral("arrow-right") : QStringLiteral("chevron-left"),
                  placed(QRectF(arrowAt, y + (lineHeight - theme.px(14)) / 2, theme.px(14), theme.px(14))),
                  theme.text3);
        painter.setPen(theme.text);
        const QRectF after(width() - afterWidth, y, afterWidth, lineHeight);
        painter.drawText(placed(after), Qt::AlignVCenter,
                         metrics.elidedText(shown(difference.after), Qt::ElideRight, after.width()));
    }
}

} // namespace trainyard::ui
