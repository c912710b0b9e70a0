// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QColor>

namespace trainyard::ui {

// The chip of a run's colour as a button.
class ColorChip : public QAbstractButton {
    Q_OBJECT
public:
    explicit ColorChip(const QString& accessibleName, QWidget* parent = nullptr);
    void setColor(const QColor& color);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor m_color;
};

} // namespace trainyard::ui
