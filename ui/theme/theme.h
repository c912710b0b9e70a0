// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

#include <array>

class QWidget;

namespace trainyard::ui {

// The palette of runs: ten colours of the design, then more, each as far as possible from all before it (distance in
// Oklab) and with a contrast of at least 3 to the card. A colour has the same hue in every theme.
inline constexpr std::size_t kCurveColors = 40;

// The colours of tokens.json, in its order; the build fills one of these per theme.
struct ThemeColors {
    QColor window, panel, card, raised, field;
    QColor control, controlHover, controlPressed, hover;
    QColor border, borderStrong, grid, axis;
    QColor text, text2, text3;
    QColor accent, accentHover, accentPressed, onAccent, accentText;
    QColor selection, selectionInactive, focus;
    QColor success, successBg, successBd;
    QColor warn, warnBg, warnBd;
    QColor error, errorBg, errorBd;
    QColor info, infoBg, infoBd;
    QColor track, segOn, segBd;
    std::array<QColor, 5> seq;
    QColor scrim;
    std::array<QColor, kCurveColors> curves;
};

// Font size and line height in pixels at scale 1.
struct TypeSize {
    int font;
    int line;
};

// Colours of a state.
enum class Status { Neutral, Info, Success, Warn, Error };

// Text, background and border of one status tint.
struct StatusColors {
    QColor text, background, border;
};

// The colour of a run: from the palette of runs, or a user's own, the same in every theme.
struct RunColor {
    int index = 0;   // into the palette
    QRgb custom = 0; // instead; 0: none
    bool operator==(const RunColor&) const = default;
};

// Everything a widget needs in order to draw itself. GUI thread only.
struct Theme : ThemeColors {
    bool dark = false;
    bool highContrast = false;
    qreal scale = 1.0; // of every size; systemFontPx / 13, clamped to 0.9..1.5

    QFont body;    // 13/20, 400
    QFont medium;  // 13/20, 500: buttons, tabs, values
    QFont heading; // 13/20, 600
    QFont small;   // 12/16, 400
    QFont title;   // 16/24, 600
    QFont mono;    // fixed 12: logs, parameter names

    // The theme in use. Valid after ThemeController::install(); before, the light theme at scale 1.
    static const Theme& current();

    // `size` design pixels at the current scale, rounded to whole logical pixels.
    int px(qreal size) const;
    // Colour of the run with this palette index; indices from kCurveColors on wrap around.
    QColor curve(int index) const;
    QColor curve(const RunColor& run) const;
    StatusColors status(Status status) const;
};

// `share` of `over` laid on `under`, as one opaque colour.
QColor mix(const QColor& under, const QColor& over, qreal share);
// WCAG 2.1 contrast ratio of two opaque colours, 1..21.
qreal contrastRatio(const QColor& a, const QColor& b);

// Gives a control its variant, which YardStyle reads: "primary", "flat", "danger" (buttons),
// "error" and "drop" (inputs), "" for the plain look.
void setKind(QWidget* widget, const char* kind);

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
