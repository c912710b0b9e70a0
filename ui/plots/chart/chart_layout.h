// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/plots/canvas/curve_style.h"
#include "ui/series/plot_point.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSet>
#include <QStringList>

#include <optional>
#include <utility>

class QJsonObject;

namespace trainyard::ui {

// The y axis that a chart has for itself; what is empty follows the toolbar and the points. x is the same for all.
struct ChartAxes {
    std::optional<YMode> y;
    std::optional<std::pair<double, double>> yRange; // low < high

    bool operator==(const ChartAxes&) const = default;
};

// One chart: what it shows, and where.
struct ChartCard {
    QString id; // "train/loss": of its first series for life
    QStringList series;
    bool pinned = false, hidden = false;
    ChartAxes axes{};

    QString title() const { return series.join(QStringLiteral(" + ")); }
    bool operator==(const ChartCard&) const = default;
};

// Which charts a page shows, in which order, and how. A value: each change gives a layout that can be kept to go back
// to. Every series has a chart of its own until it is put into another one.
class ChartLayout {
public:
    // The place of a series whose chart nobody has moved: the smaller comes first.
    using Rank = int (*)(const QString& series);

    // Gives a chart to each of these series that has none. True when there was one.
    bool offer(const QStringList& series, Rank rank);

    // All of them, the pinned first; and those that are shown: not hidden, and with every word of `search` in a series.
    const QList<ChartCard>& charts() const { return m_charts; }
    QList<ChartCard> shown(const QString& search = {}) const;
    const ChartCard* find(const QString& id) const;
    bool isStandard() const; // nobody has changed anything

    // Changes; false when there is nothing to change, and then nothing is.
    bool pin(const QString& id, bool on);
    bool hide(const QString& id, bool on);
    // In front of `before`, or at the end when that is empty, as far as pinned charts stay in front of all others.
    bool move(const QString& id, const QString& before);
    bool showAll(); // none is hidden any more
    // By so many places among those of its part that are seen: `shown`, by id.
    bool moveBy(const QString& id, int places, const QStringList& shown);
    // Puts a series into a chart. Its own chart goes, when it showed nothing else.
    bool combine(const QString& id, const QString& series);
    // Takes it out again; it gets a chart of its own, next to the one it was in. Not the series that names the chart.
    bool separate(const QString& id, const QString& series);
    bool setAxes(const QString& id, const ChartAxes& axes);

    // Version 1, which the settings file keeps: {"version":1,"charts":[{"id","series","pinned","hidden","moved","y",
    // "yRange"}]}; what is standard is left out. Input for what is no such text, with the place of the fault.
    QJsonObject toJson() const;
    static Result<ChartLayout> fromJson(const QJsonObject& json);

    bool operator==(const ChartLayout&) const = default;

private:
    ChartCard* edit(const QString& id);
    int indexOf(const QString& id) const;
    int pinnedCount() const;
    void place(ChartCard card, int at);

    QList<ChartCard> m_charts;
    QSet<QString> m_moved; // ids of charts that were put where they are
};

// Where charts are zoomed to. What shows none of the points of the runs at hand is kept, and not applied.
struct ChartZoom {
    std::optional<std::pair<double, double>> x;   // of all charts, in the units of their x; low < high
    QMap<QString, std::pair<double, double>> y{}; // of each chart that is zoomed, by its id

    bool operator==(const ChartZoom&) const = default;
};

// A layout with the choices of the toolbar, as it is saved under a name.
struct ChartView {
    ChartLayout layout;
    XMode x = XMode::Step;
    YMode y = YMode::Auto;
    bool logX = false, band = false, events = true;
    double smoothing = 0.6;
    ChartZoom zoom{};

    bool operator==(const ChartView&) const = default;
};
// Whether they look alike: smoothing that a slider cannot tell apart is the same, and a zoom changes no view.
bool looksLike(const ChartView& a, const ChartView& b);

// Views by name, in the order of their names.
using ChartViews = QList<std::pair<QString, ChartView>>;
QByteArray chartLayoutToText(const ChartLayout& layout);
// Input for a text that is none; an empty text is the standard layout.
Result<ChartLayout> chartLayoutFromText(const QByteArray& text);
QByteArray chartViewsToText(const ChartViews& views);
// Those that can be read, and why the first of the others cannot (Input); an empty text has no views.
struct ReadViews {
    ChartViews views;
    std::optional<Error> error;
};
ReadViews chartViewsFromText(const QByteArray& text);
// A zoom with the x that it is of. Nothing for a text that is none.
QByteArray chartZoomToText(const ChartZoom& zoom, XMode x);
std::optional<std::pair<ChartZoom, XMode>> chartZoomFromText(const QByteArray& text);

} // namespace trainyard::ui
