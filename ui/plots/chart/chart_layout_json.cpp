// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts and views of charts as JSON, for the settings file.
#include "ui/plots/chart/chart_layout.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kVersion = 1;
constexpr const char* kRemedy = "the standard charts are shown; arrange them again";

// In the order of the enumerations; the words are saved.
constexpr std::array kXWords = {"step", "epoch", "time", "wall"};
constexpr std::array kYWords = {"auto", "linear", "log"};

QString jsonKey(const char* word) { return QLatin1String(word); }

template <class Words>
std::optional<int> indexIn(const Words& words, const QString& word) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (word == QLatin1String(words[i])) return static_cast<int>(i);
    return std::nullopt;
}

Error badLayout(const QString& where, const QString& what) {
    return inputError(what.toStdString(), where.toStdString(), kRemedy);
}

Result<void> checkVersion(const QJsonObject& json, const QString& where) {
    const int version = json.value(jsonKey("version")).toInt(-1);
    if (version == kVersion) return {};
    return badLayout(where + QStringLiteral(".version"),
                     QStringLiteral("must be %1, found %2").arg(kVersion).arg(version));
}

// Nothing if the key is missing.
template <class Mode, class Words>
Result<std::optional<Mode>> axisFromJson(const QJsonObject& json, const char* name, const Words& words,
                                         const QString& where) {
    const auto given = json.value(jsonKey(name));
    if (given.isUndefined()) return std::optional<Mode>{};
    const auto index = indexIn(words, given.toString());
    if (!index)
        return badLayout(QStringLiteral("%1.%2").arg(where, jsonKey(name)),
                         QStringLiteral("unknown axis \"%1\"").arg(given.toString()));
    return std::optional<Mode>{static_cast<Mode>(*index)};
}

QJsonObject axesToJson(const ChartAxes& axes) {
    QJsonObject json;
    if (axes.y) json.insert(jsonKey("y"), jsonKey(kYWords[static_cast<std::size_t>(*axes.y)]));
    if (axes.yRange) json.insert(jsonKey("yRange"), QJsonArray{axes.yRange->first, axes.yRange->second});
    return json;
}

Result<ChartAxes> axesFromJson(const QJsonObject& json, const QString& where) {
    ChartAxes axes;
    TY_ASSIGN(axes.y, axisFromJson<YMode>(json, "y", kYWords, where));
    if (const auto given = json.value(jsonKey("yRange")); !given.isUndefined()) {
        const QJsonArray range = given.toArray();
        const double low = range.at(0).toDouble(NAN), high = range.at(1).toDouble(NAN);
        if (range.size() != 2 || !(high > low))
            return badLayout(where + QStringLiteral(".yRange"),
                             QStringLiteral("must be two numbers, the smaller first"));
        axes.yRange = {low, high};
    }
    return axes;
}

Result<ChartCard> cardFromJson(const QJsonObject& json, const QString& where) {
    ChartCard card;
    card.id = json.value(jsonKey("id")).toString();
    if (card.id.isEmpty())
        return badLayout(where + QStringLiteral(".id"), QStringLiteral("must be the name of a series"));
    card.series << card.id;
    for (const auto& each : json.value(jsonKey("series")).toArray())
        if (const QString name = each.toString(); !name.isEmpty() && !card.series.contains(name)) card.series << name;
    card.pinned = json.value(jsonKey("pinned")).toBool();
    card.hidden = json.value(jsonKey("hidden")).toBool();
    TY_ASSIGN(card.axes, axesFromJson(json, where));
    return card;
}

QJsonObject zoomToJson(const ChartZoom& zoom) {
    QJsonObject json, ranges;
    if (zoom.x) json.insert(jsonKey("x"), QJsonArray{zoom.x->first, zoom.x->second});
    for (auto each = zoom.y.begin(); each != zoom.y.end(); ++each)
        ranges.insert(each.key(), QJsonArray{each->first, each->second});
    if (!ranges.isEmpty()) json.insert(jsonKey("y"), ranges);
    return json;
}

std::optional<std::pair<double, double>> rangeFromJson(const QJsonValue& json) {
    const QJsonArray range = json.toArray();
    const double low = range.at(0).toDouble(), high = range.at(1).toDouble();
    if (range.size() != 2 || !(low < high)) return std::nullopt;
    return std::pair{low, high};
}

// Skips invalid ranges: those charts show all their points.
ChartZoom zoomFromJson(const QJsonObject& json) {
    ChartZoom zoom;
    zoom.x = rangeFromJson(json.value(jsonKey("x")));
    const QJsonObject ranges = json.value(jsonKey("y")).toObject();
    for (auto each = ranges.begin(); each != ranges.end(); ++each)
        if (const auto range = rangeFromJson(each.value())) zoom.y.insert(each.key(), *range);
    return zoom;
}

QJsonObject viewToJson(const ChartView& view) {
    QJsonObject json = view.layout.toJson();
    json.insert(jsonKey("x"), jsonKey(kXWords[static_cast<std::size_t>(view.x)]));
    json.insert(jsonKey("y"), jsonKey(kYWords[static_cast<std::size_t>(view.y)]));
    json.insert(jsonKey("logX"), view.logX);
    json.insert(jsonKey("band"), view.band);
    json.insert(jsonKey("events"), view.events);
    json.insert(jsonKey("smoothing"), view.smoothing);
    if (view.zoom != ChartZoom{}) json.insert(jsonKey("zoom"), zoomToJson(view.zoom));
    return json;
}

Result<ChartView> viewFromJson(const QJsonObject& json, const QString& where) {
    ChartView view;
    TY_ASSIGN(view.layout, ChartLayout::fromJson(json));
    TY_ASSIGN(const auto x, axisFromJson<XMode>(json, "x", kXWords, where));
    TY_ASSIGN(const auto y, axisFromJson<YMode>(json, "y", kYWords, where));
    view.x = x.value_or(view.x);
    view.y = y.value_or(view.y);
    view.logX = json.value(jsonKey("logX")).toBool();
    view.band = json.value(jsonKey("band")).toBool();
    view.events = json.value(jsonKey("events")).toBool(true);
    view.smoothing = std::clamp(json.value(jsonKey("smoothing")).toDouble(view.smoothing), 0.0, 0.999);
    view.zoom = zoomFromJson(json.value(jsonKey("zoom")).toObject());
    return view;
}

Result<QJsonObject> objectOf(const QByteArray& text) {
    QJsonParseError problem;
    const auto document = QJsonDocument::fromJson(text, &problem);
    if (problem.error != QJsonParseError::NoError)
        return badLayout(QStringLiteral("charts"),
                         QStringLiteral("is not JSON: %1 at %2").arg(problem.errorString()).arg(problem.offset));
    return document.object();
}

} // namespace

QJsonObject ChartLayout::toJson() const {
    QJsonArray charts;
    for (const ChartCard& card : m_charts) {
        QJsonObject json = axesToJson(card.axes);
        json.insert(jsonKey("id"), card.id);
        if (card.series.size() > 1) json.insert(jsonKey("series"), QJsonArray::fromStringList(card.series));
        if (card.pinned) json.insert(jsonKey("pinned"), true);
        if (card.hidden) json.insert(jsonKey("hidden"), true);
        if (m_moved.contains(card.id)) json.insert(jsonKey("moved"), true);
        charts << json;
    }
    return {{jsonKey("version"), kVersion}, {jsonKey("charts"), charts}};
}

Result<ChartLayout> ChartLayout::fromJson(const QJsonObject& json) {
    TY_TRY(checkVersion(json, QStringLiteral("charts")));
    ChartLayout layout;
    int number = 0;
    for (const auto& each : json.value(jsonKey("charts")).toArray()) {
        const QString where = QStringLiteral("charts[%1]").arg(number++);
        TY_ASSIGN(auto card, cardFromJson(each.toObject(), where));
        if (layout.find(card.id) != nullptr)
            return badLayout(where + QStringLiteral(".id"), QStringLiteral("\"%1\" is there twice").arg(card.id));
        if (each.toObject().value(jsonKey("moved")).toBool()) layout.m_moved.insert(card.id);
        layout.place(std::move(card), static_cast<int>(layout.m_charts.size()));
    }
    return layout;
}

QByteArray chartLayoutToText(const ChartLayout& layout) {
    return QJsonDocument(layout.toJson()).toJson(QJsonDocument::Compact);
}

Result<ChartLayout> chartLayoutFromText(const QByteArray& text) {
    if (text.isEmpty()) return ChartLayout{};
    TY_ASSIGN(const QJsonObject json, objectOf(text));
    return ChartLayout::fromJson(json);
}

QByteArray chartViewsToText(const ChartViews& views) {
    QJsonObject all;
    for (const auto& [name, view] : views) all.insert(name, viewToJson(view));
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

ReadViews chartViewsFromText(const QByteArray& text) {
    ReadViews read;
    const auto note = [&read](Error error, const std::string& where, const char* remedy) {
        if (read.error) return;
        if (!error.where.starts_with(where)) error.where = where + ": " + error.where;
        error.remedy = remedy;
        read.error = std::move(error);
    };
    if (text.isEmpty()) return read;
    const auto all = objectOf(text);
    if (!all) {
        note(all.error(), "views", "save them again");
        return read;
    }
    for (auto each = all->begin(); each != all->end(); ++each) {
        const QString where = QStringLiteral("view ") + each.key();
        auto view = viewFromJson(each.value().toObject(), where);
        if (view) read.views.append({each.key(), std::move(*view)});
        else note(std::move(view).error(), where.toStdString(), "save it again; the others are kept");
    }
    return read;
}

QByteArray chartZoomToText(const ChartZoom& zoom, XMode x) {
    QJsonObject json = zoomToJson(zoom);
    json.insert(jsonKey("of"), jsonKey(kXWords[static_cast<std::size_t>(x)]));
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

std::optional<std::pair<ChartZoom, XMode>> chartZoomFromText(const QByteArray& text) {
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    const auto x = indexIn(kXWords, json.value(jsonKey("of")).toString());
    if (!x) return std::nullopt;
    return std::pair{zoomFromJson(json), static_cast<XMode>(*x)};
}

} // namespace trainyard::ui
