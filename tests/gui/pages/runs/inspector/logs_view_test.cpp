// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run as a reader sees it: a line that the list cuts stands below it, whole; and those of several runs.
#include "engine/base/clock.h"
#include "engine/run/record/kept_in_row.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/run_query.h"
#include "tests/gui/sample_workspace.h"
#include "ui/models/runs/taken_values.h"
#include "ui/pages/runs/inspector/logs_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/label.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QListView>
#include <QMenu>
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
        for (const auto& each : printedNumbers(line, [&](const QString& name) { return series.contains(name); }))
            if (each.isTaken) taken << line.mid(each.range.begin, each.range.size);
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

    // Feature: the menu of a printed line takes a name as a metric, or drops it; the run file has it. A click on the
    // number opens the same menu.
    void aNameIsTakenFromTheLog() {
        const QTemporaryDir folder;
        const store::Workspace workspace{(folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        const auto store = std::move(store::Store::open(workspace)).value();
        const auto id = testing::addRun(*store, workspace, testing::SampleRun{QStringLiteral("prints")});
        const auto query = std::move(store::RunQuery::open(workspace)).value();
        auto row = std::move(query->run(id)).value();
        spec::Program program;
        program.script = "/t/train.py";
        std::filesystem::create_directories(row.folder);
        QVERIFY(run::writeRunFile(run::RunFolder{row.folder}, row, spec::toJson(spec::programRun(program))).ok());
        QVERIFY(store->updateRun(row).ok());
        QVERIFY(store->appendLog(id, {{0, "info", "step 3 loss=0.5 tokens=96", 1000}}).ok());
        Workbench bench(workspace);
        LogsView view(bench);
        view.resize(900, 400);
        view.show();
        bench.start();
        const QString run = QString::fromStdString(id);
        QTRY_VERIFY(bench.feed.run(run));
        bench.feed.watch({run});
        bench.selection.setCurrent(run);
        auto& lines = *view.findChild<QListView*>(QStringLiteral("logLines"));
        QTRY_VERIFY(lines.model()->rowCount() > 0);
        lines.setFocus();
        QTest::keyClick(&lines, Qt::Key_End);
        const QRect line = lines.visualRect(lines.currentIndex());
        const auto opened = [&] {
            auto* menu = view.findChild<QMenu*>(QStringLiteral("printedNames"));
            return menu && menu->isVisible() ? menu : nullptr;
        };
        QContextMenuEvent asked(QContextMenuEvent::Keyboard, line.center(), lines.mapToGlobal(line.center()));
        QApplication::sendEvent(&lines, &asked);
        QTRY_VERIFY(opened());
        const auto names = [&] {
            QStringList all;
            for (const QAction* each : opened()->actions())
                if (each->isEnabled()) all << each->text() + (each->isChecked() ? QStringLiteral(" +") : QString());
            return all;
        };
        QCOMPARE(names(), (QStringList{"loss", "tokens"}));
        QTest::keyClick(opened(), Qt::Key_Down);
        QTest::keyClick(opened(), Qt::Key_Return);
        const auto patterns = [&] {
            const auto spec = spec::readRunSpec(run::RunFolder{row.folder}.runFile());
            return spec.ok() ? spec->program->metrics.patterns : std::vector<std::string>();
        };
        QTRY_COMPARE(patterns(), std::vector<std::string>{"+tokens"});
        QTRY_VERIFY(!opened());

        const Theme& theme = Theme::current();
        const int text = theme.px(48 + 12 + 96 + 40 + 64);
        const int number = QFontMetrics(theme.body).horizontalAdvance(QStringLiteral("step 3 loss=0.5 tokens=9"));
        QTest::mouseClick(lines.viewport(), Qt::LeftButton, {},
                          line.topLeft() + QPoint(text + number, line.height() / 2));
        QTRY_VERIFY(opened());
        QCOMPARE(names(), (QStringList{"loss", "tokens +"}));
        QCOMPARE(opened()->activeAction()->text(), QStringLiteral("tokens"));
        QTest::keyClick(opened(), Qt::Key_Return);
        QTRY_COMPARE(patterns(), std::vector<std::string>{"-tokens"});
        QTest::mouseClick(lines.viewport(), Qt::LeftButton, {}, line.topLeft() + QPoint(text + 4, line.height() / 2));
        QVERIFY(!opened()); // "step" is no number
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
