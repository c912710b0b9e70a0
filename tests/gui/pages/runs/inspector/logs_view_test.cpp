// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run as a reader sees it: a line that the list cuts stands below it, whole; and those of several runs.
#include "engine/base/clock.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/runs/taken_values.h"
#include "ui/pages/runs/inspector/logs_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/label.h"

#include <QApplication>
#include <QListView>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class LogsViewTest : public QObject {
    Q_OBJECT

    static constexpr const char* kLong =
        "first-step: 2 ranks, averaged through shared memory (chosen: all ranks share a host), <b>kernels</b> of this "
        "computer's vector unit, gradients in one pass with the optimizer, and more words than one line has room for";

    // Of the current line, which says "warning": between that and its words is nothing.
    static void theLevelEndsBeforeTheText(QListView& lines) {
        const Theme& theme = Theme::current();
        const QRect line = lines.visualRect(lines.currentIndex());
        const QImage image = lines.viewport()->grab(line).toImage();
        const int level = theme.px(48 + 12 + 96 + 40), text = level + theme.px(64);
        const auto isEmpty = [&](int x) {
            for (int y = 1; y < image.height() - 1; ++y)
                if (image.pixel(x, y) != image.pixel(x, 0)) return false;
            return true;
        };
        int last = level;
        for (int x = level; x < text; ++x)
            if (!isEmpty(x)) last = x;
        QVERIFY(last > level + theme.px(20)); // it is there
        QVERIFY2(text - last >= theme.px(6), qPrintable(QString::number(text - last)));
    }

private Q_SLOTS:
    // Feature: in a printed line the numbers stand out that have become points of the curves.
    void whatWasTakenIsMarked_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("taken");
        QTest::newRow("two") << "step 5/400 loss 1.52 val_loss 1.68" << "1.52 1.68";
        QTest::newRow("one is no series") << "epoch 1 loss: 0.5, speed: 12.5" << "0.5";
        QTest::newRow("the step has the same number") << "step 2 loss 2" << "2";
        QTest::newRow("with an exponent") << "loss=1e-05 lr=3" << "1e-05";
        QTest::newRow("not a number") << "loss nan" << "nan";
        QTest::newRow("of another part") << "val: loss 0.7" << "0.7";
        QTest::newRow("nothing") << "loaded 3 files of 400" << "";
        QTest::newRow("empty") << "" << "";
    }
    void whatWasTakenIsMarked() {
        QFETCH(QString, line);
        const QStringList series{"loss", "val_loss", "val/loss"};
        QStringList taken;
        for (const auto& range : takenValues(line, [&](const QString& name) { return series.contains(name); }))
            taken << line.mid(range.begin, range.size);
        QTEST(taken.join(' '), "taken");
    }

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
        theLevelEndsBeforeTheText(*lines);
        QCOMPARE(whole->text(), QString::fromLatin1(kLong)); // its tags are text too
        QTest::keyClick(lines, Qt::Key_Home);
        QVERIFY2(!whole->isVisible(), qPrintable(whole->text()));
        QTest::keyClick(lines, Qt::Key_End);
        view.resize(3000, 400);
        QTRY_VERIFY(!whole->isVisible()); // the list has room for it
    }

    // By time, and what is copied names the run of each line.
    // Feature: the logs of several selected runs as one, by time.
    void logsOfSelectedRunsAreMerged() {
        const QTemporaryDir folder;
        const store::Workspace workspace{(folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        const auto store = std::move(store::Store::open(workspace)).value();
        QStringList runs;
        const std::int64_t now = wallClockMs();
        for (const char* name : {"first", "second"}) {
            const auto id = testing::addRun(*store, workspace, testing::SampleRun{QString::fromLatin1(name)});
            const std::int64_t at = now + (*name == 'f' ? 0 : 1);
            QVERIFY(store
                        ->appendLog(id, {{0, "info", std::string("one of ") + name, at},
                                         {0, "info", std::string("two of ") + name, at + 2}})
                        .ok());
            runs << QString::fromStdString(id);
        }
        Workbench bench(workspace);
        LogsView view(bench);
        view.resize(1000, 400);
        view.show();
        bench.start();
        QTRY_COMPARE(bench.feed.runs().size(), std::size_t{2});
        bench.selection.setSelected(runs);
        bench.selection.setCurrent(runs[0]);
        QToolButton* all = nullptr;
        for (auto* each : view.findChildren<QToolButton*>())
            if (each->accessibleName() == QLatin1String("Logs of all selected runs")) all = each;
        QTRY_VERIFY(all && all->isVisible());
        auto& lines = *view.findChild<QListView*>(QStringLiteral("logLines"))->model();
        QTRY_VERIFY(bench.feed.log(runs[0]).size() == 6 && bench.feed.log(runs[1]).size() == 6);
        QTRY_COMPARE(lines.rowCount(), 6); // of the current one
        all->setFocus();
        QTest::keyClick(all, Qt::Key_Space);
        QTRY_COMPARE(lines.rowCount(), 12);
        QStringList last;
        for (int row = 8; row < 12; ++row) last << lines.index(row, 0).data().toString();
        QCOMPARE(last, (QStringList{"one of first", "one of second", "two of first", "two of second"}));
        QVERIFY(lines.index(11, 0).data(LogModel::TextRole).toString().startsWith(QLatin1String("second 20")));
        bench.selection.setSelected({runs[1]});
        QTRY_VERIFY(!all->isVisible()); // of one there is no choice
        QTRY_COMPARE(lines.rowCount(), 6);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
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
