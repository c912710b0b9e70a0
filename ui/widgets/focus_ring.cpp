// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_ring.h"

#include "ui/theme/paint.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QSlider>
#include <QTabBar>

namespace trainyard::ui {

namespace {

constexpr int kReach = 3; // 1 px gap + 2 px ring

// Inputs show the focus in their own frame, views in their current row.
bool wantsRing(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr || qobject_cast<const QSlider*>(widget) != nullptr ||
           qobject_cast<const QTabBar*>(widget) != nullptr || widget->inherits("trainyard::ui::SegmentedControl") ||
           widget->inherits("trainyard::ui::OverviewStrip") || widget->inherits("trainyard::ui::ChartWidget");
}

// Whether the last press was a key. Qt's own flag (WA_KeyboardFocusChange) stays set once the keyboard was used, so a
// button clicked later would get a ring.
class LastInput : public QObject {
public:
    explicit LastInput(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }
    bool wasKey() const { return m_key; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) m_key = true;
        else if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::TouchBegin) m_key = false;
        return false;
    }

private:
    bool m_key = false;
};

// The nearest ancestor in which the whole ring fits, but never past a scrolled surface.
QWidget* hostFor(QWidget* target) {
    QWidget* host = target->parentWidget();
    while (host != nullptr && !host->isWindow() && host->parentWidget() != nullptr) {
        const QRect ring(target->mapTo(host, QPoint()), target->size());
        if (host->rect().contains(ring.adjusted(-kReach, -kReach, kReach, kReach)) ||
            qobject_cast<QAbstractScrollArea*>(host->parentWidget()) != nullptr) {
            break;
        }
        host = host->parentWidget();
    }
    return host;
}

} // namespace

FocusRing::FocusRing(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void FocusRing::install() {
    static QPointer<FocusRing> ring;
    const auto* input = new LastInput(qApp);
    connect(qApp, &QApplication::focusChanged, input, [input](QWidget*, QWidget* now) {
        delete ring;
        if (now != nullptr && wantsRing(now) && now->parentWidget() != nullptr && input->wasKey()) ring = attach(now);
    });
}

FocusRing* FocusRing::attach(QWidget* target) {
    auto* ring = new FocusRing(hostFor(target));
    ring->follow(target);
    return ring;
}

void FocusRing::follow(QWidget* target) {
    m_target = target;
    for (QWidget* widget = target; widget != nullptr && widget != parentWidget(); widget = widget->parentWidget())
        widget->installEventFilter(this);
    reposition();
}

void FocusRing::reposition() {
    if (m_target == nullptr || parentWidget() == nullptr) return;
    const QRect box(m_target->mapTo(parentWidget(), QPoint()), m_target->size());
    setGeometry(box.adjusted(-kReach, -kReach, kReach, kReach));
    raise();
    setVisible(m_target->isVisibleTo(parentWidget()));
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide: reposition(); break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool round = m_target != nullptr && m_target->inherits("trainyard::ui::Switch");
    const QRectF inner = QRectF(rect()).adjusted(kReach, kReach, -kReach, -kReach);
    paintFocusRing(painter, inner, round ? inner.height() / 2 : 4);
}

} // namespace trainyard::ui
