// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/shell/drawing_watch.h"

#include <QMainWindow>
#include <QPointer>
#include <QTimer>

class QMenu;
class QShortcut;
class QStackedWidget;

namespace trainyard::ui {

class ClusterPage;
class CommandPalette;
class HomePage;
class NewRunSheet;
class Rail;
class RunsPage;
class TopBar;
struct Action;
struct Command;
struct TrainingSource;

// The window: rail, top bar, pages, status bar. Construction reads nothing from disk but the settings; store and
// catalog load in the background after the first paint.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const store::Workspace& workspace, QWidget* parent = nullptr);
    ~MainWindow() override;

    Workbench& bench() { return m_bench; }
    // Shows the page with that id; does nothing if there is none.
    void setPage(const QString& id);
    QString page() const; // its id
    RunsPage* runsPage();
    HomePage* homePage();
    // Opens the New run sheet; `runJson` empty: the defaults.
    NewRunSheet* openNewRun(const QString& runJson, bool sweep);
    // Opens it for a fork: from the checkpoint of `step`, or from the best one (-1).
    NewRunSheet* openFork(const QString& run, qint64 step, bool isWhole = false);
    // Opens it with this file or folder to train on, or this model; reuses an open sheet.
    void openSource(const TrainingSource& source);
    // Asks for a folder of images, and opens the sheet with it.
    void openImages();
    void openScript();
    // Opens a run or sweep file, or what else a run can start from, in the New run sheet; explains why if it cannot be
    // read.
    void openFile(const QString& path);
    void comeToFront();
    // The Cluster page with its Add host panel.
    void addHost();

protected:
    void paintEvent(QPaintEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void build();
    void buildMenu();
    void connectBench();
    void connectRequests();
    void perform(const Action& action);
    QShortcut* addShortcut(const QKeySequence& keys, const std::function<void()>& act);
    void bindKeys();
    void startReading();
    void restore();
    void saveState();
    void saveSoon();
    void keepState();
    QWidget* pageWidget(const QString& id);
    void openPalette();
    std::vector<Command> commands();
    void undoLast();
    void tellWhileAway();
    void showStarted(const QString& run);
    void tellDone(const QString& text, const std::function<void()>& undo);
    void showSweep(const QString& sweep);
    QString workspaceRoot() const;
    void showError(const QString& what, const Error& error);
    void showWorkspaceMenu(const QPoint& at);
    void tellProblem(const QString& text);
    void repaintAll();

    Workbench m_bench;
    DrawingWatch m_drawing;
    Rail* m_rail = nullptr;
    TopBar* m_top = nullptr;
    QStackedWidget* m_pages = nullptr;
    QList<QWidget*> m_built; // by index of the table; null until shown for the first time
    QPointer<CommandPalette> m_palette;
    QPointer<NewRunSheet> m_sheet;
    std::vector<std::function<void()>> m_undos; // the latest last
    int m_page = -1;                            // index of the table
    bool m_reading = false, m_restored = false;
    QString m_toldProblem;         // of the store, in a sheet
    QList<QShortcut*> m_shortcuts; // of actions
    QString m_notRestored;         // why the last selection was not restored
    QTimer m_save;                 // so that a killed window comes back as it was
};

} // namespace trainyard::ui
