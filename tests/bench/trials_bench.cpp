// SPDX-License-Identifier: GPL-3.0-or-later
// The page of sweeps on a stored sweep of many trials: trials_bench [trials] [--first] [--bars]. Prints when its table
// is there, what a frame costs while an axis is brushed, and what sorting and pointing cost: wall time on the GUI
// thread, until the whole window is painted. With --first only what the first look at the page costs in a window that
// has been open for a while.
#include "engine/base/clock.h"
#include "engine/store/trial_log.h"
#include "tests/bench/bars.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/sweeps/trials_model.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/pages/sweeps/view_panel.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr int kFrames = 100;
constexpr double kMostOpenSeconds = 1.5, kMostFrameMilliseconds = 33; // with 10,000 trials
constexpr double kMostFirstMilliseconds = 150;                        // with 1,000

// Written through the real store: four parameters, a score each, two thirds stopped by asha.
Result<void> fill(const store::Workspace& workspace, int trials) {
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    store::SweepRow sweep;
    sweep.id = "20260101-000000-5eee9";
    sweep.name = "many";
    sweep.status = wire::RunStatus::Finished;
    sweep.createdMs = wallClockMs();
    sweep.trials = trials;
    sweep.specJson = R"({"version": 1, "name": "many", "run": {"epochs": 9}, "searcher": "random", "scheduler": "asha",
        "trials": )" +
                     std::to_string(trials) + R"(, "space": {"optimizer.lr": {"from": 0.0001, "to": 1, "scale": "log"},
        "optimizer.momentum": {"from": 0, "to": 0.99}, "batch.perRank": [32, 64, 128],
        "model.params.activation": ["relu", "tanh", "gelu"]}})";
    TY_TRY(store->createSweep(sweep));
    const std::string spec = testing::sampleRunJson({QStringLiteral("trial")});
    store::TrialRecord record;
    const auto filled = store->together([&]() -> Result<void> {
        for (int i = 0; i < trials; ++i) {
            const auto share = [i](double step) { return std::fmod(0.5 + (i + 1) * step, 1.0); };
            store::RunRow row;
            row.id = QStringLiteral("20260101-000000-%1").arg(i, 6, 16, QLatin1Char('0')).toStdString();
            row.name = "many-" + std::to_string(i);
            row.sweep = sweep.id;
            row.trial = i;
            row.status = i % 3 == 0 ? wire::RunStatus::Finished : wire::RunStatus::Stopped;
            const double lr = std::pow(10.0, -4 * share(0.618034));
            row.paramsJson = "{\"optimizer.lr\": " + std::to_string(lr) +
                             ", \"optimizer.momentum\": " + std::to_string(0.99 * share(0.754878)) +
                             ", \"batch.perRank\": " + std::to_string(32 << (i % 3)) +
                             ", \"model.params.activation\": \"" + (i % 2 == 0 ? "relu" : "gelu") + "\"}";
            row.specJson = spec;
            row.createdMs = wallClockMs() - 1000LL * (trials - i);
            row.startedMs = row.createdMs;
            row.finishedMs = row.createdMs + 900;
            row.epoch = i % 3 == 0 ? 9 : 1;
            row.trainSeconds = 0.9;
            TY_TRY(store->createRun(row));
            const double score = 0.9 - 0.1 * std::abs(std::log10(lr) + 1) - 0.05 * share(0.754878);
            TY_TRY(store->appendPoints(row.id, {{"val/accuracy", 0, {{100, 1, 1, score}}}}));
            record.events.push_back({i, "report", i, 1, -score, "{}", "[]", row.finishedMs});
            if (i % 3 != 0)
                record.decisions.push_back({i, store::TrialDecision::Stopped, "asha", 1, -score, -0.8, 2, 3});
        }
        return {};
    });
    if (!filled) return filled.error();
    return store::appendTrialRecord(workspace, sweep.id, record);
}

void spin(double seconds) {
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, &QEventLoop::quit);
    loop.exec();
}

double processorMilliseconds() {
    timespec at{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) * 1e3 + static_cast<double>(at.tv_nsec) / 1e6;
}

// Milliseconds of one action on the window, until it is painted.
template <class Action>
double frame(MainWindow& window, Action action) {
    QElapsedTimer timer;
    timer.start();
    action();
    QCoreApplication::sendPostedEvents();
    window.grab();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// Prints them, and returns what 95 of 100 take at most.
double say(const char* what, std::vector<double> frames) {
    std::sort(frames.begin(), frames.end());
    const double p95 = frames[frames.size() * 95 / 100];
    std::printf("%s: median %.1f ms, p95 %.1f ms a frame\n", what, frames[frames.size() / 2], p95);
    return p95;
}

void lookFirst(const store::Workspace& workspace, int trials, bench::Bars& bars) {
    MainWindow window(workspace);
    window.resize(1440, 900);
    window.setPage(PageId::home);
    window.show();
    while (static_cast<int>(window.bench().feed.runs().size()) < trials || window.bench().feed.sweeps().empty())
        spin(0.01);
    spin(1);
    const double before = processorMilliseconds();
    const double painted = frame(window, [&] { window.setPage(PageId::sweeps); });
    const double busy = processorMilliseconds() - before;
    spin(2);
    std::printf("%d trials: the page at first %.1f ms, %.1f ms of processor time; with all that follows %.1f ms\n",
                trials, painted, busy, processorMilliseconds() - before);
    bars.keep("the page at first", painted, kMostFirstMilliseconds, "ms");
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-trials-bench"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-trials-bench"));
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const QTemporaryDir config, folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    QStringList arguments = QApplication::arguments();
    bench::Bars bars(arguments);
    const bool isFirst = arguments.removeAll(QStringLiteral("--first")) > 0;
    const int trials = arguments.size() > 1 ? arguments[1].toInt() : 10000;
    const store::Workspace workspace{folder.path().toStdString()};
    if (const auto filled = fill(workspace, trials); !filled) qFatal("%s", filled.error().text().c_str());
    if (isFirst) {
        lookFirst(workspace, trials, bars);
        return bars.exitCode();
    }

    QElapsedTimer opening;
    opening.start();
    MainWindow window(workspace);
    window.resize(1440, 900);
    window.setPage(PageId::sweeps);
    window.show();
    auto* page = window.findChild<SweepsPage*>();
    auto* table = page->findChild<QTableView*>();
    auto& model = static_cast<TrialsModel&>(*table->model());
    while (model.rowCount() < trials && opening.elapsed() < 60'000) spin(0.005);
    window.grab();
    const double opened = static_cast<double>(opening.elapsed()) / 1e3;
    std::printf("%d trials: table after %.2f s", trials, opened);
    bars.keep("table after", opened, kMostOpenSeconds, "s");
    while (!std::isfinite(model.trialAt(trials - 1).score) && opening.elapsed() < 60'000) spin(0.02);
    window.grab();
    std::printf(", with every score after %.2f s\n", static_cast<double>(opening.elapsed()) / 1e3);
    spin(0.5);

    auto& filter = page->filter();
    std::vector<double> frames;
    for (int i = 0; i < kFrames; ++i)
        frames.push_back(frame(window, [&] { filter.setBrush("optimizer.lr", {{0.2, 0.3 + 0.6 * i / kFrames}}); }));
    bars.keep("brushing, p95", say("brushing, parallel coordinates and curves", frames), kMostFrameMilliseconds, "ms");
    filter.clearBrushes();
    page->findChildren<ViewPanel*>().front()->setCurrentIndex(1);
    frames.clear();
    for (int i = 0; i < kFrames; ++i)
        frames.push_back(frame(window, [&] { filter.setBrush("optimizer.lr", {{0.2, 0.3 + 0.6 * i / kFrames}}); }));
    say("brushing, scatter and curves", frames);
    filter.clearBrushes();
    page->findChildren<ViewPanel*>().front()->setCurrentIndex(0);
    frames.clear();
    for (int i = 0; i < kFrames; ++i)
        frames.push_back(
            frame(window, [&] { window.bench().selection.setHovered(model.trialAt(i * trials / kFrames).run->id); }));
    say("pointing, parallel coordinates", frames);
    frames.clear();
    for (int column = 0; column < model.columnCount(); ++column)
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder})
            frames.push_back(frame(window, [&] { table->sortByColumn(column, order); }));
    say("sorting", frames);
    return bars.exitCode();
}
