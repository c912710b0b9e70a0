// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/workbench.h"

#include "ui/models/desktop/background.h"

#include <QColor>

#include <algorithm>

namespace trainyard::ui {

Workbench::Workbench(const store::Workspace& workspace, QObject* parent)
    : QObject(parent), feed(workspace), drawn(selection, feed), actions(workspace), queue(workspace), mirror(workspace),
      services(workspace), serving(workspace), m_stats(QString::fromStdString(workspace.root.string())) {
    m_timer.setInterval(1000);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_load = m_stats.sample();
        Q_EMIT loadChanged();
    });
    connect(&catalog, &CatalogLoader::loaded, this, &Workbench::watchGpus);
    connect(&serving, &ServiceActions::changed, &services, &ServiceWatch::refresh);
    const auto watch = [this] { feed.watch(QStringList(drawn.runs()) << selection.current()); };
    connect(&actions, &RunActions::checkpointFetched, &feed, &WorkspaceFeed::lookForFiles);
    connect(&drawn, &DrawnRuns::changed, this, watch);
    connect(&selection, &RunSelection::currentChanged, this, watch);
#ifdef TRAINYARD_REMOTE
    connect(&mirror, &MirrorProcess::failed, this, [this](const QString& why) { Q_EMIT statusMessage(why, {}); });
    connect(&feed, &WorkspaceFeed::mirrorWanted, &mirror, &MirrorProcess::ensure);
    const auto collect = [this, workspace](const QString& sweep) { // its trials are jobs of Slurm
        if (run::isSlurmJob(workspace.root, sweep.toStdString())) mirror.ensure();
    };
    connect(&actions, &RunActions::sweepStarted, this, collect);
    connect(&feed, &WorkspaceFeed::sweepsChanged, this, [this, collect] {
        for (const auto& each : feed.sweeps())
            if (wire::isActive(each.status)) collect(QString::fromStdString(each.id));
    });
#endif
}

// Only if the worker has found devices: otherwise, no driver is loaded here.
void Workbench::watchGpus() {
    const auto known = catalog.catalog();
    if (!known) return;
    const auto count = std::count_if(known->devices.begin(), known->devices.end(),
                                     [](const auto& device) { return device.name.starts_with("cuda"); });
    if (count == 0) return m_stats.setGpus({});
    inBackground(
        this, [count] { return gpuMeters(static_cast<int>(count)); },
        [this](std::vector<GpuMeter> gpus) { m_stats.setGpus(std::move(gpus)); });
}

void Workbench::start() {
    feed.start();
    catalog.load();
    m_load = m_stats.sample();
    m_timer.start();
    Q_EMIT loadChanged();
}

void Workbench::showSource(const QString& source, bool on) {
    if (on == m_shownSources.contains(source)) return;
    if (on) m_shownSources.insert(source);
    else m_shownSources.remove(source);
    Q_EMIT shownSourcesChanged();
}

} // namespace trainyard::ui
