// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QWidget>

#include <functional>

namespace trainyard::ui {

// File formats of an exported chart.
enum class ChartFormat { Png, Svg, Pdf };

// Called on the GUI thread with an empty string, or with a message that names the file and the cause.
using ExportDone = std::function<void(const QString& error)>;

// A chart that the export menu can write. Both exports copy the chart's current content and write the file off the GUI
// thread.
class ChartWidget : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString spokenValue READ spokenValue)
    Q_PROPERTY(QString spokenSummary READ spokenSummary)
public:
    using QWidget::QWidget;

    // Its values for a screen reader; computed on request, which is rare.
    virtual QString spokenValue() const { return accessibleDescription(); }
    // What it shows, in a sentence: title, curves, ranges.
    virtual QString spokenSummary() const { return accessibleDescription(); }

    // Its title in an export, such as "Val accuracy".
    virtual QString title() const = 0;
    // The suggested file name, without a suffix: "val-accuracy".
    virtual QString fileName() const;
    // Writes the chart as shown, with legend and axis titles.
    virtual void exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) = 0;
    // Writes every point, shown or not.
    virtual void exportCsv(const QString& path, ExportDone done) = 0;
};

} // namespace trainyard::ui
