// SPDX-License-Identifier: GPL-3.0-or-later
// A field for the path of a file or folder: typed, chosen and dropped.
#include "tests/gui/drag.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/path_field.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace trainyard::ui;
using trainyard::testing::Drag;

class PathFieldTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_table, m_images;

    static QFileDialog* dialog() {
        QFileDialog* found = nullptr;
        [&] {
            QTRY_VERIFY([&] {
                for (auto* each : QApplication::topLevelWidgets())
                    if (auto* one = qobject_cast<QFileDialog*>(each); one && one->isVisible()) found = one;
                return found != nullptr;
            }());
        }();
        return found;
    }

private Q_SLOTS:
    void initTestCase() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); // one that a test can press
        m_table = m_folder.filePath(QStringLiteral("a table.csv"));
        m_images = m_folder.filePath(QStringLiteral("images"));
        QFile file(m_table);
        QVERIFY(file.open(QIODevice::WriteOnly) && QDir().mkdir(m_images));
    }

    // "8 characters" was the end of 128.
    void aUnitLeavesTheNumberWhole() {
        UnitEdit edit(QStringLiteral("characters"));
        edit.resize(120, 28);
        edit.show();
        edit.setText(QStringLiteral("8"));
        const int alone = edit.textMargins().right();
        QVERIFY(alone > 0);
        edit.setText(QStringLiteral("128000000"));
        QCOMPARE(edit.textMargins().right(), 0); // the number has the room
        edit.resize(240, 28);
        QCOMPARE(edit.textMargins().right(), alone);
        edit.setText(QStringLiteral("1").repeated(40));
        QCOMPARE(edit.textMargins().right(), 0);
    }

    // Feature: paths of the window's forms are typed, chosen by keyboard and dropped; files and folders dropped
    // anywhere open the New run sheet, or say why not. Also in new_run_sheet_test, training_source_test.
    void aPathIsTyped() {
        PathField field(PathField::File);
        QSignalSpy edited(&field, &UnitField::textEdited);
        QTest::keyClicks(field.edit(), QStringLiteral("~/data.csv"));
        QCOMPARE(field.path(), QDir::homePath() + QStringLiteral("/data.csv"));
        QCOMPARE(field.text(), QStringLiteral("~/data.csv"));
        QCOMPARE(edited.count(), 10);
    }

    void aPathIsChosenByKeyboard_data() {
        QTest::addColumn<bool>("folder");
        QTest::newRow("file") << false;
        QTest::newRow("folder") << true;
    }
    void aPathIsChosenByKeyboard() {
        QFETCH(bool, folder);
        PathField field(folder ? PathField::Folder : PathField::File);
        field.setTitle(QStringLiteral("Where"));
        field.setPatterns({QStringLiteral("*.csv")});
        field.show();
        field.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&field));
        field.edit()->setFocus();
        QSignalSpy edited(&field, &UnitField::textEdited);
        QTest::keyClick(field.edit(), Qt::Key_Tab);
        auto* browse = qobject_cast<QToolButton*>(QApplication::focusWidget());
        QVERIFY(browse);
        QCOMPARE(browse->accessibleName(), QStringLiteral("Browse for Where"));
        QTest::keyClick(browse, Qt::Key_Space);
        auto* asked = dialog();
        QVERIFY(asked);
        QCOMPARE(asked->fileMode(), folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
        if (!folder) QCOMPARE(asked->nameFilters().first(), QStringLiteral("Where (*.csv)"));
        asked->setDirectory(m_folder.path());
        asked->selectFile(folder ? m_images : m_table);
        static_cast<QDialog*>(asked)->accept();
        QTRY_COMPARE(field.text(), folder ? m_images : m_table);
        QCOMPARE(edited.count(), 1);
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(field.edit()));
    }

    void whatFitsIsDroppedOnIt_data() {
        QTest::addColumn<bool>("folder");
        QTest::addColumn<bool>("dropsFolder");
        QTest::newRow("a file on a file") << false << false;
        QTest::newRow("a folder on a folder") << true << true;
        QTest::newRow("a folder on a file") << false << true;
        QTest::newRow("a file on a folder") << true << false;
    }
    void whatFitsIsDroppedOnIt() {
        QFETCH(bool, folder);
        QFETCH(bool, dropsFolder);
        PathField field(folder ? PathField::Folder : PathField::File);
        field.show();
        QVERIFY(QTest::qWaitForWindowExposed(&field));
        QSignalSpy edited(&field, &UnitField::textEdited);
        Drag drag({dropsFolder ? m_images : m_table});
        QCOMPARE(drag.enter(*field.edit()), folder == dropsFolder);
        QCOMPARE(field.edit()->property("kind").toByteArray(), QByteArray(folder == dropsFolder ? "drop" : ""));
        if (folder != dropsFolder) return;
        drag.leave(field);
        QCOMPARE(field.edit()->property("kind").toByteArray(), QByteArray());
        QCOMPARE(field.text(), QString());
        drag.dropOn(*field.edit());
        QCOMPARE(field.text(), folder ? m_images : m_table);
        QCOMPARE(edited.count(), 1);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    PathFieldTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "path_field_test.moc"
