// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QStyle>
#include <QVariant>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

#include "theme_tokens.inc"

namespace {

Theme& mutableCurrent() {
    static Theme theme = buildTheme({});
    return theme;
}

QFont sized(const QString& family, int px, QFont::Weight weight, qreal scale) {
    QFont font;
    if (!family.isEmpty()) font.setFamily(family);
    font.setPixelSize(static_cast<int>(std::lround(px * scale)));
    font.setWeight(weight);
    return font;
}

qreal linear(qreal channel) { return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

qreal luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

// Towards the colour of texts, until it stands out from every surface.
void strengthen(QColor& color, const ThemeColors& of, double ratio) {
    const auto isClear = [&] {
        return std::ranges::all_of(std::array{of.window, of.panel, of.card, of.raised},
                                   [&](const QColor& surface) { return contrastRatio(color, surface) >= ratio; });
    };
    constexpr int kSteps = 20;
    const QColor before = color;
    for (int step = 1; step <= kSteps && !isClear(); ++step)
        color = mix(before, of.text, static_cast<double>(step) / kSteps);
}

// Rule: the contrast that people ask for.
// Texts of 7:1 (WCAG AAA), and edges of 3:1.
void strengthen(ThemeColors& colors) {
    for (QColor* text :
         {&colors.text2, &colors.text3, &colors.accentText, &colors.error, &colors.warn, &colors.success})
        strengthen(*text, colors, 7);
    for (QColor* edge : {&colors.border, &colors.borderStrong}) strengthen(*edge, colors, 3);
}

} // namespace

Theme buildTheme(const ThemeRequest& request) {
    Theme theme;
    static_cast<ThemeColors&>(theme) = request.dark ? darkColors() : lightColors();
    theme.dark = request.dark;
    theme.highContrast = request.highContrast;
    theme.scale = std::clamp(request.scale, 0.9, 1.5);
    if (request.highContrast) strengthen(theme);
    const auto font = [&](const TypeSize& size, QFont::Weight weight) {
        return sized(request.family, size.font, weight, theme.scale);
    };
    theme.body = font(k_body, QFont::Normal);
    theme.medium = font(k_body, QFont::Medium);
    theme.heading = font(k_body, QFont::DemiBold);
    theme.small = font(k_small, QFont::Normal);
    theme.title = font(k_title, QFont::DemiBold);
    if (qGuiApp != nullptr) theme.mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    theme.mono.setPixelSize(theme.small.pixelSize());
    theme.mono.setWeight(QFont::Normal);
    return theme;
}

void setCurrentTheme(const Theme& theme) { mutableCurrent() = theme; }

const Theme& Theme::current() { return mutableCurrent(); }

int Theme::px(qreal size) const { return static_cast<int>(std::lround(size * scale)); }

QColor Theme::curve(int index) const {
    const int count = static_cast<int>(curves.size());
    return curves[static_cast<std::size_t>(((index % count) + count) % count)];
}

QColor Theme::curve(const RunColor& run) const { return run.custom != 0 ? QColor(run.custom) : curve(run.index); }

StatusColors Theme::status(Status status) const {
    switch (status) {
    case Status::Info: return {info, infoBg, infoBd};
    case Status::Success: return {success, successBg, successBd};
    case Status::Warn: return {warn, warnBg, warnBd};
    case Status::Error: return {error, errorBg, errorBd};
    case Status::Neutral: break;
    }
    return {text2, selectionInactive, border};
}

QColor mix(const QColor& under, const QColor& over, qreal share) {
    const auto channel = [share](int a, int b) { return static_cast<int>(std::lround(a * (1.0 - share) + b * share)); };
    return QColor(channel(under.red(), over.red()), channel(under.green(), over.green()),
                  channel(under.blue(), over.blue()));
}

qreal contrastRatio(const QColor& a, const QColor& b) {
    const qreal la = luminance(a);
    const qreal lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

void setKind(QWidget* widget, const char* kind) {
    widget->setProperty("kind", QByteArray(kind));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->updateGeometry();
    widget->update();
}

} // namespace trainyard::ui
