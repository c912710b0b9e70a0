// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of the runs table under a person's hands: chip, colour and line.
#include "tests/gui/sample_workspace.h"
#include "ui/models/runs/compare_table.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/table/run_delegate.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/pages/runs/table/runs_view.h"
#include "ui/pages/shared/run_legend.h"
#include "ui/plots/card/metric_card.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/switch.h"

#include <QApplication>
#include <QHeaderView>
#include <QSplitter>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class RunGroupsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    RunsPanel* panel() { return m_window->runsPage()->runsPanel(); }
    RunsView* view() { return static_cast<RunsView*>(panel()->view()); }
    QModelIndex heading(const QString& title) {
        for (int row = 0; row < panel()->model()->rowCount(); ++row)
            if (const QModelIndex each = panel()->model()->index(row, 0); each.data().toString() == title) return each;
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        const store::Workspace workspace{(m_folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        testing::fillSampleWorkspace(workspace);
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12);
        QTRY_VERIFY(panel()->model()->rowCount() > 0);
        view()->setGrouping({RunGrouping::By::Setting, QStringLiteral("model")});
    }
    void cleanupTestCase() { m_window.reset(); }

    // Behind the menu of a heading the charts stay.
    void theMenuOfAHeadingLeavesTheSelection() {
        auto& selection = m_window->bench().selection;
        const auto& runs = m_window->bench().feed.runs();
        selection.setSelected({runs[0]->id, runs[1]->id});
        const QRect at = view()->visualRect(heading(QStringLiteral("model mlp")));
        QVERIFY(at.isValid());
        QTest::mouseClick(view()->viewport(), Qt::RightButton, {}, at.center());
        QCOMPARE(selection.selected().size(), 2);
        if (auto* menu = QApplication::activePopupWidget()) menu->close();
    }

    // Where a name would be cut to a few letters, its trend goes first.
    void namesHaveRoomBeforeTrends() {
        auto* splitter = qobject_cast<QSplitter*>(panel()->parentWidget());
        QVERIFY(splitter);
        const auto nameRoom = [this] { return view()->header()->sectionSize(0); };
        splitter->setSizes({Theme::current().px(336), 600, 300});
        QTRY_VERIFY(view()->header()->isSectionHidden(1));
        QVERIFY2(nameRoom() >= Theme::current().px(150), qPrintable(QString::number(nameRoom())));
        splitter->setSizes({Theme::current().px(560), 500, 200});
        QTRY_VERIFY(!view()->header()->isSectionHidden(1));
        QVERIFY(nameRoom() >= Theme::current().px(150));
    }

    // A group has a chip like a run: it shows or hides its runs and leaves the others; Space does the same.
    void aGroupIsShownAndHiddenByItsChip() {
        const QModelIndex convnet = heading("model convnet"), mlp = heading("model mlp");
        QVERIFY(convnet.isValid() && mlp.isValid());
        const auto press = [this](const QModelIndex& group) {
            view()->scrollTo(group);
            const QRect row = view()->visualRect(group);
            QTest::mouseClick(view()->viewport(), Qt::LeftButton, {},
                              QPoint(row.left() + RunDelegate::chipX(group), row.center().y()));
        };
        auto& selection = m_window->bench().selection;
        selection.clear();
        press(convnet);
        QCOMPARE(selection.selected().size(), 3);
        press(mlp);
        const QStringList both = selection.selected();
        QVERIFY(both.size() > 3);
        press(convnet);
        QCOMPARE(selection.selected().size(), both.size() - 3);
        selection.toggle(panel()->model()->runsBelow(convnet).first()); // a part of it
        press(convnet);
        QCOMPARE(selection.selected().size(), both.size());
        QCOMPARE(m_window->bench().groups.of(selection.selected().last())->name, QStringLiteral("model convnet"));
        view()->selectionModel()->setCurrentIndex(convnet, QItemSelectionModel::NoUpdate);
        QTest::keyClick(view(), Qt::Key_Space);
        QCOMPARE(selection.selected().size(), both.size() - 3);
    }

    // Feature: the charts draw the groups of the table, in their colours and by their names.
    void theChartsDrawTheGroupsOfTheTable() {
        m_window->bench().selection.setSelected(panel()->model()->runsBelow(heading("model convnet")));
        const auto styles = [this] {
            for (const auto* card : m_window->findChildren<MetricCard*>())
                if (card->metric() == QLatin1String("train/loss")) return card->curves();
            return QList<CurveStyle>{};
        };
        QTRY_COMPARE(static_cast<int>(styles().size()), 3);
        const auto color = heading("model convnet").data(RunsModel::GroupColorRole).value<RunColor>();
        for (const CurveStyle& style : styles()) {
            QVERIFY(style.group.isOneLine && style.drawnColor() == color);
            QCOMPARE(style.group.name, QStringLiteral("model convnet"));
        }
        view()->setGrouping({});
        QTRY_VERIFY(!styles().front().group.isOneLine);
        QVERIFY(styles().front().drawnColor() == styles().front().color);
    }

    // Feature: the legend names the groups, and a click hides or shows one; many have two lines and a picker.
    void theLegendNamesTheGroups() {
        view()->setGrouping({RunGrouping::By::Setting, QStringLiteral("model")});
        const QStringList convnet = panel()->model()->runsBelow(heading("model convnet"));
        const QStringList mlp = panel()->model()->runsBelow(heading("model mlp"));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::AltModifier);
        m_window->bench().selection.setSelected(convnet + mlp);
        const auto drawn = [this] {
            for (const auto* card : m_window->findChildren<MetricCard*>())
                if (card->metric() == QLatin1String("train/loss")) return card->curves().size();
            return qsizetype{0};
        };
        QTRY_COMPARE(drawn(), convnet.size() + mlp.size());
        QAbstractButton* entry = nullptr;
        for (auto* each : m_window->runsPage()->findChild<RunLegend*>()->findChildren<QAbstractButton*>())
            if (each->text() == QLatin1String("model mlp")) entry = each;
        QVERIFY(entry && entry->isVisible());
        entry->click();
        QCOMPARE(drawn(), convnet.size());
        entry->click();
        QCOMPARE(drawn(), convnet.size() + mlp.size());

        RunLegend legend(m_window->bench());
        QList<CurveStyle> many;
        for (int i = 0; i < 60; ++i) {
            const QString name = QStringLiteral("lr 0.%1").arg(i);
            many << CurveStyle{QString::number(i), name, {i}, {name, name, {i}, true}};
        }
        legend.setRuns(many);
        QWidget& sized = legend;
        QVERIFY(sized.heightForWidth(500) <= Theme::current().px(2 * 24 + 8));
        legend.resize(500, sized.heightForWidth(500));
        int shown = 0, rest = 0;
        for (const auto* each : legend.findChildren<QAbstractButton*>()) {
            if (each->isHidden()) continue;
            if (each->isCheckable()) ++shown;
            else rest = each->text().section(QLatin1Char(' '), 0, 0).toInt();
            QVERIFY(legend.rect().contains(each->geometry()));
        }
        QVERIFY(shown > 4 && rest > 0);
        QCOMPARE(shown + rest, 60);
    }

    // Feature: the comparison has a column for each group of the table, with means, spreads and numbers of runs; one
    // group alone is compared run by run.
    void theComparisonHasAColumnForEachGroup() {
        view()->setGrouping({RunGrouping::By::Setting, QStringLiteral("model")});
        const QStringList convnet = panel()->model()->runsBelow(heading("model convnet"));
        const QStringList mlp = panel()->model()->runsBelow(heading("model mlp"));
        m_window->bench().selection.setSelected(convnet + mlp);
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::AltModifier);
        QTableView* shown = nullptr;
        for (auto* each : m_window->findChildren<QTableView*>())
            if (each->accessibleName() == QLatin1String("Compared runs")) shown = each;
        QVERIFY(shown);
        const QAbstractItemModel& table = *shown->model();
        const auto header = [&table](int column, int role) { return table.headerData(column, Qt::Horizontal, role); };
        QTRY_COMPARE(table.columnCount(), 2);
        QCOMPARE(header(0, Qt::DisplayRole).toString(), QStringLiteral("model convnet"));
        QCOMPARE(header(0, CompareTable::CountRole).toString(), QString::number(convnet.size()));
        QCOMPARE(header(1, CompareTable::CountRole).toString(), QString::number(mlp.size()));
        const auto color = heading("model mlp").data(RunsModel::GroupColorRole).value<RunColor>();
        QCOMPARE(header(1, CompareTable::ColorRole).value<QColor>(), Theme::current().curve(color));
        QVERIFY(table.index(1, 0).data().toString().contains(QStringLiteral(" ± ")));
        Switch* byGroup = nullptr;
        for (auto* each : m_window->findChildren<Switch*>())
            if (each->text() == QLatin1String("Groups")) byGroup = each;
        QVERIFY(byGroup && byGroup->isVisible());
        byGroup->click();
        QCOMPARE(table.columnCount(), static_cast<int>(convnet.size() + mlp.size()));
        byGroup->click();
        QCOMPARE(table.columnCount(), 2);
        m_window->bench().selection.setSelected(convnet);
        QTRY_COMPARE(table.columnCount(), static_cast<int>(convnet.size()));
        QVERIFY(!byGroup->isVisible());
        QCOMPARE(header(0, CompareTable::CountRole).toString(), QString());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-run-groups-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-run-groups-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    RunGroupsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "run_groups_test.moc"
