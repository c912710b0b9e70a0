// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QList>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <optional>

class QPushButton;

namespace trainyard::ui {

// One run's value at the crosshair.
struct HeaderValue {
    QColor color;
    QString text;

    bool operator==(const HeaderValue&) const = default;
};

// Title, tag and note of a chart; at the right the values at the crosshair, which give way to the chart's actions while
// the pointer or the keyboard is on the header. On a board, dragging it moves the chart.
class ChartHeader : public QWidget {
    Q_OBJECT
public:
    explicit ChartHeader(const QString& title, QWidget* parent = nullptr);

    // Several names, such as the series of a chart: each after a piece of its line (PlotLayer's dashOf()).
    void setTitles(const QStringList& titles);
    // On a board: it has a menu, and can be dragged.
    void setOnBoard(bool on);
    // A pin in front of the title.
    void setPinned(bool on);
    // Place for the chart's menu, in screen pixels.
    QPoint menuPosition() const;
    void setTag(const QString& tag);
    QString tag() const { return m_tag; }
    void setNote(const QString& note);
    // `atOnce`: they follow the pointer. Otherwise they change no faster than they can be read.
    void setValues(const QList<HeaderValue>& values, bool atOnce = true);
    void setLogChecked(bool on);
    QSize sizeHint() const override;

Q_SIGNALS:
    void logToggled(bool on);
    void exportRequested();
    void expandRequested();
    void menuRequested(const QPoint& position); // on the screen
    // The pointer's place on the screen; `dropped` once the button is released.
    void dragged(const QPoint& position, bool dropped);
    void dragCancelled(); // by Escape

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPushButton* addButton(const QString& iconName, const QString& text, const QString& name);
    void showActions();
    void endDrag();
    void fitTitles(qreal room);
    QRectF placed(const QRectF& box) const;
    qreal actionsBegin() const;
    qreal paintTitles(QPainter& painter, const QRectF& area);

    struct FittedTitle {
        QString text;
        qreal width = 0;
    };
    QStringList m_titles;
    QList<FittedTitle> m_fitted; // elided to the available width
    qreal m_fittedRoom = -1;
    QFont m_fittedFont;
    QString m_tag, m_note;
    QList<HeaderValue> m_values;
    QTimer m_read;              // runs while the user reads the shown values
    bool m_late = false;        // newer values are waiting
    bool m_isOfPointer = false; // the values
    QList<QPushButton*> m_buttons;
    QPushButton* m_log = nullptr;
    QPushButton* m_menu = nullptr;
    std::optional<QPoint> m_pressed; // where the button went down, on the screen
    bool m_dragging = false;
    bool m_onBoard = false;
    bool m_actions = false;
    bool m_pinned = false;
};

} // namespace trainyard::ui
