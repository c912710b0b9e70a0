// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_axis.h"
#include "ui/series/plot_point.h"

#include <QString>

#include <vector>

namespace trainyard::ui {

// One tick of an axis.
struct Tick {
    double position;
    QString label;
};

// Around `count` round positions in [low, high]: steps of 1, 2, 4 or 5, labels with one fixed count of
// decimals and the suffix k, M or G from 10,000 on.
std::vector<Tick> linearTicks(double low, double high, int count);
// 1, 2 and 5 of every decade while they are few, decades (or every n-th) when they are many.
std::vector<Tick> logTicks(double low, double high, int count);
// Round seconds, minutes and hours, labelled as 45 s, 2:30 or 1:05 h.
std::vector<Tick> timeTicks(double low, double high, int count);
// Round local times of seconds since 1970, labelled as 14:05, 14:05:30 or, where a day begins, 25 Nov.
std::vector<Tick> wallTicks(double low, double high, int count);
// About `count` ticks for an axis, by its scale and unit.
std::vector<Tick> ticksOf(const PlotAxis& axis, int count);

// "12k", "0.05": a value with `decimals` places, or with three digits when that would show 0.
QString formatValue(double value, int decimals);
// Places that tell values apart in [low, high], a log range if `log`.
int decimalsFor(double low, double high, bool log);
// 45.2 s, 2:14, 1:02:14.
QString formatDuration(double seconds);
// "Step 5,480", "Epoch 46.4", "2:14", "25 Nov 14:05:30" by mode.
QString formatX(XMode mode, double x);
// Axis title of a mode: "Step", "Epoch", "Time since start", "Wall time".
QString xTitle(XMode mode);
// The labels of the x axis in a mode.
AxisUnit xUnit(XMode mode);
// "s", "MB": in what all of these series are measured; empty: plain numbers, not the same for all, or their title says
// it ("Samples/s").
QString untoldUnit(const QStringList& series);
// "Time per step, s": the title of their axis.
QString yTitle(const QStringList& series);

} // namespace trainyard::ui
