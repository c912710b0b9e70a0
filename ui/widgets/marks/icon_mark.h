// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace trainyard::ui {

// An icon that stands by itself, in a colour of the theme that is looked up each time it is painted: it follows a
// change of theme and is crisp on every screen.
class IconMark : public QWidget {
    Q_OBJECT
public:
    using ThemeColor = QColor Theme::*;

    // `pixels`: logical pixels of its side.
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
