// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard: the window. One process for each workspace; a second start hands its file over and ends.
#include "app/gui_options.h"
#include "app/platform.h"
#include "app/single_instance.h"
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/program.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/language.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/report/pdf_report.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshot.h"
#include "ui/shell/workspaces.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/focus_ring.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QIcon>
#include <QLocale>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace trainyard;

// Prints how long after the start the window was first painted.
class FirstPaint : public QObject {
public:
    FirstPaint(QWidget* window, const QElapsedTimer& clock) : QObject(window), m_clock(clock) {
        window->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            watched->removeEventFilter(this);
            QTimer::singleShot(0, this, [this] {
                std::fprintf(stderr, "trainyard: first paint after %lld ms\n",
                             static_cast<long long>(m_clock.elapsed()));
            });
        }
        return false;
    }

private:
    QElapsedTimer m_clock;
};

int writeReport(const GuiOptions& options, const store::Workspace& workspace) {
    std::vector<std::string> names;
    for (const QString& name : options.report) names.push_back(name.toStdString());
    const auto written = ui::writeReportFile(workspace, names, options.pdf, options.force);
    if (written) return 0;
    std::fprintf(stderr, "trainyard: %s\n", written.error().text().c_str());
    return exitCode(written.error().kind);
}

int showWindow(QApplication& app, const GuiOptions& options, const store::Workspace& workspace,
               const QElapsedTimer& clock) {
    SingleInstance instance(QString::fromStdString(workspace.root.string()));
    if (options.screenshot.isEmpty() && instance.handOver(options.file)) return 0;
    ui::MainWindow window(workspace);
    if (options.screenshot.isEmpty()) instance.listen();
    QObject::connect(&instance, &SingleInstance::asked, &window, [&window](const QString& file) {
        window.comeToFront();
        if (!file.isEmpty()) window.openFile(file);
    });
    if (options.timing) {
        new FirstPaint(&window, clock);
        QObject::connect(
            &window.bench().feed.series(), &ui::SeriesStore::changed, &window,
            [] { std::fprintf(stderr, "trainyard: first point at %lld\n", static_cast<long long>(wallClockMs())); },
            Qt::SingleShotConnection);
    }
    if (!options.file.isEmpty())
        QTimer::singleShot(0, &window, [&window, file = options.file] { window.openFile(file); });
    if (!options.screenshot.isEmpty()) ui::saveScreenshot(window, {options.page, options.screenshot, options.size});
    window.show();
    return app.exec();
}

// Without a display that it can open, Qt would abort. Help, version, screenshots and reports need none; a window is
// refused with the way out.
bool canStart(int argc, char** argv) {
    const auto choice = choosePlatform(platformWish(argc, argv), isPlatformInstalled);
    if (!choice.why.empty()) std::fprintf(stderr, "trainyard: %s\n", choice.why.c_str());
    if (!choice.platform.empty()) ::setenv("QT_QPA_PLATFORM", choice.platform.c_str(), 1);
    return !choice.refused;
}

int writeManual(const char* file) {
    const auto written = writeFileAtomic(file, manual::toRoff(guiManual()));
    if (!written) std::fprintf(stderr, "trainyard: %s\n", written.error().text().c_str());
    return written ? 0 : exitCode(written.error().kind);
}

} // namespace

int main(int argc, char** argv) {
    beginProgram("trainyard");
    QElapsedTimer clock;
    clock.start();
    std::atexit([] { // Qt ends the program by itself after --help and --version
        if (const int code = endProgram(0); code != 0) std::_Exit(code);
    });
    if (argc == 3 && std::string_view(argv[1]) == "--manual") return writeManual(argv[2]); // for the build
    if (!canStart(argc, argv)) return exitCode(ErrorKind::Environment);
    std::signal(SIGPIPE, SIG_IGN); // a worker that is gone is an error of the write, not the end of the window
    silenceQt();
    QApplication app(argc, argv);
    letQtSpeak();
    QApplication::setApplicationName(QStringLiteral("trainyard"));
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setOrganizationName(QStringLiteral("trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.trainyard.Trainyard"));
    const ui::Translations translations(ui::languageFor(ui::Settings::language.get(), QLocale::system().uiLanguages()));
    const GuiOptions options = readGuiOptions(app);
    ui::ThemeController::instance().install(app);
    ui::applySavedLook();
    ui::FocusRing::install();
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/trainyard/icons/app/trainyard.svg")));
    auto workspace = store::Workspace::open(options.workspace.toStdString());
    for (QString folder = options.workspace; !workspace;) {
        std::fprintf(stderr, "trainyard: %s\n", workspace.error().text().c_str());
        const int code = exitCode(workspace.error().kind);
        if (!options.screenshot.isEmpty()) return code;
        const auto other = ui::askInsteadOf(folder, workspace.error());
        if (!other) return code;
        folder = *other;
        workspace = store::Workspace::open(folder.toStdString());
    }
    if (!options.report.isEmpty()) return writeReport(options, *workspace);
    return showWindow(app, options, *workspace, clock);
}
