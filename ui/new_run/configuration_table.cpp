// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/configuration_table.h"

#include "ui/models/format.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPaintEvent>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kTableLine = 20; // of a row, in design pixels

// Four digits tell trials apart.
QString shortText(const spec::Value& value) {
    const auto* number = std::get_if<double>(&value);
    return number ? QString::number(*number, 'g', 4) : QString::fromStdString(spec::toText(value));
}

} // namespace

ConfigurationTable::ConfigurationTable(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Configurations"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
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
             : learns           ? tr("+ %1 more, chosen by what these score").arg(countText(left))
                                : tr("+ %1 more").arg(countText(left));
    QStringList spoken{m_titles.join(QStringLiteral(", "))};
    for (const QStringList& row : std::as_const(m_rows)) spoken << row.join(QStringLiteral(", "));
    spoken << m_last;
    setToolTip(m_titles.join(QStringLiteral(", "))); // some may be shown short
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize ConfigurationTable::sizeHint() const {
    const int lines = static_cast<int>(m_rows.size()) + (m_last.isEmpty() ? 1 : 2);
    return {Theme::current().px(200), lines * Theme::current().px(kTableLine)};
}

// Values have their width first, titles share what is left.
QList<qreal> ConfigurationTable::columnEnds(qreal room) const {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(theme.small);
    QList<qreal> widths, wanted;
    qreal values = 0, titles = 0;
    for (qsizetype at = 0; at < m_titles.size(); ++at) {
        qreal widest = std::min<qreal>(theme.px(30), metrics.horizontalAdvance(m_titles[at])); // to be told apart
        for (const QStringList& row : m_rows) widest = std::max(widest, tabularWidth(theme.small, row.value(at)));
        widths << widest + theme.px(10);
        wanted << std::max(0.0, metrics.horizontalAdvance(m_titles[at]) + theme.px(10) - widths.last());
        values += widths.last();
        titles += wanted.last();
    }
    const qreal share = titles > 0 ? std::clamp((room - values) / titles, 0.0, 1.0) : 0;
    const qreal rest = (room - values - share * titles) / static_cast<qreal>(std::max<qsizetype>(1, m_titles.size()));
    QList<qreal> ends;
    qreal end = 0;
    for (qsizetype at = 0; at < m_titles.size(); ++at) ends << (end += widths[at] + share * wanted[at] + rest);
    return ends;
}

void ConfigurationTable::paintEvent(QPaintEvent* event) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const QFontMetricsF metrics(theme.small);
    const qreal height = theme.px(kTableLine), left = theme.px(12), numbers = theme.px(28);
    const QList<qreal> ends = columnEnds(width() - 2 * left - numbers);
    const auto cell = [&](qsizetype line, qsizetype at) {
        const qreal begin = at == 0 ? 0 : ends[at - 1];
        return QRectF(left + numbers + begin + theme.px(8), static_cast<qreal>(line) * height,
                      ends[at] - begin - theme.px(8), height);
    };
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    for (qsizetype at = 0; at < m_titles.size(); ++at)
        painter.drawText(cell(0, at), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(m_titles[at], Qt::ElideRight, cell(0, at).width()));
    for (qsizetype line = 0; line < m_rows.size(); ++line) {
        const qreal top = static_cast<qreal>(line + 1) * height;
        if (top + height < event->rect().top() || top > event->rect().bottom()) continue;
        paintHLine(painter, left, top, width() - 2 * left, theme.grid);
        painter.setPen(theme.text3);
        paintTabular(painter, QRectF(left, top, numbers, height), Qt::AlignLeft | Qt::AlignVCenter, theme.small,
                     QString::number(line));
        painter.setPen(theme.text);
        for (qsizetype at = 0; at < m_titles.size(); ++at)
            paintTabular(painter, cell(line + 1, at), Qt::AlignRight | Qt::AlignVCenter, theme.small,
                         metrics.elidedText(m_rows[line].value(at), Qt::ElideRight, cell(0, at).width() + 1));
    }
    painter.setPen(theme.text3);
    painter.drawText(QRectF(left, static_cast<qreal>(m_rows.size() + 1) * height, width() - 2 * left, height),
                     Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(m_last, Qt::ElideRight, width() - 2 * left));
}

} // namespace trainyard::ui
