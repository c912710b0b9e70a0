// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a row of the table of pages: the rail, the keys, the command palette, --page, what is remembered.
#include "ui/models/desktop/settings.h"
#include "ui/pages/page_table.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshot.h"
#include "ui/shell/shortcuts_sheet.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/marks/status_chip.h"
#include "ui/widgets/rail_button.h"

#include <QApplication>
#include <QLineEdit>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class PageTableTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;

    void everyPage() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(pages().size()); ++i)
            QTest::newRow(pages()[static_cast<std::size_t>(i)].id) << i;
    }
    static const Page& pageAt(int index) { return pages()[static_cast<std::size_t>(index)]; }
    // Not the page that the test is about.
    static void leave(MainWindow& window, int index) { window.setPage(QLatin1String(pageAt(index == 0 ? 1 : 0).id)); }

    Setting<QString> pageSetting() const {
        return Settings::page.of(QString::fromStdString(m_workspace.root.string()));
    }

private Q_SLOTS:
    void initTestCase() {
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
    }
    void init() { QSettings().clear(); }

    // Feature: pages of the window: by key, rail, command palette and option; the last one is remembered.
    void opensByItsKey_data() { everyPage(); }
    void opensByItsKey() {
        QFETCH(int, index);
        MainWindow window(m_workspace);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        leave(window, index);
        QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_1 + index), Qt::ControlModifier);
        QTRY_COMPARE(window.page(), QLatin1String(pageAt(index).id));
    }

    void opensByTheRail_data() { everyPage(); }
    void opensByTheRail() {
        QFETCH(int, index);
        MainWindow window(m_workspace);
        window.show();
        leave(window, index);
        RailButton* entry = nullptr;
        for (auto* each : window.findChildren<RailButton*>())
            if (each->accessibleName() == pageTitle(pageAt(index))) entry = each;
        QVERIFY(entry);
        QVERIFY2(entry->toolTip().contains(pageKeys(index)), qPrintable(entry->toolTip()));
        entry->click();
        QCOMPARE(window.page(), QLatin1String(pageAt(index).id));
        QVERIFY(entry->isChecked());
    }

    void opensByTheCommandPalette_data() { everyPage(); }
    void opensByTheCommandPalette() {
        QFETCH(int, index);
        MainWindow window(m_workspace);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        leave(window, index);
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        CommandPalette* palette = nullptr;
        QTRY_VERIFY((palette = window.findChild<CommandPalette*>()));
        auto* edit = palette->findChild<QLineEdit*>();
        edit->setText(QStringLiteral("Go to ") + pageTitle(pageAt(index)));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_COMPARE(window.page(), QLatin1String(pageAt(index).id));
    }

    void opensByTheOption_data() { everyPage(); }
    void opensByTheOption() {
        QFETCH(int, index);
        MainWindow window(m_workspace);
        leave(window, index);
        QVERIFY(viewNames().contains(QLatin1String(pageAt(index).id)));
        QVERIFY(openView(window, QLatin1String(pageAt(index).id)));
        QCOMPARE(window.page(), QLatin1String(pageAt(index).id));
    }

    void isRemembered_data() { everyPage(); }
    void isRemembered() {
        QFETCH(int, index);
        {
            MainWindow window(m_workspace);
            window.setPage(QLatin1String(pageAt(index).id));
            window.close();
        }
        QCOMPARE(pageSetting().get(), QLatin1String(pageAt(index).id));
        MainWindow again(m_workspace);
        QCOMPARE(again.page(), QLatin1String(pageAt(index).id));
    }

    void eachWorkspaceHasItsOwn() {
        store::Workspace other;
        other.root = (m_folder.path() + QStringLiteral("/other")).toStdString();
        std::filesystem::create_directories(other.root);
        {
            MainWindow window(m_workspace);
            window.setPage(PageId::runs);
            window.close();
        }
        {
            MainWindow window(other); // a new one
            QCOMPARE(window.page(), QString(PageId::home));
            window.setPage(PageId::sweeps);
            window.close();
        }
        QCOMPARE(MainWindow(m_workspace).page(), QString(PageId::runs));
        QCOMPARE(MainWindow(other).page(), QString(PageId::sweeps));
    }

    void aPageThatIsGoneOpensHome() {
        pageSetting().set(QStringLiteral("attic"));
        MainWindow window(m_workspace);
        QCOMPARE(window.page(), QString(PageId::home));
        QVERIFY(!openView(window, QStringLiteral("attic")));
        QCOMPARE(window.page(), QString(PageId::home));
    }

    void theSheetOfShortcutsCountsThem() {
        MainWindow window(m_workspace);
        window.show();
        ShortcutsSheet::show(&window);
        bool found = false;
        for (auto* cap : window.findChildren<KeyCap*>())
            found = found || (cap->isVisible() && cap->accessibleName() == QStringLiteral("Ctrl %1").arg(pageDigits()));
        QVERIFY(found);
        QCOMPARE(pageDigits(), QStringLiteral("1 … %1").arg(pages().size()));
    }

    // Bad inputs: the window's command line.
    void theProgramTakesThePage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("answer");
        QTest::newRow("--page") << QStringList{QStringLiteral("--page"), QStringLiteral("data")} << 0 << "";
        QTest::newRow("unknown") << QStringList{QStringLiteral("--page"), QStringLiteral("attic")} << 2
                                 << "--page attic is not a page: write one of home, runs, ";
    }
    void theProgramTakesThePage() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, answer);
        const QString program = QString::fromStdString(CatalogLoader::workerProgram().parent_path().string()) +
                                QStringLiteral("/trainyard");
        if (!QFile::exists(program)) QSKIP("there is no trainyard beside the worker");
        const QString screenshot = m_folder.filePath(QStringLiteral("screenshot.png"));
        QFile::remove(screenshot);
        QProcess process;
        process.start(program,
                      QStringList{QStringLiteral("--workspace"), QString::fromStdString(m_workspace.root.string()),
                                  QStringLiteral("--screenshot"), screenshot} +
                          arguments);
        QVERIFY(process.waitForFinished(30000));
        const QString said = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(process.exitCode() == code, qPrintable(said));
        QCOMPARE(QFile::exists(screenshot), code == 0);
        QVERIFY2(said.contains(answer), qPrintable(said));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-page-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-page-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    PageTableTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "page_table_test.moc"
