// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/chart_view.h"
#include "ui/plots/metric_card.h"
#include "ui/theme/theme.h"

#include <QSize>

#include <functional>
#include <vector>

class QPainter;

namespace trainyard::ui {

// A chart to be written: what a frame shows, and the words around it.
struct ChartPicture {
    ChartView view;
    QString metric;
    Theme theme;
};

// Draws title, legend, axes with titles, and curves into `size` pixels. Any thread.
void paintChart(QPainter& painter, const ChartPicture& picture, const QSizeF& size);
// Writes the picture; returns an empty string or a message naming file and cause. Any thread.
QString writeChart(const ChartPicture& picture, const QString& path, ChartFormat format, const QSize& size);

// One run's points for a CSV file.
struct CsvSeries {
    CurveStyle style;
    QString metric;
    SeriesData data;
};

// Writes run,name,series,step,epoch,time_s,value with a line for every point, atomically.
// Returns an empty string or a message naming file and cause. Any thread.
QString writeCsv(const std::vector<CsvSeries>& all, const QString& path);

// The same in a worker; `done` is called on the GUI thread.
void writeChartAsync(ChartPicture picture, const QString& path, ChartFormat format, const QSize& size,
                     std::function<void(const QString&)> done);
void writeCsvAsync(std::vector<CsvSeries> all, const QString& path, std::function<void(const QString&)> done);

} // namespace trainyard::ui
