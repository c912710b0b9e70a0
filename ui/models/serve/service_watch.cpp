// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_watch.h"

#include "ui/models/desktop/background.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kAskMs = 1000;

} // namespace

ServiceWatch::ServiceWatch(const store::Workspace& workspace, QObject* parent)
    : QObject(parent), m_workspace(workspace) {
    m_pool.setMaxThreadCount(1);
    m_timer.setInterval(kAskMs);
    connect(&m_timer, &QTimer::timeout, this, &ServiceWatch::refresh);
}

void ServiceWatch::setWatched(bool on) {
    if (on == m_timer.isActive()) return;
    if (!on) return m_timer.stop();
    m_timer.start();
    refresh();
}

void ServiceWatch::refresh() {
    m_again = m_asking;
    if (std::exchange(m_asking, true)) return;
    inBackground(
        m_pool, this, [workspace = m_workspace] { return serve::listServices(workspace); },
        [this](std::vector<serve::ServiceView> found) {
            m_asking = false;
            take(std::move(found));
            if (std::exchange(m_again, false)) refresh();
        });
}

void ServiceWatch::take(std::vector<serve::ServiceView> found) {
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.isServed && !b.isServed; });
    m_services = std::move(found);
    m_loaded = true;
    QHash<QString, QList<ServiceSample>> kept;
    for (const serve::ServiceView& each : m_services) {
        const QString name = QString::fromStdString(each.spec.name);
        QList<ServiceSample> samples = m_samples.value(name);
        if (each.isServed) {
            if (samples.size() >= kSamples) samples.removeFirst();
            const serve::ServiceStatus& status = each.status;
            samples << ServiceSample{static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000, status.qps,
                                     status.p50Ms, status.p99Ms, status.latency};
        }
        kept.insert(name, samples);
    }
    m_samples = std::move(kept);
    Q_EMIT changed();
}

const serve::ServiceView* ServiceWatch::service(const QString& name) const {
    const std::string wanted = name.toStdString();
    const auto at = std::find_if(m_services.begin(), m_services.end(),
                                 [&](const serve::ServiceView& each) { return each.spec.name == wanted; });
    return at == m_services.end() ? nullptr : &*at;
}

const QList<ServiceSample>& ServiceWatch::samples(const QString& name) const {
    static const QList<ServiceSample> none;
    const auto at = m_samples.constFind(name);
    return at == m_samples.constEnd() ? none : at.value();
}

bool isLive(const serve::ServiceView& service) {
    return service.isServed && (service.status.state == serve::ServiceState::Starting ||
                                service.status.state == serve::ServiceState::Ready);
}

serve::LatencyCounts between(const serve::LatencyCounts& earlier, const serve::LatencyCounts& later) {
    serve::LatencyCounts passed = later;
    if (earlier.boundsMs != later.boundsMs || earlier.counts.size() != later.counts.size()) return passed;
    for (std::size_t i = 0; i < passed.counts.size(); ++i) {
        if (earlier.counts[i] > later.counts[i]) return later; // it was started anew
        passed.counts[i] -= earlier.counts[i];
    }
    return passed;
}

} // namespace trainyard::ui
