// SPDX-License-Identifier: GPL-3.0-or-later
// The painted parts of ComponentSheet: still images of parts that need a pointer, an open menu or a run.
#pragma once

#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QWidget>

#include <functional>

namespace trainyard::ui {

// A button held in one state.
class StateButton : public QPushButton {
public:
    StateButton(const QString& text, const char* kind, QStyle::State extra);

protected:
    void initStyleOption(QStyleOptionButton* option) const override;

private:
    QStyle::State m_extra;
};

// A line edit that looks focused.
class FocusedEdit : public QLineEdit {
public:
    using QLineEdit::QLineEdit;

protected:
    void initStyleOption(QStyleOptionFrame* option) const override;
};

// A widget of a fixed size around a paint function.
class Painted : public QWidget {
public:
    Painted(const QSize& size, std::function<void(QPainter&, const QRectF&)> paint);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::function<void(QPainter&, const QRectF&)> m_paint;
};

// The five rows of the runs table, the tooltip, the menu, a palette entry, a swatch, the icons.
QWidget* sampleRows();
QWidget* sampleTooltip();
QWidget* sampleMenu();
QWidget* sampleCurve(int index, const QString& name);
QWidget* sampleSwatch(const QString& name, std::function<QColor(const Theme&)> color);
QWidget* sampleIcons();

} // namespace trainyard::ui
