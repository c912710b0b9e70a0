// SPDX-License-Identifier: GPL-3.0-or-later
// Workspaces that were opened before, and those that cannot be opened.
#include "app/platform.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/models/desktop/settings.h"
#include "ui/shell/workspaces.h"
#include "ui/widgets/inputs/path_field.h"

#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

using namespace trainyard;
using namespace trainyard::ui;

Q_DECLARE_METATYPE(trainyard::PlatformWish)

class WorkspacesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString made(const QString& name) {
        QDir(m_folder.path()).mkpath(name);
        return m_folder.filePath(name);
    }
    // What is answered in the dialog once it is there.
    template <class Answer>
    static void answer(Answer answer) {
        auto* timer = new QTimer(qApp);
        connect(timer, &QTimer::timeout, qApp, [timer, answer] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            timer->deleteLater();
            answer(*dialog);
        });
        timer->start(10);
    }
    static void press(QDialog& dialog, const char* words) {
        for (auto* each : dialog.findChildren<QPushButton*>())
            if (each->text() == QLatin1String(words)) return each->click();
        QFAIL(words);
    }

private Q_SLOTS:
    void init() { QSettings().clear(); }

    // Feature: recent workspaces; a window instead of a workspace that cannot be opened.
    void theLatestAreListedFirst() {
        const QString a = made(QStringLiteral("a")), b = made(QStringLiteral("b")), gone = made(QStringLiteral("gone"));
        for (const QString& each : {a, gone, b, a}) rememberWorkspace(each);
        QDir(gone).removeRecursively();
        QCOMPARE(recentWorkspaces(), (QStringList{a, b}));
        for (int i = 0; i < 20; ++i) rememberWorkspace(made(QString::number(i)));
        QCOMPARE(recentWorkspaces().size(), 8);
        QCOMPARE(recentWorkspaces().first(), m_folder.filePath(QStringLiteral("19")));
    }

    void theMenuHoldsTheOthers() {
        const QString a = made(QStringLiteral("a")), b = made(QStringLiteral("this & that"));
        rememberWorkspace(a);
        rememberWorkspace(b);
        QMenu menu;
        addRecentWorkspaces(menu, a);
        QCOMPARE(menu.actions().size(), 1);
        QVERIFY(menu.actions().first()->text().endsWith(QStringLiteral("this && that")));
    }

    void aWorkspaceThatCannotBeOpenedAsksForAnother() {
        const QString other = made(QStringLiteral("other"));
        rememberWorkspace(other);
        const Error error =
            inputError("the workspace is a file, not a folder", "/data/notes.txt", "choose another folder");
        QStringList said;
        answer([&said](QDialog& dialog) {
            for (const auto* label : dialog.findChildren<QLabel*>()) said << label->text();
            press(dialog, "Open");
        });
        QCOMPARE(askInsteadOf(QStringLiteral("/data/notes.txt"), error).value_or(QString()), other);
        const QString all = said.join('|');
        for (const char* part : {"/data/notes.txt", "is a file, not a folder", "choose another folder"})
            QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all));
        answer([](QDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); });
        QVERIFY(!askInsteadOf(QStringLiteral("/data/notes.txt"), error));
        answer([this](QDialog& dialog) {
            auto* edit = dialog.findChild<PathField*>()->edit();
            edit->selectAll();
            QTest::keyClicks(edit, m_folder.filePath(QStringLiteral("typed")));
            QTest::keyClick(edit, Qt::Key_Return);
        });
        QCOMPARE(askInsteadOf(QStringLiteral("/data/notes.txt"), error).value_or(QString()),
                 m_folder.filePath(QStringLiteral("typed")));
    }

    // Feature: a display that is not there is named, never Qt's abort; what cannot be had gives way to X11.
    void aPlatformIsChosen_data() {
        QTest::addColumn<PlatformWish>("wish");
        QTest::addColumn<QStringList>("installed");
        QTest::addColumn<bool>("refused");
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("why");
        const QStringList x11{QStringLiteral("xcb"), QStringLiteral("offscreen")};
        const QStringList both = x11 + QStringList{QStringLiteral("wayland")};
        const QString none, package = QStringLiteral("install the package qt6-wayland"),
                            instead = QStringLiteral("so X11 shows the window");
        QTest::newRow("X11") << PlatformWish{.x11 = true} << x11 << false << none << none;
        QTest::newRow("both displays, no plug-in")
            << PlatformWish{.x11 = true, .wayland = true} << x11 << false << none << none;
        QTest::newRow("Wayland") << PlatformWish{.wayland = true} << both << false << none << none;
        QTest::newRow("Wayland, no plug-in") << PlatformWish{.wayland = true} << x11 << true << none << package;
        QTest::newRow("Wayland asked, no plug-in")
            << PlatformWish{.asked = "wayland"} << x11 << true << none << package;
        QTest::newRow("its other form") << PlatformWish{.asked = "wayland-egl"} << x11 << true << none << package;
        QTest::newRow("Wayland asked beside X11")
            << PlatformWish{.asked = "wayland", .x11 = true} << x11 << false << QStringLiteral("xcb") << instead;
        QTest::newRow("the second of a list")
            << PlatformWish{.asked = "wayland;xcb", .x11 = true} << x11 << false << none << none;
        QTest::newRow("with arguments") << PlatformWish{.asked = "offscreen:size=9x9"} << x11 << false << none << none;
        QTest::newRow("an unknown name") << PlatformWish{.asked = "cocoa"} << x11 << true << none
                                         << QStringLiteral("Qt has no platform \"cocoa\" here");
        QTest::newRow("by the option") << PlatformWish{.asked = "wayland", .byOption = true, .x11 = true} << x11 << true
                                       << none << package;
        QTest::newRow("no display") << PlatformWish{} << x11 << true << none
                                    << QStringLiteral("there is no display here");
        QTest::newRow("a report without one")
            << PlatformWish{.windowless = true} << x11 << false << QStringLiteral("offscreen") << none;
        QTest::newRow("help on Wayland") << PlatformWish{.wayland = true, .windowless = true} << x11 << false
                                         << QStringLiteral("offscreen") << none;
    }
    void aPlatformIsChosen() {
        QFETCH(PlatformWish, wish);
        QFETCH(QStringList, installed);
        QFETCH(QString, why);
        const auto choice = choosePlatform(
            wish, [&](const std::string& name) { return installed.contains(QString::fromStdString(name)); });
        QTEST(choice.refused, "refused");
        QTEST(QString::fromStdString(choice.platform), "platform");
        QVERIFY2(why.isEmpty() ? choice.why.empty() : QString::fromStdString(choice.why).contains(why),
                 choice.why.c_str());
    }

    void qtsPlugInsAreFound() {
        QVERIFY(isPlatformInstalled("offscreen"));
        QVERIFY(!isPlatformInstalled("cocoa"));
        QVERIFY(!isPlatformInstalled(""));
    }

    // The real program never ends with Qt's abort.
    void aDisplayThatIsNotThereIsNamed_data() {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("said");
        const bool wayland = isPlatformInstalled("wayland");
        const QByteArray lacks = wayland ? "cannot be opened" : "install the package qt6-wayland";
        QTest::newRow("Wayland") << QByteArray("WAYLAND_DISPLAY") << QByteArray("wayland-no") << lacks;
        QTest::newRow("Wayland by Qt's variable") << QByteArray("QT_QPA_PLATFORM") << QByteArray("wayland") << lacks;
        QTest::newRow("X11") << QByteArray("DISPLAY") << QByteArray(":9876")
                             << QByteArray("\":9876\" cannot be opened");
        QTest::newRow("a wrong word") << QByteArray("QT_QPA_PLATFORM") << QByteArray("cocoa")
                                      << QByteArray("Qt has no platform \"cocoa\" here");
    }
    void aDisplayThatIsNotThereIsNamed() {
        QFETCH(QByteArray, variable);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, said);
        const QString program = qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyard");
        if (!QFile::exists(program)) QSKIP("it is not built");
        QProcess window;
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE"})
            environment.remove(QLatin1String(name));
        environment.insert(QString::fromLatin1(variable), QString::fromLatin1(value));
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder.path()); // else Wayland's library complains
        window.setProcessEnvironment(environment);
        window.start(program, {QStringLiteral("--workspace"), m_folder.filePath(QStringLiteral("ws"))});
        QVERIFY(window.waitForFinished(30'000));
        const QByteArray words = window.readAllStandardError();
        QCOMPARE(window.exitStatus(), QProcess::NormalExit);
        QVERIFY2(window.exitCode() == 3 && words.contains(said) && words.count('\n') == 1, words.constData());
    }

    // The real program: it stays and asks, where it once ended with a line that nobody sees.
    void theProgramAsks() {
        const QString program = qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyard");
        if (!QFile::exists(program)) QSKIP("it is not built");
        QFile file(m_folder.filePath(QStringLiteral("notes.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QProcess window;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        window.setProcessEnvironment(environment);
        window.start(program, {QStringLiteral("--workspace"), file.fileName()});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += window.readAllStandardError()).contains("is a file, not a folder"), 30000);
        QVERIFY(!window.waitForFinished(1000));
        window.kill();
        window.waitForFinished(5000);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    WorkspacesTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-workspaces-test"));
}
#include "workspaces_test.moc"
