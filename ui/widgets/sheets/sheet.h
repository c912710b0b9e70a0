// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QPointer>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace trainyard::ui {

// A modal surface inside its window: covers it with the scrim and centres a panel of at most
// `maximum`, 48 px off each edge, or 16 px in a small window. Escape and a click on the scrim request closing; Enter
// presses the focused button, or the primary one.
class Sheet : public QWidget {
    Q_OBJECT
public:
    // `window` is the widget to cover; the sheet is its child and follows its size. `maximum` is in pixels at the
    // normal text size.
    Sheet(QWidget* window, const QSize& maximum);

    // Whether a sheet is open over this window: nothing behind it can be reached.
    static bool isOpenOver(const QWidget* window);
    // The button that Enter presses in this sheet; null: there is none now.
    QPushButton* primary() const;
    // No higher than its content needs.
    void setFitsContent() { m_fits = true; }
    // The container of the content; no margins.
    QVBoxLayout* body() const { return m_body; }
    QWidget* panel() const { return m_panel; }
    // Shows with a 120 ms fade and moves the focus inside; Tab stays inside while it is open.
    void open();
    // The widget with the initial focus, even if it is set while the sheet is open; else the first that accepts it.
    void setFirst(QWidget* widget);
    // Hides, returns the focus to where it was (or to the page that is shown now), and emits closed().
    void close();

Q_SIGNALS:
    void closed();

protected:
    // Updates the panel's size and place, after the content of a fitted sheet has changed.
    void reposition();
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void focusInside();
    void followFocus(QWidget* now);
    QWidget* behind() const;

    QSize m_maximum;
    bool m_fits = false;
    QWidget* m_panel;
    QVBoxLayout* m_body;
    QPointer<QWidget> m_before; // had the focus before open()
    QPointer<QWidget> m_first;
    QPixmap m_snapshot; // the panel as grabbed, drawn while it fades in
    qreal m_alpha = 1;
};

} // namespace trainyard::ui
