// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/series/series_store.h"
#include "ui/series/smooth_series.h"

#include <QStringList>

namespace trainyard::ui {

// One series of one run in a card: its look, its points and their average.
struct CardCurve {
    CurveStyle style;
    QString series;
    int pattern = 0;                        // of its line: the index of its series in the card
    std::shared_ptr<const SeriesData> data; // shared with the store
    std::shared_ptr<SmoothSeries> smooth = std::make_shared<SmoothSeries>();
    ColumnCache columns;       // reduced from the data
    double smoothingAsked = 0; // weight of the average in progress in a worker; 0 = none
    bool live = false;
};

// The curves of a card (all series of the first run, then of the next) and their averages. GUI thread.
class CardCurves : public QObject {
    Q_OBJECT
public:
    // `store` outlives every call of setRuns() and setSeries().
    CardCurves(const QString& metric, SeriesStore* store) : m_series{metric}, m_store(store) {}

    void setRuns(const QList<CurveStyle>& runs);
    const QList<CurveStyle>& runs() const { return m_runs; }
    void setSeries(const QStringList& series);
    const QStringList& series() const { return m_series; }
    QString metric() const { return m_series.front(); }
    // Marks a run as training or not; false: unchanged.
    bool setLive(const QString& run, bool live);

    auto begin() const { return m_curves.begin(); }
    auto end() const { return m_curves.end(); }
    std::size_t size() const { return m_curves.size(); }
    CardCurve& operator[](std::size_t index) const { return *m_curves[index]; }
    CardCurve* find(const QString& run) const; // the first of that run
    CardCurve* find(const QString& run, const QString& series) const;
    // The curve's name among these.
    QString nameOf(const CardCurve& curve) const;

    bool hasPoints() const;
    bool trains() const; // one of the runs is training
    XExtent extent(XMode mode) const;
    // Whether any value of the runs lies in the range.
    bool showsIn(const AxisRange& y) const;
    // Whether the auto mode chooses a log scale: losses and errors do; an accuracy or a learning rate reads better on a
    // linear one. All values decide, not only the visible ones, so that a zoom never changes the scale.
    bool fallOverDecades() const;
    // Whether one of the series is smoothed.
    bool isNoisy() const;

    // Updates the averages with this weight; those over many points come from a worker, with smoothed().
    void smooth(double weight);
    double smoothing() const { return isNoisy() ? m_weight : 0; } // the largest weight in use
    bool isSmoothed(const CardCurve& curve) const;
    // The values drawn: its average if it has one.
    const ValueSource& shown(const CardCurve& curve) const;

Q_SIGNALS:
    void smoothed();

private:
    void follow(); // makes a curve for each series of each run
    double smoothing(const CardCurve& curve) const;
    void smoothInWorker(CardCurve& curve, double weight);

    QList<CurveStyle> m_runs;
    QStringList m_series; // the metric comes first
    SeriesStore* m_store;
    std::vector<std::unique_ptr<CardCurve>> m_curves;
    double m_weight = 0; // of the averages
};

} // namespace trainyard::ui
