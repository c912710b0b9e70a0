// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sheet.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QStyle>
#include <QVariantAnimation>
#include <QVBoxLayout>

namespace trainyard::ui {

namespace {

class SheetPanel : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        paintFrame(painter, rect(), 6, theme.panel, theme.borderStrong);
    }
};

void collectItems(QLayout* layout, QList<QWidget*>& widgets) {
    for (int i = 0; layout != nullptr && i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (item->widget() != nullptr) widgets << item->widget();
        else collectItems(item->layout(), widgets);
    }
}

// What Tab can reach in a widget, in the order of its layout; then what is in no layout.
void collectByLayout(QWidget* widget, QList<QWidget*>& order) {
    if (!widget->isVisible() || !widget->isEnabled() || widget->isWindow()) return;
    if ((widget->focusPolicy() & Qt::TabFocus) && widget->focusProxy() == nullptr) order << widget;
    QList<QWidget*> children;
    collectItems(widget->layout(), children);
    for (auto* child : widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (!children.contains(child)) children << child;
    for (auto* child : std::as_const(children)) collectByLayout(child, order);
}

QScrollArea* areaAround(QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(widget)) return area;
    return nullptr;
}

} // namespace

Sheet::Sheet(QWidget* window, const QSize& maximum) : QWidget(window), m_maximum(maximum) {
    m_panel = new SheetPanel(this);
    m_body = new QVBoxLayout(m_panel);
    m_body->setContentsMargins(1, 1, 1, 1);
    m_body->setSpacing(0);
    setFocusPolicy(Qt::StrongFocus);
    window->installEventFilter(this);
    hide();
}

void Sheet::reposition() {
    const Theme& theme = Theme::current();
    setGeometry(parentWidget()->rect());
    const int margin = 2 * theme.px(48);
    const QSize size(std::min(theme.px(m_maximum.width()), width() - margin),
                     std::min(theme.px(m_maximum.height()), height() - margin));
    m_panel->setGeometry(QRect(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size));
}

void Sheet::open() {
    m_before = QApplication::focusWidget();
    reposition();
    raise();
    show();
    focusInside();
    if (style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0) return;
    m_snapshot = m_panel->grab();
    m_panel->hide();
    auto* fade = new QVariantAnimation(this);
    fade->setDuration(120);
    fade->setStartValue(0.0);
    fade->setEndValue(1.0);
    connect(fade, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_alpha = value.toDouble();
        update();
    });
    connect(fade, &QVariantAnimation::finished, this, [this] {
        m_snapshot = QPixmap();
        m_panel->show();
        focusInside(); // hiding the panel took it away
    });
    fade->start(QAbstractAnimation::DeleteWhenStopped);
}

void Sheet::setFirst(QWidget* widget) {
    m_first = widget;
    if (isVisible()) focusInside();
}

void Sheet::focusInside() {
    if (m_first) {
        m_first->setFocus(Qt::OtherFocusReason);
        return;
    }
    setFocus();
    focusNextPrevChild(true);
}

void Sheet::close() {
    hide();
    if (m_before != nullptr && QApplication::allWidgets().contains(m_before)) m_before->setFocus();
    m_before = nullptr;
    Q_EMIT closed();
}

bool Sheet::focusNextPrevChild(bool next) {
    // As the eye goes, whenever a widget was made; Tab cannot leave the sheet.
    QList<QWidget*> order;
    collectByLayout(m_panel, order);
    if (order.isEmpty()) return true;
    const auto at = order.indexOf(QApplication::focusWidget());
    const auto count = order.size();
    const auto to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : count - 1)) % count;
    order[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    if (auto* area = areaAround(order[to])) area->ensureWidgetVisible(order[to]);
    return true;
}

void Sheet::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor scrim = Theme::current().scrim;
    const bool fading = !m_snapshot.isNull();
    if (fading) scrim.setAlphaF(static_cast<float>(static_cast<qreal>(scrim.alphaF()) * m_alpha));
    painter.fillRect(rect(), scrim);
    if (fading) {
        painter.setOpacity(m_alpha);
        painter.drawPixmap(m_panel->pos(), m_snapshot);
    }
}

void Sheet::mousePressEvent(QMouseEvent* event) {
    if (!m_panel->geometry().contains(event->position().toPoint())) close();
}

void Sheet::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

bool Sheet::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) reposition();
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard::ui
