// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/serve_requests.h"

#include "ui/pages/serve/serve_page.h"
#include "ui/pages/serve/serve_sheet.h"
#include "ui/shell/error_sheet.h"
#include "ui/shell/main_window.h"

namespace trainyard::ui {

namespace {

void openServeSheet(MainWindow& window, const QString& run, const QString& file, qint64 step, const QString& service) {
    Workbench& bench = window.bench();
    ServeRequest request{.service = service};
    const RunItemPtr item = bench.feed.run(run);
    if (item && !file.isEmpty()) {
        store::CheckpointRow row;
        for (const auto& each : bench.feed.checkpoints(run))
            if (each.path == file.toStdString()) row = each;
        row.path = file.toStdString();
        row.step = step;
        request.checkpoint = servedCheckpoint(item->name.toStdString(), row);
    }
    bench.services.refresh(); // so that the sheet knows which names are taken
    (new ServeSheet(bench, &window, request))->open();
}

} // namespace

void connectServing(MainWindow& window) {
    Workbench& bench = window.bench();
    QObject::connect(&bench, &Workbench::serveRequested, &window,
                     [&window](const QString& run, const QString& file, qint64 step, const QString& service) {
                         openServeSheet(window, run, file, step, service);
                     });
    QObject::connect(&bench.serving, &ServiceActions::failed, &window,
                     [&window](const QString& what, const Error& error) { showErrorSheet(&window, what, error); });
    QObject::connect(&bench.serving, &ServiceActions::done, &bench,
                     [&bench](const QString& text) { Q_EMIT bench.statusMessage(text, {}); });
    QObject::connect(&bench.serving, &ServiceActions::started, &window, [&window](const QString& service) {
        window.setPage(PageId::serve);
        if (auto* page = window.findChild<ServePage*>()) page->show(service);
    });
}

} // namespace trainyard::ui
