// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart_export.h"

#include "engine/run/record/metrics_csv.h"
#include "ui/plots/axis_ticks.h"
#include "ui/plots/curve_painter.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QThreadPool>

namespace trainyard::ui {

namespace {

constexpr double kPadding = 16;
constexpr double kLine = 20;

QString fileError(const QString& path, const QString& cause) {
    return QCoreApplication::translate("Plots", "Cannot write %1: %2").arg(path, cause);
}

// Chips and names in as many lines as they need; returns the height.
double paintLegend(QPainter& painter, const ChartPicture& picture, double width, double top) {
    const QFontMetricsF metrics(picture.theme.small);
    double x = kPadding;
    double y = top;
    painter.setFont(picture.theme.small);
    for (const CurveView& curve : picture.view.curves) {
        const double entry = 18 + metrics.horizontalAdvance(curve.name) + 16;
        if (x + entry > width - kPadding && x > kPadding) {
            x = kPadding;
            y += kLine;
        }
        QPen pen(curve.color, 2);
        if (!curve.dash.isEmpty()) pen.setDashPattern(curve.dash);
        painter.setPen(pen);
        painter.drawLine(QLineF(x, y + kLine / 2, x + 12, y + kLine / 2));
        painter.setPen(picture.theme.text);
        painter.drawText(QRectF(x + 18, y, entry, kLine), Qt::AlignVCenter, curve.name);
        x += entry;
    }
    return picture.view.curves.empty() ? 0 : y + kLine - top;
}

std::vector<Tick> ticksOf(const AxisRange& range, bool time, int count) {
    if (range.log) return logTicks(range.low, range.high, count);
    return time ? timeTicks(range.low, range.high, count) : linearTicks(range.low, range.high, count);
}

void paintAxes(QPainter& painter, const ChartPicture& picture, const QRectF& plot) {
    const Theme& theme = picture.theme;
    const ChartView& view = picture.view;
    const AxisMap x(view.x, plot.left(), plot.right());
    const AxisMap y(view.y, plot.bottom(), plot.top());
    painter.setFont(theme.small);
    for (const Tick& tick : ticksOf(view.y, false, static_cast<int>(plot.height() / 42))) {
        const double at = y.toPixel(tick.position);
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QLineF(plot.left(), at, plot.right(), at));
        painter.setPen(theme.text3);
        painter.drawText(QRectF(plot.left() - 68, at - 10, 60, 20), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const Tick& tick : ticksOf(view.x, view.xMode == XMode::RelativeTime, static_cast<int>(plot.width() / 85))) {
        const double at = x.toPixel(tick.position);
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QLineF(at, plot.top(), at, plot.bottom()));
        painter.setPen(theme.text3);
        painter.drawText(QRectF(at - 50, plot.bottom() + 4, 100, 16), Qt::AlignCenter, tick.label);
    }
    painter.setPen(QPen(theme.axis, 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setPen(theme.text2);
    painter.drawText(QRectF(plot.left(), plot.bottom() + 22, plot.width(), 16), Qt::AlignCenter, xTitle(view.xMode));
    painter.save();
    painter.translate(kPadding, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2, -8, plot.height(), 16), Qt::AlignCenter, picture.metric);
    painter.restore();
}

std::string csvField(const QString& text) { return run::csvField(text.toStdString()); }

void inWorker(std::function<QString()> work, std::function<void(const QString&)> done) {
    QThreadPool::globalInstance()->start([work = std::move(work), done = std::move(done)] {
        const QString error = work();
        QMetaObject::invokeMethod(qApp, [done, error] {
            if (done) done(error);
        });
    });
}

} // namespace

void paintChart(QPainter& painter, const ChartPicture& picture, const QSizeF& size) {
    const Theme& theme = picture.theme;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(QPointF(), size), theme.card);
    painter.setFont(theme.heading);
    painter.setPen(theme.text);
    painter.drawText(QRectF(kPadding, 12, size.width() - 2 * kPadding, 20), Qt::AlignVCenter, picture.metric);
    if (picture.view.smoothing > 0) {
        painter.setFont(theme.small);
        painter.setPen(theme.text3);
        painter.drawText(
            QRectF(kPadding, 12, size.width() - 2 * kPadding, 20), Qt::AlignVCenter | Qt::AlignRight,
            QCoreApplication::translate("Plots", "smoothed %1, raw behind").arg(picture.view.smoothing, 0, 'g', 3));
    }
    const double legend = paintLegend(painter, picture, size.width(), 36);
    const QRectF plot(QPointF(92, 36 + legend + 8), QPointF(size.width() - kPadding - 8, size.height() - 48));
    paintAxes(painter, picture, plot);
    paintCurves(painter, picture.view, plot, theme);
}

QString writeChart(const ChartPicture& picture, const QString& path, ChartFormat format, const QSize& size) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (format == ChartFormat::Png) {
        QImage image(size * 2, QImage::Format_RGB32);
        QPainter painter(&image);
        painter.scale(2, 2);
        paintChart(painter, picture, size);
        painter.end();
        image.setDotsPerMeterX(7559); // 192 dpi
        image.setDotsPerMeterY(7559);
        image.save(&buffer, "PNG");
    } else if (format == ChartFormat::Svg) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        svg.setTitle(picture.metric);
        QPainter painter(&svg);
        paintChart(painter, picture, size);
    } else {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(96);
        pdf.setPageMargins(QMarginsF());
        pdf.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point));
        pdf.setTitle(picture.metric);
        QPainter painter(&pdf);
        paintChart(painter, picture, size);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fileError(path, file.errorString());
    return {};
}

QString writeCsv(const std::vector<CsvSeries>& all, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return fileError(path, file.errorString());
    std::string text = "run,name,series,";
    text += run::kPointColumns;
    for (const CsvSeries& series : all) {
        const std::string head =
            csvField(series.style.runId) + ',' + csvField(series.style.name) + ',' + csvField(series.metric) + ',';
        for (std::size_t i = 0; i < series.data.size(); ++i) {
            const PlotPoint point = series.data.at(i);
            text += head;
            run::appendCsvPoint(text, point.step, static_cast<float>(point.epoch),
                                static_cast<float>(point.timeSeconds), point.value);
            if (text.size() > 1 << 20) {
                file.write(QByteArray::fromStdString(text));
                text.clear();
            }
        }
    }
    file.write(QByteArray::fromStdString(text));
    return file.commit() ? QString() : fileError(path, file.errorString());
}

void writeChartAsync(ChartPicture picture, const QString& path, ChartFormat format, const QSize& size,
                     std::function<void(const QString&)> done) {
    inWorker([picture = std::move(picture), path, format, size] { return writeChart(picture, path, format, size); },
             std::move(done));
}

void writeCsvAsync(std::vector<CsvSeries> all, const QString& path, std::function<void(const QString&)> done) {
    auto shared = std::make_shared<std::vector<CsvSeries>>(std::move(all));
    inWorker([shared, path] { return writeCsv(*shared, path); }, std::move(done));
}

} // namespace trainyard::ui
