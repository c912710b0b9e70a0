// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QWidget>

namespace trainyard::ui {

// Colours to choose from, in rows. The arrows move, Return, Space or a click chooses.
class ColorGrid : public QWidget {
    Q_OBJECT
public:
    struct Cell {
        QColor color;
        QString name;         // for its tooltip and for screen readers
        bool isTaken = false; // marked with a dot
    };
    ColorGrid(const QList<Cell>& cells, int columns, QWidget* parent = nullptr);

    // Replaces the colours; the number stays the same.
    void setCells(const QList<Cell>& cells);
    // The chosen colour; -1: none.
    void setChosen(int cell);
    int chosen() const { return m_chosen; }
    int current() const { return m_current; } // the one that Return would choose
    QRect rectOf(int cell) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void picked(int cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    int cellAt(const QPoint& position) const; // -1: none
    void setCurrent(int cell);
    void paintCell(QPainter& painter, int cell) const;

    QList<Cell> m_cells;
    int m_columns;
    int m_chosen = -1;
    int m_current = 0;
    int m_hovered = -1;
};

} // namespace trainyard::ui
