// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/picture.h"

#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QPixmap>

#include <cstdio>

namespace trainyard::ui {

namespace {

// False for an unknown place.
bool go(MainWindow& window, const QString& place) {
    static const QHash<QString, int> places{{QStringLiteral("home"), HomePlaceId},
                                            {QStringLiteral("sweeps"), SweepsPlaceId},
                                            {QStringLiteral("data"), DataPlaceId},
                                            {QStringLiteral("cluster"), ClusterPlaceId},
                                            {QStringLiteral("settings"), SettingsPlaceId}};
    static const QHash<QString, int> tabs{{QStringLiteral("curves"), RunsPlace::CurvesTab},
                                          {QStringLiteral("model"), RunsPlace::ModelTab},
                                          {QStringLiteral("logs"), RunsPlace::LogsTab}};
    if (places.contains(place)) {
        window.setPlace(places.value(place));
    } else if (tabs.contains(place)) {
        window.setPlace(RunsPlaceId);
        window.runsPlace()->setTab(tabs.value(place));
    } else if (place == QLatin1String("add-host")) {
        window.addHost();
    } else if (place == QLatin1String("new-run") || place == QLatin1String("new-sweep")) {
        window.setPlace(RunsPlaceId);
        window.openNewRun({}, place == QLatin1String("new-sweep"));
    } else {
        return false;
    }
    return true;
}

} // namespace

void takePicture(MainWindow& window, const PictureRequest& request) {
    window.resize(request.size);
    QTimer::singleShot(700, &window, [&window, request] {
        if (!go(window, request.place)) {
            std::fprintf(stderr, "trainyard: --place %s is not a place\n", qPrintable(request.place));
            QApplication::exit(2);
            return;
        }
        // Long enough for the worker's preview and for the load of this computer to have a past.
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
