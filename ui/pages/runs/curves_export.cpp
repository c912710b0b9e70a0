// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves_export.h"

#include "ui/actions/action.h"
#include "ui/plots/metric_card.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>

namespace trainyard::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("CurvesExport", text); }

struct Format {
    ChartFormat format;
    const char* suffix;
    const char* title;
};
constexpr Format kFormats[] = {
    {ChartFormat::Png, "png", "PNG"}, {ChartFormat::Svg, "svg", "SVG"}, {ChartFormat::Pdf, "pdf", "PDF"}};
constexpr QSize kSize{960, 600};

QString fileName(const MetricCard& card) {
    QString name = card.metric();
    return name.replace(QLatin1Char('/'), QLatin1Char('-'));
}

// Tells the status bar how an export ended.
std::function<void(const QString&)> teller(Workbench& bench, const QString& path) {
    return [bench = QPointer<Workbench>(&bench), path](const QString& error) {
        if (bench) Q_EMIT bench->happened(error.isEmpty() ? words("Exported %1").arg(path) : error, {});
    };
}

} // namespace

void showCardExport(Workbench& bench, MetricCard* card, const QPoint& globalPosition) {
    auto* menu = new QMenu(card);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Format& format : kFormats) {
        menu->addAction(words("Export as %1…").arg(QLatin1String(format.title)), card, [&bench, card, format] {
            const QString path =
                QFileDialog::getSaveFileName(card->window(), words("Export chart"),
                                             fileName(*card) + QLatin1Char('.') + QLatin1String(format.suffix));
            if (!path.isEmpty()) card->exportChart(path, format.format, kSize, teller(bench, path));
        });
    }
    menu->addSeparator();
    menu->addAction(words("Export points as CSV…"), card, [&bench, card] {
        const QString path = QFileDialog::getSaveFileName(card->window(), words("Export points"),
                                                          fileName(*card) + QStringLiteral(".csv"));
        if (!path.isEmpty()) card->exportCsv(path, teller(bench, path));
    });
    menu->popup(globalPosition);
}

void showChartsExport(Workbench& bench, const QList<MetricCard*>& cards, const QPoint& globalPosition,
                      QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Format& format : kFormats) {
        menu->addAction(words("All charts as %1 into a folder…").arg(QLatin1String(format.title)), parent,
                        [&bench, cards, format, parent] {
                            const QString folder =
                                QFileDialog::getExistingDirectory(parent->window(), words("Folder for the charts"));
                            for (MetricCard* card : folder.isEmpty() ? QList<MetricCard*>{} : cards) {
                                const QString path = QDir(folder).filePath(fileName(*card) + QLatin1Char('.') +
                                                                           QLatin1String(format.suffix));
                                card->exportChart(path, format.format, kSize, teller(bench, path));
                            }
                        });
    }
    if (const RunItemPtr run = bench.feed.run(bench.selection.current())) {
        menu->addSeparator();
        addActions(*menu, {"export-csv", "export-tensorboard"}, {bench, run, parent->window()});
    }
    menu->popup(globalPosition);
}

} // namespace trainyard::ui
