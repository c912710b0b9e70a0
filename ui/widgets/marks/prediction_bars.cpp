// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/prediction_bars.h"

#include "ui/models/text/format.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/marks/bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kWidestValue = 62, kText = 16; // design pixels

} // namespace

PredictionBars::PredictionBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Predictions"));
}

void PredictionBars::setBars(const QList<PredictionBar>& bars, const QStringList& models, bool shares) {
    m_bars = bars;
    m_models = models;
    m_shares = shares;
    QStringList spoken;
    for (const PredictionBar& bar : m_bars) {
        QString line = bar.name + QLatin1Char(' ') + valueText(bar.first);
        if (bar.marked) line = tr("true class: %1").arg(line);
        if (two()) line += QStringLiteral(" / ") + valueText(bar.second);
        spoken << line;
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QString PredictionBars::valueText(double value) const {
    if (std::isnan(value)) return QStringLiteral("–");
    if (!m_shares) return digitsText(value, 5);
    const double percent = 100 * value;
    return PredictionBars::tr("%1%").arg(fixedText(percent, percent < 1 ? 2 : 1));
}

int PredictionBars::head() const { return two() ? Theme::current().px(18) : 0; }
int PredictionBars::lineHeight() const { return Theme::current().px(!m_shares ? 18 : two() ? 27 : 22); }

QSize PredictionBars::sizeHint() const {
    const auto lines = std::max<qsizetype>(m_bars.size(), m_shares ? 5 : 1);
    return {Theme::current().px(180), head() + static_cast<int>(lines) * lineHeight()};
}

QSize PredictionBars::minimumSizeHint() const { return {Theme::current().px(100), sizeHint().height()}; }

void PredictionBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (two()) paintHead(painter);
    for (int line = 0; line < m_bars.size(); ++line) paintLine(painter, line);
}

// Assigns columns and bars to models.
void PredictionBars::paintHead(QPainter& painter) const {
    const Theme& theme = Theme::current();
    painter.setFont(theme.small);
    const qreal room = theme.px(kWidestValue);
    for (int model = 0; model < 2; ++model) {
        const QRectF place(width() - (2 - model) * room, 0, room, theme.px(kText));
        const QString title =
            painter.fontMetrics().elidedText(m_models[model], Qt::ElideRight, static_cast<int>(room) - theme.px(12));
        const int wide = painter.fontMetrics().horizontalAdvance(title);
        painter.fillRect(
            QRectF(place.right() - wide - theme.px(10), place.center().y() - theme.px(3), theme.px(6), theme.px(6)),
            model == 0 ? theme.seq[3] : theme.seq[2]);
        painter.setPen(theme.text2);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, title);
    }
}

void PredictionBars::paintLine(QPainter& painter, int line) const {
    const Theme& theme = Theme::current();
    const PredictionBar& bar = m_bars[line];
    const qreal top = head() + line * lineHeight(), text = theme.px(kText), column = theme.px(kWidestValue);
    QFont font = theme.small;
    if (line == 0 && m_shares) font.setWeight(QFont::DemiBold);
    const QString name = bar.marked ? QChar(0x2713) + QStringLiteral(" ") + bar.name : bar.name;
    const qreal room = width() - (two() ? 2 : 1) * column;
    painter.setFont(font);
    painter.setPen(line == 0 && m_shares ? theme.text : theme.text2);
    painter.drawText(QRectF(0, top, room, text), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(room)));
    const QRectF values(room, top, column, text);
    paintTabular(painter, values, Qt::AlignRight | Qt::AlignVCenter, font, valueText(bar.first));
    if (two())
        paintTabular(painter, values.translated(column, 0), Qt::AlignRight | Qt::AlignVCenter, font,
                     valueText(bar.second));
    if (!m_shares) return;
    const QRectF track(0, top + text, width(), theme.px(two() ? 3 : 4));
    const auto share = [](double value) { return std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0); };
    paintBar(painter, track, share(bar.first), theme.seq[3], theme.track);
    if (two()) paintBar(painter, track.translated(0, theme.px(4)), share(bar.second), theme.seq[2], theme.track);
}

bool PredictionBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = (help->pos().y() - head()) / lineHeight();
    if (line >= 0 && line < m_bars.size() && help->pos().y() >= head()) {
        const PredictionBar& bar = m_bars[line];
        QString tip =
            bar.name + QLatin1Char('\n') + m_models.value(0) + QStringLiteral(": ") + digitsText(bar.first, 9);
        if (two()) tip += QLatin1Char('\n') + m_models[1] + QStringLiteral(": ") + digitsText(bar.second, 9);
        QToolTip::showText(help->globalPos(), tip, this);
    }
    return true;
}

} // namespace trainyard::ui
