// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace trainyard::ui {

// An on/off switch, 28x16, with an optional label at its right. Space toggles it.
class Switch : public QAbstractButton {
    Q_OBJECT
public:
    explicit Switch(const QString& label = QString(), QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace trainyard::ui
