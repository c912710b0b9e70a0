// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/vary_toggle.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr qreal kFaint = 0.55; // opacity of the icon at rest, because there may be twenty of them

// The field in its row that Tab reaches before it.
QWidget* fieldBefore(const QWidget& toggle, const QWidget* row) {
    for (QWidget* each = toggle.previousInFocusChain(); each != &toggle; each = each->previousInFocusChain()) {
        const bool isReached = each->isEnabled() && each->isVisible() && (each->focusPolicy() & Qt::TabFocus) != 0;
        if (isReached && row && row->isAncestorOf(each)) return each;
    }
    return nullptr;
}

} // namespace

VaryToggle::VaryToggle(const QString& title, QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Vary %1").arg(title));
    setToolTip(tr("Vary %1: try several values, one trial each (Alt+V)").arg(title));
    connect(qApp, &QApplication::focusChanged, this, [this] { update(); });
}

QSize VaryToggle::sizeHint() const { return {Theme::current().px(kWidth), Theme::current().px(28)}; }

VaryToggle* VaryToggle::ofField(QWidget* form, QWidget* field) {
    if (field == nullptr || !form->isAncestorOf(field)) return nullptr;
    if (auto* own = qobject_cast<VaryToggle*>(field)) return own;
    for (QWidget* each = field->nextInFocusChain(); each != field; each = each->nextInFocusChain())
        if (auto* toggle = qobject_cast<VaryToggle*>(each))
            return toggle->parentWidget()->isAncestorOf(field) ? toggle : nullptr;
    return nullptr;
}

void VaryToggle::checkStateSet() { setFocusPolicy(isChecked() ? Qt::TabFocus : Qt::NoFocus); }

// A varied field is disabled: the toggle takes its place, and gives it back.
void VaryToggle::nextCheckState() {
    const QWidget* focus = QApplication::focusWidget();
    const bool inRow = m_row && focus && m_row->isAncestorOf(focus);
    QAbstractButton::nextCheckState();
    checkStateSet();
    if (inRow && isChecked()) setFocus(Qt::OtherFocusReason);
    else if (hasFocus())
        if (QWidget* field = fieldBefore(*this, m_row)) field->setFocus(Qt::OtherFocusReason);
}

void VaryToggle::setSweeping(bool on) {
    if (std::exchange(m_sweeping, on) != on) update();
}

void VaryToggle::watchRow() {
    if (m_row == parentWidget()) return;
    if (m_row) m_row->removeEventFilter(this);
    m_row = parentWidget();
    if (m_row) m_row->installEventFilter(this);
}

bool VaryToggle::event(QEvent* event) {
    if (event->type() == QEvent::ParentChange) watchRow();
    return QAbstractButton::event(event);
}

bool VaryToggle::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
        m_near = event->type() == QEvent::Enter;
        update();
    }
    return QAbstractButton::eventFilter(watched, event);
}

void VaryToggle::paintEvent(QPaintEvent*) {
    if (!isEnabled()) return;
    const QWidget* focus = QApplication::focusWidget();
    const bool inRow = m_row && focus && m_row->isAncestorOf(focus);
    const Theme& theme = Theme::current();
    const bool faint = !m_sweeping && !m_near && !inRow && !theme.highContrast;
    const QColor quiet = faint ? mix(theme.panel, theme.text3, kFaint) : theme.text3;
    QPainter painter(this);
    const QRectF box = centered(rect(), theme.px(20));
    if (isChecked()) paintFrame(painter, box, 4, theme.selection, QColor());
    else if (underMouse()) paintFrame(painter, box, 4, theme.controlHover, QColor());
    const QColor color = isChecked() ? theme.accentText : underMouse() || hasFocus() ? theme.text : quiet;
    paintIcon(painter, QStringLiteral("sweeps"), centered(rect(), theme.px(16)), color);
}

} // namespace trainyard::ui
