// SPDX-License-Identifier: GPL-3.0-or-later
// Small helpers for layouts.
#pragma once

#include "ui/theme/theme.h"
#include "ui/widgets/label.h"

#include <QBoxLayout>
#include <QFrame>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

class QSplitter;

namespace trainyard::ui {

// The background of a Surface.
enum class SurfaceColor { Window, Panel, Card };
enum Edge { NoEdge = 0, LeftEdge = 1, TopEdge = 2, RightEdge = 4, BottomEdge = 8 };

// A plain background with 1-px lines on some edges; follows the theme.
class Surface : public QWidget {
    Q_OBJECT
public:
    explicit Surface(SurfaceColor color, int edges = NoEdge, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    SurfaceColor m_color;
    int m_edges;
};

// A box layout without margins; spacing in design pixels.
QVBoxLayout* column(QWidget* widget, int spacing = 0);
QHBoxLayout* row(QWidget* widget = nullptr, int spacing = 0);
// Margins in design pixels.
void setMargins(QLayout* layout, int left, int top, int right, int bottom);

// A 28-px icon button with tooltip and accessible name.
QToolButton* iconButton(const QString& iconName, const QString& name, const QString& shortcut = {},
                        QWidget* parent = nullptr);
QPushButton* button(const QString& text, const QString& iconName = {}, const char* kind = "");

// Names at the left in text2, values at the right, 20 px a line; the mouse can select values.
class PairList : public QWidget {
    Q_OBJECT
public:
    explicit PairList(QWidget* parent = nullptr);
    struct Pair {
        QString name, value, tip;
        bool operator==(const Pair&) const = default;
    };
    void setPairs(const QList<Pair>& pairs);
    const QList<Pair>& pairs() const { return m_pairs; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QList<Pair> m_pairs;
};

// A scroll area without a frame around `content`, on its parent's background. It needs a name unless it accepts no
// focus.
QScrollArea* scrolled(QWidget* content, const QString& accessibleName = {});

// Gives the first of three columns the spare width of a page that is `width` pixels wide, from `least` design pixels up
// to a quarter of a wide page: names are longer than `least`, and the charts in the middle need only two columns. The
// user's choice stays: nothing happens once a handle was moved, or after keepColumns().
void fitColumns(QSplitter& splitter, int width, int least);
void keepColumns(QSplitter& splitter);
bool keepsColumns(const QSplitter& splitter);

} // namespace trainyard::ui
