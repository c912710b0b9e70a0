// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/card_curves.h"

#include "engine/spec/run/better.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr std::size_t kLeastToSmooth = 16;   // averaging fewer points would hide them
constexpr std::size_t kWorkerPoints = 20000; // averages over more points move to a worker thread

} // namespace

void CardCurves::setRuns(const QList<CurveStyle>& runs) {
    m_runs = runs;
    follow();
}

void CardCurves::setSeries(const QStringList& series) {
    m_series = series;
    follow();
}

void CardCurves::follow() {
    std::vector<std::unique_ptr<CardCurve>> next;
    for (const CurveStyle& style : std::as_const(m_runs)) {
        for (int part = 0; part < m_series.size(); ++part) {
            std::unique_ptr<CardCurve> curve;
            for (auto& old : m_curves)
                if (old != nullptr && old->style.runId == style.runId && old->series == m_series[part])
                    curve = std::move(old);
            if (curve == nullptr) {
                curve = std::make_unique<CardCurve>();
                curve->data = m_store->series(style.runId, m_series[part]);
            }
            curve->style = style;
            curve->series = m_series[part];
            curve->pattern = part;
            next.push_back(std::move(curve));
        }
    }
    m_curves = std::move(next);
}

bool CardCurves::setLive(const QString& run, bool live) {
    bool changed = false;
    for (const auto& curve : m_curves)
        if (curve->style.runId == run) changed = std::exchange(curve->live, live) != live || changed;
    return changed;
}

CardCurve* CardCurves::find(const QString& run) const {
    for (const auto& curve : m_curves)
        if (curve->style.runId == run) return curve.get();
    return nullptr;
}

CardCurve* CardCurves::find(const QString& run, const QString& series) const {
    for (const auto& curve : m_curves)
        if (curve->style.runId == run && curve->series == series) return curve.get();
    return nullptr;
}

QString CardCurves::nameOf(const CardCurve& curve) const {
    return m_series.size() == 1 ? curve.style.name : tr("%1, %2").arg(curve.style.name, seriesText(curve.series));
}

bool CardCurves::hasPoints() const {
    return std::any_of(begin(), end(), [](const auto& curve) { return !curve->data->isEmpty(); });
}

bool CardCurves::trains() const {
    return std::any_of(begin(), end(), [](const auto& curve) { return curve->live; });
}

XExtent CardCurves::extent(XMode mode) const {
    XExtent extent;
    auto& [range, least] = extent;
    bool first = true;
    for (const auto& curve : m_curves) {
        const SeriesData& data = *curve->data;
        if (data.isEmpty()) continue;
        const double low = data.x(mode, 0);
        const double high = data.x(mode, data.size() - 1);
        range.low = first ? low : std::min(range.low, low);
        range.high = first ? high : std::max(range.high, high);
        first = false;
        const std::size_t positive = data.lowerBound(mode, std::numeric_limits<double>::min());
        if (positive < data.size())
            least = least > 0 ? std::min(least, data.x(mode, positive)) : data.x(mode, positive);
    }
    if (!first && range.isEmpty()) range.high = range.low + 1; // one point: give it room
    return extent;
}

bool CardCurves::showsIn(const AxisRange& y) const {
    return std::any_of(begin(), end(), [&](const auto& curve) {
        const Bounds all = curve->data->bounds(0, curve->data->size());
        return !all.isEmpty() && y.low <= all.max && y.high >= all.min;
    });
}

bool CardCurves::fallOverDecades() const {
    const auto isError = [](const QString& each) {
        return spec::betterOf(each.toStdString()) == spec::Better::Smaller;
    };
    if (!std::all_of(m_series.begin(), m_series.end(), isError)) return false;
    double min = std::numeric_limits<double>::infinity(), max = 0;
    for (const auto& curve : m_curves) {
        const Bounds all = curve->data->bounds(0, curve->data->size());
        if (all.isEmpty()) continue;
        min = std::min(min, all.min);
        max = std::max(max, all.max);
    }
    return min > 0 && max / min > 5;
}

bool CardCurves::isNoisy() const {
    return std::any_of(m_series.begin(), m_series.end(), [](const QString& each) { return ui::isNoisy(each); });
}

double CardCurves::smoothing(const CardCurve& curve) const { return ui::isNoisy(curve.series) ? m_weight : 0; }

bool CardCurves::isSmoothed(const CardCurve& curve) const {
    return smoothing(curve) > 0 && curve.data->size() >= kLeastToSmooth && curve.smooth->weight() > 0 &&
           curve.smooth->size() > 0 && curve.smooth->matches(*curve.data);
}

const ValueSource& CardCurves::shown(const CardCurve& curve) const {
    if (isSmoothed(curve)) return *curve.smooth;
    return *curve.data;
}

void CardCurves::smooth(double weight) {
    m_weight = weight;
    for (const auto& curve : m_curves) {
        const double wanted = smoothing(*curve);
        if (!(wanted > 0)) continue;
        const double have = curve->smooth->weight();
        const bool same = !(have < wanted) && !(have > wanted) && curve->smooth->matches(*curve->data);
        const std::size_t missing = curve->data->size() - (same ? curve->smooth->size() : 0);
        if (missing > kWorkerPoints) {
            smoothInWorker(*curve, wanted);
        } else {
            if (!same) curve->smooth = std::make_shared<SmoothSeries>(wanted);
            curve->smooth->follow(*curve->data);
        }
    }
}

void CardCurves::smoothInWorker(CardCurve& curve, double weight) {
    if (!(curve.smoothingAsked < weight) && !(curve.smoothingAsked > weight)) return; // already in progress
    curve.smoothingAsked = weight;
    auto points = std::make_shared<SeriesData>(*curve.data);
    const QPointer<CardCurves> asker(this);
    const QString run = curve.style.runId, series = curve.series;
    QThreadPool::globalInstance()->start([points, weight, asker, run, series] {
        auto smooth = std::make_shared<SmoothSeries>(weight);
        smooth->follow(*points);
        QMetaObject::invokeMethod(qApp, [smooth, weight, asker, run, series] {
            CardCurve* done = asker ? asker->find(run, series) : nullptr;
            if (done == nullptr || done->smoothingAsked < weight || done->smoothingAsked > weight) return;
            done->smoothingAsked = 0;
            if (smooth->matches(*done->data)) done->smooth = smooth;
            Q_EMIT asker->smoothed();
        });
    });
}

} // namespace trainyard::ui
