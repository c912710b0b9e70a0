// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/figure_strip.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kFigureLine = 52, kFigureRoom = 20; // height of a line; between two figures

} // namespace

FigureStrip::FigureStrip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fit();
}

void FigureStrip::setFigures(const QList<Figure>& figures) {
    if (figures == m_figures) return;
    m_figures = figures;
    QStringList spoken;
    for (const Figure& each : figures) spoken << each.name + QLatin1Char(' ') + each.value;
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    fit();
    update();
}

// As many as the widest one allows.
int FigureStrip::columns() const {
    const Theme& theme = Theme::current();
    qreal widest = theme.px(72);
    for (const Figure& each : m_figures)
        widest = std::max({widest, tabularWidth(theme.title, each.value), tabularWidth(theme.small, each.name)});
    const int room = static_cast<int>(widest) + theme.px(kFigureRoom);
    return std::clamp((width() - theme.px(24)) / std::max(1, room), 1, std::max(1, static_cast<int>(m_figures.size())));
}

QRect FigureStrip::placeOf(int figure) const {
    const Theme& theme = Theme::current();
    const int across = columns(), wide = (width() - theme.px(24)) / across;
    return {theme.px(12) + figure % across * wide, theme.px(8) + figure / across * theme.px(kFigureLine),
            wide - theme.px(8), theme.px(kFigureLine)};
}

void FigureStrip::fit() {
    const int lines = (static_cast<int>(m_figures.size()) + columns() - 1) / columns();
    setFixedHeight(std::max(1, lines) * Theme::current().px(kFigureLine) + Theme::current().px(8));
}

void FigureStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void FigureStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    for (int i = 0; i < m_figures.size(); ++i) {
        const Figure& each = m_figures[i];
        const QRectF place = mirrored(layoutDirection(), rect(), placeOf(i));
        painter.setPen(each.isBad ? theme.error : theme.text);
        paintTabular(painter, place.adjusted(0, 0, 0, -theme.px(26)), Qt::AlignLeft | Qt::AlignVCenter, theme.title,
                     QFontMetrics(theme.title).elidedText(each.value, Qt::ElideRight, static_cast<int>(place.width())));
        painter.setPen(theme.text2);
        paintTabular(painter, place.adjusted(0, theme.px(24), 0, -theme.px(10)), Qt::AlignLeft | Qt::AlignVCenter,
                     theme.small,
                     QFontMetrics(theme.small).elidedText(each.name, Qt::ElideRight, static_cast<int>(place.width())));
    }
}

bool FigureStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < m_figures.size(); ++i)
        if (mirrored(layoutDirection(), rect(), placeOf(i)).contains(help->pos()) && !m_figures[i].tip.isEmpty()) {
            QToolTip::showText(help->globalPos(), m_figures[i].tip, this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

} // namespace trainyard::ui
