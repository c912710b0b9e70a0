// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace trainyard::ui {

// The 2-px ring around the control with the keyboard focus. A style can only draw inside a control, so the ring is a
// transparent sibling above it.
class FocusRing : public QWidget {
    Q_OBJECT
public:
    // Follows the application's keyboard focus from now on. Call once, after the style is set.
    static void install();
    // Puts a lasting ring around one control (component sheet).
    static FocusRing* attach(QWidget* target);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit FocusRing(QWidget* parent);
    void follow(QWidget* target);
    void reposition();

    QPointer<QWidget> m_target;
};

} // namespace trainyard::ui
