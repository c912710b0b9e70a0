// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QColor>

namespace trainyard::ui {

// A page in the rail: 36x36 with a 20-px icon; checked = current page.
class RailButton : public QAbstractButton {
    Q_OBJECT
public:
    // `name` is the accessible name; the tooltip adds the shortcut.
    RailButton(const QString& iconName, const QString& name, const QString& shortcut = QString(),
               QWidget* parent = nullptr);

    // A dot in a run's colour while a run trains; an invalid colour removes it.
    void setDot(const QColor& color);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_icon;
    QColor m_dot;
};

} // namespace trainyard::ui
