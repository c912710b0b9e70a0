// SPDX-License-Identifier: GPL-3.0-or-later
// What an open window costs a training run: window_cost_bench [pairs] [seconds] [--bars]. One run trains on all cores,
// by turns alone and beside a window with its charts; prints both speeds, and the processor time of the window's
// process. On a computer that does nothing else. By QT_QPA_PLATFORM=xcb the window is on the display.
#include "tests/bench/bars.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/plots/card/metric_card.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <unistd.h>

#include <algorithm>
#include <cstdio>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

namespace {

constexpr double kMostPercent = 0.5; // of the images a second
constexpr int kBatch = 64;           // of a rank

void spin(double seconds) {
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, &QEventLoop::quit);
    loop.exec();
}

// The other program: the window, with the charts of one run, until it is told to quit.
int showWindow(const char* workspace, const char* run) {
    MainWindow window(store::Workspace{workspace});
    window.resize(1440, 900);
    window.setPage(PageId::runs);
    window.show();
    const QString id = QString::fromLocal8Bit(run);
    auto& bench = window.bench();
    while (!bench.feed.run(id)) spin(0.02);
    bench.selection.show(id);
    const auto drawn = [&window] {
        const auto cards = window.findChildren<MetricCard*>();
        return std::count_if(cards.begin(), cards.end(),
                             [](const auto* card) { return !card->visibleRegion().isEmpty(); });
    };
    QElapsedTimer timer;
    timer.start();
    while (drawn() < 4 && timer.elapsed() < 20'000) spin(0.02);
    std::printf("%d\n", static_cast<int>(drawn()));
    std::fflush(stdout);
    return QApplication::exec();
}

double processorSeconds(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    const QByteArray all = file.readAll();
    const auto fields = all.mid(all.lastIndexOf(')') + 2).split(' '); // from the state on
    return fields.size() < 13
               ? 0
               : (fields[11].toDouble() + fields[12].toDouble()) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

spec::RunSpec network(int workers) {
    auto spec = RunLab::spirals(workers, 100'000'000);
    spec.model.params["hidden"] = std::vector<double>{512, 512};
    spec.batch = {kBatch, std::nullopt, 1};
    spec.checkpoint.everySteps = 0;
    spec.checkpoint.everyEpochs = 1000;
    return spec;
}

struct Pair {
    double alone = 0, beside = 0; // images a second
    double window = 0;            // cores
};

class Costs {
public:
    Costs(RunLab& lab, std::string run, QString config, double seconds)
        : m_lab(lab), m_run(std::move(run)), m_config(std::move(config)), m_seconds(seconds) {}

    Pair measure() {
        Pair pair;
        pair.alone = speed();
        QProcess window;
        window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        window.start(QApplication::applicationFilePath(),
                     {QStringLiteral("--window"), QString::fromStdString(m_lab.workspace().root.string()),
                      QString::fromStdString(m_run), m_config});
        if (!window.waitForReadyRead(60'000)) qFatal("no window came up");
        QThread::sleep(2); // the first frames lay it out
        const double before = processorSeconds(window.processId());
        QElapsedTimer timer;
        timer.start();
        pair.beside = speed();
        pair.window = (processorSeconds(window.processId()) - before) / (static_cast<double>(timer.elapsed()) / 1e3);
        window.kill();
        window.waitForFinished();
        return pair;
    }

private:
    // By the clock of the run's own points: when they are read does not matter.
    double speed() {
        const auto from = newest();
        QThread::usleep(static_cast<unsigned long>(m_seconds * 1e6));
        const auto to = newest();
        return static_cast<double>(to.step - from.step) * kBatch * QThread::idealThreadCount() /
               std::max(1e-9, to.seconds - from.seconds);
    }
    wire::Point newest() {
        const auto points = m_lab.points(m_run);
        if (points.empty()) qFatal("the run does not train");
        return points.back();
    }

    RunLab& m_lab;
    std::string m_run;
    QString m_config;
    double m_seconds;
};

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int measure(int pairs, double seconds, bench::Bars& bars) {
    const QTemporaryDir config;
    RunLab lab;
    const std::string run = lab.startReal(network(QThread::idealThreadCount()));
    if (run.empty() || !lab.waitForStep(run, 200, 60)) return std::puts("the run did not start"), 1;
    QThread::sleep(2);
    Costs costs(lab, run, config.path(), seconds);
    std::vector<double> lost, used;
    for (int i = 0; i < pairs; ++i) {
        const Pair pair = costs.measure();
        lost.push_back(100 * (1 - pair.beside / pair.alone));
        used.push_back(100 * pair.window);
        std::printf("alone %.0f images/s, beside a window %.0f: %+.2f %%; the window used %.2f %% of a core\n",
                    pair.alone, pair.beside, -lost.back(), used.back());
    }
    const auto [least, most] = std::minmax_element(lost.begin(), lost.end());
    std::printf("an open window costs %.2f %% (median of %d pairs; %.2f to %.2f) and uses %.2f %% of a core\n",
                medianOf(lost), pairs, *least, *most, medianOf(used));
    bars.keep("an open window costs", medianOf(lost), kMostPercent, "% of the images a second");
    return bars.exitCode();
}

} // namespace

int main(int argc, char** argv) {
    const bool isWindow = argc > 4 && qstrcmp(argv[1], "--window") == 0;
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-window-cost-bench"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-window-cost-bench"));
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (isWindow) {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, QString::fromLocal8Bit(argv[4]));
        ThemeController::instance().install(app);
        return showWindow(argv[2], argv[3]);
    }
    QStringList arguments = QApplication::arguments();
    bench::Bars bars(arguments);
    return measure(arguments.size() > 1 ? arguments[1].toInt() : 10,
                   arguments.size() > 2 ? arguments[2].toDouble() : 10, bars);
}
