// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a row of the table of actions: menus, keys, the command palette, the sheet of shortcuts.
#include "engine/run/record/home_notes.h"
#include "tests/gui/sample_workspace.h"
#include "ui/actions/action.h"
#include "ui/models/desktop/settings.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/shortcuts_sheet.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/marks/status_chip.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace trainyard;
using namespace trainyard::ui;

class ActionTableTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::vector<Result<store::RunLock>> m_locks;
    std::unique_ptr<MainWindow> m_window;

    RunItemPtr runOf(wire::RunStatus status) {
        for (const auto& run : m_window->bench().feed.runs())
            if (run->status == status) return run;
        return nullptr;
    }
    CommandPalette* openPalette() {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        CommandPalette* palette = nullptr;
        [&] { QTRY_VERIFY((palette = m_window->findChild<CommandPalette*>())); }();
        return palette;
    }

    // The run of a program, as if it ran.
    void holdAProgram(store::Store& store) {
        store::RunRow row;
        row.id = "20260101-000000-000000";
        row.name = "held-program";
        row.status = wire::RunStatus::Running;
        row.specJson = spec::toJson(spec::programRun({.script = "/tmp/train.py"}));
        row.folder = m_workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        m_locks.push_back(store::RunLock::acquire(row.folder));
        QVERIFY(m_locks.back().ok() && store.createRun(row).ok());
    }

    // A head that was trained alone, of a folder with files that cannot be read.
    void addAHead(store::Store& store) {
        store::RunRow row;
        row.id = "20250101-000000-00000b"; // older than the others
        row.name = "head";
        row.status = wire::RunStatus::Finished;
        spec::RunSpec head;
        head.finetune.freeze = {"body"};
        head.finetune.features = "cache";
        row.specJson = spec::toJson(head);
        row.folder = m_workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        QFile list(QString::fromStdString(row.folder + "/data-errors.jsonl"));
        QVERIFY(list.open(QIODevice::WriteOnly));
        list.write("{\"file\": \"/a.png\", \"error\": \"is empty\"}\n");
        QVERIFY(store.createRun(row));
        store::CheckpointRow checkpoint;
        checkpoint.path = row.folder + "/checkpoints/last.safetensors";
        checkpoint.last = true;
        QVERIFY(store.setCheckpoints(row.id, {checkpoint}));
    }

    // A run that lives on a host which nobody reaches, as it was told of last.
    void noteOneOnAHost() {
        const run::HomeNote note{
            .id = "20260101-000000-00000a", .name = "far", .host = "nobody@far.invalid", .startedMs = 1};
        const store::Workspace copies = run::mirrorWorkspace(m_workspace);
        QVERIFY(run::noteHome(m_workspace, note));
        auto store = store::Store::open(copies);
        QVERIFY(store);
        store::RunRow row;
        row.id = note.id;
        row.name = note.name;
        row.status = wire::RunStatus::Finished;
        row.specJson = spec::toJson(spec::RunSpec{});
        row.folder = copies.runFolder(row.id).string();
        QVERIFY((*store)->createRun(row));
        store::CheckpointRow checkpoint; // whose file is there
        checkpoint.path = row.folder + "/checkpoints/last.safetensors";
        checkpoint.last = true;
        QVERIFY((*store)->setCheckpoints(row.id, {checkpoint}));
    }

private Q_SLOTS:
    void initTestCase() {
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        auto store = *store::Store::open(m_workspace);
        for (const char* status : {"running", "paused", "stopped", "failed"}) {
            store::RunRow row;
            row.id = std::string("20260101-000000-00000") + *status;
            row.name = std::string("held-") + status;
            row.status = *wire::runStatusFromString(status);
            spec::RunSpec spec;
            spec.scaling.elastic = {1, 4};
            row.specJson = spec::toJson(spec);
            row.sweep = "held"; // they are trials
            row.trial = static_cast<int>(m_locks.size());
            row.folder = m_workspace.runFolder(row.id).string();
            std::filesystem::create_directories(row.folder);
            m_locks.push_back(store::RunLock::acquire(row.folder)); // what a live supervisor holds
            QVERIFY(m_locks.back().ok() && store->createRun(row).ok());
        }
        holdAProgram(*store);
        addAHead(*store);
        noteOneOnAHost();
    }
    void init() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 19);
    }
    void cleanup() { m_window.reset(); }

    void everyRowIsWhole() {
        std::set<std::string> ids, names, keys;
        for (const Action& each : actions()) {
            QVERIFY2(ids.insert(each.id).second, each.id);
            QVERIFY2(names.insert(each.text).second, each.text);
            QVERIFY2(each.act != nullptr && *each.text != '\0', each.id);
            if (*each.keys == '\0') continue;
            QVERIFY2(keys.insert(each.keys).second, each.keys);
            QCOMPARE(QKeySequence(QLatin1String(each.keys)).toString(), QLatin1String(each.keys));
        }
    }

    void aThemeIsRemembered() {
        for (const auto& [id, mode] :
             {std::pair("dark-theme", ThemeMode::Dark), std::pair("light-theme", ThemeMode::Light)}) {
            action(id).act({m_window->bench(), nullptr, m_window.get()});
            QCOMPARE(ThemeController::instance().mode(), mode);
            QCOMPARE(Settings::themeMode.get(), static_cast<int>(mode));
        }
        Settings::themeMode.forget();
        ThemeController::instance().setMode(ThemeMode::System);
    }

    void everyRowIsInTheCommandPalette_data() {
        QTest::addColumn<QString>("id");
        for (const Action& each : actions()) // but the one of a chosen checkpoint: see program_running_test
            if (std::string_view(each.id) != "resume-from") QTest::newRow(each.id) << QString::fromLatin1(each.id);
    }
    void everyRowIsInTheCommandPalette() {
        QFETCH(QString, id);
        const Action& row = action(id.toLatin1().constData());
        auto& bench = m_window->bench();
        bool could = isOffered(row, {bench, nullptr, m_window.get()});
        const auto runs = bench.feed.runs();
        for (const QDeadlineTimer until(20'000); !could && !until.hasExpired();)
            for (auto run = runs.begin(); !could && run != runs.end(); ++run) { // one of which it can be done to
                bench.selection.show((*run)->id);
                QTest::qWait(40); // its checkpoints may come later: then in the next round
                could = isOffered(row, {bench, *run, m_window.get()});
            }
        QVERIFY(could);
        auto* palette = openPalette();
        const auto current = bench.feed.run(bench.selection.current());
        const QString name = actionName(row, row.scope == ActionScope::Window ? nullptr : current.get());
        palette->findChild<QLineEdit*>()->setText(name);
        bool listed = false;
        auto* list = palette->findChild<QListWidget*>();
        for (int i = 0; i < list->count(); ++i) listed = listed || list->item(i)->text() == name;
        QVERIFY(listed);
        palette->close();
    }

    // "Runs" is the page, not the import of runs.
    // Feature: actions of the window: in the command palette, on the sheet of shortcuts, by their keys and in menus,
    // all by one name.
    void thePalettePutsTheNearestFirst_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::newRow("the whole name") << "runs" << "Go to Runs";
        QTest::newRow("its beginning") << "impo" << "Import runs";
        QTest::newRow("the beginning of a page's") << "dat" << "Go to Data and models";
    }
    void thePalettePutsTheNearestFirst() {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        auto* palette = openPalette();
        palette->findChild<QLineEdit*>()->setText(typed);
        QCOMPARE(palette->findChild<QListWidget*>()->item(0)->text(), first);
        palette->close();
    }

    void thePaletteSaysWhenNothingMatches() {
        auto* palette = openPalette();
        auto* line = palette->findChild<QLineEdit*>();
        auto* list = palette->findChild<QListWidget*>();
        line->setText(QStringLiteral("no such  thing"));
        QCOMPARE(list->count(), 1);
        QCOMPARE(list->item(0)->text(), QStringLiteral("Nothing matches “no such thing”"));
        QTest::keyClick(line, Qt::Key_Return); // there is nothing to run
        QVERIFY(palette->isVisible());
        line->setText({});
        QVERIFY(list->count() > 1);
        palette->close();
    }

    void everyRowWithKeysIsOnTheSheetOfShortcuts() {
        ShortcutsSheet::show(m_window.get());
        QStringList shown;
        for (auto* label : m_window->findChildren<QLabel*>()) shown << label->text();
        for (auto* cap : m_window->findChildren<KeyCap*>()) shown << cap->accessibleName();
        for (const Action& each : actions()) {
            if (*each.keys == '\0') continue;
            QVERIFY2(shown.contains(actionName(each)), each.id);
            QVERIFY2(shown.contains(actionKeys(each)), each.keys);
        }
    }

    void keysOfTheWindowWork_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QByteArray>("signal");
        QTest::newRow("new run") << QStringLiteral("new-run") << QByteArray(SIGNAL(newRunRequested(QString, bool)));
        QTest::newRow("undo") << QStringLiteral("undo") << QByteArray(SIGNAL(undoRequested()));
        QTest::newRow("filter") << QStringLiteral("filter") << QByteArray(SIGNAL(filterRequested()));
        QTest::newRow("search the log") << QStringLiteral("search-log") << QByteArray(SIGNAL(logSearchRequested()));
        QTest::newRow("logs") << QStringLiteral("logs") << QByteArray(SIGNAL(tabRequested(int)));
        QTest::newRow("inspector") << QStringLiteral("inspector") << QByteArray(SIGNAL(inspectorToggled()));
    }
    void keysOfTheWindowWork() {
        QFETCH(QString, id);
        QFETCH(QByteArray, signal);
        QSignalSpy asked(&m_window->bench(), signal.constData());
        QVERIFY(asked.isValid());
        const auto keys = QKeySequence(QLatin1String(action(id.toLatin1().constData()).keys))[0];
        QTest::keyClick(m_window.get(), keys.key(), keys.keyboardModifiers());
        QTRY_COMPARE(asked.count(), 1);
    }

    void renameAndArchiveHaveTheirKeysInTheTableOfRuns() {
        m_window->setPage(PageId::runs);
        const RunItemPtr run = runOf(wire::RunStatus::Finished);
        QVERIFY(run);
        m_window->bench().selection.show(run->id);
        auto* view = m_window->runsPage()->runsPanel()->findChild<QTreeView*>();
        view->setFocus();
        QTest::keyClick(view, Qt::Key_F2);
        QLineEdit* edit = nullptr;
        QTRY_VERIFY((edit = view->viewport()->findChild<QLineEdit*>()));
        QTest::keyClick(edit, Qt::Key_Escape);
        QTRY_VERIFY(!view->viewport()->findChild<QLineEdit*>() ||
                    !view->viewport()->findChild<QLineEdit*>()->isVisible());
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Delete);
        QTRY_VERIFY(!m_window->bench().feed.run(run->id));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(m_window->bench().feed.run(run->id));
    }

    void aMenuHoldsWhatIsOfferedForItsRun() {
        const RunItemPtr ended = runOf(wire::RunStatus::Finished);
        QVERIFY(ended);
        QMenu menu;
        addActions(menu, {"stop", "kill", "continue", "fork", "run-again", "", "archive"},
                   {m_window->bench(), ended, m_window.get()});
        QStringList words;
        for (auto* entry : menu.actions()) words << entry->text();
        QCOMPARE(words, (QStringList{QStringLiteral("Continue…"), QStringLiteral("Fork…"), QStringLiteral("Run again…"),
                                     QString(), QStringLiteral("Archive\tDel")}));
    }

    // Fork begins with a checkpoint; the same settings from new weights are "Run again".
    void forkAndRunAgainAreTwoThings() {
        auto& bench = m_window->bench();
        RunItemPtr run;
        for (const auto& each : bench.feed.runs())
            if (each->status == wire::RunStatus::Finished && each->name != QLatin1String("head")) run = each;
        QVERIFY(run);
        QSignalSpy forked(&bench, &Workbench::forkRequested), again(&bench, &Workbench::newRunRequested);
        action("fork").act({bench, run, m_window.get()});
        QCOMPARE(forked.count(), 1);
        QCOMPARE(forked.first().at(0).toString(), run->id);
        QCOMPARE(again.count(), 0);
        action("run-again").act({bench, run, m_window.get()});
        QCOMPARE(again.count(), 1);
        QCOMPARE(again.first().at(0).toString(), QString::fromStdString(run->row.specJson));
        QCOMPARE(forked.count(), 1);
        // A head that was trained alone can go on as a whole.
        QVERIFY(!isOffered(action("train-on"), {bench, run, m_window.get()}));
        const auto& runs = bench.feed.runs();
        const auto found =
            std::ranges::find_if(runs, [](const auto& each) { return each->name == QLatin1String("head"); });
        QVERIFY(found != runs.end());
        const RunItemPtr ofHead = *found;
        QTRY_VERIFY(isOffered(action("train-on"), {bench, ofHead, m_window.get()})); // once its checkpoints are known
        action("train-on").act({bench, ofHead, m_window.get()});
        QCOMPARE(forked.count(), 2);
        QVERIFY(forked.last().at(2).toBool() && !forked.first().at(2).toBool());
        // Its inspector says so in words, whatever stands beside them.
        bench.selection.show(ofHead->id);
        m_window->setPage(PageId::runs);
        QTRY_VERIFY(std::ranges::any_of(m_window->findChildren<QPushButton*>(), [](const QPushButton* each) {
            return each->isVisible() && each->text() == QStringLiteral("Train on from here");
        }));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-action-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-action-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    ActionTableTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "action_table_test.moc"
