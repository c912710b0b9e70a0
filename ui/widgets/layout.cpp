// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QSplitter>
#include <QToolTip>
#include <QVariant>

#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr const char* kKept = "columnsKept";
constexpr int kMiddle = 710, kLast = 296, kMostFirst = 420; // design pixels

} // namespace

Surface::Surface(SurfaceColor color, int edges, QWidget* parent) : QWidget(parent), m_color(color), m_edges(edges) {}

void Surface::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), m_color == SurfaceColor::Window  ? theme.window
                             : m_color == SurfaceColor::Panel ? theme.panel
                                                              : theme.card);
    const qreal w = width();
    const qreal h = height();
    if (m_edges & LeftEdge) paintVLine(painter, 0, 0, h, theme.border);
    if (m_edges & RightEdge) paintVLine(painter, w - 1, 0, h, theme.border);
    if (m_edges & TopEdge) paintHLine(painter, 0, 0, w, theme.border);
    if (m_edges & BottomEdge) paintHLine(painter, 0, h - 1, w, theme.border);
}

QVBoxLayout* column(QWidget* widget, int spacing) {
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::current().px(spacing));
    return layout;
}

QHBoxLayout* row(QWidget* widget, int spacing) {
    auto* layout = widget ? new QHBoxLayout(widget) : new QHBoxLayout;
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::current().px(spacing));
    return layout;
}

void setMargins(QLayout* layout, int left, int top, int right, int bottom) {
    const Theme& theme = Theme::current();
    layout->setContentsMargins(theme.px(left), theme.px(top), theme.px(right), theme.px(bottom));
}

QToolButton* iconButton(const QString& iconName, const QString& name, const QString& shortcut, QWidget* parent) {
    auto* tool = new QToolButton(parent);
    tool->setIcon(icon(iconName));
    tool->setAccessibleName(name);
    tool->setToolTip(shortcut.isEmpty() ? name : name + QLatin1String("  ") + shortcut);
    tool->setProperty("kind", "flat");
    tool->setAutoRaise(true);
    const int side = Theme::current().px(28);
    tool->setFixedSize(side, side);
    tool->setFocusPolicy(Qt::TabFocus);
    return tool;
}

QPushButton* button(const QString& text, const QString& iconName, const char* kind) {
    auto* push = new QPushButton(text);
    if (!iconName.isEmpty())
        push->setIcon(qstrcmp(kind, "primary") == 0 ? icon(iconName, Theme::current().onAccent) : icon(iconName));
    setKind(push, kind);
    return push;
}

PairList::PairList(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); }

void PairList::setPairs(const QList<Pair>& pairs) {
    if (pairs == m_pairs) return;
    const bool taller = pairs.size() != m_pairs.size();
    m_pairs = pairs;
    QStringList spoken;
    for (const Pair& pair : pairs) spoken << pair.name + QLatin1String(": ") + pair.value;
    setAccessibleDescription(spoken.join(QLatin1String("; ")));
    if (taller) updateGeometry();
    update();
}

QSize PairList::sizeHint() const {
    return {Theme::current().px(160), static_cast<int>(m_pairs.size()) * Theme::current().px(24)};
}

QSize PairList::minimumSizeHint() const { return {Theme::current().px(80), sizeHint().height()}; }

void PairList::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    const QFont font = fontOf(TextRole::Small);
    const QFontMetricsF metrics(font);
    const qreal lineHeight = theme.px(24);
    for (qsizetype i = 0; i < m_pairs.size(); ++i) {
        const QRectF line(0, static_cast<qreal>(i) * lineHeight, width(), lineHeight);
        const qreal beside = width() - metrics.horizontalAdvance(m_pairs[i].name) - theme.px(8);
        const qreal valueWidth = std::min(tabularWidth(font, m_pairs[i].value), std::max(beside, width() * 0.72));
        painter.setFont(font);
        painter.setPen(theme.text2);
        const QString name = metrics.elidedText(m_pairs[i].name, Qt::ElideRight, width() - valueWidth - theme.px(8));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setPen(theme.text);
        const QString value = metrics.elidedText(m_pairs[i].value, Qt::ElideMiddle, valueWidth + 1);
        paintTabular(painter, line, Qt::AlignRight | Qt::AlignVCenter, font, value);
    }
}

bool PairList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto at = help->pos().y() / Theme::current().px(24);
        if (at >= 0 && at < m_pairs.size()) {
            const Pair& pair = m_pairs[at];
            QToolTip::showText(help->globalPos(),
                               pair.tip.isEmpty() ? pair.name + QLatin1String(": ") + pair.value : pair.tip, this);
        }
        return true;
    }
    return QWidget::event(event);
}

QScrollArea* scrolled(QWidget* content, const QString& accessibleName) {
    auto* area = new QScrollArea;
    area->setAccessibleName(accessibleName);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    area->setWidget(content);
    content->setAutoFillBackground(false);
    return area;
}

void fitColumns(QSplitter& splitter, int width, int least) {
    if (keepsColumns(splitter)) return;
    const Theme& theme = Theme::current();
    const int last = theme.px(kLast);
    const int most = std::max({theme.px(kMostFirst), theme.px(least), width / 4});
    const int first = std::clamp(width - theme.px(kMiddle) - last, theme.px(least), most);
    splitter.setSizes({first, std::max(1, width - first - last), last});
}

void keepColumns(QSplitter& splitter) { splitter.setProperty(kKept, true); }

bool keepsColumns(const QSplitter& splitter) { return splitter.property(kKept).toBool(); }

} // namespace trainyard::ui
