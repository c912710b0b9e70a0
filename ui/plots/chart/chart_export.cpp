// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart/chart_export.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/plots/canvas/scene_plot.h"

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
constexpr double kLegendTop = 36;
constexpr double kLine = 20;
constexpr int kMostLines = 4; // of the legend
constexpr double kMoreWidth = 90;
constexpr double kMark = 18;        // mark and gap before a name
constexpr double kNameWidth = 4096; // more than any

QString fileError(const QString& path, const QString& cause) {
    return QCoreApplication::translate("Plots", "Cannot write %1: %2").arg(path, cause);
}

// The line or dot of an entry, 12 px wide.
void paintLegendMark(QPainter& painter, const LegendEntry& entry, const QPointF& at) {
    if (entry.dot) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.color);
        painter.drawEllipse(at + QPointF(6, 0), 5, 5);
        return;
    }
    QPen pen(entry.color, 2, dashOf(entry.pattern).isEmpty() ? Qt::SolidLine : Qt::CustomDashLine, Qt::FlatCap);
    if (!dashOf(entry.pattern).isEmpty()) pen.setDashPattern(dashOf(entry.pattern));
    painter.setPen(pen);
    painter.drawLine(QLineF(at, at + QPointF(12, 0)));
}

// The entries and their places: in as many lines as needed, at most kMostLines.
struct Legend {
    QList<LegendEntry> entries;
    QList<QPointF> places; // of the first entries; the others are counted at `end`
    QPointF end;
    int lines = 0;
};

Legend legendOf(const ChartSnapshot& snapshot, double width) {
    Legend legend;
    for (const auto& layer : snapshot.scene.layers) legend.entries += layer->legend(snapshot.theme);
    legend.end = QPointF(kPadding, kLegendTop);
    legend.lines = legend.entries.isEmpty() ? 0 : 1;
    const QFontMetricsF metrics(snapshot.theme.small);
    for (const LegendEntry& entry : legend.entries) {
        const double advance = kMark + metrics.horizontalAdvance(entry.name) + kPadding;
        const bool last = legend.lines == kMostLines;
        if (legend.end.x() + advance > width - kPadding - (last ? kMoreWidth : 0) && legend.end.x() > kPadding) {
            if (last) break;
            ++legend.lines;
            legend.end = QPointF(kPadding, legend.end.y() + kLine);
        }
        legend.places << legend.end;
        legend.end.rx() += advance;
    }
    return legend;
}

void paintLegend(QPainter& painter, const Legend& legend, const Theme& theme) {
    painter.setFont(theme.small);
    for (qsizetype i = 0; i < legend.places.size(); ++i) {
        const QPointF& at = legend.places[i];
        paintLegendMark(painter, legend.entries[i], at + QPointF(0, kLine / 2));
        painter.setPen(theme.text);
        painter.drawText(QRectF(at.x() + kMark, at.y(), kNameWidth, kLine), Qt::AlignVCenter, legend.entries[i].name);
    }
    const qsizetype more = legend.entries.size() - legend.places.size();
    if (more == 0) return;
    painter.setPen(theme.text3);
    painter.drawText(QRectF(legend.end.x(), legend.end.y(), kMoreWidth, kLine), Qt::AlignVCenter,
                     QCoreApplication::translate("Plots", "+ %1 more").arg(more));
}

void paintHead(QPainter& painter, const ChartSnapshot& snapshot, double width) {
    const QRectF head(kPadding, 12, width - 2 * kPadding, 20);
    painter.setFont(snapshot.theme.heading);
    painter.setPen(snapshot.theme.text);
    painter.drawText(head, Qt::AlignVCenter, snapshot.title);
    painter.setFont(snapshot.theme.small);
    painter.setPen(snapshot.theme.text3);
    painter.drawText(head, Qt::AlignVCenter | Qt::AlignRight, snapshot.note);
}

void paintWithoutScene(QPaintDevice& device, const ChartSnapshot& snapshot, const QSize& size) {
    QPainter painter(&device);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(), size), snapshot.theme.card);
    paintHead(painter, snapshot, size.width());
    snapshot.paint(painter,
                   QRectF(QPointF(), size).adjusted(kPadding, kLegendTop + kPadding / 2, -kPadding, -kPadding));
}

// Title, legend, axes with titles, and layers in `size` units of the device.
void paintChart(QPaintDevice& device, const ChartSnapshot& snapshot, const QSize& size) {
    if (snapshot.paint) return paintWithoutScene(device, snapshot, size);
    const Legend legend = legendOf(snapshot, size.width());
    ScenePlot plot(nullptr, snapshot.theme, [&](QPainter& painter) {
        painter.setRenderHint(QPainter::Antialiasing);
        paintHead(painter, snapshot, size.width());
        paintLegend(painter, legend, snapshot.theme);
    });
    plot.setScene(snapshot.scene);
    plot.showTitles(QMargins(12, static_cast<int>(kLegendTop + kLine * legend.lines), 12, 8));
    plot.paintOn(device, size);
}

QImage chartImage(const ChartSnapshot& snapshot, const QSize& size) {
    QImage image(size * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    paintChart(image, snapshot, size);
    image.setDotsPerMeterX(7559); // 192 dpi
    image.setDotsPerMeterY(7559);
    return image;
}

QByteArray chartSvg(const ChartSnapshot& snapshot, const QSize& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    svg.setTitle(snapshot.title);
    paintChart(svg, snapshot, size);
    return buffer.data();
}

QByteArray chartPdf(const ChartSnapshot& snapshot, const QSize& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setResolution(96);
    pdf.setPageMargins(QMarginsF());
    pdf.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point));
    pdf.setTitle(snapshot.title);
    paintChart(pdf, snapshot, size);
    return buffer.data();
}

QByteArray pngOf(const QImage& image) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

QString writeBytes(const QByteArray& bytes, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fileError(path, file.errorString());
    return {};
}

std::string csvField(const QString& text) { return run::csvField(text.toStdString()); }

void inWorker(std::function<QString()> work, ExportDone done) {
    QThreadPool::globalInstance()->start([work = std::move(work), done = std::move(done)] {
        const QString error = work();
        QMetaObject::invokeMethod(qApp, [done, error] {
            if (done) done(error);
        });
    });
}

} // namespace

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

void writeChartAsync(const ChartSnapshot& snapshot, const QString& path, ChartFormat format, const QSize& size,
                     ExportDone done) {
    if (format == ChartFormat::Png) {
        const auto write = [image = chartImage(snapshot, size), path] { return writeBytes(pngOf(image), path); };
        return inWorker(write, std::move(done));
    }
    const QByteArray bytes = format == ChartFormat::Svg ? chartSvg(snapshot, size) : chartPdf(snapshot, size);
    inWorker([bytes, path] { return writeBytes(bytes, path); }, std::move(done));
}

void writeCsvAsync(std::vector<CsvSeries> all, const QString& path, ExportDone done) {
    auto shared = std::make_shared<std::vector<CsvSeries>>(std::move(all));
    inWorker([shared, path] { return writeCsv(*shared, path); }, std::move(done));
}

void writeCsvAsync(PlotLayers layers, const QString& path, ExportDone done) {
    const auto text = [layers = std::move(layers)] {
        std::string all;
        for (const auto& layer : layers) all += layer->csv();
        return all;
    };
    writeTextAsync(text, path, std::move(done));
}

void writeTextAsync(std::function<std::string()> text, const QString& path, ExportDone done) {
    inWorker([text = std::move(text), path] { return writeBytes(QByteArray::fromStdString(text()), path); },
             std::move(done));
}

} // namespace trainyard::ui
