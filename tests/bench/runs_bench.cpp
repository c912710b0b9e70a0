// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a workspace of many runs, one of them training: runs_bench [runs] [seconds] [--bars]. Prints when the
// list is there, what a filter costs, and the processor time of the open window. The rows and points of the run that
// trains are written by this program's own second thread at the pace of a supervisor, and counted apart.
#include "engine/base/clock.h"
#include "tests/bench/bars.h"
#include "tests/gui/sample_workspace.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

constexpr double kMostOpenSeconds = 1, kMostFilterMilliseconds = 50, kMostPercentOfACore = 2; // with 10,000 runs

double cpuSeconds(clockid_t clock) {
    timespec at{};
    clock_gettime(clock, &at);
    return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) / 1e9;
}

double processSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& at) {
        return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

store::RunRow rowOf(int number) {
    store::RunRow row;
    row.id = QStringLiteral("20260101-000000-%1").arg(number, 6, 16, QLatin1Char('0')).toStdString();
    row.name = "run-" + std::to_string(number);
    row.status = wire::RunStatus::Finished;
    testing::SampleRun sample{QString::fromStdString(row.name)};
    sample.lr = 1e-5 * (number + 1);
    row.specJson = testing::sampleRunJson(sample);
    row.paramsJson = "{}";
    row.tags = number % 3 == 0 ? "third" : "";
    row.createdMs = wallClockMs() - 60'000 * number;
    row.startedMs = row.createdMs;
    row.finishedMs = row.createdMs + 30'000;
    row.step = row.totalSteps = 600;
    row.epoch = 5;
    return row;
}

// Written through the real store; a few points of the score each.
void fill(const store::Workspace& workspace, int runs) {
    auto store = store::Store::open(workspace);
    const auto done = (*store)->together([&]() -> Result<void> {
        for (int i = 0; i < runs; ++i) {
            auto row = rowOf(i);
            TY_TRY((*store)->createRun(row));
            std::vector<wire::Point> points;
            for (int epoch = 1; epoch <= 5; ++epoch)
                points.push_back({120 * epoch, double(epoch), 6.0 * epoch, 0.18 * epoch});
            TY_TRY((*store)->appendPoints(row.id, {{"val/accuracy", 0, points}}));
        }
        return {};
    });
    if (!done) qFatal("%s", done.error().text().c_str());
}

// What a supervisor writes: points twelve times a second, the row once.
class Training {
public:
    explicit Training(const store::Workspace& workspace) : m_thread([this, workspace] { train(workspace); }) {}
    ~Training() {
        m_stop = true;
        m_thread.join();
    }
    double seconds() const { return m_seconds; } // of processor time, so far

private:
    void train(const store::Workspace& workspace) {
        auto store = store::Store::open(workspace);
        auto row = rowOf(0);
        row.id = "20260102-000000-aaaaaa";
        row.name = "training";
        row.status = wire::RunStatus::Running;
        row.createdMs = wallClockMs();
        row.folder = workspace.runFolder(row.id).string();
        row.step = 0;
        row.totalSteps = 1'000'000;
        std::filesystem::create_directories(row.folder);
        const auto lock = store::RunLock::acquire(row.folder);
        bool fine = lock.ok() && (*store)->createRun(row).ok();
        for (std::int64_t turn = 0; fine && !m_stop; ++turn) {
            std::vector<wire::Point> points;
            for (int i = 0; i < 80; ++i, ++row.step)
                points.push_back({row.step, double(row.step) / 600, double(row.step) / 1e3, 0.5});
            fine = (*store)->appendPoints(row.id, {{"train/loss", row.step - 80, points}}).ok();
            if (turn % 12 == 0) fine = fine && (*store)->updateRun(row).ok();
            m_seconds = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
            std::this_thread::sleep_for(std::chrono::milliseconds(83));
        }
        if (!fine) qFatal("the training run could not be written");
    }

    std::atomic<bool> m_stop{false};
    std::atomic<double> m_seconds{0};
    std::thread m_thread;
};

void spin(double seconds) {
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, &QEventLoop::quit);
    loop.exec();
}

template <class Widget>
Widget* named(const QWidget& window, const char* accessibleName) {
    for (auto* each : window.findChildren<Widget*>())
        if (each->accessibleName() == QLatin1String(accessibleName)) return each;
    qFatal("the window has no %s", accessibleName);
}

double filterMilliseconds(const MainWindow& window, const QString& text) {
    auto* edit = named<QLineEdit>(window, "Filter the runs");
    auto* view = named<QTreeView>(window, "Runs");
    QElapsedTimer timer;
    timer.start();
    edit->setText(text);
    view->grab(); // until it is painted
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double cpuShare(const Training& training, double seconds) {
    const double before = processSeconds() - training.seconds();
    spin(seconds);
    return (processSeconds() - training.seconds() - before) / seconds;
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-runs-bench"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-runs-bench"));
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const QTemporaryDir config, folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    QStringList arguments = QApplication::arguments();
    bench::Bars bars(arguments);
    const int runs = arguments.size() > 1 ? arguments[1].toInt() : 10000;
    const double seconds = arguments.size() > 2 ? arguments[2].toDouble() : 10;
    const store::Workspace workspace{folder.path().toStdString()};
    fill(workspace, runs);

    QElapsedTimer opening;
    opening.start();
    MainWindow window(workspace);
    window.resize(1440, 900);
    window.setPage(PageId::runs);
    window.show();
    auto& feed = window.bench().feed;
    while (static_cast<int>(feed.runs().size()) < runs && opening.elapsed() < 60'000) spin(0.005);
    window.grab();
    const double opened = static_cast<double>(opening.elapsed()) / 1e3;
    std::printf("%d runs: open after %.2f s", runs, opened);
    const auto detailed = [&feed] {
        return std::all_of(feed.runs().begin(), feed.runs().end(), [](const auto& run) { return run->detailed; });
    };
    while (!detailed() && opening.elapsed() < 60'000) spin(0.02);
    std::printf(", with every best value after %.2f s\n", static_cast<double>(opening.elapsed()) / 1e3);
    bars.keep("open after", opened, kMostOpenSeconds, "s");
    for (const char* text : {"run-77", "lr<0.05", "val/accuracy>0.5 and tag:third", ""}) {
        const double took = filterMilliseconds(window, QString::fromLatin1(text));
        std::printf("filter \"%s\": %.1f ms\n", text, took);
        bars.keep("a filter takes", took, kMostFilterMilliseconds, "ms");
    }

    const Training training(workspace);
    while (feed.activeCount() == 0 && opening.elapsed() < 90'000) spin(0.02);
    spin(1);
    const double percent = 100 * cpuShare(training, seconds);
    std::printf("one run trains, the list alone: %.2f %% of a core\n", percent);
    bars.keep("the list uses", percent, kMostPercentOfACore, "% of a core");
    window.bench().selection.show(QStringLiteral("20260102-000000-aaaaaa"));
    spin(1);
    std::printf("one run trains and is drawn: %.2f %% of a core\n", 100 * cpuShare(training, seconds));
    return bars.exitCode();
}
