// SPDX-License-Identifier: GPL-3.0-or-later
// The way of somebody new, in the real window with real workers: a folder of images of their own is dropped, trained
// with three seeds, looked at, reported and exported. Each step says when it was done; with
// TRAINYARD_SCREENSHOTS=FOLDER it leaves a picture there.
#include "tests/gui/drag.h"
#include "tests/gui/forms/form_fields.h"
#include "tests/gui/picking.h"
#include "ui/models/desktop/settings.h"
#include "ui/new_run/form_strip.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/samples/confusion_card.h"
#include "ui/pages/runs/samples/samples_view.h"
#include "ui/pages/runs/table/runs_view.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/layers/band_layer.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/marks/prediction_bars.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <functional>

using namespace trainyard;
using namespace trainyard::ui;
using trainyard::testing::Drag;

namespace {

constexpr int kSide = 16, kOfEach = 40;
constexpr int kWorkersWait = 60'000; // for workers on a busy computer

// Stripes along one axis, or a chess board, somewhere in the image.
QImage pattern(int kind, unsigned number) {
    QImage image(kSide, kSide, QImage::Format_Grayscale8);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const int along = (x + static_cast<int>(number)) / 2, down = (y + static_cast<int>(number / 3)) / 2;
            const int tone = kind == 0 ? along : kind == 1 ? down : along + down;
            image.scanLine(y)[x] = static_cast<uchar>((tone % 2 ? 200 : 40) + static_cast<int>(number * 7 % 41));
        }
    return image;
}

} // namespace

class NewUserTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    QElapsedTimer m_clock;

    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    NewRunSheet* sheet() const { return m_window->findChild<NewRunSheet*>(); }
    SamplesView& samples() { return *m_window->runsPage()->samples(); }
    WorkspaceFeed& feed() { return m_window->bench().feed; }

    void open() {
        const store::Workspace workspace{file("workspace").toStdString()};
        std::filesystem::create_directories(workspace.root);
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->resize(1366, 768);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void done(const char* step) {
        qInfo("%6.1f s  %s", static_cast<double>(m_clock.elapsed()) / 1000, step);
        const QString folder = qEnvironmentVariable("TRAINYARD_SCREENSHOTS");
        if (folder.isEmpty()) return;
        QTest::qWait(300); // for what fades in
        m_window->grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(step)));
    }
    void press(Qt::Key key, Qt::KeyboardModifier modifier) {
        m_window->activateWindow(); // after a dialog or a menu
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), key, modifier);
    }
    void command(const char* words) {
        press(Qt::Key_K, Qt::ControlModifier);
        CommandPalette* palette = nullptr;
        QTRY_VERIFY((palette = m_window->findChild<CommandPalette*>()) && palette->isVisible());
        auto* line = palette->findChild<QLineEdit*>();
        line->setText(QString::fromUtf8(words)); // keyClicks() takes ASCII only
        QTest::keyClick(line, Qt::Key_Return);
    }
    // Asks `answered` again and again until it is true, also while a dialog or a menu runs its own loop.
    void soon(const std::function<bool()>& answered) {
        auto* timer = new QTimer(this);
        connect(timer, &QTimer::timeout, this, [timer, answered] {
            if (answered()) timer->deleteLater();
        });
        timer->start(50);
    }
    // Answers the file dialog that what follows opens.
    void answerWith(const QString& path) {
        soon([path] {
            for (auto* each : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QFileDialog*>(each); dialog && dialog->isVisible()) {
                    dialog->findChild<QLineEdit*>()->setText(path);
                    static_cast<QDialog*>(dialog)->accept();
                    return true;
                }
            return false;
        });
    }
    void chooseFrom(const char* button, const char* entry) {
        auto* found = test::named<QToolButton>(*m_window, QString::fromLatin1(button));
        QVERIFY2(found, button);
        QTest::mouseClick(found, Qt::LeftButton);
        QVERIFY2(test::pickFromOpen(QLatin1String(entry)), entry);
    }
    bool allFinished() {
        const auto runs = feed().runs();
        return runs.size() == 3 && std::all_of(runs.begin(), runs.end(), [](const RunItemPtr& run) {
                   return run->status == wire::RunStatus::Finished && run->detailed && std::isfinite(run->best);
               });
    }
    QString savedRun() const { return Settings::selection.of(file("workspace")).get().value(0); }
    RunItemPtr best() {
        const auto runs = feed().runs();
        return *std::max_element(runs.begin(), runs.end(),
                                 [](const auto& a, const auto& b) { return a->best < b->best; });
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); // one that a test can answer
        for (int kind = 0; kind < 3; ++kind) {
            const QString folder = file("cloth/") + QStringList{"columns", "rows", "checks"}[kind];
            QVERIFY(QDir().mkpath(folder));
            for (unsigned i = 0; i < kOfEach; ++i)
                QVERIFY(pattern(kind, i).save(QStringLiteral("%1/%2.png").arg(folder).arg(i)));
        }
        open();
        m_clock.start();
    }
    void cleanupTestCase() { m_window.reset(); }
    void init() {
        if (m_failed) QSKIP("a step before failed");
    }
    void cleanup() { m_failed = m_failed || QTest::currentTestFailed(); }

    void aFolderOfImagesIsDropped() {
        Drag({file("cloth")}).dropOn(*m_window->centralWidget());
        QTRY_VERIFY_WITH_TIMEOUT(sheet() && sheet()->form() && sheet()->form()->isVisible(), kWorkersWait);
        QTRY_VERIFY_WITH_TIMEOUT(sheet()->startButton()->isEnabled(), kWorkersWait);
        done("dropped");
    }
    void threeSeedsAreTrained() {
        test::type(*sheet(), QStringLiteral("Length"), QStringLiteral("4"));
        sheet()->strip()->more()->click();
        QTest::mouseClick(test::vary(*sheet(), QStringLiteral("Seed")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(sheet()->startButton()->isEnabled() && sheet()->startButton()->text().contains(u'3'),
                                 kWorkersWait);
        done("three seeds");
        QTest::mouseClick(sheet()->startButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(allFinished(), kWorkersWait);
        done("trained");
    }
    void theirCurvesHaveABand() {
        press(Qt::Key_2, Qt::ControlModifier);
        chooseFrom("Group the runs", "By configuration, over seeds");
        done("grouped");
        m_window->findChild<RunsView*>()->setFocus();
        QTest::keyClick(m_window->findChild<RunsView*>(), Qt::Key_A, Qt::ControlModifier);
        QTRY_COMPARE(m_window->bench().selection.selected().size(), 3);
        command("Mean ± std band");
        const auto band = [&]() -> const BandLayer* {
            for (const MetricCard* card : m_window->findChild<ChartBoard*>()->cards())
                for (const auto& layer : card->findChild<PlotCanvas*>()->scene().layers)
                    if (const auto* found = dynamic_cast<const BandLayer*>(layer.get())) return found;
            return nullptr;
        };
        QTRY_VERIFY(band() && !band()->bands().empty());
        done("band");
    }
    void theBestOnesMistakesAreCounted() {
        m_best = best()->id; // of several that are as good, this one
        m_window->bench().selection.show(m_best);
        QTRY_COMPARE(savedRun(), m_best); // so that the tab is not saved along with it
        press(Qt::Key_6, Qt::AltModifier);
        auto* chart = samples().findChild<ConfusionCard*>()->chart();
        QTRY_VERIFY_WITH_TIMEOUT(chart->isVisible() && chart->table().size() == 3, kWorkersWait);
        QVERIFY(chart->table().names().contains(QStringLiteral("checks")));
        done("confusion matrix");
    }
    void anImageIsPredicted() {
        Drag({file("cloth/rows/7.png")}).dropOn(samples());
        auto* bars = samples().findChild<PredictionBars*>();
        QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(bars->bars().size()), 3, kWorkersWait);
        done("predicted");
    }
    void aReportIsWritten() {
        answerWith(file("report.html"));
        command("Report");
        QTRY_VERIFY(QFileInfo(file("report.html")).size() > 10'000);
        QFile report(file("report.html"));
        QVERIFY(report.open(QIODevice::ReadOnly) && report.readAll().contains(feed().run(m_best)->name.toUtf8()));
        done("report");
    }
    void theBestIsExported() {
        answerWith(file("best.safetensors"));
        command("Export safetensors");
        QTRY_VERIFY(QFileInfo(file("best.safetensors")).size() > 1'000);
        done("exported");
    }
    // Gone without being closed, and opened again: everything is where it was, as it is saved soon after it changes.
    void theWindowComesBackAsItWas() {
        QTRY_COMPARE(savedRun(), m_best);
        QTRY_COMPARE(Settings::runsTab.get(), static_cast<int>(RunsPage::SamplesTab));
        m_window.reset();
        open();
        QTRY_VERIFY(allFinished());
        QTRY_COMPARE(m_window->bench().selection.current(), m_best);
        QTRY_VERIFY_WITH_TIMEOUT(samples().isVisible() && samples().findChild<ConfusionCard*>()->isVisible(),
                                 kWorkersWait);
        done("back");
    }

private:
    QString m_best; // its id
    bool m_failed = false;
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    NewUserTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("new-user"));
}
#include "new_user_test.moc"
