// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVariant>

class QApplication;

namespace trainyard::ui {

// Light, dark or the system's.
enum class ThemeMode { System, Light, Dark };

// Owns Theme::current(): chooses light or dark, and puts palette, fonts and style on the
// application. One per process, GUI thread.
class ThemeController : public QObject {
    Q_OBJECT
public:
    static ThemeController& instance();

    // Installs style, palette and fonts. Call once, after the QApplication is built and before the
    // first widget. The environment variable TRAINYARD_THEME=light|dark overrides the mode.
    void install(QApplication& app);

    ThemeMode mode() const { return m_mode; }
    void setMode(ThemeMode mode);
    // Raises the contrast of field frames ("More contrast" in the settings).
    void setHighContrast(bool on);

Q_SIGNALS:
    // After Theme::current() changed; widgets that cache colours rebuild them.
    void changed();

private:
    ThemeController() = default;
    void watchSystem();
    void apply();
    void readPortal();
    bool systemIsDark() const;

    bool m_installed = false;
    ThemeMode m_mode = ThemeMode::System;
    bool m_highContrast = false;
    bool m_portalContrast = false;
    int m_portalScheme = -1; // org.freedesktop.appearance color-scheme; -1 = no portal
    bool m_paletteIsDark = false;
};

} // namespace trainyard::ui
