// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace trainyard::ui {

// A standalone icon in a theme colour, looked up at each paint, so that it follows the theme and is crisp on every
// screen.
class IconMark : public QWidget {
    Q_OBJECT
public:
    using ThemeColor = QColor Theme::*;

    // `pixels`: its side in logical pixels.
    explicit IconMark(const QString& name, int pixels = 16, ThemeColor color = &Theme::text2,
                      QWidget* parent = nullptr);
    void set(const QString& name, ThemeColor color);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
    ThemeColor m_color;
};

} // namespace trainyard::ui
