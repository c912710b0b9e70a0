// SPDX-License-Identifier: GPL-3.0-or-later
// From a step in the worker to the frame that shows it: latency_bench PLUGIN [seconds] [--bars]. A real supervisor and
// worker train the plug-in clock_model, whose loss is the time of the step; a real window draws the loss. What is
// measured begins before a step's backward pass and ends after the paint event, so it is an upper bound. With "metrics"
// or "printed" in place of the plug-in a Python script writes its loss into $TRAINYARD_METRICS, or prints it.
#include "tests/bench/bars.h"
#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QEventLoop>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const QString kLoss = QStringLiteral("train/loss");
constexpr double kMostMilliseconds = 50; // the 99th percentile
constexpr double kTurn = 1e7;            // the clock's units of 10 µs, as clock_model counts them

double clockUnits() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::fmod(static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(now).count()) / 10,
                     kTurn);
}

// Sees each frame of the chart, and how old the steps are that it shows first.
class Frames : public QObject {
public:
    Frames(PlotCanvas& canvas, SeriesStore& store, const QString& run)
        : m_canvas(canvas), m_series(store.series(run, kLoss)) {
        for (QWidget* child : canvas.findChildren<QWidget*>()) child->installEventFilter(this);
    }
    std::vector<double> milliseconds;
    int painted = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Paint) return false;
        watched->event(event);
        see();
        return true;
    }

private:
    void see() {
        const double end = shownEnd();
        if (!std::isfinite(end)) return;
        const auto shown = static_cast<qint64>(end);
        painted += shown > m_step ? 1 : 0;
        const double now = clockUnits();
        for (std::size_t i = m_series->size(); i > 0 && m_series->at(i - 1).step > m_step; --i) {
            if (m_series->at(i - 1).step > shown) continue;
            const double units = now - m_series->value(i - 1);
            milliseconds.push_back((units < -kTurn / 2 ? units + kTurn : units) / 100);
        }
        m_step = std::max(m_step, shown);
    }

    // The last step of the first curve; NaN while there is none.
    double shownEnd() const {
        for (const auto& layer : m_canvas.scene().layers)
            if (const auto* lines = dynamic_cast<const CurveLayer*>(layer.get()); lines && !lines->curves().empty())
                return lines->curves().front().end.x();
        return std::nan("");
    }

    PlotCanvas& m_canvas;
    std::shared_ptr<const SeriesData> m_series;
    qint64 m_step = -1;
};

spec::RunSpec clockRun(const char* plugin) {
    spec::RunSpec spec;
    spec.name = "clock";
    spec.task = "regression";
    spec.model = {"plugin", {{"path", std::string(plugin)}}};
    spec.dataset = {"waves", {{"samples", std::int64_t{2'000'000}}}}; // no validation while it is measured
    spec.batch = {8, std::nullopt, 1};
    spec.loss = {"l1", {}};
    spec.optimizer = {"sgd", {{"lr", 1e-6}}};
    spec.epochs.reset();
    spec.steps = 10'000'000;
    spec.checkpoint.everyEpochs = 0;
    spec.checkpoint.scoreBy = "val/loss";
    spec.checkpoint.mode = "min";
    spec.scaling.workers = 1;
    spec.scaling.threadsPerWorker = 1;
    return spec;
}

// A hundred steps a second.
spec::RunSpec clockProgram(const QString& how, const QString& folder) {
    const QString script = folder + QStringLiteral("/clock.py");
    QFile file(script);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write the script");
    file.write("import os, sys, time\n"
               "isPrinted = sys.argv[1] == 'printed'\n"
               "out = sys.stdout if isPrinted else open(os.environ['TRAINYARD_METRICS'], 'a')\n"
               "form = 'step %d train/loss %.0f\\n' if isPrinted else '{\"step\": %d, \"train/loss\": %.0f}\\n'\n"
               "step = 0\n"
               "while True:\n"
               "    step += 1\n"
               "    out.write(form % (step, time.monotonic() * 1e5 % 1e7))\n"
               "    out.flush()\n"
               "    time.sleep(0.01)\n");
    spec::Program program;
    program.script = script.toStdString();
    program.interpreter = "/usr/bin/python3";
    program.words = {how.toStdString()};
    auto spec = spec::programRun(program);
    spec.name = "clock";
    return spec;
}

// What all threads of this process have used.
double cpuSeconds() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void spin(double seconds) {
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, &QEventLoop::quit);
    loop.exec();
}

template <class Condition>
bool waitFor(const Condition& condition, double seconds) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && static_cast<double>(timer.elapsed()) < seconds * 1000) spin(0.02);
    return condition();
}

PlotCanvas* canvasOfLoss(MainWindow& window) {
    for (auto* card : window.findChildren<MetricCard*>())
        if (card->metric() == kLoss && card->isVisible()) return card->findChild<PlotCanvas*>();
    return nullptr;
}

int measure(MainWindow& window, const spec::RunSpec& clock, double seconds, bench::Bars& bars) {
    window.bench().actions.start(clock);
    auto& selection = window.bench().selection;
    if (!waitFor([&] { return !selection.current().isEmpty(); }, 20)) return std::puts("the run did not start"), 1;
    const QString run = selection.current();
    window.setPage(PageId::runs);
    selection.show(run);
    const auto loss = window.bench().feed.series().series(run, kLoss);
    if (!waitFor([&] { return loss->size() > 100; }, 60)) return std::puts("no step arrived"), 1;
    spin(2); // the first frames lay out the window
    Frames frames(*canvasOfLoss(window), window.bench().feed.series(), run);
    waitFor([&frames] { return frames.painted > 0; }, 5);
    frames.milliseconds.clear(); // those before the first frame that was seen
    frames.painted = 0;
    const auto from = loss->size();
    const double before = cpuSeconds();
    spin(seconds);
    const double used = cpuSeconds() - before;
    auto& times = frames.milliseconds;
    std::sort(times.begin(), times.end());
    const auto at = [&times](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    if (times.size() < 10) return std::puts("too few steps were drawn"), 1;
    std::printf("%zu steps of %.2f ms, %.1f frames a second; step to frame: p50 %.1f ms   p99 %.1f ms   worst %.1f ms; "
                "the window used %.0f %% of a core\n",
                times.size(), seconds * 1000 / static_cast<double>(loss->size() - from), frames.painted / seconds,
                at(0.5), at(0.99), times.back(), used / seconds * 100);
    bars.keep("step to frame, p99", at(0.99), kMostMilliseconds, "ms");
    window.bench().actions.stop(run, wire::StopMode::StopNow);
    waitFor([&] { return !window.bench().feed.run(run)->active(); }, 20);
    return bars.exitCode();
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2 || !std::filesystem::exists(CatalogLoader::workerProgram())) return 77;
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-latency-bench"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-latency-bench"));
    const QTemporaryDir config, folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    MainWindow window(store::Workspace{folder.path().toStdString()});
    window.resize(1440, 900);
    window.show();
    QStringList arguments = QApplication::arguments();
    bench::Bars bars(arguments);
    const QString what = arguments.value(1);
    const bool isProgram = what == QLatin1String("metrics") || what == QLatin1String("printed");
    const auto clock = isProgram ? clockProgram(what, folder.path()) : clockRun(argv[1]);
    return measure(window, clock, arguments.size() > 2 ? arguments[2].toDouble() : 20, bars);
}
