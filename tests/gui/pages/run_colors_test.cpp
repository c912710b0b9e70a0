// SPDX-License-Identifier: GPL-3.0-or-later
// The colour of runs is chosen, shown everywhere and taken back; with real keys and clicks.
#include "tests/gui/sample_workspace.h"
#include "ui/actions/action.h"
#include "ui/actions/color_sheet.h"
#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/inputs/color_grid.h"
#include "ui/widgets/marks/color_chip.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class RunColorsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;
    bool m_canUndo = false; // since the sheet was asked for

    WorkspaceFeed& feed() { return m_window->bench().feed; }
    ColorSheet* sheet() {
        const auto open = m_window->findChildren<ColorSheet*>();
        return open.isEmpty() ? nullptr : open.last();
    }
    ColorChip* chip() {
        for (auto* each : m_window->findChildren<ColorChip*>())
            if (each->isVisible()) return each;
        return nullptr;
    }
    std::vector<RunItemPtr> threeFinished() {
        std::vector<RunItemPtr> runs;
        for (const RunItemPtr& run : feed().runs())
            if (run->status == wire::RunStatus::Finished && run->row.sweep.empty() && runs.size() < 3)
                runs.push_back(run);
        return runs;
    }
    void askFor(const std::vector<RunItemPtr>& runs) {
        ActionTarget target{m_window->bench(), runs.front(), m_window.get()};
        target.runs = runs;
        m_canUndo = false;
        act(action("color"), target);
    }
    void undo() {
        QTRY_VERIFY(m_canUndo);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
    }
    // How many pixels of the window have the colour, or nearly so.
    int pixelsOf(const QColor& color) {
        const QImage image = m_window->grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QRgb pixel = image.pixel(x, y);
                count += std::abs(qRed(pixel) - color.red()) < 6 && std::abs(qGreen(pixel) - color.green()) < 6 &&
                         std::abs(qBlue(pixel) - color.blue()) < 6;
            }
        return count;
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1440, 900); // with room for the inspector
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(static_cast<int>(feed().runs().size()), 12);
        connect(&m_window->bench().actions, &RunActions::done, this,
                [this](const QString&, const std::function<void()>& undo) { m_canUndo = m_canUndo || undo; });
    }
    void cleanupTestCase() { m_window.reset(); }
    void cleanup() { QTRY_VERIFY(!sheet()); }

    // Feature: colours of runs: of the palette by the keys, any other as it is typed, by the value of a setting,
    // several runs at once, marked where another run has it, not given to a new one, in the charts and reports, undone.
    // Also in edit_runs_test, report_test, store_kept_test.
    void severalRunsGetOneOfThePaletteByTheKeys() {
        const auto runs = threeFinished();
        QCOMPARE(runs.size(), std::size_t{3});
        askFor(runs);
        QTRY_VERIFY(sheet() && sheet()->grid()->hasFocus());
        QVERIFY(!sheet()->automaticButton()->isEnabled()); // all have theirs by themselves
        QTest::keyClick(sheet()->grid(), Qt::Key_End);
        QTest::keyClick(sheet()->grid(), Qt::Key_Left);
        QTest::keyClick(sheet()->grid(), Qt::Key_Return);
        for (const RunItemPtr& run : runs) QTRY_COMPARE(feed().run(run->id)->color, (RunColor{38}));
        undo();
        for (const RunItemPtr& run : runs) QTRY_COMPARE(feed().run(run->id)->color, run->color);
    }

    // The same value, the same colour, in the order of the values; all of it is taken back in one step.
    void severalRunsAreColouredByASetting() {
        std::vector<RunItemPtr> runs;
        for (const RunItemPtr& run : feed().runs())
            if (run->row.sweep.empty() && !run->active()) runs.push_back(run);
        askFor(runs);
        QTRY_VERIFY(sheet() && sheet()->setting());
        auto& setting = *sheet()->setting();
        const int lr = setting.findData(QStringLiteral("optimizer.lr"));
        QVERIFY(lr >= 0);
        setting.setFocus();
        while (setting.currentIndex() != lr)
            QTest::keyClick(&setting, setting.currentIndex() < lr ? Qt::Key_Down : Qt::Key_Up);
        for (auto* each : sheet()->findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Apply")) QTest::keyClick(each, Qt::Key_Space);
        QMap<double, QList<int>> places; // of each rate
        const auto isColoured = [&] {
            places.clear();
            for (const RunItemPtr& run : runs)
                places[run->settings.value(QStringLiteral("optimizer.lr")).toDouble()]
                    << feed().run(run->id)->color.index;
            int place = 0;
            return std::all_of(places.begin(), places.end(), [&place](const QList<int>& of) {
                const bool same = of.count(place) == of.size();
                ++place;
                return same;
            });
        };
        QTRY_VERIFY(isColoured());
        QVERIFY(places.size() > 1);
        undo();
        for (const RunItemPtr& run : runs) QTRY_COMPARE(feed().run(run->id)->color, run->color);
    }

    void whatOthersHaveIsMarked() {
        const auto runs = threeFinished();
        askFor({runs[0]});
        QTRY_VERIFY(sheet() && sheet()->grid()->hasFocus());
        QCOMPARE(sheet()->grid()->chosen(), runs[0]->color.index); // where the keys begin
        QCOMPARE(sheet()->grid()->current(), runs[0]->color.index);
        QTest::mouseMove(sheet()->grid(), sheet()->grid()->rectOf(runs[1]->color.index).center());
        QTest::mouseClick(sheet()->grid(), Qt::LeftButton, {}, sheet()->grid()->rectOf(runs[1]->color.index).center());
        QTRY_COMPARE(feed().run(runs[0]->id)->color, runs[1]->color); // it may be taken all the same
        undo();
        QTRY_COMPARE(feed().run(runs[0]->id)->color, runs[0]->color);
    }

    void theSheetFollowsTheTheme() {
        const auto runs = threeFinished();
        askFor({runs[0]});
        QTRY_VERIFY(sheet());
        const auto shown = [this](int cell) {
            auto* grid = sheet()->grid();
            return grid->grab().toImage().pixelColor((grid->rectOf(cell).topLeft() + QPoint(6, 6)) *
                                                     grid->devicePixelRatio());
        };
        const ThemeMode mode = ThemeController::instance().mode();
        for (const ThemeMode each : {ThemeMode::Light, ThemeMode::Dark}) {
            ThemeController::instance().setMode(each);
            for (const int cell : {9, 25}) QTRY_COMPARE(shown(cell), Theme::current().curve(cell));
        }
        QCOMPARE(sheet()->grid()->chosen(), runs[0]->color.index);
        ThemeController::instance().setMode(mode);
        sheet()->close();
    }

    void anyOtherIsTypedAndGoesIntoTheCharts() {
        const RunItemPtr run = threeFinished().front();
        const QColor odd(0x8c, 0x05, 0xff);
        m_window->bench().selection.show(run->id);
        QTRY_VERIFY(chip());
        QCOMPARE(pixelsOf(odd), 0);
        QTest::keyClick(chip(), Qt::Key_Space);
        QTRY_VERIFY(sheet());
        QTest::keyClicks(sheet()->line(), "#8C05F");
        QTest::keyClick(sheet()->line(), Qt::Key_Return);
        QVERIFY(sheet()->isVisible()); // it is no colour yet
        QTest::keyClicks(sheet()->line(), "F");
        QTest::keyClick(sheet()->line(), Qt::Key_Return);
        QTRY_COMPARE(Theme::current().curve(feed().run(run->id)->color), odd);
        QTRY_VERIFY(!sheet());
        // The chips of the table and the inspector have 100 each.
        QTRY_VERIFY2(pixelsOf(odd) > 400, qPrintable(QString::number(pixelsOf(odd))));

        QTest::keyClick(chip(), Qt::Key_Space);
        QTRY_VERIFY(sheet() && sheet()->automaticButton()->isEnabled());
        QCOMPARE(sheet()->line()->text(), odd.name());
        QCOMPARE(sheet()->grid()->chosen(), -1);
        sheet()->automaticButton()->click();
        QTRY_COMPARE(feed().run(run->id)->color, run->color);
        QTRY_COMPARE(pixelsOf(odd), 0);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-run-colors-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-run-colors-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    RunColorsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "run_colors_test.moc"
