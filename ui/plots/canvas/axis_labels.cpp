// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/axis_labels.h"

#include "engine/base/math/axis_ticks.h"
#include "engine/spec/run/known_series.h"
#include "ui/models/text/format.h"
#include "ui/plots/canvas/plot_words.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::ui {

namespace {

int decimalsOfStep(double step) { return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9); }

struct Suffix {
    double unit;
    QString text;
};

Suffix suffixFor(double magnitude) {
    if (magnitude >= 1e13) return {1e12, QStringLiteral("T")};
    if (magnitude >= 1e10) return {1e9, QStringLiteral("G")};
    if (magnitude >= 1e7) return {1e6, QStringLiteral("M")};
    return magnitude >= 1e4 ? Suffix{1e3, QStringLiteral("k")} : Suffix{1, QString()};
}

QString plain(double value, int decimals) { return QLocale().toString(value, 'f', decimals); }

constexpr double kLargestPlain = 1e16; // larger values are written with an exponent

QString withExponent(double value, int digits) { return digitsText(value, digits); }

// Ticks stand at powers of ten: 1M, not 1,000k.
QString logLabel(double value, bool inExponents = false) {
    if (value < 1e-4 || value >= (inExponents ? 1e4 : kLargestPlain / 10)) return withExponent(value, 2);
    const Suffix suffix = suffixFor(value < 1e4 ? value : value * 10.5);
    return QLocale().toString(value / suffix.unit, 'g', 6) + suffix.text;
}

} // namespace

std::vector<Tick> linearTicks(double low, double high, int count) {
    std::vector<Tick> ticks;
    const auto positions = linearTickPositions(low, high, count);
    if (positions.empty()) return ticks;
    const double step = niceStep((high - low) / std::max(count, 1));
    const double magnitude = std::max(std::abs(low), std::abs(high));
    if (magnitude >= kLargestPlain) {
        for (const double at : positions) ticks.push_back({at, at == 0 ? QStringLiteral("0") : withExponent(at, 3)});
        return ticks;
    }
    Suffix suffix = suffixFor(magnitude);
    if (step < suffix.unit / 100) // 10,000 to 10,001 needs all digits
        suffix = {1, QString()};
    const int decimals = decimalsOfStep(step / suffix.unit);
    for (const double at : positions)
        ticks.push_back({at, at == 0 && !suffix.text.isEmpty() ? QStringLiteral("0")
                                                               : plain(at / suffix.unit, decimals) + suffix.text});
    return ticks;
}

std::vector<Tick> logTicks(double low, double high, int count) {
    const auto positions = logTickPositions(low, high, count);
    if (positions.empty() && low > 0 && high > low) return linearTicks(low, high, count);
    std::vector<Tick> ticks;
    // One form on an axis: 1e+06 beside 1e+18.
    const bool inExponents = !positions.empty() && positions.back() >= kLargestPlain / 10;
    for (const double at : positions) ticks.push_back({at, logLabel(at, inExponents)});
    return ticks;
}

namespace {

// Seconds, minutes, hours or days between ticks that are at least `rough` apart.
double timeStep(double rough) {
    static constexpr std::array<double, 18> kSteps{1,   2,   5,    10,   15,   30,    60,    120,   300,
                                                   600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
    const auto* const found = std::lower_bound(kSteps.begin(), kSteps.end(), rough);
    return found != kSteps.end() ? *found : 86400 * std::ceil(rough / 86400);
}

// Limits the axis to about 3,000 years, however far it is zoomed out.
QDateTime localTime(double seconds) {
    return QDateTime::fromMSecsSinceEpoch(std::llround(std::clamp(seconds, -1e11, 1e11) * 1000));
}

} // namespace

std::vector<Tick> timeTicks(double low, double high, int count) {
    std::vector<Tick> ticks;
    const double rough = (high - low) / std::max(count, 1);
    if (!(rough > 0) || !std::isfinite(rough)) return ticks;
    const double step = rough > 0.5 ? timeStep(rough) : niceStep(rough);
    for (const double at : multiplesIn(low, high, step))
        ticks.push_back(
            {at, step < 1 ? plain(at, decimalsOfStep(step)) + QStringLiteral(" s") : formatDuration(std::round(at))});
    return ticks;
}

std::vector<Tick> wallTicks(double low, double high, int count) {
    std::vector<Tick> ticks;
    const double rough = (high - low) / std::max(count, 1);
    if (!(rough > 0) || !std::isfinite(rough)) return ticks;
    const double step = timeStep(rough);
    const double offset = localTime(low).offsetFromUtc(); // ticks are round in local time
    for (const double at : multiplesIn(low + offset, high + offset, step)) {
        const QDateTime time = localTime(at - offset);
        const bool dayBegins = time.time().msecsSinceStartOfDay() == 0;
        ticks.push_back({at - offset, QLocale().toString(time, dayBegins   ? PlotWords::tr("d MMM")
                                                               : step < 60 ? QStringLiteral("HH:mm:ss")
                                                                           : QStringLiteral("HH:mm"))});
    }
    return ticks;
}

namespace {

// Every label, or every n-th where space is short.
std::vector<Tick> nameTicks(const PlotAxis& axis, int count) {
    std::vector<Tick> ticks;
    const auto shown = static_cast<double>(axis.names.size());
    const int every = std::max(1, static_cast<int>(std::ceil(shown / std::max(count, 1))));
    for (int at = 0; at < axis.names.size(); at += every)
        if (at >= axis.range.low && at <= axis.range.high) ticks.push_back({static_cast<double>(at), axis.names[at]});
    return ticks;
}

} // namespace

std::vector<Tick> ticksOf(const PlotAxis& axis, int count) {
    if (axis.unit == AxisUnit::None) return {};
    if (axis.unit == AxisUnit::Names) return nameTicks(axis, count);
    const AxisRange& range = axis.range;
    if (!axis.marks.isEmpty()) {
        std::vector<Tick> ticks;
        for (const double at : axis.marks)
            if (at >= range.low && at <= range.high) ticks.push_back({at, logLabel(at)});
        return ticks;
    }
    const bool duration = axis.unit == AxisUnit::Duration;
    if (axis.unit == AxisUnit::WallTime) return wallTicks(range.low, range.high, count);
    if (!range.log)
        return duration ? timeTicks(range.low, range.high, count) : linearTicks(range.low, range.high, count);
    std::vector<Tick> ticks = logTicks(range.low, range.high, count);
    if (duration)
        for (Tick& tick : ticks)
            tick.label =
                tick.position < 1 ? logLabel(tick.position) + QStringLiteral(" s") : formatDuration(tick.position);
    return ticks;
}

int decimalsFor(double low, double high, bool log) {
    const double size = log ? low : high - low;
    if (!(size > 0) || !std::isfinite(size)) return 4;
    const int digits = log ? 1 : 3;
    return std::clamp(digits - static_cast<int>(std::floor(std::log10(size))), 0, 6);
}

QString formatValue(double value, int decimals) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::abs(value);
    if (size >= kLargestPlain) return withExponent(value, 4);
    if (size >= 1e4) {
        const Suffix suffix = suffixFor(size);
        return plain(value / suffix.unit, 1) + suffix.text;
    }
    if (size > 0 && size < std::pow(10.0, -decimals)) return digitsText(value, 3);
    return plain(value, decimals);
}

QString formatDuration(double seconds) {
    if (seconds < 0) return QStringLiteral("-") + formatDuration(-seconds);
    if (seconds < 60) {
        const bool whole = std::abs(seconds - std::round(seconds)) < 1e-6;
        return plain(seconds, whole ? 0 : 1) + QStringLiteral(" s");
    }
    const auto total = static_cast<qint64>(std::llround(seconds));
    const QChar zero(QLatin1Char('0'));
    const qint64 hours = total / 3600;
    const QString tail = QStringLiteral("%1").arg(total % 60, 2, 10, zero);
    if (hours == 0) return QStringLiteral("%1:%2").arg(total / 60).arg(tail);
    return QStringLiteral("%1:%2:%3").arg(hours).arg(total / 60 % 60, 2, 10, zero).arg(tail);
}

QString formatX(XMode mode, double x) {
    switch (mode) {
    case XMode::Epoch: return PlotWords::tr("Epoch %1").arg(plain(x, 1));
    case XMode::RelativeTime: return formatDuration(x);
    case XMode::WallTime: return QLocale().toString(localTime(x), PlotWords::tr("d MMM HH:mm:ss"));
    case XMode::Step: break;
    }
    return PlotWords::tr("Step %1").arg(QLocale().toString(static_cast<qint64>(std::llround(x))));
}

QString xTitle(XMode mode) {
    switch (mode) {
    case XMode::Epoch: return PlotWords::tr("Epoch");
    case XMode::RelativeTime: return PlotWords::tr("Time since start");
    case XMode::WallTime: return PlotWords::tr("Wall time");
    case XMode::Step: break;
    }
    return PlotWords::tr("Step");
}

AxisUnit xUnit(XMode mode) {
    if (mode == XMode::RelativeTime) return AxisUnit::Duration;
    return mode == XMode::WallTime ? AxisUnit::WallTime : AxisUnit::Number;
}

QString untoldUnit(const QStringList& series) {
    std::string unit;
    for (qsizetype i = 0; i < series.size(); ++i) {
        const std::string of = spec::seriesUnit(series[i].toStdString());
        if (of.empty() || (i > 0 && of != unit)) return {};
        unit = of;
    }
    const QString shown = QCoreApplication::translate("Engine", unit.c_str()), title = seriesTitle(series);
    const bool isTold =
        title.endsWith(QStringLiteral("(%1)").arg(shown)) || title.compare(shown, Qt::CaseInsensitive) == 0;
    return isTold ? QString() : shown;
}

QString yTitle(const QStringList& series) {
    const QString unit = untoldUnit(series), title = seriesTitle(series);
    return unit.isEmpty() ? title : QStringLiteral("%1, %2").arg(title, unit);
}

} // namespace trainyard::ui
