// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/models/text/format.h"
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

// A chart's own y axis; empty settings follow the toolbar and the points. x is the same for all charts.
struct ChartAxes {
    std::optional<YMode> y;
    std::optional<std::pair<double, double>> yRange; // low < high

    bool operator==(const ChartAxes&) const = default;
};

// One chart: its series and its place.
struct ChartCard {
    QString id; // "train/loss": its first series, fixed
    QStringList series;
    bool pinned = false, hidden = false;
    ChartAxes axes{};

    QString title() const { return seriesTitle(series); }
    bool operator==(const ChartCard&) const = default;
};

// The charts of a page, their order and their settings. A value: undo keeps a copy. Every series has its own chart
// until it is put into another one.
class ChartLayout {
public:
    // The place of a series whose chart nobody has moved: the smaller comes first.
    using Rank = int (*)(const QString& series);

    // Gives a chart to each of these series that has none. True when there was one.
    bool offer(const QStringList& series, Rank rank);

    // All charts, pinned ones first; and the shown ones: not hidden, with every word of `search` in a series.
    const QList<ChartCard>& charts() const { return m_charts; }
    QList<ChartCard> shown(const QString& search = {}) const;
    const ChartCard* find(const QString& id) const;
    bool isStandard() const; // nobody has changed anything

    // Changes; false when nothing changes.
    bool pin(const QString& id, bool on);
    bool hide(const QString& id, bool on);
    // Moves it before `before`, or to the end when that is empty; pinned charts stay before all others.
    bool move(const QString& id, const QString& before);
    bool showAll(); // unhides all
    // Moves it by this many places among the visible charts of its part: `shown`, by id.
    bool moveBy(const QString& id, int places, const QStringList& shown);
    // Adds a series to a chart. Removes its own chart if that showed nothing else.
    bool combine(const QString& id, const QString& series);
    // Removes it again; it gets its own chart, next to the one it was in. Not for the series that names the chart.
    bool separate(const QString& id, const QString& series);
    bool setAxes(const QString& id, const ChartAxes& axes);

    // Version 1, which the settings file keeps: {"version":1,"charts":[{"id","series","pinned","hidden","moved","y",
    // "yRange"}]}; standard values are omitted. Input error with the place of the fault for any other text.
    QJsonObject toJson() const;
    static Result<ChartLayout> fromJson(const QJsonObject& json);

    bool operator==(const ChartLayout&) const = default;

private:
    ChartCard* edit(const QString& id);
    int indexOf(const QString& id) const;
    int pinnedCount() const;
    void place(ChartCard card, int at);

    QList<ChartCard> m_charts;
    QSet<QString> m_moved; // ids of charts that the user has moved
};

// The zoom of the charts. A zoom that contains no points of the current runs is kept but not applied.
struct ChartZoom {
    std::optional<std::pair<double, double>> x;   // of all charts, in the units of their x; low < high
    QMap<QString, std::pair<double, double>> y{}; // of each zoomed chart, by id

    bool operator==(const ChartZoom&) const = default;
};

// A layout with the toolbar's choices, saved under a name.
struct ChartView {
    ChartLayout layout;
    XMode x = XMode::Step;
    YMode y = YMode::Auto;
    bool logX = false, band = false, events = true;
    double smoothing = 0.6;
    ChartZoom zoom{};

    bool operator==(const ChartView&) const = default;
};
// Whether they look alike: smoothing weights that the slider cannot distinguish are equal, and the zoom does not count.
bool looksLike(const ChartView& a, const ChartView& b);

// Views by name, in the order of their names.
using ChartViews = QList<std::pair<QString, ChartView>>;
QByteArray chartLayoutToText(const ChartLayout& layout);
// Input error for any other text; an empty text is the standard layout.
Result<ChartLayout> chartLayoutFromText(const QByteArray& text);
QByteArray chartViewsToText(const ChartViews& views);
// The readable views, and the error of the first unreadable one (Input); an empty text has no views.
struct ReadViews {
    ChartViews views;
    std::optional<Error> error;
};
ReadViews chartViewsFromText(const QByteArray& text);
// A zoom with its x mode. Nothing for any other text.
QByteArray chartZoomToText(const ChartZoom& zoom, XMode x);
std::optional<std::pair<ChartZoom, XMode>> chartZoomFromText(const QByteArray& text);

} // namespace trainyard::ui
