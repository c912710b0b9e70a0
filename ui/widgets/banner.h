// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace trainyard::ui {

class Label;

// A message, one line of evidence, and at most two buttons; part of the layout, never floating.
class Banner : public QWidget {
    Q_OBJECT
public:
    Banner(Status status, const QString& cause, const QString& evidence = QString(), QWidget* parent = nullptr);

    void setMessage(Status status, const QString& cause, const QString& evidence);
    // Adds a button at the right; the last one added is the fix. `primary` is honoured only in an
    // error banner. Returns the button, for connecting.
    QPushButton* addButton(const QString& text, bool primary = false);
    // Removes all buttons.
    void clearButtons();
    // Shows a close button; dismissed() follows a press, and the banner hides.
    void setClosable(bool on);
    // Shows the banner, fading in over 150 ms unless animations are off.
    void appear();

Q_SIGNALS:
    void dismissed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Status m_status;
    Label* m_cause;
    Label* m_evidence;
    QHBoxLayout* m_row;
    QHBoxLayout* m_buttons;
    QPushButton* m_close = nullptr;
    qreal m_veil = 0; // share of the window colour laid over the banner while it fades in
};

} // namespace trainyard::ui
