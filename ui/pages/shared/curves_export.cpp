// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/curves_export.h"

#include "ui/actions/action.h"
#include "ui/models/desktop/file_question.h"
#include "ui/plots/card/metric_card.h"

#include <QDir>
#include <QMenu>

namespace trainyard::ui {

namespace {

struct ExportWords {
    Q_DECLARE_TR_FUNCTIONS(CurvesExport)
};

struct ChartFormatRow {
    ChartFormat format;
    const char* suffix;
    const char* title;
};
constexpr ChartFormatRow kChartFormats[] = {
    {ChartFormat::Png, "png", "PNG"}, {ChartFormat::Svg, "svg", "SVG"}, {ChartFormat::Pdf, "pdf", "PDF"}};
constexpr QSize kSize{960, 600};

// Tells the status bar how an export ended.
std::function<void(const QString&)> teller(Workbench& bench, const QString& path) {
    return [bench = QPointer<Workbench>(&bench), path](const QString& error) {
        if (bench) Q_EMIT bench->statusMessage(error.isEmpty() ? ExportWords::tr("Exported %1").arg(path) : error, {});
    };
}

void exportCards(Workbench& bench, const QList<QPointer<MetricCard>>& cards, const QString& folder,
                 const ChartFormatRow& format) {
    for (const auto& card : cards) {
        if (!card) continue; // its run was closed meanwhile
        const QString path = QDir(folder).filePath(card->fileName() + QLatin1Char('.') + QLatin1String(format.suffix));
        card->exportChart(path, format.format, kSize, teller(bench, path));
    }
}

} // namespace

void showChartExport(Workbench& bench, ChartWidget* chart, const QPoint& globalPosition) {
    auto* menu = new QMenu(chart);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const ChartFormatRow& format : kChartFormats) {
        menu->addAction(
            ExportWords::tr("Export as %1…").arg(QLatin1String(format.title)), chart, [&bench, chart, format] {
                const QString suffix = QLatin1String(format.suffix);
                askForFiles(chart,
                            {.kind = FileQuestion::Kind::NewFile,
                             .title = ExportWords::tr("Export chart"),
                             .filters = {QStringLiteral("%1 (*.%2)").arg(QLatin1String(format.title), suffix)},
                             .name = chart->fileName() + QLatin1Char('.') + suffix},
                            [&bench, chart, format](const ChosenFiles& out) {
                                chart->exportChart(out.path(), format.format, kSize, teller(bench, out.path()));
                            });
            });
    }
    menu->addSeparator();
    menu->addAction(ExportWords::tr("Export points as CSV…"), chart, [&bench, chart] {
        askForFiles(
            chart,
            {.kind = FileQuestion::Kind::NewFile,
             .title = ExportWords::tr("Export points"),
             .filters = {QStringLiteral("CSV (*.csv)")},
             .name = chart->fileName() + QStringLiteral(".csv")},
            [&bench, chart](const ChosenFiles& out) { chart->exportCsv(out.path(), teller(bench, out.path())); });
    });
    menu->popup(globalPosition);
}

void showChartsExport(Workbench& bench, const QList<MetricCard*>& cards, const QPoint& globalPosition,
                      QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const ChartFormatRow& format : kChartFormats) {
        menu->addAction(ExportWords::tr("Export all charts as %1 to a folder…").arg(QLatin1String(format.title)),
                        parent, [&bench, cards, format, parent] {
                            QList<QPointer<MetricCard>> shown(cards.begin(), cards.end());
                            askForFiles(
                                parent,
                                {.kind = FileQuestion::Kind::Folder, .title = ExportWords::tr("Folder for the charts")},
                                [&bench, shown, format](const ChosenFiles& folder) {
                                    exportCards(bench, shown, folder.path(), format);
                                });
                        });
    }
    if (const RunItemPtr run = bench.feed.run(bench.selection.current())) {
        menu->addSeparator();
        addActions(*menu, {"export-csv", "export-tensorboard"}, {bench, run, parent->window()});
    }
    menu->popup(globalPosition);
}

} // namespace trainyard::ui
