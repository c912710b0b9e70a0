// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the window remembers between sessions: the table of keys of its settings file.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <utility>

namespace trainyard::ui {

// One entry of the settings file. GUI thread.
template <class Value>
struct Setting {
    QString key;
    Value standard{};                               // used when nothing valid is saved
    std::optional<std::pair<Value, Value>> range{}; // saved values are clamped to it

    Value get() const {
        const QVariant saved = QSettings().value(key);
        if (!saved.isValid() || !saved.canConvert<Value>()) return standard;
        const auto value = saved.value<Value>();
        return range ? std::clamp(value, range->first, range->second) : value;
    }
    void set(const Value& value) const { QSettings().setValue(key, QVariant::fromValue(value)); }
    // On disk when this returns, for values that must survive a crash.
    void setAtOnce(const Value& value) const {
        QSettings settings;
        settings.setValue(key, QVariant::fromValue(value));
        settings.sync();
    }
    void forget() const { QSettings().remove(key); }
};

// A setting with one value for each workspace, stored under a hash of its folder.
template <class Value>
struct WorkspaceSetting {
    QString group;
    Setting<Value> of(const QString& root) const {
        return {group + QLatin1Char('/') + QString::number(qHash(root), 16)};
    }
};

// A setting with one value for each of several named things, each with its own default.
template <class Value>
struct NamedSetting {
    QString group;
    Setting<Value> of(const QString& name, const Value& standard) const {
        return {group + QLatin1Char('/') + name, standard};
    }
};

// All of them.
struct Settings {
    static inline const Setting<int> themeMode{QStringLiteral("look/theme"), 0, {{0, 2}}}; // a ThemeMode
    static inline const Setting<bool> highContrast{QStringLiteral("look/contrast"), false};
    static inline const Setting<QString> language{QStringLiteral("look/language")};   // a code; "": the system's
    static inline const Setting<QString> filesFolder{QStringLiteral("files/folder")}; // where files were chosen last
    static inline const Setting<bool> desktopNotices{QStringLiteral("notices/desktop"), true};
    // Whether the New run sheet shows the settings that a first run does not need.
    static inline const Setting<bool> allRunFields{QStringLiteral("new-run/all"), false};

    static inline const Setting<int> curvesX{QStringLiteral("curves/x"), 0, {{0, 3}}}; // as XMode
    static inline const Setting<int> curvesY{QStringLiteral("curves/y"), 0, {{0, 2}}}; // as YMode
    static inline const Setting<bool> curvesLogX{QStringLiteral("curves/log-x"), false};
    static inline const Setting<bool> curvesBand{QStringLiteral("curves/band"), false};
    static inline const Setting<bool> curvesEvents{QStringLiteral("curves/events"), true};
    static inline const Setting<int> curvesColumns{QStringLiteral("curves/columns"), 0, {{0, 4}}}; // 0: as many as fit
    // The weight of earlier values.
    static inline const Setting<double> smoothing{QStringLiteral("curves/smoothing"), 0.6, {{0.0, 1.0}}};

    static inline const Setting<bool> scatterLogX{QStringLiteral("sweeps/log-x"), true};
    static inline const Setting<bool> scatterLogY{QStringLiteral("sweeps/log-y"), false};

    // The view that each half of the page shows.
    static inline const Setting<int> sweepParameterView{QStringLiteral("sweeps/parameter-view"), 0, {{0, 4}}};
    static inline const Setting<int> sweepProgressView{QStringLiteral("sweeps/progress-view"), 0, {{0, 5}}};

    static inline const Setting<QStringList> recentWorkspaces{QStringLiteral("window/workspaces")}; // folders
    static inline const Setting<QByteArray> windowGeometry{QStringLiteral("window/geometry")};
    static inline const NamedSetting<QString> keys{QStringLiteral("keys")}; // of actions, by their ids; "": none
    static inline const Setting<QByteArray> runsSplitter{QStringLiteral("runs/splitter")};
    // The parts of the comparison whose rows are hidden (run::toString).
    static inline const Setting<QStringList> comparedFolded{QStringLiteral("compare/folded"),
                                                            {QStringLiteral("timings")}};
    static inline const Setting<int> runsTab{QStringLiteral("runs/tab"), 0, {{0, 5}}};

    // The current run, then all drawn runs.
    static inline const WorkspaceSetting<QStringList> selection{QStringLiteral("selection")};
    // How many runs the window is about to draw; cleared once they are drawn, so it remains only after a crash or a
    // kill.
    static inline const WorkspaceSetting<int> drawing{QStringLiteral("drawing")};
    // The columns of the runs table, the one it is sorted by with its direction, and what its runs are grouped by.
    static inline const WorkspaceSetting<QStringList> runColumns{QStringLiteral("runs/columns")};
    static inline const WorkspaceSetting<QStringList> runOrder{QStringLiteral("runs/order")};
    static inline const WorkspaceSetting<QString> runGrouping{QStringLiteral("runs/grouping")};
    static inline const WorkspaceSetting<QString> runFilter{QStringLiteral("runs/filter")};
    // The setting that runs were last coloured by.
    static inline const WorkspaceSetting<QString> coloredBy{QStringLiteral("runs/colored-by")};
    static inline const WorkspaceSetting<QStringList> savedFilters{QStringLiteral("runs/filters")};
    // What was chosen in a picker, the latest first, by the name of the picker.
    static inline const NamedSetting<QStringList> recentChoices{QStringLiteral("recent")};
    // Unsaved settings of the New run sheet: the file's text, the run that it forks, the time (ms since 1970).
    static inline const WorkspaceSetting<QStringList> runDraft{QStringLiteral("new-run/draft")};
    // The layout of the curves page, and its saved views, as JSON (ui/plots/chart/chart_layout.h).
    static inline const WorkspaceSetting<QByteArray> chartLayout{QStringLiteral("curves/layout")};
    static inline const WorkspaceSetting<QByteArray> chartViews{QStringLiteral("curves/views")};
    // The zoom of the curves, and the open page.
    static inline const WorkspaceSetting<QByteArray> chartZoom{QStringLiteral("curves/zoom")};
    static inline const WorkspaceSetting<QString> page{QStringLiteral("page")}; // its id
    // The time up to which the user has seen the events of runs, in ms since 1970.
    static inline const WorkspaceSetting<qint64> seenAt{QStringLiteral("closedAt")};

    // The file that holds them.
    static QString file() { return QSettings().fileName(); }
};

} // namespace trainyard::ui
