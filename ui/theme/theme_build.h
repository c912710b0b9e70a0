// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

namespace trainyard::ui {

// ThemeController's choices; buildTheme() turns them into colours, fonts and sizes.
struct ThemeRequest {
    bool dark = false;
    bool highContrast = false;
    qreal scale = 1.0;   // clamped to 0.9..1.5
    QString family = {}; // empty = the application's font
};

// A theme from the tokens. Needs no application unless fonts are drawn with it.
Theme buildTheme(const ThemeRequest& request);

// Replaces Theme::current(); ThemeController is the one caller outside tests.
void setCurrentTheme(const Theme& theme);

} // namespace trainyard::ui
