// SPDX-License-Identifier: GPL-3.0-or-later
// What the Samples tab decides and holds, without a window: which evaluation is shown, how classes are sorted, what a
// given sample is taken for, two models side by side, the worker that cannot be started.
#include "ui/models/actions/answer_process.h"
#include "ui/models/runs/class_table.h"
#include "ui/models/samples/asked_sample.h"
#include "ui/models/samples/evaluation_choice.h"
#include "ui/models/samples/evaluation_lines.h"
#include "ui/models/samples/evaluation_watch.h"
#include "ui/models/samples/prediction.h"
#include "ui/models/samples/sample_list.h"
#include "ui/pages/runs/samples/curves_card.h"
#include "ui/plots/chart/confusion_table.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <cmath>
#include <fstream>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

store::CheckpointRow saved(const char* path, std::int64_t step, bool best = false, bool last = false) {
    store::CheckpointRow row;
    row.path = path;
    row.step = step;
    row.best = best;
    row.last = last;
    return row;
}

run::Evaluation measured(std::int64_t step) {
    run::Evaluation evaluation;
    evaluation.step = step;
    return evaluation;
}

run::ClassScore score(const char* name, double precision, double recall, std::int64_t samples) {
    run::ClassScore one;
    one.name = name;
    one.precision = precision;
    one.recall = recall;
    one.samples = samples;
    return one;
}

QStringList namesOf(const ClassTable& table) {
    QStringList names;
    for (int row = 0; row < table.rowCount(); ++row) names << table.index(row, 0).data().toString();
    return names;
}

} // namespace

class SamplesModelsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    QString written(const char* name, const QByteArray& content) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write %s", name);
        return file.fileName();
    }

private Q_SLOTS:
    // Feature: labels have the threshold that validation has chosen.
    void labelsHaveThresholds() {
        ClassTable table;
        run::ClassScore one = score("yes", 0.5, 0.25, 8);
        one.threshold = 0.31;
        table.setScores(spec::TaskKind::MultiLabel, {one});
        QCOMPARE(table.columnCount(), 6);
        QCOMPARE(table.headerData(5, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Threshold"));
        QCOMPARE(table.index(0, 5).data().toString(), QStringLiteral("0.310"));
        const auto read = run::parseEvaluation(R"({"task": "multi-label", "step": 1, "epoch": 1, "loss": 0.5,
            "classes": [{"name": "yes", "precision": 1, "recall": 1, "f1": 1, "samples": 3, "threshold": 0.25}]})",
                                               "here");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->classes[0].threshold, 0.25);
        table.setScores(spec::TaskKind::Classification, {one});
        QCOMPARE(table.columnCount(), 5);
    }

    // Feature: the Samples tab draws ROC, precision over recall and reliability of an evaluation.
    void evaluationsHaveCurves() {
        run::Evaluation evaluation = measured(1);
        QVERIFY(linesOf(evaluation, EvaluationCurve::Roc).isEmpty() &&
                !hasCurve(evaluation, EvaluationCurve::Reliability));
        for (int i = 0; i < 12; ++i) {
            evaluation.classes.push_back(score(i == 3 ? "none" : "class", 0.5, 0.5, i == 3 ? 0 : 10));
            if (i != 5) evaluation.classes.back().roc = {0.25, 0.75, 1}; // where 0, 1/4 and all of the others are taken
        }
        const auto roc = linesOf(evaluation, EvaluationCurve::Roc);
        QCOMPARE(roc.size(), 10); // more cannot be told apart
        QCOMPARE(roc[5].number, 6);
        QCOMPARE(roc[0].points, (QList<QPointF>{{0, 0.25}, {0.25, 0.75}, {1, 1}}));
        // 10 of 110: 2.5 right and none wrong; 7.5 right and 25 wrong; all.
        const auto precision = linesOf(evaluation, EvaluationCurve::Precision, 1);
        QCOMPARE(precision.size(), 1);
        QCOMPARE(precision[0].points, (QList<QPointF>{{0.25, 1}, {0.75, 7.5 / 32.5}, {1, 10.0 / 110}}));
        QCOMPARE(linesOf(evaluation, EvaluationCurve::Precision, 3).size(), 10); // a class without samples has none
        QCOMPARE(linesOf(evaluation, EvaluationCurve::Roc, 99).size(), 10);
        evaluation.reliability = {{0.4, 0.3, 7}, {0.9, 0.95, 20}};
        QCOMPARE(linesOf(evaluation, EvaluationCurve::Reliability)[0].points,
                 (QList<QPointF>{{0.4, 0.3}, {0.9, 0.95}}));
    }

    void theShownEvaluationIsThatOfTheChoice_data() {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<int>("part");
        QTest::addColumn<bool>("validated");
        QTest::addColumn<int>("step"); // of the evaluation that is shown; -1: none
        const auto row = [](const char* name, const char* checkpoint, DataPart part, bool validated, int step) {
            QTest::newRow(name) << QString::fromLatin1(checkpoint) << static_cast<int>(part) << validated << step;
        };
        row("newest validation", "", DataPart::Validation, true, 30);
        row("newest of a run without validation", "", DataPart::Validation, false, -1);
        row("checkpoint of the newest validation", "c30", DataPart::Validation, true, 30);
        row("an earlier checkpoint", "c10", DataPart::Validation, true, -1);
        row("one that was asked for", "c20", DataPart::Validation, true, 2020);
        row("test of the best", "c20", DataPart::Test, true, 20);
        row("test of the last", "c30", DataPart::Test, true, 30);
        row("test of the newest is that of the last", "", DataPart::Test, true, 30);
        row("test of another", "c10", DataPart::Test, true, -1);
        row("training samples", "c30", DataPart::Train, true, -1);
        row("training samples that were asked for", "c10", DataPart::Train, true, 1010);
        row("a checkpoint that is gone", "c7", DataPart::Test, true, 30);
    }
    void theShownEvaluationIsThatOfTheChoice() {
        QFETCH(QString, checkpoint);
        QFETCH(int, part);
        QFETCH(bool, validated);
        QFETCH(int, step);
        const std::vector rows{saved("c10", 10), saved("c20", 20, true), saved("c30", 30, false, true)};
        run::EvaluationSet written;
        written.validated = validated;
        if (validated) written.newest = measured(30);
        written.tests = {{"best", measured(20)}, {"last", measured(30)}};
        const AskedEvaluations asked{{{"c20", DataPart::Validation}, measured(2020)},
                                     {{"c10", DataPart::Train}, measured(1010)}};
        const EvaluationChoice choice{checkpoint.toStdString(), static_cast<DataPart>(part)};
        const auto* shown = evaluationFor(choice, &written, asked, rows);
        QCOMPARE(shown ? shown->step : -1, step);
        const auto* nothingWritten = evaluationFor(choice, nullptr, asked, rows);
        QCOMPARE(nothingWritten ? nothingWritten->step : -1, step > 1000 ? step : -1);
    }

    void theLastCheckpointAnswersForTheNewestValidation() {
        const std::vector rows{saved("c10", 10, true), saved("c20", 20, false, true)};
        QCOMPARE(checkpointFor({}, rows)->path, std::string("c20"));
        QCOMPARE(checkpointFor({"c10", DataPart::Test}, rows)->path, std::string("c10"));
        QVERIFY(checkpointFor({"gone", DataPart::Test}, rows) == nullptr);
        QVERIFY(checkpointFor({}, {}) == nullptr);
    }

    void classesAreSortedAndStaySoWithNewScores() {
        ClassTable table;
        table.setScores(spec::TaskKind::Classification,
                        {score("cat", 0.9, 0.5, 10), score("ant", 0.9, 0.7, 30), score("bee", 0.2, 0.6, 20)});
        QCOMPARE(namesOf(table), (QStringList{"cat", "ant", "bee"}));
        table.sort(0, Qt::AscendingOrder);
        QCOMPARE(namesOf(table), (QStringList{"ant", "bee", "cat"}));
        table.sort(1, Qt::DescendingOrder); // equal ones in the order of the classes
        QCOMPARE(namesOf(table), (QStringList{"cat", "ant", "bee"}));
        table.sort(2, Qt::AscendingOrder);
        QCOMPARE(namesOf(table), (QStringList{"cat", "bee", "ant"}));
        const QPersistentModelIndex bee = table.index(1, 0);
        table.setScores(spec::TaskKind::Classification,
                        {score("cat", 0.9, 0.5, 10), score("ant", 0.9, 0.4, 30), score("bee", 0.2, 0.6, 20)});
        QCOMPARE(namesOf(table), (QStringList{"ant", "cat", "bee"}));
        QCOMPARE(bee.data().toString(), QString("bee")); // the selection follows its class
        QCOMPARE(table.classAt(2), 2);
        QCOMPARE(table.rowOf(0), 1);
        table.sort(-1, Qt::AscendingOrder);
        QCOMPARE(namesOf(table), (QStringList{"cat", "ant", "bee"}));
        QCOMPARE(table.index(1, 4).data().toString(), QString("30"));
        table.setScores(spec::TaskKind::Regression, {score("price", 0, 0, 0)});
        QCOMPARE(table.columnCount(), 4);
        QCOMPARE(table.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), QString::fromUtf8("R²"));
    }

    void whatIsTypedIsTakenFor_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("language");
        QTest::addColumn<QString>("input"); // or what the error says
        const QString image = written("shirt.png", "no picture, which the worker finds out");
        const auto row = [](const char* name, const QString& typed, bool language, const QString& input) {
            QTest::newRow(name) << typed << language << input;
        };
        row("a row", "5.1, 3.5,1.4 , -2e-3", false, "row:5.1,3.5,1.4,-2e-3");
        row("a row of a spreadsheet", "5.1\t3.5\n", false, "row:5.1,3.5");
        row("a row with a word", "red, 0.5", false, "row:red,0.5");
        row("a row with a word of a spreadsheet", "red\t0,5", false, "row:red,\"0,5\"");
        row("a sample", "validation/17", false, "data:validation/17");
        row("a sample in full", "data:test/3", false, "data:test/3");
        row("a file", image, false, image);
        row("an address of a file", QUrl::fromLocalFile(image).toString(), false, image);
        row("a text", " To be,\n1 2 3", true, "text: To be,\n1 2 3");
        row("numbers for a model of texts", "1, 2", true, "text:1, 2");
        // Bad inputs: samples typed in the window.
        row("a file that is not there", path("gone.png"), false,
            "error: does not exist (choose a PNG, JPEG or CSV file)");
        row("a folder", m_folder.path(), false, "error: is a folder (choose one image");
        row("words", "what is it", false,
            "error: is neither a file on this computer nor a row of numbers (enter an image");
        row("nothing", "  ", false, "error: nothing was entered");
        row("a large table", written("large.csv", QByteArray(2 << 20, '1')), false,
            "error: is larger than 1 MiB; only its first row is shown here (paste one row");
    }
    void whatIsTypedIsTakenFor() {
        QFETCH(QString, typed);
        QFETCH(bool, language);
        QFETCH(QString, input);
        const auto sample = sampleOfText(typed, language ? spec::TaskKind::Language : spec::TaskKind::Classification);
        if (input.startsWith("error: ")) {
            QVERIFY(!sample);
            const QString text = QString::fromStdString(sample.error().text());
            QVERIFY2(text.contains(input.mid(7)), qPrintable(text));
            QVERIFY2(text.contains(typed.trimmed().left(40)), qPrintable(text)); // it names what was given
            QCOMPARE(sample.error().kind, ErrorKind::Input);
        } else {
            QVERIFY2(sample.ok(), sample ? "" : sample.error().text().c_str());
            QCOMPARE(sample->input, input);
        }
    }

    void whatIsDroppedIsTakenFor() {
        QMimeData picture;
        QImage image(5, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        picture.setImageData(image);
        const auto pasted = sampleOfMime(picture, std::nullopt, m_folder.path());
        QVERIFY(pasted.ok());
        QCOMPARE(QImage(pasted->input).size(), QSize(5, 4));
        QMimeData file;
        file.setUrls({QUrl::fromLocalFile(written("boot.png", "x"))});
        QCOMPARE(sampleOfMime(file, std::nullopt, m_folder.path())->title, QString("boot.png"));
        QMimeData address;
        address.setUrls({QUrl("https://example.org/boot.png")});
        const auto elsewhere = sampleOfMime(address, std::nullopt, m_folder.path());
        QVERIFY(!elsewhere);
        QVERIFY(elsewhere.error().text().find("https://example.org/boot.png: is not a file on this computer") == 0);
        QVERIFY(!sampleOfMime(QMimeData(), std::nullopt, m_folder.path()));
    }

    void twoModelsStandSideBySide() {
        Prediction first, second;
        first.classes = {{"boot", 0.7}, {"bag", 0.2}, {"coat", 0.1}};
        second.classes = {{"coat", 0.9}, {"boot", 0.1}};
        const auto lines = sideBySide(&first, &second, 2);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].name, QString("boot")); // the first model's order
        QCOMPARE(lines[0].second, 0.1);
        QCOMPARE(lines[1].name, QString("coat")); // the second model's favourite, in place of the bag
        QCOMPARE(lines[1].first, 0.1);
        QCOMPARE(lines[1].second, 0.9);
        QVERIFY(std::isnan(sideBySide(&first, &second, 3)[1].second)); // the second does not know of bags
        QCOMPARE(sideBySide(&first, nullptr, 5).size(), 3);
        QVERIFY(sideBySide(nullptr, nullptr, 5).isEmpty());
        Prediction values;
        values.outputs = {{"price", 3}, {"age", 9}};
        QCOMPARE(sideBySide(&values, nullptr, 5)[0].name, QString("price")); // in the order of the outputs
        QVERIFY(!parsePrediction({{"inputs", QJsonArray()}}));
    }

    void samplesComeAsTheyAreShown() {
        SampleList list;
        std::vector<run::Example> examples(2);
        examples[0] = {7, 5.0, 0, 1, 0.998, {}, {}};
        examples[1] = {9, 4.0, 1, 0, 0.5, {}, {}};
        list.setExamples(examples, {"Shirt", "Coat"}, "run/test");
        QCOMPARE(list.wanted(), (std::vector<std::int64_t>{7, 9}));
        QVERIFY(list.wanted().empty()); // they are asked for
        const QJsonObject answer{
            {"channels", 1},
            {"width", 2},
            {"height", 1},
            {"items",
             QJsonArray{QJsonObject{
                 {"index", 9}, {"target", "Coat"}, {"pixels", QString(QByteArray("\x10\xff", 2).toBase64())}}}}};
        list.take(answer, "run/validation"); // late, of another part
        QVERIFY(list.imageAt(1).isNull());
        list.take(answer, "run/test");
        QCOMPARE(list.imageAt(1).size(), QSize(2, 1));
        QCOMPARE(qGray(list.imageAt(1).pixel(1, 0)), 255);
        QVERIFY(list.hasImages());
        QCOMPARE(list.index(0).data(SampleList::PredictedRole).toString(), QString("Coat"));
        QCOMPARE(list.index(0).data(SampleList::ConfidenceRole).toString(), QString("99.8%"));
        QCOMPARE(list.index(0).data(SampleList::TruthRole).toString(), QString("Shirt"));
        list.forgetMissing();
        QCOMPARE(list.wanted(), (std::vector<std::int64_t>{7}));
    }

    void aTableIsWrittenWithItsShares() {
        const ConfusionTable table({"a,b", "c"}, {{3, 1}, {0, 4}});
        QCOMPARE(table.samples(), 8);
        QCOMPARE(table.largestMistake(), 1);
        QCOMPARE(table.csv(), std::string("true,predicted,count,share\n\"a,b\",\"a,b\",3,0.75\n\"a,b\",c,1,0.25\n"
                                          "c,c,4,1\n"));
        QCOMPARE(ConfusionTable().size(), 0);
    }

    // Cards stand one below the other where longer words leave no room for both, and the page grows no wider for them.
    void cardsTurnWhereTheyDoNotFit() {
        auto* first = new QWidget;
        auto* second = new QWidget;
        TurningRow row(first, second, 100);
        for (QWidget* each : {first, second}) each->setMinimumSize(300, 40);
        QCOMPARE(row.minimumSizeHint().width(), 300);
        row.resize(500, 200);
        row.show();
        QTRY_VERIFY(first->geometry().bottom() < second->geometry().top());
        row.resize(700, 200);
        QTRY_COMPARE(first->geometry().top(), second->geometry().top());
    }

    // A good table has pale mistakes, not a dark one in each column.
    void aSingleMistakeAmongManyIsPale() {
        const ConfusionTable good({"a", "b"}, {{99, 1}, {0, 100}}), bad({"a", "b"}, {{50, 50}, {0, 100}});
        for (const bool shares : {false, true}) {
            QVERIFY(good.mistakeStrength(0, 1, shares) < 0.4);
            QCOMPARE(bad.mistakeStrength(0, 1, shares), 1.0);
            QCOMPARE(good.mistakeStrength(1, 0, shares), 0.0);
        }
    }

    // Of a thousand classes each cell is less than a pixel, and a single mistake still has its colour.
    void aMistakeIsSeenAmongAThousandClasses() {
        constexpr int kClasses = 1000;
        std::vector<std::vector<std::int64_t>> counts(kClasses, std::vector<std::int64_t>(kClasses));
        QStringList names;
        for (int i = 0; i < kClasses; ++i) {
            names << QString::number(i);
            counts[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)] = 5;
        }
        counts[700][200] = 1;
        QImage image(300, 300, QImage::Format_RGB32);
        const Theme& theme = Theme::current();
        const ConfusionTable table(names, counts);
        const auto painted = [&] {
            image.fill(theme.card);
            QPainter painter(&image);
            paintConfusion(painter, image.rect(), table, {}, theme);
            return image.copy();
        }();
        const ConfusionLayout layout = layOutConfusion(table, {}, image.rect(), theme);
        const QPoint at = layout.of({}, {700, 200}).center().toPoint();
        bool seen = false;
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy) seen |= painted.pixelColor(at + QPoint(dx, dy)) == theme.seq[4];
        QVERIFY(seen);
        const auto found = layout.at({}, layout.of({}, {700, 200}).center());
        QVERIFY(found && *found == (ConfusionCell{700, 200}));
    }

    void theFileIsReadAgainWhenItIsWritten() {
        const QTemporaryDir run;
        EvaluationWatch file;
        QSignalSpy changed(&file, &EvaluationWatch::changed);
        file.setRunFolder(run.path().toStdString());
        QTRY_COMPARE(changed.count(), 1);
        QVERIFY(file.isKnown() && !file.evaluations() && file.problem().isEmpty());
        const auto write = [&](const std::string& text) {
            std::ofstream(run.path().toStdString() + "/evaluation.json") << text;
        };
        write(R"({"version": 2, "task": "regression", "step": 4, "epoch": 1, "rmse": 2})");
        file.setLive(true);
        QTRY_VERIFY(file.evaluations() && file.evaluations()->newest.step == 4);
        write(R"({"version": 2, "task": "regression", "step": 40, "epoch": 2, "rmse": 1})");
        QTRY_VERIFY(file.evaluations() && file.evaluations()->newest.step == 40);
        write("[broken");
        QTRY_VERIFY(!file.problem().isEmpty());
        QVERIFY2(file.problem().contains(run.path()), qPrintable(file.problem()));
        file.setRunFolder({});
        QVERIFY(!file.evaluations() && file.problem().isEmpty());
    }

    void aWorkerThatIsNotThereIsNamed() {
        const QByteArray before = qgetenv("TRAINYARD_BIN");
        const QTemporaryDir nothing;
        qputenv("TRAINYARD_BIN", nothing.path().toLocal8Bit());
        AnswerProcess process;
        QString said;
        process.ask({{"do", "predict"}}, this,
                    [&](const Result<WorkerAnswer>& answer) { said = QString::fromStdString(answer.error().text()); });
        QTRY_VERIFY(!said.isEmpty());
        QVERIFY2(said.startsWith(nothing.path() + "/trainyard-worker: cannot be started (install Trainyard again"),
                 qPrintable(said));
        QVERIFY(!process.isRunning() && !process.isBusy());
        qputenv("TRAINYARD_BIN", before);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-samples-models-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-samples-models-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    SamplesModelsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "samples_models_test.moc"
