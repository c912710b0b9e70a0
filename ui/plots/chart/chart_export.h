// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_style.h"
#include "ui/plots/canvas/plot_layer.h"
#include "ui/plots/chart/chart_widget.h"
#include "ui/series/series_data.h"

#include <vector>

namespace trainyard::ui {

// A chart to write: the content of its canvas, and the texts around it.
struct ChartSnapshot {
    PlotScene scene;
    QString title;
    QString note; // right of the title; may be empty
    Theme theme;
    // For a chart without a scene: paints it into a rectangle. Called before writeChartAsync() returns.
    std::function<void(QPainter&, const QRectF&)> paint{};
};

// One run's points for a CSV file.
struct CsvSeries {
    CurveStyle style;
    QString metric;
    SeriesData data;
};

// Writes run,name,series,step,epoch,time_s,value with a line for every point, atomically.
// Returns an empty string or a message naming file and cause. Any thread.
QString writeCsv(const std::vector<CsvSeries>& all, const QString& path);

// Paints the chart at once, on the GUI thread, and compresses and writes the file in a worker; `done` is called on the
// GUI thread.
void writeChartAsync(const ChartSnapshot& snapshot, const QString& path, ChartFormat format, const QSize& size,
                     ExportDone done);
// writeCsv() in a worker; `done` is called on the GUI thread.
void writeCsvAsync(std::vector<CsvSeries> all, const QString& path, ExportDone done);
// The CSV of each layer (PlotLayer::csv()), one after another.
void writeCsvAsync(PlotLayers layers, const QString& path, ExportDone done);
// Writes the result of `text`, which a worker calls.
void writeTextAsync(std::function<std::string()> text, const QString& path, ExportDone done);

} // namespace trainyard::ui
