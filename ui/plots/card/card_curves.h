// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/series/series_store.h"
#include "ui/series/smooth_series.h"

#include <QStringList>

namespace trainyard::ui {

// One series of one run in a card: its looks, its points and their average.
struct CardCurve {
    CurveStyle style;
    QString series;
    int pattern = 0;                        // of its line: the place of its series in the card
    std::shared_ptr<const SeriesData> data; // the store's
    std::shared_ptr<SmoothSeries> smooth = std::make_shared<SmoothSeries>();
    ColumnCache columns;       // of the data
    double smoothingAsked = 0; // weight of the average under way in a worker; 0 = none
    bool live = false;
};

// The curves of a card, each series of the first run, then of the next, and their averages. GUI thread.
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
    // Whether a run trains; false: that was known.
    bool setLive(const QString& run, bool live);

    auto begin() const { return m_curves.begin(); }
    auto end() const { return m_curves.end(); }
    std::size_t size() const { return m_curves.size(); }
    CardCurve& operator[](std::size_t index) const { return *m_curves[index]; }
    CardCurve* find(const QString& run) const; // the first of that run
    CardCurve* find(const QString& run, const QString& series) const;
    // What the curve is called among these.
    QString nameOf(const CardCurve& curve) const;

    bool hasPoints() const;
    bool trains() const; // one of the runs
    XExtent extent(XMode mode) const;
    // Any value of the runs lies there.
    bool showsIn(const AxisRange& y) const;
    // Losses and errors do; an accuracy or a learning rate reads better on a line. All values decide, not those in
    // sight: a zoom changes no scale.
    bool fallOverDecades() const;
    // A series that is smoothed is among them.
    bool isNoisy() const;

    // Brings the averages by this weight up to date; those over many points come from a worker, with smoothed().
    void smooth(double weight);
    double smoothing() const { return isNoisy() ? m_weight : 0; } // the largest weight that one is drawn with
    bool isSmoothed(const CardCurve& curve) const;
    // What is drawn of it: its average if it has one.
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
