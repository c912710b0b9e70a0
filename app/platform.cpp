// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/platform.h"

#include "engine/base/result.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QLibraryInfo>
#include <QPluginLoader>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace trainyard {

namespace {

std::string valueOf(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? value : "";
}

// "wayland;xcb:…" as the names of plug-ins.
std::vector<std::string> namesIn(const std::string& platforms) {
    std::vector<std::string> names;
    for (const QString& each : QString::fromStdString(platforms).split(QLatin1Char(';'), Qt::SkipEmptyParts))
        names.push_back(each.section(QLatin1Char(':'), 0, 0).trimmed().toStdString());
    return names;
}

std::string missing(const std::string& name) {
    if (name.starts_with("wayland"))
        return "Qt's plug-in for Wayland is not installed (install the package qt6-wayland)";
    return "Qt has no platform \"" + name + "\" here (unset QT_QPA_PLATFORM, or install its plug-in)";
}

bool isWindowless(std::string_view word) {
    return word == "-h" || word == "--help" || word == "-v" || word == "--version" ||
           word.starts_with("--screenshot") || word.starts_with("--report");
}

void endInsteadOfAbort(QtMsgType type, const QMessageLogContext&, const QString&) {
    if (type != QtFatalMsg) return; // the reasons of an end that may not come
    std::fprintf(stderr,
                 "trainyard: the display \"%s\" cannot be opened (start it in a desktop session or with ssh -X; "
                 "trainyardctl does the same in a terminal)\n",
                 valueOf(valueOf("DISPLAY").empty() ? "WAYLAND_DISPLAY" : "DISPLAY").c_str());
    std::_Exit(exitCode(ErrorKind::Environment));
}

} // namespace

PlatformChoice choosePlatform(const PlatformWish& wish, const std::function<bool(const std::string&)>& installed) {
    const std::string usual = wish.x11 ? "xcb" : wish.wayland ? "wayland" : "";
    std::string why;
    for (const std::string& name : namesIn(wish.asked.empty() ? usual : wish.asked)) {
        if (installed(name)) return {};
        if (why.empty()) why = missing(name);
    }
    if (!wish.byOption && wish.windowless) return {false, "offscreen", {}};
    if (!wish.byOption && wish.x11 && installed("xcb")) return {false, "xcb", why + ", so X11 shows the window"};
    if (why.empty())
        why = "there is no display here (start it in a desktop session or with ssh -X; trainyardctl does the same in a "
              "terminal)";
    return {true, {}, why};
}

PlatformWish platformWish(int argc, char** argv) {
    PlatformWish wish{.asked = valueOf("QT_QPA_PLATFORM"),
                      .x11 = !valueOf("DISPLAY").empty(),
                      .wayland = !valueOf("WAYLAND_DISPLAY").empty()};
    for (int i = 1; i < argc; ++i) {
        const std::string_view word(argv[i]);
        if ((word == "-platform" || word == "--platform") && i + 1 < argc) {
            wish.asked = argv[i + 1];
            wish.byOption = true;
        }
        wish.windowless = wish.windowless || isWindowless(word);
    }
    return wish;
}

bool isPlatformInstalled(const std::string& name) {
    QStringList folders{qEnvironmentVariable("QT_QPA_PLATFORM_PLUGIN_PATH")};
    for (const QString& root : qEnvironmentVariable("QT_PLUGIN_PATH").split(QLatin1Char(':'), Qt::SkipEmptyParts))
        folders << root + QStringLiteral("/platforms");
    folders << QLibraryInfo::path(QLibraryInfo::PluginsPath) + QStringLiteral("/platforms");
    const QString asked = QString::fromStdString(name);
    const QString likely = QStringLiteral("*%1*.so").arg(asked.section(QLatin1Char('-'), 0, 0));
    for (const QString& folder : folders) {
        if (folder.isEmpty() || asked.isEmpty()) continue;
        for (const QFileInfo& file : QDir(folder).entryInfoList({likely}, QDir::Files)) {
            const auto about = QPluginLoader(file.filePath()).metaData().value(QLatin1String("MetaData")).toObject();
            for (const auto& key : about.value(QLatin1String("Keys")).toArray())
                if (key.toString().compare(asked, Qt::CaseInsensitive) == 0) return true;
        }
    }
    return false;
}

void silenceQt() { qInstallMessageHandler(endInsteadOfAbort); }

void letQtSpeak() { qInstallMessageHandler(nullptr); }

} // namespace trainyard
