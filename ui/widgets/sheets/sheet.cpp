// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sheets/sheet.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/sheets/tab_order.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QVariantAnimation>
#include <QVBoxLayout>

#include <algorithm>

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
    const auto fitted = [&theme](int wanted, int room) { // a small window has no space to waste at its edges
        return std::min(theme.px(wanted),
                        room - 2 * std::clamp((room - theme.px(wanted)) / 2, theme.px(16), theme.px(48)));
    };
    QSize size(fitted(m_maximum.width(), width()), fitted(m_maximum.height(), height()));
    if (m_fits) {
        for (QWidget* content : m_panel->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (content->layout()) content->layout()->activate(); // what was hidden or shown in it a moment ago
        m_body->activate();
        const int needed =
            m_body->hasHeightForWidth() ? m_body->totalHeightForWidth(size.width()) : m_body->totalSizeHint().height();
        size.setHeight(std::min(size.height(), needed));
    }
    m_panel->setGeometry(QRect(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size));
}

void Sheet::open() {
    m_before = QApplication::focusWidget();
    if (accessibleName().isEmpty()) setAccessibleName(m_panel->accessibleName()); // a click beside it takes the focus
    reposition();
    raise();
    show();
    focusInside();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });
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
        focusInside(); // hiding the panel removed it
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

// What the sheet covers; its focus proxy is the page.
QWidget* Sheet::behind() const {
    auto* main = qobject_cast<QMainWindow*>(parentWidget());
    return main && main->centralWidget() ? main->centralWidget() : parentWidget();
}

// A page that is brought up while the sheet is open has the focus after it.
void Sheet::followFocus(QWidget* now) {
    if (now == nullptr || now == this || isAncestorOf(now) || now->window() != window()) return;
    for (const QWidget* each = now; each; each = each->parentWidget())
        if (qobject_cast<const Sheet*>(each)) return; // it covers this one
    m_before = now;
}

void Sheet::close() {
    disconnect(qApp, &QApplication::focusChanged, this, nullptr);
    hide();
    QWidget* before = std::exchange(m_before, nullptr);
    if (before == nullptr || !before->isVisible()) before = behind();
    before->setFocus(Qt::OtherFocusReason);
    Q_EMIT closed();
}

bool Sheet::focusNextPrevChild(bool next) {
    moveFocus(m_panel, next); // Tab cannot leave the sheet
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
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || event->isAutoRepeat() || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    auto* focused = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
    if (focused && m_panel->isAncestorOf(focused)) return focused->click();
    if (auto* go = primary()) go->click();
}

bool Sheet::isOpenOver(const QWidget* window) {
    const auto sheets = window->findChildren<const Sheet*>();
    return std::any_of(sheets.begin(), sheets.end(), [](const Sheet* sheet) { return sheet->isVisible(); });
}

// Also while the panel is hidden because it fades in: who types fast need not wait.
QPushButton* Sheet::primary() const {
    if (!isVisible()) return nullptr;
    for (auto* each : m_panel->findChildren<QPushButton*>())
        if (each->property("kind").toByteArray() == "primary" && each->isVisibleTo(m_panel) && each->isEnabled())
            return each;
    return nullptr;
}

bool Sheet::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) reposition();
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard::ui
