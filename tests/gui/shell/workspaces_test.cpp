// SPDX-License-Identifier: GPL-3.0-or-later
// Workspaces that were opened before, and those that cannot be opened.
#include "tests/gui/forms/form_fields.h"
#include "ui/models/settings.h"
#include "ui/shell/workspaces.h"
#include "ui/widgets/path_field.h"

#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

using namespace trainyard;
using namespace trainyard::ui;

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
            inputError("the workspace is a file, not a folder", "/data/notes.txt", "give another folder");
        QStringList said;
        answer([&said](QDialog& dialog) {
            for (const auto* label : dialog.findChildren<QLabel*>()) said << label->text();
            press(dialog, "Open");
        });
        QCOMPARE(askInsteadOf(QStringLiteral("/data/notes.txt"), error).value_or(QString()), other);
        const QString all = said.join('|');
        for (const char* part : {"/data/notes.txt", "is a file, not a folder", "give another folder"})
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

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    WorkspacesTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-workspaces-test"));
}
#include "workspaces_test.moc"
