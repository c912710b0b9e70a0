// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/control/figure_log.h"
#include "engine/serve/control/service_folder.h"
#include "ui/models/serve/service_watch.h"

#include <QElapsedTimer>
#include <QMap>
#include <QThreadPool>

namespace trainyard::ui {

// How far back charts of a service look. Minutes: as the window has sampled it, second by second, and what is kept of
// the times when nobody looked.
enum class ServiceRange { Minutes, Hour, Day, Month };

// The figures of a service at one moment, or on average from then on.
struct FigureSample {
    double at = 0;   // seconds since 1970
    double span = 0; // seconds until the next one, where none is missing
    double qps = 0, p50Ms = 0, p99Ms = 0;
    double errors = 0; // answers from 400 on, a second
    bool operator==(const FigureSample&) const = default;
};

// The samples of the window with those of `kept` that lie between, before or behind them; both and the result oldest
// first. A sample before one of `kept` lasts as long as that one, so that a line goes on from it.
QList<FigureSample> filled(const QList<FigureSample>& live, const QList<FigureSample>& kept);

// The figures of one service: those of the last minutes, and those of up to 30 days that its folder keeps, read on a
// thread of its own. GUI thread.
class ServiceHistory : public QObject {
    Q_OBJECT
public:
    explicit ServiceHistory(QObject* parent = nullptr);

    // Takes what the watch knows of the service now. Reads its folder, unless that was done in the last ten seconds,
    // which is how often there is a new point.
    void look(const serve::ServiceView& service, const QList<ServiceSample>& samples);
    // Those of a range that ends with the newest of all; the oldest first.
    QList<FigureSample> samples(ServiceRange range) const;
    bool isEmpty() const { return m_live.isEmpty() && m_points.empty(); }

Q_SIGNALS:
    void changed();

private:
    void read();

    std::filesystem::path m_file;
    QList<FigureSample> m_live;
    QMap<double, double> m_errors; // by the moment of the sample: those since the one before, a second
    std::int64_t m_errorsSoFar = -1;
    std::vector<serve::FigurePoint> m_points;
    QElapsedTimer m_readAt;
    QThreadPool m_pool; // a disk may let it wait
};

} // namespace trainyard::ui
