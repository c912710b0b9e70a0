// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_data.h"

#include <QHash>
#include <QObject>
#include <QStringList>

#include <map>

namespace trainyard::ui {

// The points of all runs that the window follows: one copy of each series, read by every view. Only the feed writes;
// views hold a series and get a signal where it changed. GUI thread; a copy of a SeriesData is a snapshot for other
// threads.
class SeriesStore : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // The series, to hold: the same object while anybody holds it; empty before its first point and after its run was
    // dropped.
    std::shared_ptr<const SeriesData> series(const QString& run, const QString& name);
    // The same for a single read; nullptr if it has no points.
    const SeriesData* find(const QString& run, const QString& name) const;
    // The series of a run that have points, by name.
    QStringList names(const QString& run) const;

    // Points that continue the series, or replace it from their first step on.
    void append(const QString& run, const QString& name, std::span<const PlotPoint> points);
    // The run went back to a checkpoint: drops the points of all its series whose step is above `step`.
    void truncateAfter(const QString& run, qint64 step);
    // The clock that gives its points their wall time, later ones included.
    void setClock(const QString& run, const WallClock& clock);
    // Drops all points of the run: it restarts, or is no longer followed.
    void drop(const QString& run);

Q_SIGNALS:
    // The points from index `first` on were changed, added or removed; earlier ones are untouched.
    void changed(const QString& run, const QString& series, std::size_t first);

private:
    using Run = std::map<QString, std::shared_ptr<SeriesData>>; // by name

    std::shared_ptr<SeriesData>& held(const QString& run, const QString& name); // created if there is none

    QHash<QString, Run> m_runs;
    QHash<QString, std::shared_ptr<const WallClock>> m_clocks;
};

} // namespace trainyard::ui
