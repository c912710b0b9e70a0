// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of actions that the user sets: they work, are shown everywhere, stay, and never belong to two.
#include "tests/gui/forms/form_fields.h"
#include "ui/actions/key_bindings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/shortcuts_sheet.h"
#include "ui/widgets/marks/status_chip.h"

#include <QKeySequenceEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class KeyBindingsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    void openWindow() {
        const store::Workspace workspace{(m_folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    // The field of an action on the page of settings.
    QKeySequenceEdit* fieldOf(const char* id) {
        m_window->setPage(QStringLiteral("settings"));
        return test::named<QKeySequenceEdit>(*m_window, QStringLiteral("Keys of %1").arg(actionName(action(id))));
    }
    void pressIn(const char* id, Qt::Key key, Qt::KeyboardModifiers modifiers) {
        auto* field = fieldOf(id);
        QVERIFY2(field, id);
        field->setFocus();
        QSignalSpy ended(field, &QKeySequenceEdit::editingFinished); // a moment after the last key
        QTest::keyClick(field, key, modifiers);
        QTRY_COMPARE(ended.count(), 1);
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        openWindow();
    }
    void cleanup() { m_window.reset(); }

    // Feature: keys of actions are changed, kept and refused by the name of their owner.
    void everyActionHasItsField() {
        for (const Action& each : actions()) {
            auto* field = fieldOf(each.id);
            QVERIFY2(field, each.id);
            QCOMPARE(field->keySequence(), QKeySequence(QLatin1String(each.keys)));
        }
    }

    void otherKeysWorkAtOnceAndStay() {
        pressIn("shortcuts", Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(KeyBindings::instance().keys(action("shortcuts")), QKeySequence(QStringLiteral("Ctrl+Alt+J")));
        for (int session = 0; session < 2; ++session) {
            QSignalSpy asked(&m_window->bench(), &Workbench::shortcutsRequested);
            QTest::keyClick(m_window.get(), Qt::Key_F1);
            QCOMPARE(asked.count(), 0);
            QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
            QCOMPARE(asked.count(), 1);
            QStringList shown;
            for (const auto* cap : m_window->findChildren<KeyCap*>()) shown << cap->accessibleName();
            QVERIFY2(shown.contains(QStringLiteral("Ctrl Alt J")), qPrintable(shown.join('|')));
            QVERIFY2(!shown.contains(QStringLiteral("F1")), qPrintable(shown.join('|'))); // on Home
            m_window.reset();
            openWindow();
        }
        QMenu menu;
        addActions(menu, {"shortcuts"}, {m_window->bench(), nullptr, m_window.get()});
        QVERIFY(menu.actions().first()->text().endsWith(QStringLiteral("\tCtrl+Alt+J")));
        QVERIFY(actionTip(action("shortcuts")).endsWith(QStringLiteral("Ctrl+Alt+J")));
    }

    void keysOfAnotherAreRefusedByName_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<QString>("why");
        const int control = int(Qt::ControlModifier), shift = int(Qt::ShiftModifier), none = 0;
        QTest::newRow("another action") << int(Qt::Key_N) << control << "“New run” already uses Ctrl+N";
        QTest::newRow("the sheet") << int(Qt::Key_Return) << control
                                   << "“Start, in the New run sheet” already uses Ctrl+Return";
        QTest::newRow("a page") << int(Qt::Key_2) << control << "Ctrl+2 opens a page";
        QTest::newRow("copying") << int(Qt::Key_C) << control << "“Copy” already uses Ctrl+C";
        QTest::newRow("a letter") << int(Qt::Key_B) << none << "B types a character; add Ctrl or Alt";
        QTest::newRow("a capital") << int(Qt::Key_B) << shift << "Shift+B types a character; add Ctrl or Alt";
        QTest::newRow("Escape") << int(Qt::Key_Escape) << none << "Esc types a character; add Ctrl or Alt";
        QTest::newRow("Del outside of the table") << int(Qt::Key_Delete) << none << "“Archive” already uses Del";
    }
    void keysOfAnotherAreRefusedByName() {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(QString, why);
        pressIn("open-images", Qt::Key(key), Qt::KeyboardModifiers(modifiers));
        auto* field = fieldOf("open-images");
        if (key != Qt::Key_Delete) QCOMPARE(field->accessibleDescription(), why);
        else QVERIFY(!field->accessibleDescription().isEmpty());
        QCOMPARE(field->keySequence(), QKeySequence(QLatin1String(action("open-images").keys))); // as it was
        bool shown = false;
        for (const auto* label : m_window->findChildren<QLabel*>())
            shown = shown || (label->isVisible() && label->text() == field->accessibleDescription());
        QVERIFY(shown);
    }

    void keysAreTakenAwayAndReset() {
        auto* field = fieldOf("filter");
        const QString resetName = QStringLiteral("Reset the keys of %1").arg(actionName(action("filter")));
        auto* reset = test::named<QToolButton>(*m_window, resetName); // of those that are shown
        QVERIFY(!reset);                                              // there is nothing to reset
        auto* clear = test::named<QToolButton>(
            *m_window, QStringLiteral("Remove the keys of %1").arg(actionName(action("filter"))));
        QVERIFY(clear);
        clear->click();
        QVERIFY(KeyBindings::instance().keys(action("filter")).isEmpty());
        QSignalSpy asked(&m_window->bench(), &Workbench::filterRequested);
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(asked.count(), 0);
        pressIn("open-images", Qt::Key_F, Qt::ControlModifier); // they are free now
        QCOMPARE(KeyBindings::instance().keys(action("open-images")), QKeySequence(QStringLiteral("Ctrl+F")));
        KeyBindings::instance().reset(action("open-images"));
        reset = test::named<QToolButton>(*m_window, resetName);
        QVERIFY(reset);
        reset->click();
        QCOMPARE(field->keySequence(), QKeySequence(QStringLiteral("Ctrl+F")));
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
    }

    void settingsThatAreNoKeysAreNone() {
        QSettings().setValue(QStringLiteral("keys/filter"), QStringLiteral("Hyper+Nothing"));
        QSignalSpy asked(&m_window->bench(), &Workbench::filterRequested);
        Q_EMIT KeyBindings::instance().changed();
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(asked.count(), 0);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    KeyBindingsTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-key-bindings-test"));
}
#include "key_bindings_test.moc"
