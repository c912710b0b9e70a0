// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in the window: the sheet adds to it, the panel below the runs table shows and changes it, with real keys
// and clicks, in a real workspace.
#include "engine/queue/run_queue.h"
#include "tests/gui/sample_workspace.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/queue_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QLabel>
#include <QListView>
#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class QueuePanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::optional<store::RunLock> m_lock; // what the supervisor of the run that takes the slot holds
    std::unique_ptr<MainWindow> m_window;
    QStringList m_told;

    void addEntry(const char* name) {
        store::QueueRow row;
        row.name = name;
        row.specJson = testing::sampleRunJson({.name = QString::fromLatin1(name)});
        QVERIFY(store::addQueued(m_workspace, row).ok());
    }
    void pause(bool paused) { QVERIFY(queue::setQueueSettings(m_workspace, {.slots = 1, .paused = paused}).ok()); }
    // Takes the only slot until the test ends.
    void takeSlot() {
        store::RunRow row;
        row.id = "20260101-000000-000001";
        row.name = "busy-bee";
        row.status = wire::RunStatus::Running;
        row.specJson = testing::sampleRunJson({.name = QStringLiteral("busy-bee")});
        row.folder = m_workspace.runFolder(row.id).string();
        std::filesystem::create_directories(row.folder);
        auto lock = store::RunLock::acquire(row.folder);
        QVERIFY(lock.ok());
        m_lock.emplace(std::move(*lock));
        QVERIFY((*store::Store::open(m_workspace))->createRun(row).ok());
    }
    void open() {
        m_window = std::make_unique<MainWindow>(m_workspace);
        connect(&m_window->bench(), &Workbench::statusMessage, this, [this](const QString& text) { m_told << text; });
        m_window->resize(1280, 720);
        m_window->setPage(PageId::runs);
        m_window->show();
        activate();
        QTRY_VERIFY(m_window->bench().feed.loaded());
    }
    void activate() {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    QueuePanel& panel() { return *m_window->findChild<QueuePanel*>(); }
    QListView& view() { return *panel().view(); }
    template <class T>
    T& named(const QString& name) {
        for (T* each : panel().findChildren<T*>())
            if (each->accessibleName() == name || each->objectName() == name) return *each;
        qFatal("there is no %s", qPrintable(name));
    }
    QStringList shown() {
        QStringList names;
        for (int i = 0; i < panel().model()->rowCount(); ++i) names << panel().model()->index(i).data().toString();
        return names;
    }
    QString reason(int row) { return panel().model()->index(row).data(QueueModel::ReasonRole).toString(); }
    QStringList stored() {
        QStringList names;
        const auto queue = *(*store::RunQuery::open(m_workspace))->queue();
        for (const auto& row : queue.rows) names << QString::fromStdString(row.name);
        return names;
    }
    store::QueueSettings settings() { return (*store::RunQuery::open(m_workspace))->queue()->settings; }
    bool statusSays(const QString& words) {
        for (auto* segment : m_window->findChildren<StatusSegment*>())
            if (segment->accessibleName() == words) return true;
        return false;
    }
    void choose(int row) {
        view().setFocus();
        view().setCurrentIndex(panel().model()->index(row));
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_told.clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = (m_folder->path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        QVERIFY(store::Store::open(m_workspace).ok());
    }
    // A supervisor that the window has started ends once the queue is paused.
    void cleanup() {
        m_window.reset();
        pause(true);
        QTRY_VERIFY_WITH_TIMEOUT(!store::RunLock::isHeld(queue::queueFolder(m_workspace)), 20000);
        m_lock.reset();
    }

    // In a narrow column the note is cut, and a title as long as the German one is not.
    // Feature: the queue in the window: the sheet adds a run or a sweep to it; a panel lists what each entry waits for,
    // reorders by keyboard, removes and undoes, retries, pauses, sets the slots; a window that opens starts its
    // supervisor.
    void theTitleIsWholeWhereItIsNarrow() {
        pause(true);
        open();
        QTRY_VERIFY(panel().isVisible());
        m_window->findChild<RunsPage*>()->findChild<QSplitter*>()->setSizes({290, 650, 290});
        QLabel* title = nullptr;
        for (auto* each : panel().findChildren<QLabel*>())
            if (each->text() == QLatin1String("Queue")) title = each;
        QVERIFY(title);
        title->setText(QStringLiteral("Warteschlange"));
        QTRY_VERIFY(panel().width() < 300);
        QTRY_VERIFY2(title->width() >= title->sizeHint().width(), qPrintable(QString::number(title->width())));
    }

    void isHiddenWhileThereIsNothingToShow() {
        open();
        QTRY_VERIFY(statusSays(QStringLiteral("Idle")));
        QVERIFY(!panel().isVisible());
        pause(true);
        QTRY_VERIFY(panel().isVisible());
        QVERIFY(!view().isVisible());
        pause(false);
        QTRY_VERIFY(!panel().isVisible());
    }

    void theSheetAddsARun() {
        pause(true);
        addEntry("first");
        open();
        auto* sheet = m_window->openNewRun({}, false);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->queueButton()->isEnabled(), 20000);
        QTest::keyClick(sheet, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(shown().size(), 2);
        QCOMPARE(stored(), shown());
        QTRY_VERIFY(m_told.contains(QStringLiteral("Queued: %1, 2nd in line").arg(shown().at(1))));
        QTRY_VERIFY(statusSays(QStringLiteral("2 queued")));
        QVERIFY(m_window->bench().feed.runs().empty());
    }

    void theSheetAddsASweep() {
        pause(true);
        addEntry("first");
        open();
        auto* sheet = m_window->openNewRun({}, true);
        QTRY_VERIFY_WITH_TIMEOUT(sheet->form() && sheet->queueButton()->isEnabled(), 20000);
        QTest::keyClick(sheet, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(shown().size(), 2);
        QTRY_VERIFY(m_told.contains(QStringLiteral("Queued: %1, 2nd in line").arg(shown().at(1))));
        QCOMPARE(reason(1), QStringLiteral("Sweep · The queue is paused"));
        QCOMPARE(panel().model()->index(1).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("Sweep %1, 2nd in line: The queue is paused").arg(shown().at(1)));
        const auto rows = (*store::RunQuery::open(m_workspace))->queue()->rows;
        QVERIFY(!queue::isSweep(rows.at(0)) && queue::isSweep(rows.at(1)));
        QVERIFY((*store::RunQuery::open(m_workspace))->sweeps()->empty());
    }

    // The window starts the queue's supervisor, and says what each entry waits for.
    void aWindowThatOpensLetsTheQueueGoOn() {
        takeSlot();
        for (const char* name : {"first", "second"}) addEntry(name);
        open();
        QTRY_COMPARE(shown(), (QStringList{QStringLiteral("first"), QStringLiteral("second")}));
        QCOMPARE(reason(0), QStringLiteral("Waiting for a slot: 1 of 1 in use"));
        QTRY_VERIFY_WITH_TIMEOUT(store::RunLock::isHeld(queue::queueFolder(m_workspace)), 20000);
        QVERIFY(statusSays(QStringLiteral("1 running, 2 queued")));
        QCOMPARE(panel().model()->index(1).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("second, 2nd in line: ") + reason(1));
    }

    void keysMoveAnEntry() {
        pause(true);
        for (const char* name : {"first", "second", "third"}) addEntry(name);
        open();
        QTRY_COMPARE(shown().size(), 3);
        choose(2);
        QTest::keyClick(&view(), Qt::Key_Up, Qt::AltModifier);
        QTest::keyClick(&view(), Qt::Key_Up, Qt::AltModifier);
        const QStringList up{QStringLiteral("third"), QStringLiteral("first"), QStringLiteral("second")};
        QCOMPARE(shown(), up);
        QTRY_COMPARE(stored(), up);
        QTRY_COMPARE(shown(), up);
        QCOMPARE(view().currentIndex().row(), 0);
        QVERIFY(!named<QToolButton>(QStringLiteral("Move up")).isEnabled());
        QTest::keyClick(&view(), Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(stored(),
                     (QStringList{QStringLiteral("first"), QStringLiteral("third"), QStringLiteral("second")}));
    }

    void aRemovedEntryComesBack() {
        pause(true);
        for (const char* name : {"first", "second", "third"}) addEntry(name);
        open();
        QTRY_COMPARE(shown().size(), 3);
        choose(1);
        QTest::keyClick(&view(), Qt::Key_Delete);
        QTRY_COMPARE(shown(), (QStringList{QStringLiteral("first"), QStringLiteral("third")}));
        QTRY_VERIFY(m_told.contains(QStringLiteral("Removed second from the queue · Ctrl+Z to undo")));
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(shown(),
                     (QStringList{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third")}));
        QCOMPARE(stored(), shown());
    }

    void pausesAndResumes() {
        takeSlot();
        addEntry("first");
        open();
        QTRY_COMPARE(reason(0), QStringLiteral("Waiting for a slot: 1 of 1 in use"));
        auto& button = named<QToolButton>(QStringLiteral("pause-queue"));
        QTest::mouseClick(&button, Qt::LeftButton);
        QTRY_COMPARE(reason(0), QStringLiteral("The queue is paused"));
        QVERIFY(settings().paused);
        QTRY_COMPARE(button.accessibleName(), QStringLiteral("Resume the queue"));
        QTest::mouseClick(&button, Qt::LeftButton);
        QTRY_COMPARE(reason(0), QStringLiteral("Waiting for a slot: 1 of 1 in use"));
        QVERIFY(!settings().paused);
    }

    void slotsAreSet() {
        pause(true);
        addEntry("first");
        open();
        QTRY_VERIFY(panel().isVisible());
        auto& spin = named<QSpinBox>(QStringLiteral("Slots of the queue"));
        spin.setFocus();
        QTest::keyClick(&spin, Qt::Key_Up);
        QTest::keyClick(&spin, Qt::Key_Up);
        QTRY_COMPARE(settings().slots, 3);
        QVERIFY(settings().paused); // the rest stays
    }

    void aRefusedEntrySaysWhyAndWaitsAgain() {
        pause(true);
        for (const char* name : {"first", "second"}) addEntry(name);
        const auto id = (*store::RunQuery::open(m_workspace))->queue()->rows.front().id;
        QVERIFY(store::refuseQueued(m_workspace, id, inputError("there is no dataset \"nets\"", "dataset.name")).ok());
        open();
        QTRY_COMPARE(shown(), (QStringList{QStringLiteral("second"), QStringLiteral("first")}));
        QVERIFY2(reason(1).startsWith(QStringLiteral("Refused: ")) && reason(1).contains(QStringLiteral("nets")),
                 qPrintable(reason(1)));
        choose(1);
        auto* again = panel().findChild<QPushButton*>();
        QCOMPARE(again->text(), QStringLiteral("Try again"));
        QVERIFY(!named<QToolButton>(QStringLiteral("Move up")).isEnabled());
        QTest::mouseClick(again, Qt::LeftButton);
        QTRY_COMPARE(shown(), (QStringList{QStringLiteral("first"), QStringLiteral("second")}));
        QCOMPARE(again->text(), QStringLiteral("Start now"));
    }

    void everyControlHasAName() {
        pause(true);
        addEntry("first");
        open();
        QTRY_VERIFY(view().isVisible());
        for (auto* each : panel().findChildren<QAbstractButton*>())
            QVERIFY(!each->accessibleName().isEmpty() || !each->text().isEmpty());
        QVERIFY(!view().accessibleName().isEmpty());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-queue-panel-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-queue-panel-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    QueuePanelTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "queue_panel_test.moc"
