// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshot.h"

#include "ui/pages/page_table.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QPixmap>

#include <cstdio>

namespace trainyard::ui {

namespace {

// Views that are not pages.
struct View {
    const char* name;
    void (*open)(MainWindow& window);
};

template <RunsPage::Tab tab>
void openTab(MainWindow& window) {
    window.setPage(PageId::runs);
    window.runsPage()->setTab(tab);
}

template <bool sweep>
void openSheet(MainWindow& window) {
    window.setPage(PageId::runs);
    window.openNewRun({}, sweep);
}

constexpr View kViews[] = {{"curves", openTab<RunsPage::CurvesTab>},
                           {"model", openTab<RunsPage::ModelTab>},
                           {"logs", openTab<RunsPage::LogsTab>},
                           {"compare", openTab<RunsPage::CompareTab>},
                           {"samples", openTab<RunsPage::SamplesTab>},
                           {"add-host", [](MainWindow& window) { window.addHost(); }},
                           {"new-run", openSheet<false>},
                           {"new-sweep", openSheet<true>}};

} // namespace

QStringList viewNames() {
    QStringList names;
    for (const Page& page : pages()) names << QLatin1String(page.id);
    for (const View& view : kViews) names << QLatin1String(view.name);
    return names;
}

bool openView(MainWindow& window, const QString& name) {
    for (const View& view : kViews) {
        if (name != QLatin1String(view.name)) continue;
        view.open(window);
        return true;
    }
    window.setPage(name);
    return pageIndex(name) >= 0;
}

void saveScreenshot(MainWindow& window, const ScreenshotRequest& request) {
    window.resize(request.size);
    QTimer::singleShot(700, &window, [&window, request] {
        openView(window, request.view);
        // Long enough for the worker's preview and for some history of this computer's load.
        QTimer::singleShot(4000, &window, [&window, request] {
            if (!window.grab().save(request.file)) {
                std::fprintf(stderr, "trainyard: %s cannot be written\n", qPrintable(request.file));
                QApplication::exit(3);
                return;
            }
            QApplication::quit();
        });
    });
}

} // namespace trainyard::ui
