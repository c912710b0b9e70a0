// SPDX-License-Identifier: GPL-3.0-or-later
// evaluation.json as values: both versions, what is refused, and which samples are named.
#include "engine/run/record/evaluation.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>

using namespace trainyard;
using run::Example;

namespace {

Example wrongOne(std::int64_t index, double loss, std::int64_t truth, std::int64_t predicted) {
    return {index, loss, truth, predicted, 0.5, {}, {}};
}

QList<int> indices(const std::vector<Example>& examples) {
    QList<int> list;
    for (const Example& one : examples) list << static_cast<int>(one.index);
    return list;
}

constexpr const char* kOld = R"({"task": "classification", "step": 20, "epoch": 2.5, "samples": 4.0, "accuracy": 0.75,
    "classes": [{"name": "cat", "precision": 1, "recall": 0.5, "f1": 0.6, "samples": 2.0},
                {"name": "dog", "precision": 0.6, "recall": 1, "f1": 0.8, "samples": 2.0}],
    "confusion": [[1, 1], [0, 2]]})";

// The old text with something else in it.
QString changed(const char* from, const char* to) { return QString(kOld).replace(from, to); }

} // namespace

class EvaluationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsFilesOfVersionOne();
    void examplesComeBackAsTheyWere();
    void namesTheMostWrongAndSomeOfEachCell();
    void cellsShareWhatThereIsRoomFor();
    void ranksChooseWhatOneProcessChooses();
    void refusesBadFiles_data();
    void refusesBadFiles();
    void aMissingFileIsNamed();
};

void EvaluationTest::readsFilesOfVersionOne() {
    const auto set = run::parseEvaluations(kOld, "evaluation.json");
    QVERIFY2(set.ok(), set ? "" : set.error().text().c_str());
    QVERIFY(set->validated && set->tests.empty());
    QCOMPARE(set->newest.step, 20);
    QCOMPARE(set->newest.epoch, 2.5);
    QCOMPARE(set->newest.metrics.at("accuracy"), 0.75);
    QCOMPARE(set->newest.classes[1].name, std::string("dog"));
    QCOMPARE(set->newest.classes[1].samples, 2);
    QCOMPARE(set->newest.confusion[0][1], 1);
    QVERIFY(set->newest.examples.empty());
    const auto tested = run::parseEvaluations(R"({"version": 2, "test": {"best": )" + std::string(kOld) + "}}", "e");
    QVERIFY2(tested.ok(), tested ? "" : tested.error().text().c_str());
    QVERIFY(!tested->validated);
    QCOMPARE(tested->tests.at("best").step, 20);
}

void EvaluationTest::examplesComeBackAsTheyWere() {
    const std::vector<Example> examples{{7, 2.25, 0, 1, 0.75, {}, {}}, {3, 0.5, -1, -1, 0, {1.5, -2}, {1.25, 4}}};
    const auto back = run::parseExamples(run::examplesToJson(examples), "examples");
    QVERIFY2(back.ok(), back ? "" : back.error().text().c_str());
    QVERIFY(*back == examples);
    const auto lost = run::parseExamples(run::examplesToJson({wrongOne(1, NAN, 0, 1)}), "examples");
    QVERIFY(lost.ok() && std::isnan(lost->front().loss));
}

void EvaluationTest::namesTheMostWrongAndSomeOfEachCell() {
    std::vector<Example> all;
    for (int i = 0; i < 6; ++i) all.push_back(wrongOne(i, 10 - i, 0, 1));   // the most wrong ones, all of one cell
    for (int i = 6; i < 9; ++i) all.push_back(wrongOne(i, 1, 1, 0));        // equal ones: by their index
    for (int i = 9; i < 12; ++i) all.push_back(wrongOne(i, 0.1 * i, 1, 1)); // right: the least sure first
    const auto chosen = run::chooseExamples(all, {.perCell = 2, .mostWrong = 4, .all = 100});
    QCOMPARE(indices(chosen), (QList<int>{0, 1, 2, 3, 11, 6, 7, 10}));
    run::Evaluation evaluation;
    evaluation.examples = chosen;
    QCOMPARE(indices(evaluation.cell(0, 1)), (QList<int>{0, 1, 2, 3}));
    QCOMPARE(indices(evaluation.cell(1, 1)), (QList<int>{11, 10}));
    QCOMPARE(indices(evaluation.mostWrong(5)), (QList<int>{0, 1, 2, 3, 6}));
    all.push_back(wrongOne(20, NAN, 0, 1));
    QCOMPARE(indices(run::chooseExamples(all, {.perCell = 0, .mostWrong = 2, .all = 100})), (QList<int>{20, 0}));
}

void EvaluationTest::cellsShareWhatThereIsRoomFor() {
    std::vector<Example> all;
    for (int i = 0; i < 20; ++i) all.push_back(wrongOne(i, 20 - i, i < 15 ? 0 : 1, 2));
    const auto chosen = run::chooseExamples(all, {.perCell = 8, .mostWrong = 0, .all = 4});
    QCOMPARE(indices(chosen), (QList<int>{0, 1, 15, 16}));
}

void EvaluationTest::ranksChooseWhatOneProcessChooses() {
    std::vector<Example> all, parts[3];
    for (int i = 0; i < 3000; ++i) {
        const Example one = wrongOne(i, (i * 7919) % 1013, i % 5, (i / 7) % 5);
        all.push_back(one);
        parts[i / 1000].push_back(one);
    }
    std::vector<Example> ofRanks;
    for (auto& part : parts)
        for (auto& one : run::chooseExamples(part)) ofRanks.push_back(one);
    QVERIFY(run::chooseExamples(ofRanks) == run::chooseExamples(all));
}

// Bad inputs: evaluation files.
void EvaluationTest::refusesBadFiles_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto with = [](const char* examples) {
        return changed("\"confusion\"", QString("\"examples\": %1, \"confusion\"").arg(examples).toUtf8().constData());
    };
    QTest::newRow("empty") << "" << "e.json: is not a JSON object";
    QTest::newRow("cut short") << QString(kOld).chopped(9) << "e.json: is not a JSON object";
    QTest::newRow("a list") << "[]" << "e.json: is not a JSON object";
    QTest::newRow("a newer version") << changed("{\"task\"", "{\"version\": 3, \"task\"")
                                     << "e.json: has version 3, and this program reads up to 2 (use a newer Trainyard)";
    QTest::newRow("another task") << changed("\"classification\"", "\"cooking\"")
                                  << "e.json, task: \"cooking\" is not a task";
    QTest::newRow("a step of text") << changed("20", "\"20\"") << "e.json, step: is not a count";
    QTest::newRow("an infinite step") << changed("20", "1e300") << "e.json, step: is not a count";
    QTest::newRow("classes that are none")
        << changed("{\"name\": \"cat\"", "7, {\"name\": \"cat\"") << "e.json, classes[0]: is not an object";
    QTest::newRow("a name that is none") << changed("\"dog\"", "7") << "e.json, classes[1], name: is not a text";
    QTest::newRow("a share of text") << changed("\"recall\": 0.5", "\"recall\": \"half\"")
                                     << "e.json, classes[0], recall: is not a number";
    QTest::newRow("a table that is too small")
        << changed("[[1, 1], [0, 2]]", "[[1, 1]]") << "e.json, confusion: is not a table of 2 by 2";
    QTest::newRow("a row that is too long")
        << changed("[0, 2]", "[0, 2, 3]") << "e.json, confusion: is not a table of 2 by 2";
    QTest::newRow("a negative count") << changed("[0, 2]", "[-1, 2]") << "e.json, confusion[1]: is not a count";
    QTest::newRow("a curve of text") << changed("\"recall\": 0.5", "\"recall\": 0.5, \"roc\": [\"up\"]")
                                     << "e.json, classes[0], roc: is not a list of numbers";
    QTest::newRow("bins that are none") << changed("{\"task\"", "{\"reliability\": 7, \"task\"")
                                        << "e.json, reliability: is not a list";
    QTest::newRow("a bin that is none") << changed("{\"task\"", "{\"reliability\": [7], \"task\"")
                                        << "e.json, reliability[0]: is not an object";
    QTest::newRow("a bin of half a sample") << changed("{\"task\"", "{\"reliability\": [{\"samples\": 0.5}], \"task\"")
                                            << "e.json, reliability[0], samples: is not a count";
    QTest::newRow("examples that are none") << with("7") << "e.json, examples: is not a list";
    QTest::newRow("an example of text") << with("[\"seven\"]") << "e.json, examples[0]: is not an object";
    QTest::newRow("no index") << with("[{\"loss\": 1}]") << "e.json, examples[0]: has no index";
    QTest::newRow("half of the classes") << with("[{\"index\": 1, \"true\": 1}]")
                                         << "e.json, examples[0]: has only one of the classes";
    QTest::newRow("a class too many") << with("[{\"index\": 1, \"true\": 1, \"predicted\": 2}]")
                                      << "e.json, examples[0]: has a class that is not among the 2";
    QTest::newRow("an output too few") << with("[{\"index\": 1, \"target\": [1, 2], \"output\": [1]}]")
                                       << "e.json, examples[0]: does not have as many outputs as targets";
    QTest::newRow("a test that is none") << changed("{\"task\"", "{\"test\": {\"best\": 7}, \"task\"")
                                         << "e.json, test, best: is not an object";
}

void EvaluationTest::refusesBadFiles() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto set = run::parseEvaluations(text.toStdString(), "e.json");
    QVERIFY(!set.ok());
    QVERIFY(set.error().kind == ErrorKind::Input && !set.error().remedy.empty());
    QVERIFY2(set.error().text().find(says.toStdString()) != std::string::npos, set.error().text().c_str());
}

// Bad inputs: a missing evaluation file.
void EvaluationTest::aMissingFileIsNamed() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("evaluation.json").toStdString();
    const auto missing = run::readEvaluations(path);
    QVERIFY(!missing.ok() && missing.error().text().find("evaluation.json") != std::string::npos);
    std::ofstream(path) << kOld;
    const auto read = run::readEvaluations(path);
    QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
}

QTEST_GUILESS_MAIN(EvaluationTest)
#include "evaluation_test.moc"
