// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/actions/queue_actions.h"
#include "ui/models/actions/run_actions.h"
#include "ui/models/desktop/run_selection.h"
#include "ui/models/desktop/system_stats.h"
#include "ui/models/feed/drawn_runs.h"
#include "ui/models/feed/workspace_feed.h"
#include "ui/models/home/mirror_process.h"
#include "ui/models/new_run/catalog_loader.h"
#include "ui/models/runs/run_grouping.h"
#include "ui/models/serve/service_actions.h"
#include "ui/models/serve/service_watch.h"

#include <QSet>
#include <QTimer>

namespace trainyard::ui {

// Shared by all pages of a window. Lives as long as the window; GUI thread.
class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(const store::Workspace& workspace, QObject* parent = nullptr);

    WorkspaceFeed feed;
    RunSelection selection;
    DrawnRuns drawn;
    ShownGroups groups;
    CatalogLoader catalog;
    RunActions actions;
    QueueActions queue;
    MirrorProcess mirror;
    ServiceWatch services;
    ServiceActions serving;
    SystemLoad load() const { return m_load; }

    // The lesser sources of programs whose curves are shown, too, by their words in names of series ("printed"). None
    // at first.
    const QSet<QString>& shownSources() const { return m_shownSources; }
    void showSource(const QString& source, bool on);

    // Reads the store, the catalog and the load from now on. Called after the first paint.
    void start();

Q_SIGNALS:
    void loadChanged();
    void shownSourcesChanged();
    // Asks the window to open the New run sheet with this run file (empty: the defaults); `sweep`: with the learning
    // rate as a range.
    void newRunRequested(const QString& runJson, bool sweep);
    // Asks it to open the sheet for a fork of this run from the checkpoint of `step`, -1: the best. `isWhole`: of a
    // quick head, to train all weights.
    void forkRequested(const QString& run, qint64 step, bool isWhole = false);
    void pageRequested(const QString& page); // by its id
    void sweepRequested(const QString& sweep);
    // Asks it to open the sheet that serves the checkpoint in `file` of this run, or the newest if empty; `service`: as
    // a new version of that one.
    void serveRequested(const QString& run, const QString& file, qint64 step, const QString& service);
    void addHostRequested();
    void workspaceRequested();
    void paletteRequested();
    void menuRequested();
    void shortcutsRequested();
    void aboutRequested();
    void firstRunRequested();
    void undoRequested();
    void archivedRequested(); // the list of archived runs
    void lineageRequested(const QString& run);
    // To the Runs page, which is shown first.
    void tabRequested(int tab);
    void samplesRequested(const QString& checkpoint); // of the current run: shows its mistakes
    void runsTableToggled();
    void inspectorToggled();
    void filterRequested();
    void filterShown(const QString& words); // the new filter of the runs table
    void logSearchRequested();
    void chartExportRequested();
    void logXToggled();
    void bandToggled();
    void eventsToggled();
    void chartSearchRequested();
    void renameRequested(const QString& run);
    void scalingRequested(const QString& run); // the scaling advisor
    void openFileRequested();
    void imagesRequested();                              // a folder of images to train on
    void scriptRequested();                              // a script to run
    void sourceRequested(const QString& path);           // to train on this file or folder, or to train the model in it
    void importRequested(const QStringList& paths = {}); // runs of other programs; empty: the user chooses them
    void curveDefaultsChanged();
    // One line for the status bar.
    void statusMessage(const QString& text, const QColor& color);

private:
    void watchGpus();

    SystemStats m_stats;
    SystemLoad m_load;
    QSet<QString> m_shownSources;
    QTimer m_timer;
};

// Ids of the pages that code requests by name. The table of all pages is ui/pages/page_table.cpp.
struct PageId {
    static constexpr QLatin1String home{"home"}, runs{"runs"}, sweeps{"sweeps"}, cluster{"cluster"}, serve{"serve"};
};

} // namespace trainyard::ui
