// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run as a reader sees it: a line that the list cuts stands below it, whole.
#include "tests/gui/sample_workspace.h"
#include "ui/pages/runs/logs_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/label.h"

#include <QApplication>
#include <QListView>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class LogsViewTest : public QObject {
    Q_OBJECT

    static constexpr const char* kLong =
        "first-step: 2 ranks, averaged through shared memory (chosen: all ranks share a host), <b>kernels</b> of this "
        "computer's vector unit, gradients in one pass with the optimizer, and more words than one line has room for";

private Q_SLOTS:
    void aCutLineStandsBelowWhole() {
        const QTemporaryDir folder;
        const store::Workspace workspace{(folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        const auto store = std::move(store::Store::open(workspace)).value();
        const auto run = testing::addRun(*store, workspace, testing::SampleRun{QStringLiteral("talks")});
        QVERIFY(store->appendLog(run, {wire::LogLine{0, "warning", kLong, 1000}}).ok());
        Workbench bench(workspace);
        LogsView view(bench);
        view.resize(700, 400);
        view.show();
        bench.start();
        QTRY_VERIFY(bench.feed.run(QString::fromStdString(run)));
        bench.feed.watch({QString::fromStdString(run)});
        bench.selection.setCurrent(QString::fromStdString(run));
        auto* lines = view.findChild<QListView*>(QStringLiteral("logLines"));
        auto* whole = view.findChild<Label*>(QStringLiteral("wholeLine"));
        QTRY_VERIFY(lines->model()->rowCount() > 1);
        QVERIFY(!whole->isVisible());

        lines->setFocus();
        QTest::keyClick(lines, Qt::Key_End);
        QTRY_VERIFY(whole->isVisible());
        QCOMPARE(whole->text(), QString::fromLatin1(kLong)); // its tags are text too
        QTest::keyClick(lines, Qt::Key_Home);
        QVERIFY2(!whole->isVisible(), qPrintable(whole->text()));
        QTest::keyClick(lines, Qt::Key_End);
        view.resize(3000, 400);
        QTRY_VERIFY(!whole->isVisible()); // the list has room for it
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-logs-view-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-logs-view-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    LogsViewTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "logs_view_test.moc"
