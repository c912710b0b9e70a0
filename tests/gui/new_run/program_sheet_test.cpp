// SPDX-License-Identifier: GPL-3.0-or-later
// A program in the New run sheet: a dropped script, and the way there by keyboard alone.
#include "tests/gui/drag.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/forms/program/command_edit.h"
#include "ui/forms/program/program_form.h"
#include "ui/models/desktop/settings.h"
#include "ui/new_run/new_run_footer.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/new_run/run_command.h"
#include "ui/shell/file_drop.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QClipboard>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace trainyard;
using namespace trainyard::ui;
using trainyard::test::named;
using trainyard::testing::Drag;

namespace {

const QString kDigits = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/scripts/small_digits.py");

} // namespace

class ProgramSheetTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    NewRunSheet* sheet() const { return m_window->findChild<NewRunSheet*>(); }
    // Once the script is read.
    void drop() {
        Drag(QStringList{kDigits}).dropOn(*m_window->centralWidget());
        QTRY_VERIFY(sheet() && sheet()->isVisible() && sheet()->showsProgram());
        QTRY_VERIFY(!sheet()->programForm()->arguments()->shapes().empty());
        QTRY_VERIFY(sheet()->programForm()->isVisible()); // it has faded in
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(sheet()->startButton()));
    }
    static void press(int key, int times = 1) {
        for (int i = 0; i < times; ++i) QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key));
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        const QString path = m_folder.path() + QStringLiteral("/ws");
        std::filesystem::remove_all(path.toStdString());
        const store::Workspace workspace{path.toStdString()};
        std::filesystem::create_directories(workspace.root);
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->resize(1280, 720);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    // Feature: a script dropped anywhere on the window opens New run on it, and Enter starts it as it is.
    void aDroppedScriptOpensTheSheet() {
        Drag drag(QStringList{kDigits});
        QVERIFY(drag.enter(*m_window->centralWidget()));
        QCOMPARE(m_window->findChild<DropHint*>()->what(), QString("Drop to run the program small_digits.py"));
        drag.leave(*m_window->centralWidget());
        drop();
        QCOMPARE(test::text(*sheet(), "Script"), kDigits);
        QVERIFY(!sheet()->form() || !sheet()->form()->isVisible());
        QVERIFY(sheet()->programForm()->arguments()->isVisible());
        QVERIFY2(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()));
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(sheet()->startButton()));
    }

    // Only the fields of a program, beside its arguments; a training's are one key away.
    void theTaskIsChosenByKeyboard() {
        drop();
        auto* program = sheet()->programForm();
        program->taskField()->setFocus();
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        press(Qt::Key_Left);
        QTRY_VERIFY_WITH_TIMEOUT(sheet()->form() && sheet()->form()->isVisible(), 20000);
        QVERIFY(!program->isVisible() && !program->arguments()->isVisible());
        QCOMPARE(sheet()->form()->read().spec.task, std::string("multi-label"));
        QVERIFY(!sheet()->form()->read().spec.program);
        QCOMPARE(QApplication::focusWidget(), sheet()->form()->taskField());
        press(Qt::Key_Right);
        QVERIFY(sheet()->showsProgram() && program->isVisible());
        QCOMPARE(test::text(*sheet(), "Script"), kDigits); // as it was
        QCOMPARE(QApplication::focusWidget(), program->taskField());
    }

    void aScriptIsChosenInAnOpenSheet() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        auto* opened = m_window->openNewRun({}, false);
        QTRY_VERIFY_WITH_TIMEOUT(opened->form() && opened->form()->isVisible(), 20000);
        Drag(QStringList{kDigits}).dropOn(*opened);
        QTRY_VERIFY(opened->showsProgram());
        QCOMPARE(test::text(*opened, "Script"), kDigits);
    }

    // Feature: a run file of a program opens in its form, without the catalog.
    void aRunFileOpensInItsForm() {
        spec::RunSpec spec =
            spec::programRun({.script = kDigits.toStdString(), .arguments = {{"lr", 0.5}, {"amp", true}}});
        spec.name = "mine";
        spec.scaling.workers = 3;
        spec.program->stop.graceSeconds = 5;
        auto* opened = m_window->openNewRun(QString::fromStdString(spec::toJson(spec)), false);
        QVERIFY(opened->showsProgram());
        QTRY_VERIFY(!opened->programForm()->arguments()->shapes().empty());
        QCOMPARE(test::text(*opened, "lr"), QString("0.5"));
        QCOMPARE(test::text(*opened, "Workers"), QString("3"));
        QCOMPARE(test::text(*opened, "Stop grace"), QString("5"));
        auto read = opened->programForm()->read().spec;
        QCOMPARE(spec::toJson(read), spec::toJson(spec));
        QVERIFY(opened->startButton()->isEnabled());
    }

    // The command of the sheet is one that people type.
    void itsCommandIsShort() {
        drop();
        test::type(*sheet(), "lr", "0.5");
        test::type(*sheet(), "Workers", "2");
        test::type(*sheet(), "Stop grace", "5");
        sheet()->copyButton()->click();
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.contains(" && trainyardctl run --workspace "), qPrintable(command));
        QVERIFY2(command.endsWith(" --workers 2 --set program.stop.graceSeconds=5 " + kDigits + " --lr 0.5\n"),
                 qPrintable(command));
    }

    // Feature: a program is set up by keyboard alone: an argument by its search, another on the command line.
    void everythingIsReachedByKeyboard() {
        drop();
        auto* pane = sheet()->programForm()->arguments();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::AltModifier);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(pane->search()));
        sheet()->startButton()->setFocus();
        for (int i = 0; i < 60 && QApplication::focusWidget() != pane->search(); ++i) press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(pane->search()));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("epochs"));
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->accessibleName(), QString("epochs"));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("5"));
        auto* command = sheet()->programForm()->command()->edit();
        QCOMPARE(command->toPlainText(), QString("--epochs 5"));
        for (int i = 0; i < 60 && QApplication::focusWidget() != command; ++i) press(Qt::Key_Backtab);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(command));
        command->moveCursor(QTextCursor::End);
        QTest::keyClicks(command, QStringLiteral(" --lr 0.5"));
        QCOMPARE(test::text(*sheet(), "epochs"), QString("5"));
        pane->search()->clear();
        QCOMPARE(test::text(*sheet(), "lr"), QString("0.5"));
        named<QLineEdit>(*sheet(), "lr")->setFocus();
        QTest::keyClick(named<QLineEdit>(*sheet(), "lr"), Qt::Key_V, Qt::AltModifier); // an axis
        QVERIFY(sheet()->programForm()->read().sweeping);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ProgramSheetTest test;
    return test::runInWindow(test, argc, argv, QStringLiteral("trainyard-program-sheet-test"));
}
#include "program_sheet_test.moc"
