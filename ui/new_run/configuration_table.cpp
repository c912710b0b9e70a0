// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/configuration_table.h"

#include "ui/models/text/format.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::ui {

namespace {

// In design pixels.
constexpr int kTableLine = 20;  // of a row
constexpr int kSecondLine = 14; // of a title
constexpr int kEdge = 12, kNumbers = 28, kColumnGap = 10;
constexpr int kRoom = 240; // for titles in one line

// Splits a title into two lines of nearly equal width, between words.
QString inTwoLines(const QString& title) {
    const qsizetype middle = title.size() / 2;
    qsizetype best = -1;
    for (qsizetype at = title.indexOf(QLatin1Char(' ')); at >= 0; at = title.indexOf(QLatin1Char(' '), at + 1))
        if (best < 0 || std::abs(at - middle) < std::abs(best - middle)) best = at;
    return best < 0 ? title : title.left(best) + QLatin1Char('\n') + title.mid(best + 1);
}

// Four digits are enough to distinguish trials.
QString shortText(const spec::Value& value) {
    const auto* number = std::get_if<double>(&value);
    return number ? digitsText(*number, 4) : localText(QString::fromStdString(spec::toText(value)));
}

} // namespace

ConfigurationTable::ConfigurationTable(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Configurations"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
}

void ConfigurationTable::setForeseen(const sweep::Foreseen& foreseen, const QStringList& paths,
                                     const QStringList& titles) {
    m_titles = titles;
    m_rows.clear();
    const int listed = std::min(foreseen.known, static_cast<int>(foreseen.first.size()));
    for (int i = 0; i < listed; ++i) {
        const auto& params = foreseen.first[static_cast<std::size_t>(i)];
        QStringList row;
        for (const QString& path : paths) {
            const auto value = params.find(path.toStdString());
            row << (value == params.end() ? kNoValue : shortText(value->second));
        }
        m_rows << row;
    }
    const int left = foreseen.configurations - listed;
    const bool learns = listed < static_cast<int>(foreseen.first.size());
    m_last = foreseen.openEnded ? tr("and so on, as far as the budget allows")
             : left == 0        ? QString()
             : learns           ? tr("+ %1 more, chosen by the scores of these").arg(countText(left))
                                : tr("+ %1 more").arg(countText(left));
    QStringList spoken{m_titles.join(QStringLiteral(", "))};
    for (const QStringList& row : std::as_const(m_rows)) spoken << row.join(QStringLiteral(", "));
    spoken << m_last;
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    const QList<qreal> widths = columnWidths();
    if (std::accumulate(widths.begin(), widths.end(), 0.0) > Theme::current().px(kRoom))
        for (QString& title : m_titles) title = inTwoLines(title);
    updateGeometry();
    update();
}

// The width of a column's content.
QList<qreal> ConfigurationTable::columnWidths() const {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(theme.small);
    QList<qreal> widths;
    for (qsizetype at = 0; at < m_titles.size(); ++at) {
        qreal widest = 0;
        for (const QString& line : m_titles[at].split(QLatin1Char('\n')))
            widest = std::max(widest, metrics.horizontalAdvance(line));
        for (const QStringList& row : m_rows) widest = std::max(widest, tabularWidth(theme.small, row.value(at)));
        widths << std::ceil(widest) + theme.px(kColumnGap);
    }
    return widths;
}

int ConfigurationTable::titleHeight() const {
    const bool two = std::any_of(m_titles.begin(), m_titles.end(),
                                 [](const QString& title) { return title.contains(QLatin1Char('\n')); });
    return Theme::current().px(two ? kTableLine + kSecondLine : kTableLine);
}

QSize ConfigurationTable::sizeHint() const {
    const Theme& theme = Theme::current();
    const int lines = static_cast<int>(m_rows.size()) + (m_last.isEmpty() ? 0 : 1);
    const QList<qreal> widths = columnWidths();
    const qreal wide = std::accumulate(widths.begin(), widths.end(), 2.0 * theme.px(kEdge) + theme.px(kNumbers));
    return {static_cast<int>(std::ceil(wide)), titleHeight() + lines * theme.px(kTableLine)};
}

void ConfigurationTable::paintEvent(QPaintEvent* event) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const qreal height = theme.px(kTableLine), left = theme.px(kEdge), numbers = theme.px(kNumbers);
    const QList<qreal> widths = columnWidths();
    // Spare width goes between the columns.
    const qreal spare = std::max(0.0, width() - static_cast<qreal>(sizeHint().width())) /
                        static_cast<qreal>(std::max<qsizetype>(1, widths.size()));
    QList<QRectF> columns;
    qreal begin = left + numbers;
    for (const qreal wide : widths) {
        columns << QRectF(begin, 0, wide + spare, height);
        begin += wide + spare;
    }
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    for (qsizetype at = 0; at < m_titles.size(); ++at)
        painter.drawText(QRectF(columns[at].left(), 0, columns[at].width(), titleHeight() - 2),
                         Qt::AlignRight | Qt::AlignBottom, m_titles[at]);
    for (qsizetype line = 0; line < m_rows.size(); ++line) {
        const qreal top = titleHeight() + static_cast<qreal>(line) * height;
        if (top + height < event->rect().top() || top > event->rect().bottom()) continue;
        paintHLine(painter, left, top, width() - 2 * left, theme.grid);
        painter.setPen(theme.text3);
        paintTabular(painter, QRectF(left, top, numbers, height), Qt::AlignLeft | Qt::AlignVCenter, theme.small,
                     QString::number(line));
        painter.setPen(theme.text);
        for (qsizetype at = 0; at < m_titles.size(); ++at)
            paintTabular(painter, columns[at].translated(0, top), Qt::AlignRight | Qt::AlignVCenter, theme.small,
                         m_rows[line].value(at));
    }
    painter.setPen(theme.text3);
    painter.drawText(
        QRectF(left, titleHeight() + static_cast<qreal>(m_rows.size()) * height, width() - 2 * left, height),
        Qt::AlignLeft | Qt::AlignVCenter, m_last);
}

} // namespace trainyard::ui
