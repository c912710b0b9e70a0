// SPDX-License-Identifier: GPL-3.0-or-later
// The Samples tab with runs that really trained and workers that really answer, driven by keys, clicks and drops.
#include "engine/run/attach/run_control.h"
#include "engine/run/record/evaluation.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/import_runs.h"
#include "tests/multiproc/lab/paced.h"
#include "tests/multiproc/lab/run_lab.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/samples/class_scores.h"
#include "ui/pages/runs/samples/confusion_card.h"
#include "ui/pages/runs/samples/sample_gallery.h"
#include "ui/pages/runs/samples/sample_trial.h"
#include "ui/pages/runs/samples/samples_toolbar.h"
#include "ui/pages/runs/samples/samples_view.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/marks/prediction_bars.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QHeaderView>
#include <QListView>
#include <QMimeData>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fstream>

using namespace trainyard;
using namespace trainyard::ui;
using test::RunLab;

namespace {

constexpr int kLong = 60'000; // a worker that starts on a busy computer

QImage noise(unsigned seed) {
    QImage image(8, 8, QImage::Format_Grayscale8);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            seed = seed * 1664525u + 1013904223u;
            image.scanLine(y)[x] = static_cast<uchar>(seed >> 24);
        }
    return image;
}

} // namespace

class SamplesViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<RunLab> m_lab;
    std::unique_ptr<MainWindow> m_window;
    std::string m_points, m_images; // runs

    QString file(const char* name) const { return QString::fromStdString(m_lab->folder()) + '/' + name; }
    SamplesView& view() { return *m_window->runsPage()->samples(); }
    template <class Part>
    Part& part() {
        return *view().findChild<Part*>();
    }
    ConfusionChart& chart() { return *part<ConfusionCard>().chart(); }
    const SampleList& samples() { return part<SampleGallery>().samples(); }
    UnitEdit& edit() { return *part<SampleTrial>().findChild<UnitEdit*>(); }
    const QList<PredictionBar>& bars() { return part<PredictionBars>().bars(); }
    QString error() {
        for (auto* label : part<SampleTrial>().findChildren<Label*>())
            if (label->role() == TextRole::SmallError && label->isVisible()) return label->text();
        return {};
    }
    QPushButton& evaluate() { return *part<SamplesToolbar>().findChild<QPushButton*>(); }
    QComboBox& box(int which) { return *part<SamplesToolbar>().findChildren<QComboBox*>()[which]; }
    QString emptyWords() {
        for (auto* state : view().findChildren<EmptyState*>())
            if (state->isVisible()) return state->accessibleName();
        return {};
    }
    run::EvaluationSet evaluations(const std::string& run) {
        auto set = run::readEvaluations(run::RunFolder{m_lab->row(run).folder}.evaluationFile());
        if (!set) qFatal("%s", set.error().text().c_str());
        return std::move(*set);
    }
    void show(const std::string& run) {
        m_window->bench().selection.show(QString::fromStdString(run));
        QTRY_VERIFY(chart().isVisible() && chart().table().size() > 0 && part<SampleGallery>().isVisible());
        QTRY_VERIFY(box(0).count() > 1); // its checkpoints are known
    }
    void type(const QString& text) {
        edit().setFocus();
        edit().selectAll();
        QTest::keyClicks(&edit(), text);
        QTest::keyClick(&edit(), Qt::Key_Return);
    }
    void drop(const QMimeData& data) {
        QDragEnterEvent enter(view().rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent dropped(view().rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view(), &dropped);
    }
    void dropFile(const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        drop(data);
    }
    // Pictures of noise in two classes: nothing can be learned, so that much is wrong.
    std::string trainOnImages() {
        for (unsigned i = 0; i < 60; ++i) {
            const QString folder = file("pictures/") + (i % 2 ? "odd" : "even");
            QDir().mkpath(folder);
            if (!noise(i + 1).save(folder + QString("/%1.png").arg(i))) qFatal("cannot write pictures");
        }
        auto spec = RunLab::spirals(1, 40);
        spec.name = "pictures";
        spec.model = {"mlp", {{"hidden", std::vector<double>{8}}}};
        spec.dataset = {
            "images",
            {{"folder", file("pictures").toStdString()}, {"width", 8.0}, {"height", 8.0}, {"colour", "grey"}}};
        spec.batch = {10, std::nullopt, 1};
        spec.checkpoint.everyEpochs = 0;
        spec.checkpoint.everySteps = 10;
        spec.checkpoint.keep = 3;
        return m_lab->startReal(spec);
    }

private Q_SLOTS:
    void initTestCase() {
        m_lab = std::make_unique<RunLab>();
        auto spec = RunLab::spirals(2, 90);
        spec.name = "points";
        spec.dataset.params["test"] = 10.0;
        spec.checkpoint.everyEpochs = 1;
        m_points = m_lab->startReal(spec);
        m_images = trainOnImages();
        for (const std::string& run : {m_points, m_images})
            QCOMPARE(m_lab->waitForEnd(run, 120).status, wire::RunStatus::Finished);
    }
    void cleanupTestCase() { m_lab.reset(); }

    void init() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(m_lab->workspace());
        m_window->resize(1280, 720);
        m_window->setPage(PageId::runs);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY(m_window->bench().feed.runs().size() >= 2);
        QTest::keyClick(m_window.get(), Qt::Key_6, Qt::AltModifier);
        QTRY_VERIFY(view().isVisible());
    }
    void cleanup() { m_window.reset(); }

    // Feature: the Samples tab: the confusion matrix by mouse and keyboard, scores of each class that sort, the samples
    // behind a cell or a class; it follows a run that trains, and other parts are measured when asked. Also in
    // samples_models_test.
    void theTableIsThatOfTheRun() {
        show(m_points);
        const auto known = evaluations(m_points).newest;
        QVERIFY(chart().table() == ConfusionTable(chart().table().names(), known.confusion));
        auto& classes = *part<ClassScores>().view();
        QCOMPARE(classes.model()->rowCount(), static_cast<int>(known.classes.size()));
        QCOMPARE(classes.model()->index(0, 4).data().toString(), QString::number(known.classes[0].samples));
        QCOMPARE(samples().rowCount(), static_cast<int>(known.mostWrong(48).size()));
        show(m_images);
        QVERIFY(samples().rowCount() > 0);
        QTRY_COMPARE_WITH_TIMEOUT(samples().imageAt(0).size(), QSize(8, 8), kLong);
    }

    void aCellShowsItsSamples() {
        show(m_images);
        const auto known = evaluations(m_images).newest;
        QVERIFY(!known.cell(0, 1).empty() || !known.cell(1, 0).empty());
        const ConfusionCell cell = known.cell(0, 1).empty() ? ConfusionCell{1, 0} : ConfusionCell{0, 1};
        const auto isShown = [&](const ConfusionCell& which) {
            const auto wanted = known.cell(which.truth, which.predicted);
            if (samples().rowCount() != static_cast<int>(wanted.size())) return false;
            for (int row = 0; row < samples().rowCount(); ++row)
                if (samples().at(row)->truth != which.truth || samples().at(row)->predicted != which.predicted)
                    return false;
            return true;
        };
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, chart().cellRect(cell).center());
        QVERIFY(isShown(cell));
        // From there by keys: to the first cell of the diagonal, and it is chosen.
        QTest::keyClick(&chart(), Qt::Key_Home);
        QTest::keyClick(&chart(), Qt::Key_PageUp);
        QCOMPARE(*chart().current(), (ConfusionCell{0, 0}));
        QVERIFY(isShown(cell)); // moving does not choose
        QTest::keyClick(&chart(), Qt::Key_Return);
        QVERIFY(isShown({0, 0}));
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QVERIFY(!chart().current());
        QCOMPARE(samples().rowCount(), static_cast<int>(known.mostWrong(48).size()));
    }

    void aClassShowsItsMistakesAndTitlesSort() {
        show(m_images);
        auto& classes = *part<ClassScores>().view();
        auto* header = classes.horizontalHeader();
        for (const int wanted : {1, -1}) { // upwards, then downwards
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              {header->sectionViewportPosition(2) + 10, header->height() / 2});
            const auto recall = [&](int row) { return classes.model()->index(row, 2).data().toDouble(); };
            QVERIFY(wanted * (recall(1) - recall(0)) >= 0);
        }
        QTest::mouseClick(classes.viewport(), Qt::LeftButton, {},
                          classes.visualRect(classes.model()->index(0, 0)).center());
        const QString name = classes.model()->index(0, 0).data().toString();
        for (int row = 0; row < samples().rowCount(); ++row) {
            QVERIFY(samples().at(row)->isWrong());
            QCOMPARE(samples().index(row).data(SampleList::TruthRole).toString(), name);
        }
        auto* filter = part<SampleGallery>().findChild<QToolButton*>();
        QVERIFY(filter->isVisible());
        QTest::mouseClick(filter, Qt::LeftButton);
        QVERIFY(!filter->isVisible());
    }

    void aSampleOfTheGalleryIsPredicted() {
        show(m_images);
        QTRY_VERIFY_WITH_TIMEOUT(samples().hasImages(), kLong);
        auto& gallery = *part<SampleGallery>().view();
        const run::Example example = *samples().at(0);
        // The newest validation is that of the last checkpoint, which answers.
        QTest::mouseClick(gallery.viewport(), Qt::LeftButton, {},
                          gallery.visualRect(gallery.model()->index(0, 0)).center());
        QTRY_COMPARE_WITH_TIMEOUT(bars().size(), 2, kLong);
        QVERIFY(std::abs(bars()[0].first - example.probability) < 1e-3);
        QCOMPARE(edit().text(), QString("validation/%1").arg(example.index));
        QVERIFY(!bars()[0].marked && bars()[1].marked); // it is wrong
    }

    // Feature: samples are dropped, pasted, typed or taken from the gallery, and predicted by one checkpoint or by two
    // side by side; bad files and lost workers are said in place.
    void picturesAreDroppedAndPasted() {
        show(m_images);
        dropFile(file("pictures/even/0.png"));
        QTRY_COMPARE_WITH_TIMEOUT(bars().size(), 2, kLong);
        QCOMPARE(error(), QString());
        QCOMPARE(edit().text(), QString("0.png"));
        const double probability = bars()[0].first;
        QApplication::clipboard()->setImage(noise(1)); // the same picture
        view().setFocus();
        QTest::keyClick(&edit(), Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(edit().text(), QString("pasted image"));
        QTRY_COMPARE_WITH_TIMEOUT(bars().size(), 2, kLong);
        QVERIFY(std::abs(bars()[0].first - probability) < 1e-6);
    }

    // Bad inputs: files dropped in the window to predict. The worker says why, and answers the next question.
    void aBadFileIsNamedAndTheNextOneIsPredicted_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("no picture") << QByteArray("hello") << "words.png" << "words.png";
        QTest::newRow("another kind of file")
            << QByteArray("hello") << "notes.txt" << "give an image (.png, .jpg, .webp, .tif, .bmp, .gif)";
        QTest::newRow("a row that is too short")
            << QByteArray("1,2\n") << "short.csv" << "has 2 cells in its first line";
        QTest::newRow("a table of nothing") << QByteArray("a,b\n") << "empty.csv" << "has 2 cells in its first line";
    }
    void aBadFileIsNamedAndTheNextOneIsPredicted() {
        QFETCH(QByteArray, content);
        QFETCH(QString, name);
        QFETCH(QString, says);
        show(m_images);
        std::ofstream(file("").toStdString() + name.toStdString()) << content.toStdString();
        dropFile(file("") + name);
        QTRY_VERIFY_WITH_TIMEOUT(!error().isEmpty(), kLong);
        QVERIFY2(error().contains(says), qPrintable(error()));
        QVERIFY(bars().isEmpty());
        dropFile(file("pictures/odd/1.png"));
        QTRY_COMPARE_WITH_TIMEOUT(bars().size(), 2, kLong);
        QCOMPARE(error(), QString());
    }

    void twoCheckpointsAnswerSideBySide() {
        show(m_images);
        QVERIFY(box(1).count() >= 3); // "Compare with…", and the checkpoints
        type("validation/0");
        QTRY_COMPARE_WITH_TIMEOUT(bars().size(), 2, kLong);
        box(1).setFocus();
        for (int i = 1; i < box(1).count(); ++i) QTest::keyClick(&box(1), Qt::Key_Down); // the earliest
        QTRY_VERIFY_WITH_TIMEOUT(bars().size() == 2 && !std::isnan(bars()[0].first) && !std::isnan(bars()[0].second),
                                 kLong);
        QVERIFY(bars()[0].first != bars()[0].second);
    }

    // Each of its rows can be looked at.
    void aTableIsAnsweredRowByRow() {
        show(m_points);
        std::ofstream(file("rows.csv").toStdString()) << "0.9,0.1\n-0.7,0.3\n0.2,-0.8\n";
        dropFile(file("rows.csv"));
        auto& trial = part<SampleTrial>();
        const auto words = [&trial] {
            for (const auto* label : trial.findChildren<NumberLabel*>())
                if (label->isVisible() && label->text().startsWith("Row")) return label->text();
            return QString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(words(), QString("Row 1 of 3"), kLong);
        const auto step = [&trial](const char* name) {
            for (auto* each : trial.findChildren<QToolButton*>())
                if (each->accessibleName() == name && each->isEnabled()) return each->click(), true;
            return false;
        };
        QVERIFY(!step("Previous row"));
        QList<QList<double>> shown;
        for (const char* row : {"Row 1 of 3", "Row 2 of 3", "Row 3 of 3"}) {
            QCOMPARE(words(), QString(row));
            QList<double> values;
            for (const PredictionBar& bar : bars()) values << bar.first;
            QVERIFY(values.size() >= 2 && !shown.contains(values));
            shown << values;
            QCOMPARE(step("Next row"), shown.size() < 3);
        }
        QVERIFY(step("Previous row"));
        QCOMPARE(words(), QString("Row 2 of 3"));
        QCOMPARE(bars()[0].first, shown[1][0]);
        type("0.1, -0.2"); // one row
        QTRY_VERIFY_WITH_TIMEOUT(bars().size() >= 2 && words().isEmpty(), kLong);
    }

    void rowsAreTyped() {
        show(m_points);
        type("0.1, -0.2");
        QTRY_VERIFY_WITH_TIMEOUT(bars().size() >= 2, kLong);
        double sum = 0;
        for (const PredictionBar& bar : bars()) sum += bar.first;
        QVERIFY(sum > 0.5 && sum < 1.0001);
        type("1, 2, 3");
        QTRY_VERIFY_WITH_TIMEOUT(error().contains("holds 3 numbers, and a sample of this model has 2"), kLong);
        type("nonsense");
        QVERIFY2(error().contains("\"nonsense\": is neither a file on this computer"), qPrintable(error()));
    }

    void aKilledWorkerIsSaidAndStartedAgain() {
        show(m_points);
        auto& process = *view().findChildren<AnswerProcess*>().first();
        type("0.1, -0.2");
        QTRY_VERIFY(process.processId() > 0);
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QTRY_VERIFY(!process.isRunning());
        if (bars().isEmpty()) // it died before it answered
            QVERIFY2(error().contains("crashed or was killed before it answered (the next question starts it again)"),
                     qPrintable(error()));
        type("0.1, -0.2");
        QTRY_VERIFY_WITH_TIMEOUT(bars().size() >= 2, kLong);
        QCOMPARE(error(), QString());
    }

    void otherPartsAreMeasuredWhenAsked() {
        show(m_points);
        auto& parts = *part<SamplesToolbar>().findChild<SegmentedControl*>();
        parts.setFocus();
        QTest::keyClick(&parts, Qt::Key_Right); // test: the run measured it at its end
        QTRY_COMPARE(chart().table().samples(),
                     static_cast<std::int64_t>(evaluations(m_points).tests.at("last").metrics.at("samples")));
        QTest::keyClick(&parts, Qt::Key_Right); // training samples: nothing is known
        QTRY_COMPARE(emptyWords(), QString("Not evaluated yet"));
        QTest::mouseClick(&evaluate(), Qt::LeftButton);
        QCOMPARE(evaluate().text(), QString("Cancel"));
        QTest::mouseClick(&evaluate(), Qt::LeftButton);
        QCOMPARE(evaluate().text(), QString("Evaluate"));
        QTRY_COMPARE(emptyWords(), QString("Not evaluated yet"));
        QTest::mouseClick(&evaluate(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(chart().isVisible(), kLong);
        QCOMPARE(evaluate().text(), QString("Evaluate"));
        QVERIFY(chart().table().samples() > 100);
        QVERIFY(chart().title().contains("train samples"));
    }

    // It says how to get one, and keys step over it.
    void aTestThatThereIsNotCannotBeChosen() {
        auto& parts = *part<SamplesToolbar>().findChild<SegmentedControl*>();
        show(m_points);
        QVERIFY(parts.isAvailable(1));
        show(m_images);
        QTRY_VERIFY(!parts.isAvailable(1));
        QTest::mouseClick(&parts, Qt::LeftButton, {}, parts.itemArea(1).center().toPoint());
        QCOMPARE(parts.currentIndex(), 0);
        parts.setFocus();
        QTest::keyClick(&parts, Qt::Key_Right);
        QCOMPARE(parts.currentIndex(), 2);
        QTest::keyClick(&parts, Qt::Key_Left);
        QCOMPARE(parts.currentIndex(), 0);
        show(m_points);
        QTRY_VERIFY(parts.isAvailable(1));
    }

    void whatCannotBeMeasuredIsSaid() {
        show(m_images);
        auto& parts = *part<SamplesToolbar>().findChild<SegmentedControl*>();
        parts.setFocus();
        QTest::keyClick(&parts, Qt::Key_Right); // training samples
        QTRY_COMPARE(emptyWords(), QString("Not evaluated yet"));
        for (auto* state : view().findChildren<EmptyState*>()) // its lines stay together
            if (const auto lines = state->findChildren<Label*>(); state->isVisible() && lines.size() == 2)
                QVERIFY2(lines[1]->y() - lines[0]->geometry().bottom() < 12,
                         qPrintable(QString::number(lines[1]->y())));
        QVERIFY(QDir().rename(file("pictures/odd"), file("pictures/other")));
        QTest::mouseClick(&evaluate(), Qt::LeftButton);
        auto& banner = part<Banner>();
        QTRY_VERIFY_WITH_TIMEOUT(banner.isVisible(), kLong);
        QVERIFY(QDir().rename(file("pictures/other"), file("pictures/odd")));
        QVERIFY2(banner.accessibleDescription().contains("is not what the model was trained on"),
                 qPrintable(banner.accessibleDescription()));
        QTest::keyClick(&parts, Qt::Key_Home); // the validation was measured: nothing is wrong with it
        QTRY_VERIFY(!banner.isVisible());
    }

    void theTableFollowsARunThatTrains() {
        auto spec = test::paced(RunLab::spirals(1, RunLab::kEndless), PACED_MODEL, 2);
        spec.name = "live";
        const std::string run = m_lab->startReal(spec);
        m_window->bench().selection.show(QString::fromStdString(run));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().feed.run(QString::fromStdString(run)), kLong);
        QStringList titles;
        for (int i = 0; i < 3; ++i) {
            QTRY_VERIFY_WITH_TIMEOUT(
                chart().isVisible() && !titles.contains(chart().title()) && chart().title().contains("live"), kLong);
            titles << chart().title(); // which names the step
        }
        QVERIFY(run::stopRun(m_lab->workspace(), run, wire::StopMode::Kill).ok());
    }

    void theModelTabLeadsHere() {
        show(m_images);
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::AltModifier);
        QTRY_VERIFY(!view().isVisible());
        QPushButton* link = nullptr;
        for (auto* each : m_window->runsPage()->findChildren<QPushButton*>())
            if (each->text() == "Show samples") link = each;
        QVERIFY(link && link->isVisible());
        QTest::mouseClick(link, Qt::LeftButton);
        QTRY_VERIFY(view().isVisible());
        const auto* best =
            store::defaultCheckpoint(m_window->bench().feed.checkpoints(QString::fromStdString(m_images)));
        QCOMPARE(box(0).currentData().toString(), QString::fromStdString(best->path));
    }

    void whatIsMissingIsSaid() {
        m_window->bench().selection.clear();
        QTRY_COMPARE(emptyWords(), QString("No run selected"));
        std::ofstream(file("progress.csv").toStdString()) << "epoch,loss\n0,2\n1,1\n";
        const auto imported = run::importRuns(m_lab->workspace(), file("progress.csv").toStdString());
        QVERIFY2(imported.ok(), imported ? "" : imported.error().text().c_str());
        const QString run = QString::fromStdString(imported->front().run);
        QTRY_VERIFY(m_window->bench().feed.run(run));
        m_window->bench().selection.show(run);
        QTRY_COMPARE(emptyWords(), QString("An imported run"));
        auto spec = RunLab::spirals(1, 40);
        spec.dataset = {"images", {{"folder", file("nowhere").toStdString()}}};
        const std::string failed = m_lab->startReal(spec);
        QCOMPARE(m_lab->waitForEnd(failed, 60).status, wire::RunStatus::Failed);
        QTRY_VERIFY(m_window->bench().feed.run(QString::fromStdString(failed)));
        m_window->bench().selection.show(QString::fromStdString(failed));
        QTRY_COMPARE(emptyWords(), QString("No checkpoint"));
    }

    void aMissingWorkerIsSaidInPlace() {
        show(m_points);
        const QByteArray before = qgetenv("TRAINYARD_BIN");
        const QTemporaryDir nothing;
        view().findChildren<AnswerProcess*>().first()->stop();
        qputenv("TRAINYARD_BIN", nothing.path().toLocal8Bit());
        type("0.1, -0.2");
        QTRY_VERIFY(error().startsWith(nothing.path() + "/trainyard-worker: cannot be started"));
        qputenv("TRAINYARD_BIN", before);
    }

    // The end of the tab ends its workers.
    void theWindowTakesItsWorkersAlong() {
        show(m_points);
        type("0.1, -0.2");
        QTRY_VERIFY_WITH_TIMEOUT(bars().size() >= 2, kLong);
        const auto worker = static_cast<pid_t>(view().findChildren<AnswerProcess*>().first()->processId());
        QCOMPARE(::kill(worker, 0), 0);
        m_window.reset();
        QTRY_COMPARE(::kill(worker, 0), -1);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-samples-view-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-samples-view-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SamplesViewTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "samples_view_test.moc"
