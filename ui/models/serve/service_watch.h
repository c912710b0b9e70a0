// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/control/service_folder.h"

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

namespace trainyard::ui {

// The figures of a service at one moment.
struct ServiceSample {
    double at = 0; // seconds since 1970
    double qps = 0, p50Ms = 0, p99Ms = 0;
    serve::LatencyCounts latency{}; // since the service's start
};

// The services of a workspace, asked about once a second while somebody looks, on a thread of the pool; and the last
// ten minutes of their figures. GUI thread.
class ServiceWatch : public QObject {
    Q_OBJECT
public:
    explicit ServiceWatch(const store::Workspace& workspace, QObject* parent = nullptr);

    // Whether somebody looks.
    void setWatched(bool on);
    // Asks now, or as soon as the question that is under way is answered.
    void refresh();
    // By name; live ones first.
    const std::vector<serve::ServiceView>& services() const { return m_services; }
    const serve::ServiceView* service(const QString& name) const; // null: there is none
    // The oldest first.
    const QList<ServiceSample>& samples(const QString& name) const;
    bool loaded() const { return m_loaded; } // whether the list has been read

    static constexpr int kSamples = 600; // that are kept of each service

Q_SIGNALS:
    void changed();

private:
    void take(std::vector<serve::ServiceView> found);

    const store::Workspace m_workspace;
    std::vector<serve::ServiceView> m_services;
    QHash<QString, QList<ServiceSample>> m_samples;
    QThreadPool m_pool; // each service may let it wait for a second
    QTimer m_timer;
    bool m_loaded = false, m_asking = false, m_again = false;
};

// Whether it answers, or will: it can be scaled, stopped and given another version.
bool isLive(const serve::ServiceView& service);

// What passed between two counts of the same bounds; the later one alone where they differ, as after a restart.
serve::LatencyCounts between(const serve::LatencyCounts& earlier, const serve::LatencyCounts& later);

} // namespace trainyard::ui
