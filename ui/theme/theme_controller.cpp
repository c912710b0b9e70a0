// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme_controller.h"

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QStyleHints>

#ifdef TRAINYARD_HAVE_DBUS
#include "ui/theme/desktop_portal.h"
#endif

static void loadResources() { Q_INIT_RESOURCE(trainyard); }

namespace trainyard::ui {

namespace {

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    const auto all = [&palette](QPalette::ColorRole role, const QColor& color) { palette.setColor(role, color); };
    all(QPalette::Window, theme.window);
    all(QPalette::Base, theme.field);
    all(QPalette::AlternateBase, theme.panel);
    all(QPalette::Button, theme.control);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        all(role, theme.text);
        palette.setColor(QPalette::Disabled, role, theme.text3);
    }
    all(QPalette::BrightText, theme.text);
    all(QPalette::PlaceholderText, theme.text3);
    all(QPalette::Highlight, theme.selection);
    all(QPalette::HighlightedText, theme.text);
    all(QPalette::Link, theme.accentText);
    all(QPalette::LinkVisited, theme.accentText);
    all(QPalette::ToolTipBase, theme.raised);
    all(QPalette::ToolTipText, theme.text);
    all(QPalette::Mid, theme.border);
    all(QPalette::Midlight, theme.grid);
    all(QPalette::Dark, theme.borderStrong);
    all(QPalette::Shadow, theme.borderStrong);
    all(QPalette::Light, theme.controlHover);
    palette.setColor(QPalette::Inactive, QPalette::Highlight, theme.selectionInactive);
    return palette;
}

// Without a desktop Qt falls back to "Sans Serif" at 9 pt; Inter at 13 px is the better default.
bool isFallbackFont(const QFont& font) {
    const QString family = font.family();
    return family.isEmpty() || family == QLatin1String("Sans Serif") || family == QLatin1String("Sans") ||
           family == QLatin1String("sans-serif") ||
           qEnvironmentVariable("QT_QPA_PLATFORM").startsWith(QLatin1String("offscreen"));
}

void chooseFont(const QFont& system, ThemeRequest& request) {
    if (isFallbackFont(system)) {
        request.scale = 1.0;
        if (QFontDatabase::families().contains(QLatin1String("Inter"))) request.family = QStringLiteral("Inter");
        return;
    }
    request.family = system.family();
    request.scale = QFontInfo(system).pixelSize() / 13.0;
}

void setFonts(const Theme& theme) {
    QApplication::setFont(theme.body);
    for (const char* name : {"QPushButton", "QToolButton", "QTabBar"}) QApplication::setFont(theme.medium, name);
    for (const char* name : {"QHeaderView", "QTipLabel", "QStatusBar"}) QApplication::setFont(theme.small, name);
}

} // namespace

ThemeController& ThemeController::instance() {
    static ThemeController controller;
    return controller;
}

void ThemeController::install(QApplication& app) {
    if (m_installed) return;
    loadResources();
    m_installed = true;
    m_paletteIsDark = app.palette().color(QPalette::Window).lightness() < 128;
    const QFont system = app.font();
    setProperty("systemFont", system);
    watchSystem();
    QApplication::setStyle(new YardStyle);
    apply();
}

void ThemeController::setMode(ThemeMode mode) {
    if (mode != m_mode) {
        m_mode = mode;
        apply();
    }
}

void ThemeController::setHighContrast(bool on) {
    if (on != m_highContrast) {
        m_highContrast = on;
        apply();
    }
}

bool ThemeController::systemIsDark() const {
    if (m_portalScheme == 1 || m_portalScheme == 2) return m_portalScheme == 1;
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const auto scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown) return scheme == Qt::ColorScheme::Dark;
#endif
    return m_paletteIsDark;
}

void ThemeController::apply() {
    if (!m_installed) return;
    ThemeRequest request;
    chooseFont(property("systemFont").value<QFont>(), request);
    const QByteArray forced = qgetenv("TRAINYARD_THEME");
    if (forced == "light" || forced == "dark") request.dark = forced == "dark";
    else request.dark = m_mode == ThemeMode::System ? systemIsDark() : m_mode == ThemeMode::Dark;
    request.highContrast = m_highContrast || m_portalContrast;
    setCurrentTheme(buildTheme(request));
    setFonts(Theme::current());
    QApplication::setPalette(paletteOf(Theme::current()));
    Q_EMIT changed();
}

void ThemeController::watchSystem() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { apply(); });
#endif
    readPortal();
}

void ThemeController::readPortal() {
#ifdef TRAINYARD_HAVE_DBUS
    auto* portal = new DesktopPortal(this);
    connect(portal, &DesktopPortal::colorSchemeChanged, this, [this](int scheme) {
        m_portalScheme = scheme;
        apply();
    });
    connect(portal, &DesktopPortal::contrastChanged, this, [this](bool high) {
        m_portalContrast = high;
        apply();
    });
    portal->watch();
#endif
}

} // namespace trainyard::ui
