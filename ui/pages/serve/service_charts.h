// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/serve/service_history.h"
#include "ui/plots/layers/bar_layer.h"

#include <QWidget>

namespace trainyard::ui {

class Card;
class NumberLabel;
class Plot;
class SegmentedControl;

// Rule: what the histogram of a service's latencies shows.
// At most twelve bars, each for some neighbouring bounds from the fastest to the slowest that has requests, the slowest
// at the top; its length is a share of all. `names` gets the words of the axis.
QList<Bar> latencyBars(const serve::LatencyCounts& latency, QStringList& names);

// Rate, errors, latencies and their histogram: of the last minutes as the watch has sampled them, or of up to 30 days
// as the service has kept them.
class ServiceCharts : public QWidget {
    Q_OBJECT
public:
    explicit ServiceCharts(const ServiceWatch& watch, QWidget* parent = nullptr);
    void setService(const serve::ServiceView& service);
    // Whether there is anything to show of a service that does not run.
    bool isEmpty() const { return m_history.isEmpty(); }
    SegmentedControl* range() const { return m_range; }
    Plot* rate() const { return m_rate; }
    Plot* latency() const { return m_latency; }
    Plot* histogram() const { return m_histogram; }

Q_SIGNALS:
    void historyRead(); // isEmpty() may have changed

private:
    void showLines();
    void showHistogram();

    const ServiceWatch& m_watch;
    ServiceHistory m_history;
    QString m_name;
    SegmentedControl* m_range;
    NumberLabel* m_reach; // from when to when
    Card *m_rateCard, *m_latencyCard, *m_histogramCard;
    Plot *m_rate, *m_latency, *m_histogram;
    SegmentedControl* m_period;
};

} // namespace trainyard::ui
