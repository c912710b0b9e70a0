// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of the Curves view costs with four charts in sight, until it is on the screen: plots_bench [runs]
// [points per run] [--bars]. How long the GUI thread is busy, what it waits for threads that help it included, and the
// processor time of this thread and of all (median, p95); and how much memory a point takes. On a computer that does
// nothing else.
#include "tests/bench/bars.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/metric_card.h"
#include "ui/series/series_store.h"
#include "ui/series/smooth_series.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QMouseEvent>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <malloc.h>
#include <random>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr int kFrames = 60;
constexpr int kPaceMs = 25;             // between two frames: more than charts wait before they draw again
constexpr double kMostBytes = 24;       // of memory a point
constexpr double kMostOwnPoints = 20e6; // beyond so many, the charts show one series, which is held once

// The bar of a frame in milliseconds.
double barOf(int runs, int count) {
    if (runs > 100) return 100; // to be usable
    return 1.0 * runs * count > 50e6 ? 33 : 16;
}

// The memory that is in use.
double usedBytes() {
    const auto used = ::mallinfo2();
    return static_cast<double>(used.uordblks + used.hblkhd);
}

double milliseconds(clockid_t clock) {
    timespec at{};
    clock_gettime(clock, &at);
    return static_cast<double>(at.tv_sec) * 1e3 + static_cast<double>(at.tv_nsec) / 1e6;
}

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

// Four charts, as many as the Curves view shows at once, and what happens to them.
class Charts {
public:
    Charts(int runs, int count, bench::Bars& bars) : m_runs(runs), m_count(count), m_bars(bars) {
        auto* grid = new QGridLayout(&m_window);
        const bool own = 1.0 * runs * count <= kMostOwnPoints;
        for (int i = 0; i < 4; ++i) {
            const QString metric = QStringLiteral("loss/%1").arg(own ? i : 0);
            m_cards.push_back(new MetricCard(metric, &m_group, &m_store));
            grid->addWidget(m_cards.back(), i / 2, i % 2);
        }
        m_window.resize(1320, 840); // about 640 x 400 for each
        for (int i = 0; i < runs; ++i) m_styles << CurveStyle{idOf(i), QStringLiteral("run-%1").arg(i), i};
        fill();
        m_window.show();
        settle();
    }

    void panAndZoom(const char* label) {
        const double length = m_count;
        measure("pan", label, [&](int i) {
            const double low = length * 0.3 * i / kFrames;
            m_group.setVisibleRange(low, low + length * 0.5);
        });
        measure("zoom", label, [&](int i) {
            const double half = length / 2 * std::pow(0.88, i);
            m_group.setVisibleRange(length / 2 - half, length / 2 + half);
        });
        m_group.fit();
        settle();
    }
    // Along a curve and across the others, so that another run is pointed at again and again.
    void hover() {
        auto* canvas = m_cards.front()->findChild<PlotCanvas*>();
        measure("crosshair", "", [&](int i) {
            const QPointF at(80.0 + 6 * i, 100.0 + i * 37 % 200);
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                             Qt::NoModifier);
            QApplication::sendEvent(canvas, &move);
        });
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(canvas, &leave);
        settle();
    }
    void live() {
        measure("a new point of every run", "", [&](int i) {
            for (int k = 0; k < m_runs; ++k) {
                const PlotPoint point{m_count + i, 100, 0, 0.1};
                for (const QString& metric : metrics()) m_store.append(idOf(k), metric, std::span(&point, 1));
            }
        });
    }
    void smooth(double weight) {
        m_group.setSmoothing(weight);
        do QThreadPool::globalInstance()->waitForDone(); // the frames that ask for averages, and those that show them
        while (settle() > 0);
    }

private:
    static QString idOf(int index) { return QString::number(index); }
    QStringList metrics() const {
        QStringList metrics;
        for (const MetricCard* card : m_cards) metrics << card->metric();
        metrics.removeDuplicates();
        return metrics;
    }
    void fill() {
        double append = 0;
        const double bytesBefore = usedBytes();
        for (int i = 0; i < m_runs; ++i) {
            const auto points = run(i, m_count);
            const double before = milliseconds(CLOCK_THREAD_CPUTIME_ID);
            for (const QString& metric : metrics()) m_store.append(idOf(i), metric, points);
            append += milliseconds(CLOCK_THREAD_CPUTIME_ID) - before;
        }
        const double series = m_runs * static_cast<double>(metrics().size());
        const double bytes = (usedBytes() - bytesBefore) / series / m_count;
        std::printf("%d runs of %d points in four charts; append %.1f ms a series, %.1f bytes a point\n", m_runs,
                    m_count, append / series, bytes);
        m_bars.keep("memory", bytes, kMostBytes, "bytes a point");
        for (MetricCard* card : m_cards) card->setCurves(m_styles);
    }
    // Until everything that is due is drawn and on the screen; how long this thread was busy with it.
    static double settle() {
        constexpr double kIdle = 0.05; // ms: so much takes a look at nothing
        QElapsedTimer timer;
        timer.start();
        double busy = 0;
        while (timer.elapsed() < kPaceMs) {
            QElapsedTimer events;
            events.start();
            QCoreApplication::processEvents();
            const double took = static_cast<double>(events.nsecsElapsed()) / 1e6;
            if (took > kIdle) busy += took;
            else QThread::usleep(200);
        }
        return busy;
    }
    void measure(const char* what, const char* label, const std::function<void(int)>& change) {
        std::vector<double> busy, thread, all;
        for (int i = 0; i < kFrames; ++i) {
            const double threadBefore = milliseconds(CLOCK_THREAD_CPUTIME_ID);
            const double allBefore = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
            QElapsedTimer clock;
            clock.start();
            change(i);
            const double changed = static_cast<double>(clock.nsecsElapsed()) / 1e6;
            busy.push_back(changed + settle());
            thread.push_back(milliseconds(CLOCK_THREAD_CPUTIME_ID) - threadBefore);
            all.push_back(milliseconds(CLOCK_PROCESS_CPUTIME_ID) - allBefore);
        }
        for (auto* times : {&busy, &thread, &all}) std::sort(times->begin(), times->end());
        const std::size_t middle = busy.size() / 2, most = busy.size() * 95 / 100;
        const double p95 = busy[most];
        std::printf("%-26s %-16s median %6.2f ms   p95 %6.2f ms   worst %6.2f ms   processor: thread %6.2f, %6.2f ms"
                    "   all threads %6.2f, %6.2f ms\n",
                    what, label, busy[middle], p95, busy.back(), thread[middle], thread[most], all[middle], all[most]);
        m_bars.keep(what, p95, barOf(m_runs, m_count), "ms");
    }

    int m_runs, m_count;
    bench::Bars& m_bars;
    PlotGroup m_group;
    SeriesStore m_store;
    QList<CurveStyle> m_styles;
    QWidget m_window;
    std::vector<MetricCard*> m_cards;
};

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    ThemeController::instance().install(app);
    QStringList arguments = QApplication::arguments();
    bench::Bars bars(arguments);
    const int runs = arguments.size() > 1 ? arguments[1].toInt() : 20;
    const int count = arguments.size() > 2 ? arguments[2].toInt() : 1000000;
    Charts charts(runs, count, bars);
    charts.panAndZoom("smoothing off");
    charts.hover();
    charts.smooth(0.93);
    charts.panAndZoom("smoothing 0.93");
    charts.hover();
    charts.live();
    return bars.exitCode();
}
