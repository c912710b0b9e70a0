// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/drawing.h"
#include "ui/theme/theme.h"

#include <QTextObjectInterface>

#ifdef Q_MOC_RUN // which reads no header of Qt
Q_DECLARE_INTERFACE(QTextObjectInterface, "org.qt-project.Qt.QTextObjectInterface")
#endif

class QPainter;

namespace trainyard::ui {

// Paints a drawing of engine/chart at (0, 0), in its own pixels.
void paintDrawing(QPainter& painter, const chart::Drawing& drawing, const ThemeColors& colors, const QString& family);

// The charts of a document: each replaces one character that has the format kind() and the chart's number.
class ChartObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    ChartObject(const ThemeColors& colors, QString family, QObject* parent)
        : QObject(parent), m_colors(colors), m_family(std::move(family)) {}

    static int kind() { return QTextFormat::UserObject + 1; }
    // A character that represents the drawing, `width` document pixels wide.
    QTextCharFormat add(chart::Drawing drawing, qreal width);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    struct Placed {
        chart::Drawing drawing;
        qreal width = 0;
    };
    const ThemeColors& m_colors;
    QString m_family;
    std::vector<Placed> m_drawings{};
};

} // namespace trainyard::ui
