// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/serve/service_watch.h"
#include "ui/plots/layers/bar_layer.h"

#include <QWidget>

namespace trainyard::ui {

class Card;
class Plot;
class SegmentedControl;

// Rule: what the histogram of a service's latencies shows.
// At most twelve bars, each for some neighbouring bounds from the fastest to the slowest that has requests, the slowest
// at the top; its length is a share of all. `names` gets the words of the axis.
QList<Bar> latencyBars(const serve::LatencyCounts& latency, QStringList& names);

// Rate, latencies and their histogram, from what the watch has sampled.
class ServiceCharts : public QWidget {
    Q_OBJECT
public:
    explicit ServiceCharts(const ServiceWatch& watch, QWidget* parent = nullptr);
    void setService(const serve::ServiceView& service);
    Plot* rate() const { return m_rate; }
    Plot* latency() const { return m_latency; }
    Plot* histogram() const { return m_histogram; }

private:
    void showLines(const QList<ServiceSample>& samples);
    void showHistogram();

    const ServiceWatch& m_watch;
    QString m_name;
    Card *m_rateCard, *m_latencyCard, *m_histogramCard;
    Plot *m_rate, *m_latency, *m_histogram;
    SegmentedControl* m_period;
};

} // namespace trainyard::ui
