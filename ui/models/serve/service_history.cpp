// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_history.h"

#include "ui/models/desktop/background.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr qint64 kReadAgainMs = serve::FigureLog::kSpanMs;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr double kLookedEvery = 2; // seconds; the watch asks once a second, and may wait that long for its answers

std::int64_t lengthOf(ServiceRange range) {
    switch (range) {
    case ServiceRange::Minutes: return kHourMs / 6;
    case ServiceRange::Hour: return kHourMs;
    case ServiceRange::Day: return 24 * kHourMs;
    case ServiceRange::Month: break;
    }
    return 30 * 24 * kHourMs;
}

} // namespace

QList<FigureSample> filled(const QList<FigureSample>& live, const QList<FigureSample>& kept) {
    QList<FigureSample> all;
    qsizetype next = 0;
    const auto takeKept = [&](double until) {
        for (; next < kept.size() && kept[next].at + kept[next].span <= until; ++next) {
            const FigureSample& each = kept[next];
            if (!all.isEmpty() && each.at < all.last().at + all.last().span / 2) continue; // somebody looked
            if (!all.isEmpty()) all.last().span = std::max(all.last().span, each.span);
            all << each;
        }
    };
    for (const FigureSample& each : live) {
        takeKept(each.at);
        all << each;
    }
    takeKept(std::numeric_limits<double>::infinity());
    return all;
}

ServiceHistory::ServiceHistory(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

void ServiceHistory::look(const serve::ServiceView& service, const QList<ServiceSample>& samples) {
    if (service.folder.figures() != m_file) {
        m_file = service.folder.figures();
        m_points.clear();
        m_errors.clear();
        m_errorsSoFar = -1;
        m_readAt.invalidate();
    }
    std::int64_t errors = 0;
    for (const auto& [code, count] : service.status.codes) errors += code >= 400 ? count : 0;
    if (!samples.isEmpty() && (m_errors.isEmpty() || m_errors.lastKey() < samples.last().at)) {
        const double since = samples.size() > 1 ? samples.last().at - samples[samples.size() - 2].at : 0;
        const std::int64_t before = std::exchange(m_errorsSoFar, errors);
        const bool isKnown = since > 0 && before >= 0 && errors >= before; // else it was started anew
        m_errors[samples.last().at] = isKnown ? static_cast<double>(errors - before) / since : 0;
        if (m_errors.size() > ServiceWatch::kSamples) m_errors.erase(m_errors.begin());
    }
    m_live.clear();
    for (const ServiceSample& each : samples)
        m_live << FigureSample{each.at, kLookedEvery, each.qps, each.p50Ms, each.p99Ms, m_errors.value(each.at)};
    read();
}

void ServiceHistory::read() {
    if (m_readAt.isValid() && m_readAt.elapsed() < kReadAgainMs) return;
    m_readAt.start();
    inBackground(
        m_pool, this, [file = m_file] { return serve::readFigures(file).valueOr(std::vector<serve::FigurePoint>()); },
        [this, file = m_file](std::vector<serve::FigurePoint> found) {
            if (file != m_file || found == m_points) return;
            m_points = std::move(found);
            Q_EMIT changed();
        });
}

QList<FigureSample> ServiceHistory::samples(ServiceRange range) const {
    QList<FigureSample> found;
    const bool isLive = range == ServiceRange::Minutes && !m_live.isEmpty();
    std::int64_t newest = m_points.empty() ? 0 : m_points.back().atMs;
    if (isLive) newest = std::max(newest, static_cast<std::int64_t>(m_live.last().at * 1e3));
    for (const serve::FigurePoint& each : m_points)
        if (each.atMs > newest - lengthOf(range))
            found << FigureSample{
                static_cast<double>(each.atMs) / 1e3, each.spanMs / 1e3, each.qps, each.p50Ms, each.p99Ms, each.errors};
    if (isLive) return filled(m_live, found);
    return found;
}

} // namespace trainyard::ui
