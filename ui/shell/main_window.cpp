// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "ui/actions/key_bindings.h"
#include "ui/models/desktop/file_question.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/new_run/training_source.h"
#include "ui/models/text/format.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/cluster/cluster_page.h"
#ifdef TRAINYARD_REMOTE
#include "ui/pages/cluster/sign_in_sheet.h"
#endif
#include "ui/pages/home/home_page.h"
#include "ui/pages/page_table.h"
#include "ui/pages/runs/inspector/lineage_sheet.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/sweeps/sweeps_page.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/error_sheet.h"
#include "ui/shell/file_drop.h"
#include "ui/shell/rail.h"
#include "ui/shell/run_notices.h"
#include "ui/shell/serve_requests.h"
#include "ui/shell/shortcuts_sheet.h"
#include "ui/shell/status_strip.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspaces.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/exposure.h"
#include "ui/widgets/inputs/accessible_roles.h"
#include "ui/widgets/inputs/wheel_guard.h"
#include "ui/widgets/sheets/tab_order.h"

#include <QCloseEvent>
#include <QDateTime>
#include <QMenu>
#include <QProcess>
#include <QScreen>
#include <QShortcut>
#include <QStackedWidget>

namespace trainyard::ui {
namespace {

constexpr int kSaveMs = 1000;

} // namespace

MainWindow::MainWindow(const store::Workspace& workspace, QWidget* parent)
    : QMainWindow(parent), m_bench(workspace), m_drawing(m_bench),
      m_built(static_cast<qsizetype>(pages().size()), nullptr) {
    setWindowTitle(tr("%1 – Trainyard").arg(QString::fromStdString(workspace.root.filename().string())));
    build();
    buildMenu();
    connectBench();
    restore();
    keepState();
    rememberWorkspace(workspaceRoot());
}

MainWindow::~MainWindow() {
    // A focused field ends its edit when the window closes.
    KeyBindings::instance().disconnect(this);
}

void MainWindow::build() {
    const Theme& theme = Theme::current();
    WheelGuard::install(); // before the fields are made
    installAccessibleRoles();
    setMinimumSize(theme.px(720), theme.px(480));
    auto* center = new Surface(SurfaceColor::Window);
    auto* across = row(center);
    m_rail = new Rail(m_bench);
    auto* right = new QWidget;
    auto* down = column(right);
    m_top = new TopBar(m_bench);
    m_pages = new QStackedWidget;
    down->addWidget(m_top);
    down->addWidget(m_pages, 1);
    across->addWidget(m_rail);
    across->addWidget(right, 1);
    auto* outer = new Surface(SurfaceColor::Window);
    auto* whole = column(outer);
    whole->addWidget(center, 1);
    whole->addWidget(new StatusStrip(m_bench));
    setCentralWidget(outer);
    auto* drop = new FileDrop(this);
    connect(drop, &FileDrop::dropped, this, &MainWindow::openSource);
    connect(drop, &FileDrop::importDropped, this, [this](const QStringList& paths) {
        runsPage(); // it owns the import sheet
        Q_EMIT m_bench.importRequested(paths);
    });
    connect(drop, &FileDrop::refused, this,
            [this](const QString& why) { Q_EMIT m_bench.statusMessage(why, Theme::current().error); });
    connect(m_rail, &Rail::pageChosen, this, &MainWindow::setPage);
    connect(m_top->commandField(), &QAbstractButton::clicked, this, &MainWindow::openPalette);
    connect(m_top, &TopBar::workspaceMenuRequested, this, &MainWindow::showWorkspaceMenu);
}

void MainWindow::showWorkspaceMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    ui::addActions(*menu, {"open-workspace"}, {m_bench, nullptr, this});
    menu->addAction(icon(QStringLiteral("copy")), tr("Show the folder"), this,
                    [this] { QProcess::startDetached(QStringLiteral("xdg-open"), {workspaceRoot()}); });
    menu->addSeparator();
    addRecentWorkspaces(*menu, workspaceRoot());
    menu->popup(at);
}

QShortcut* MainWindow::addShortcut(const QKeySequence& keys, const std::function<void()>& act) {
    auto* shortcut = new QShortcut(keys, this);
    connect(shortcut, &QShortcut::activated, this, act);
    return shortcut;
}

void MainWindow::bindKeys() {
    qDeleteAll(m_shortcuts);
    m_shortcuts.clear();
    for (const Action& each : ui::actions()) {
        const QKeySequence keys = KeyBindings::instance().keys(each);
        if (!keys.isEmpty() && each.scope != ActionScope::RunsTable)
            m_shortcuts << addShortcut(keys, [this, &each] {
                const std::string_view id = each.id; // of the window as a whole
                if (id == "full-screen" || id == "quit" || !Sheet::isOpenOver(this)) perform(each);
            });
    }
}

void MainWindow::perform(const Action& action) {
    const ActionTarget target = targetOf(action, m_bench, this);
    if (isOffered(action, target)) action.act(target);
}

void MainWindow::buildMenu() {
    bindKeys();
    connect(&KeyBindings::instance(), &KeyBindings::changed, this, &MainWindow::bindKeys);
    for (int i = 0; i < static_cast<int>(pages().size()); ++i)
        if (!pageKeys(i).isEmpty())
            addShortcut(pageKeys(i), [this, id = pages()[static_cast<std::size_t>(i)].id] {
                if (!Sheet::isOpenOver(this)) setPage(QLatin1String(id));
            });
    auto* menu = new QMenu(this);
    ui::addActions(*menu,
                   {"new-run", "new-sweep", "open-file", "open-images", "import", "open-workspace", "",
#ifdef TRAINYARD_REMOTE
                    "add-host",
#endif
                    "palette", "", "runs-table", "inspector", "full-screen", "", "shortcuts", "about", "", "quit"},
                   {m_bench, nullptr, this});
    m_rail->menuButton()->setMenu(menu);
}

void MainWindow::connectBench() {
#ifdef TRAINYARD_REMOTE
    m_bench.actions.setSignIn(
        [ask = askedIn(this)](const std::vector<std::string>& hosts) { return signInAsking(hosts, ask); });
#endif
    connect(&m_bench, &Workbench::newRunRequested, this, &MainWindow::openNewRun);
    connect(&m_bench, &Workbench::forkRequested, this, &MainWindow::openFork);
    connect(&m_bench, &Workbench::pageRequested, this, &MainWindow::setPage);
    connectRequests();
    connect(&m_bench, &Workbench::openFileRequested, this, [this] {
        askForFiles(this,
                    {.title = tr("Open a run or sweep file"),
                     .filters = tr("Run files (*.json);;All files (*)").split(QStringLiteral(";;"))},
                    [this](const ChosenFiles& file) { openFile(file.path()); });
    });
    connect(&m_bench.actions, &RunActions::startingChanged, this, [this] {
        if (m_bench.actions.starting() > 0) { // shows the curves and their checklist at once, before the run has an id
            runsPage()->setTab(RunsPage::CurvesTab);
            m_bench.selection.clear();
            setPage(PageId::runs);
        }
    });
    connect(&m_bench.actions, &RunActions::runStarted, this, &MainWindow::showStarted);
    connect(&m_bench.queue, &QueueActions::started, this, &MainWindow::showStarted);
    connect(&m_bench.actions, &RunActions::sweepStarted, this, &MainWindow::showSweep);
    connect(&m_bench.actions, &RunActions::failed, this, &MainWindow::showError);
    connect(&m_bench.actions, &RunActions::done, this, &MainWindow::tellDone);
    connect(&m_bench.queue, &QueueActions::sweepStarted, this, &MainWindow::showSweep);
    connect(&m_bench.queue, &QueueActions::failed, this, &MainWindow::showError);
    connect(&m_bench.queue, &QueueActions::done, this, &MainWindow::tellDone);
    connectServing(*this);
    connect(&m_bench.feed, &WorkspaceFeed::problem, this, &MainWindow::tellProblem);
    auto* notices = new RunNotices(m_bench, this);
    connect(notices, &RunNotices::runOpened, this, &MainWindow::comeToFront);
    connect(notices, &RunNotices::runOpened, this, &MainWindow::showStarted);
    connect(notices, &RunNotices::sweepOpened, this, &MainWindow::comeToFront);
    connect(notices, &RunNotices::sweepOpened, this, &MainWindow::showSweep);
    connect(&m_bench.feed, &WorkspaceFeed::runsChanged, this, [this] {
        if (std::exchange(m_restored, true)) return;
        tellWhileAway();
        if (!m_notRestored.isEmpty()) runsPage()->tell(m_notRestored);
    });
    connect(&ThemeController::instance(), &ThemeController::changed, this, &MainWindow::repaintAll);
}

// An unreadable workspace is reported in a sheet, once; later failures in the status bar.
void MainWindow::tellProblem(const QString& text) {
    Q_EMIT m_bench.statusMessage(text, Theme::current().error);
    if (m_bench.feed.loaded() || std::exchange(m_toldProblem, text) == text) return;
    showError(tr("The workspace cannot be read"), environmentError(text.toStdString()));
}

void MainWindow::comeToFront() {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

void MainWindow::showStarted(const QString& run) {
    runsPage(); // it must listen before the first point arrives
    m_bench.selection.show(run);
    setPage(PageId::runs);
    runsPage()->setTab(RunsPage::CurvesTab);
}

void MainWindow::tellDone(const QString& text, const std::function<void()>& undo) {
    if (undo) m_undos.push_back(undo);
    Q_EMIT m_bench.statusMessage(undo ? tr("%1 · Ctrl+Z to undo").arg(text) : text, {});
}

void MainWindow::showSweep(const QString& sweep) {
    setPage(PageId::sweeps);
    static_cast<SweepsPage*>(pageWidget(PageId::sweeps))->show(sweep);
}

// The requests of the window's actions.
void MainWindow::connectRequests() {
    connect(&m_bench, &Workbench::sweepRequested, this, &MainWindow::showSweep);
    connect(&m_bench, &Workbench::addHostRequested, this, &MainWindow::addHost);
    connect(&m_bench, &Workbench::imagesRequested, this, &MainWindow::openImages);
    connect(&m_bench, &Workbench::scriptRequested, this, &MainWindow::openScript);
    connect(&m_bench, &Workbench::sourceRequested, this, [this](const QString& path) {
        if (const auto source = trainingSourceAt(path)) openSource(*source);
    });
    connect(&m_bench, &Workbench::workspaceRequested, this, [this] { askForOtherWorkspace(this); });
    connect(&m_bench, &Workbench::paletteRequested, this, &MainWindow::openPalette);
    connect(&m_bench, &Workbench::menuRequested, this, [this] { m_rail->menuButton()->showMenu(); });
    connect(&m_bench, &Workbench::shortcutsRequested, this, [this] { ShortcutsSheet::show(this); });
    connect(&m_bench, &Workbench::aboutRequested, this, [this] { showAbout(this); });
    connect(&m_bench, &Workbench::firstRunRequested, this, [this] { homePage()->startFirstRun(); });
    connect(&m_bench, &Workbench::undoRequested, this, &MainWindow::undoLast);
    connect(&m_bench, &Workbench::lineageRequested, this,
            [this](const QString& run) { (new LineageSheet(m_bench, this, run))->open(); });
}

void MainWindow::undoLast() {
    if (m_undos.empty()) {
        Q_EMIT m_bench.statusMessage(tr("Nothing to undo"), {});
        return;
    }
    const auto undo = std::move(m_undos.back());
    m_undos.pop_back();
    undo();
}

void MainWindow::repaintAll() {
    for (auto* widget : findChildren<QWidget*>()) widget->update();
}

QWidget* MainWindow::pageWidget(const QString& id) {
    const int index = pageIndex(id);
    QWidget*& built = m_built[index];
    if (!built) {
        built = pages()[static_cast<std::size_t>(index)].make(m_bench);
        built->setAccessibleName(pageTitle(pages()[static_cast<std::size_t>(index)])); // it may have the focus
        m_pages->addWidget(built);
        if (const auto* runs = qobject_cast<RunsPage*>(built))
            connect(runs, &RunsPage::arranged, this, &MainWindow::saveSoon);
    }
    return built;
}

RunsPage* MainWindow::runsPage() { return static_cast<RunsPage*>(pageWidget(PageId::runs)); }
HomePage* MainWindow::homePage() { return static_cast<HomePage*>(pageWidget(PageId::home)); }

QString MainWindow::page() const { return QLatin1String(pages()[static_cast<std::size_t>(m_page)].id); }

void MainWindow::setPage(const QString& id) {
    const int index = pageIndex(id);
    if (index < 0) return;
    QWidget* widget = pageWidget(id);
    m_pages->setCurrentWidget(widget);
    m_rail->setPage(index);
    centralWidget()->setFocusProxy(widget); // has the focus after a sheet over a page that is gone
    if (std::exchange(m_page, index) == index) return;
    widget->setFocus(Qt::OtherFocusReason);
    saveSoon();
}

void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    // After this paint, not before: the window appears before anything is read.
    if (!std::exchange(m_reading, true)) QTimer::singleShot(0, this, &MainWindow::startReading);
}

void MainWindow::startReading() {
    runsPage();
    m_bench.start();
}

void MainWindow::restore() {
    const QSize room = screen()->availableSize() - QSize(0, Theme::current().px(40)); // below its title bar
    resize(QSize(Theme::current().px(1440), Theme::current().px(900)).boundedTo(room));
    restoreGeometry(Settings::windowGeometry.get());
    const QString saved = Settings::page.of(workspaceRoot()).get();
    setPage(pageIndex(saved) < 0 ? QString(PageId::home) : saved);
    m_notRestored = m_drawing.restoreSelection();
}

QString MainWindow::workspaceRoot() const { return QString::fromStdString(m_bench.feed.workspace().root.string()); }

void MainWindow::tellWhileAway() {
    const qint64 since = Settings::seenAt.of(workspaceRoot()).get();
    QHash<wire::RunStatus, int> ended;
    std::vector<RunItemPtr> scored;
    for (const auto& run : m_bench.feed.runs()) {
        if (since <= 0 || run->row.finishedMs <= since || run->active()) continue;
        ++ended[run->status];
        if (std::isfinite(run->best)) scored.push_back(run);
    }
    QStringList parts;
    for (const auto status :
         {wire::RunStatus::Finished, wire::RunStatus::Stopped, wire::RunStatus::Failed, wire::RunStatus::Interrupted})
        if (ended.contains(status))
            parts << QStringLiteral("%1 %2").arg(ended.value(status)).arg(statusWord(status).toLower());
    if (const QString best = bestText(scored); !best.isEmpty()) parts << best;
    if (!ended.isEmpty()) runsPage()->tell(tr("While you were away: %1").arg(parts.join(QStringLiteral(", "))));
    // Nothing selected yet: show the newest run instead of an empty page.
    if (m_bench.selection.selected().isEmpty() && !m_bench.feed.runs().empty())
        m_bench.selection.setSelected({m_bench.feed.runs().front()->id});
}

void MainWindow::saveState() {
    Settings::windowGeometry.set(saveGeometry());
    Settings::page.of(workspaceRoot()).set(page());
    if (m_restored) Settings::seenAt.of(workspaceRoot()).set(QDateTime::currentMSecsSinceEpoch());
    Settings::selection.of(workspaceRoot())
        .set(QStringList(m_bench.selection.current()) + m_bench.selection.selected());
    if (m_built[pageIndex(PageId::runs)]) runsPage()->saveState();
}

// Saves the state soon after each change, and marks runs that ended while the user watched as seen.
void MainWindow::keepState() {
    m_save.setSingleShot(true);
    connect(&m_save, &QTimer::timeout, this, &MainWindow::saveState);
    connect(&m_bench.selection, &RunSelection::selectedChanged, this, &MainWindow::saveSoon);
    connect(&m_bench.selection, &RunSelection::currentChanged, this, &MainWindow::saveSoon);
    connect(&m_bench.feed, &WorkspaceFeed::runEnded, this, &MainWindow::saveSoon);
}

void MainWindow::saveSoon() {
    if (!m_save.isActive()) m_save.start(kSaveMs);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveState(); // runs belong to their supervisors: closing the window stops none of them
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_palette) m_palette->close();
    saveSoon();
}

void MainWindow::moveEvent(QMoveEvent* event) {
    QMainWindow::moveEvent(event);
    saveSoon();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    watchExposure(*this, [this](bool isExposed) {
        m_bench.feed.setHidden(!isExposed);
        if (isExposed) repaintAll(); // charts skipped while the window was hidden
    });
}

bool MainWindow::focusNextPrevChild(bool next) { return moveFocus(centralWidget(), next); }

NewRunSheet* MainWindow::openFork(const QString& run, qint64 step, bool isWhole) {
    const RunItemPtr source = m_bench.feed.run(run);
    if (m_sheet || !source) return m_sheet;
    m_sheet = new NewRunSheet(m_bench, centralWidget());
    connect(m_sheet, &Sheet::closed, m_sheet, &QObject::deleteLater);
    m_sheet->startFork(source, m_bench.feed.checkpointsHere(run), step, isWhole);
    m_sheet->open();
    return m_sheet;
}

NewRunSheet* MainWindow::openNewRun(const QString& runJson, bool sweep) {
    if (m_sheet) return m_sheet;
    m_sheet = new NewRunSheet(m_bench, centralWidget());
    connect(m_sheet, &Sheet::closed, m_sheet, &QObject::deleteLater);
    m_sheet->start(runJson, sweep);
    m_sheet->open();
    return m_sheet;
}

void MainWindow::openSource(const TrainingSource& source) {
    if (source.kind == TrainingSource::RunFile) return openFile(source.path);
    if (m_sheet) return m_sheet->use(source);
    m_sheet = new NewRunSheet(m_bench, centralWidget());
    connect(m_sheet, &Sheet::closed, m_sheet, &QObject::deleteLater);
    m_sheet->use(source);
    m_sheet->open();
}

void MainWindow::openImages() {
    askForFiles(this,
                {.kind = FileQuestion::Kind::Folder, .title = tr("Folder of images, with a folder for each class")},
                [this](const ChosenFiles& folder) { openSource({TrainingSource::Images, folder.path()}); });
}

void MainWindow::openScript() {
    askForFiles(this,
                {.kind = FileQuestion::Kind::File,
                 .title = tr("Script to run"),
                 .filters = {tr("Python scripts (*.py)"), tr("All files (*)")}},
                [this](const ChosenFiles& script) { openSource({TrainingSource::Program, script.path()}); });
}

void MainWindow::openFile(const QString& path) {
    if (const auto source = trainingSourceAt(path); source && source->kind != TrainingSource::RunFile)
        return openSource(*source);
    const auto json = readRunFile(path);
    if (!json) return showError(tr("The file was not opened"), json.error());
    if (m_sheet) {
        m_sheet->close();
        m_sheet = nullptr;
    }
    openNewRun(*json, false);
}

void MainWindow::openPalette() {
    if (m_palette) {
        m_palette->close();
        return;
    }
    m_palette = new CommandPalette(commands(), this);
    m_palette->openBelow(m_top->commandField());
}

std::vector<Command> MainWindow::commands() {
    std::vector<Command> list;
    for (const Action& each : ui::actions()) {
        const ActionTarget target = targetOf(each, m_bench, this);
        if (!isOffered(each, target)) continue;
        const bool ofRun = each.scope != ActionScope::Window;
        const auto count = static_cast<int>(target.runs.size());
        list.push_back({actionName(each, ofRun ? target.run.get() : nullptr),
                        !ofRun      ? QString()
                        : count > 1 ? tr("%n runs", nullptr, count)
                                    : target.run->name,
                        KeyBindings::instance().keys(each).toString(QKeySequence::NativeText),
                        QLatin1String(each.icon),
                        {},
                        [this, &each] { perform(each); },
                        {},
                        QLatin1String(each.text)});
    }
    for (int i = 0; i < static_cast<int>(pages().size()); ++i) {
        const Page& page = pages()[static_cast<std::size_t>(i)];
        list.push_back({tr("Go to %1").arg(pageTitle(page)),
                        {},
                        pageKeys(i),
                        QStringLiteral("arrow-right"),
                        {},
                        [this, id = page.id] { setPage(QLatin1String(id)); },
                        pageTitle(page),
                        QLatin1String(page.title)});
    }
    for (const auto& run : m_bench.feed.runs()) {
        list.push_back({run->name,
                        statusWord(run->status) + QLatin1String(" ") + run->model + QLatin1String(" ") + run->dataset,
                        {},
                        {},
                        Theme::current().curve(run->color),
                        [this, id = run->id] {
                            m_bench.selection.show(id);
                            setPage(PageId::runs);
                        }});
    }
    return list;
}

void MainWindow::showError(const QString& what, const Error& error) { showErrorSheet(this, what, error); }

void MainWindow::addHost() {
    setPage(PageId::cluster);
    static_cast<ClusterPage*>(pageWidget(PageId::cluster))->openAddHost();
}

} // namespace trainyard::ui
