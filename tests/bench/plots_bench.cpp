// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of one metric card: plots_bench [runs] [points per run]
#include "ui/plots/metric_card.h"
#include "ui/plots/plot_group.h"
#include "ui/series/series_store.h"
#include "ui/series/smooth_series.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QImage>
#include <QThreadPool>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

using namespace trainyard::ui;

namespace {

/// Processor time of this thread: what a frame costs, whatever else the computer does.
class Clock {
public:
    double milliseconds() const { return now() - m_start; }

private:
    static double now() {
        timespec at{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
        return static_cast<double>(at.tv_sec) * 1e3 + static_cast<double>(at.tv_nsec) / 1e6;
    }
    double m_start = now();
};

std::vector<PlotPoint> run(int index, int count) {
    std::mt19937 random(static_cast<unsigned>(index));
    std::normal_distribution<double> noise;
    std::vector<PlotPoint> points;
    points.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double at = static_cast<double>(i) / count;
        const double loss = (0.05 + 0.01 * index + 2 * std::exp(-12 * at)) * std::exp(0.2 * noise(random));
        points.push_back({i, at * 100, i * 0.01, loss});
    }
    return points;
}

/// One frame as the window would show it: ranges, reduction, curves, and the blit.
double frame(MetricCard& card, QImage& screen) {
    const Clock clock;
    card.refreshNow();
    card.render(&screen);
    return clock.milliseconds();
}

void report(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::printf("%-34s median %6.2f ms   p95 %6.2f ms   worst %6.2f ms   (%zu frames)\n", what, times[times.size() / 2],
                times[times.size() * 95 / 100], times.back(), times.size());
}

void panAndZoom(MetricCard& card, PlotGroup& group, QImage& screen, double length, const char* label) {
    std::vector<double> pan, zoom;
    for (int i = 0; i < 60; ++i) {
        const double low = length * 0.3 * i / 60;
        group.setVisibleRange(low, low + length * 0.5);
        pan.push_back(frame(card, screen));
    }
    for (int i = 0; i < 60; ++i) {
        const double half = length / 2 * std::pow(0.88, i);
        group.setVisibleRange(length / 2 - half, length / 2 + half);
        zoom.push_back(frame(card, screen));
    }
    group.fit();
    report(qPrintable(QStringLiteral("pan, %1").arg(QLatin1String(label))), pan);
    report(qPrintable(QStringLiteral("zoom, %1").arg(QLatin1String(label))), zoom);
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    const int runs = argc > 1 ? std::atoi(argv[1]) : 20;
    const int count = argc > 2 ? std::atoi(argv[2]) : 1000000;
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("train/loss"), &group, &store);
    card.resize(640, 400);
    QList<CurveStyle> styles;
    for (int i = 0; i < runs; ++i) styles << CurveStyle{QString::number(i), QStringLiteral("run-%1").arg(i), i};
    card.setCurves(styles);
    double append = 0;
    for (int i = 0; i < runs; ++i) {
        const auto points = run(i, count);
        const Clock clock;
        store.append(QString::number(i), card.metric(), points);
        append += clock.milliseconds();
    }
    std::printf("%d runs of %d points; append %.1f ms per run\n", runs, count, append / runs);
    const Clock clock;
    SmoothSeries smooth(0.93);
    smooth.follow(*store.series(QStringLiteral("0"), card.metric()));
    std::printf("debiased average of one run: %.1f ms\n", clock.milliseconds());
    card.show();
    QCoreApplication::processEvents();
    QImage screen(card.size(), QImage::Format_RGB32);
    frame(card, screen);
    panAndZoom(card, group, screen, count, "smoothing off");
    group.setSmoothing(0.93);
    frame(card, screen);
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    panAndZoom(card, group, screen, count, "smoothing 0.93");
    std::vector<double> live;
    for (int i = 0; i < 60; ++i) {
        for (int k = 0; k < runs; ++k) {
            const PlotPoint point{count + i, 100, 0, 0.1};
            store.append(QString::number(k), card.metric(), std::span(&point, 1));
        }
        live.push_back(frame(card, screen));
    }
    report("a new point of every run", live);
    return 0;
}
