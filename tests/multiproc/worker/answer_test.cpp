// SPDX-License-Identifier: GPL-3.0-or-later
// A run that really trained, and what is asked about it: the worker that answers, evaluations, the terminal.
#include "engine/run/launch/process_check.h"
#include "engine/run/record/evaluation.h"
#include "engine/run/record/run_folder.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace trainyard;
using test::RunLab;

class AnswerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_lab.reset(); }
    void namesTheSamplesThatItGotWrong();
    void anEvaluationAgainIsThatOfTheRun();
    void answersOneQuestionAfterAnother();
    void aBadQuestionIsAnsweredAndTheNextOneToo_data();
    void aBadQuestionIsAnsweredAndTheNextOneToo();
    void aLongLineIsRefusedAndTheNextOneAnswered();
    void theTerminalPredictsRows();
    void theTerminalEvaluatesCheckpoints();
    void aPoolAnswersTheTerminalLikeTheProgram_data();
    void aPoolAnswersTheTerminalLikeTheProgram();

private:
    QJsonObject ask(const QByteArray& line);
    QJsonObject ask(const QJsonObject& question) { return ask(QJsonDocument(question).toJson(QJsonDocument::Compact)); }
    QByteArray ctl(const QStringList& arguments);
    run::EvaluationSet evaluations();

    std::unique_ptr<RunLab> m_lab;
    QProcess m_worker;
    std::string m_run;
    QString m_checkpoint;
};

void AnswerTest::initTestCase() {
    m_lab = std::make_unique<RunLab>();
    auto spec = RunLab::spirals(2, 90);
    spec.dataset.params["test"] = 10.0;
    spec.checkpoint.everyEpochs = 1;
    m_run = m_lab->startReal(spec);
    const auto row = m_lab->waitForEnd(m_run, 120);
    QCOMPARE(row.status, wire::RunStatus::Finished);
    m_checkpoint = QString::fromStdString(m_lab->lastCheckpoint(m_run));
    QVERIFY(!m_checkpoint.isEmpty());
    m_worker.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_worker.start(RunLab::builtPrograms() + "/trainyard-worker", {"answer"});
    QVERIFY(m_worker.waitForStarted());
}

QJsonObject AnswerTest::ask(const QByteArray& line) {
    m_worker.write(line + "\n");
    while (!m_worker.canReadLine())
        if (!m_worker.waitForReadyRead(60'000)) return {};
    return QJsonDocument::fromJson(m_worker.readLine()).object();
}

QByteArray AnswerTest::ctl(const QStringList& arguments) {
    QProcess process;
    process.start(RunLab::builtPrograms() + "/trainyardctl",
                  arguments + QStringList{"--workspace", QString::fromStdString(m_lab->workspace().root.string())});
    if (!process.waitForFinished(60'000)) return {};
    return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

run::EvaluationSet AnswerTest::evaluations() {
    auto set = run::readEvaluations(run::RunFolder{m_lab->row(m_run).folder}.evaluationFile());
    if (!set) qFatal("%s", set.error().text().c_str());
    return std::move(*set);
}

// Every sample that evaluation.json names is of the class and predicted as it says.
// Feature: evaluations name samples by which one sees what is confused, the same for any number of ranks; measured
// anew, also of all checkpoints. Also in evaluation_test.
void AnswerTest::namesTheSamplesThatItGotWrong() {
    const auto set = evaluations();
    const auto check = [&](const run::Evaluation& evaluation, const QString& part) {
        QVERIFY(!evaluation.examples.empty() && !evaluation.confusion.empty());
        for (const auto& one : evaluation.examples) {
            const auto reply = ask({{"do", "predict"},
                                    {"checkpoint", m_checkpoint},
                                    {"inputs", QJsonArray{QString("data:%1/%2").arg(part).arg(one.index)}}});
            const auto answer = reply["answer"]["inputs"][0];
            const auto likeliest = answer["predictions"][0];
            QCOMPARE(answer["label"].toString().toStdString(),
                     evaluation.classes[static_cast<std::size_t>(one.truth)].name);
            QCOMPARE(likeliest["index"].toInteger(), one.predicted);
            QVERIFY(std::abs(likeliest["probability"].toDouble() - one.probability) < 1e-3);
        }
        for (std::size_t truth = 0; truth < evaluation.confusion.size(); ++truth)
            for (std::size_t predicted = 0; predicted < evaluation.confusion.size(); ++predicted) {
                const auto count = evaluation.confusion[truth][predicted];
                const auto cell =
                    evaluation.cell(static_cast<std::int64_t>(truth), static_cast<std::int64_t>(predicted));
                QVERIFY(static_cast<std::int64_t>(cell.size()) <= count);
                QVERIFY(cell.empty() == (count == 0));
            }
    };
    check(set.newest, "validation");
    QVERIFY(set.tests.contains("last") && set.tests.contains("best"));
    check(set.tests.at("last"), "test");
}

void AnswerTest::anEvaluationAgainIsThatOfTheRun() {
    const auto of = [&](const char* part) {
        const auto reply = ask({{"id", 1}, {"do", "evaluate"}, {"checkpoint", m_checkpoint}, {"part", part}});
        const auto evaluation = run::parseEvaluation(QJsonDocument(reply["answer"].toObject()).toJson().toStdString(),
                                                     "the worker's answer");
        if (!evaluation) qFatal("%s", evaluation.error().text().c_str());
        return *evaluation;
    };
    const auto set = evaluations();
    const auto validation = of("validation");
    QVERIFY(validation.confusion == set.newest.confusion);
    QCOMPARE(validation.step, set.newest.step);
    QCOMPARE(validation.epoch, set.newest.epoch);
    QCOMPARE(validation.examples.size(), set.newest.examples.size()); // two ranks, and one process
    QVERIFY(of("test").confusion == set.tests.at("last").confusion);
}

// Feature: models kept in memory answer one question after another, whatever was asked before.
void AnswerTest::answersOneQuestionAfterAnother() {
    const auto row =
        ask({{"id", "a"}, {"do", "predict"}, {"checkpoint", m_checkpoint}, {"inputs", QJsonArray{"row:0.1,-0.2"}}});
    QCOMPARE(row["id"].toString(), QString("a"));
    const auto predictions = row["answer"]["inputs"][0]["predictions"].toArray();
    QVERIFY(!predictions.isEmpty());
    double sum = 0;
    for (const auto& each : predictions) sum += each.toObject()["probability"].toDouble();
    QVERIFY(std::abs(sum - 1) < 1e-5);
    const auto again =
        ask({{"id", "b"}, {"do", "predict"}, {"checkpoint", m_checkpoint}, {"inputs", QJsonArray{"row:0.1,-0.2"}}});
    QCOMPARE(again["answer"], row["answer"]);
    qInfo("a prediction of a model in memory: %.3f ms", again["milliseconds"].toDouble());
    const auto samples =
        ask({{"do", "samples"}, {"checkpoint", m_checkpoint}, {"part", "train"}, {"indices", QJsonArray{0, 5}}});
    const auto items = samples["answer"]["items"].toArray();
    QCOMPARE(items.size(), 2);
    QCOMPARE(items[1]["index"].toInt(), 5);
    QCOMPARE(items[1]["values"].toArray().size(), 2);
    QVERIFY(!items[1]["target"].toString().isEmpty());
}

// Bad inputs: questions to a model in memory.
void AnswerTest::aBadQuestionIsAnsweredAndTheNextOneToo_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("no JSON") << QByteArray("hello") << "question: is not a JSON object";
    QTest::newRow("a list") << QByteArray("[1]") << "question: is not a JSON object";
    QTest::newRow("deep JSON") << QByteArray(5000, '[') << "question: is not a JSON object";
    QTest::newRow("no verb") << QByteArray("{}") << "do: is not a text";
    QTest::newRow("another verb") << QByteArray(R"({"do": "train"})") << "do: \"train\" is not known here";
    QTest::newRow("no inputs") << QByteArray(R"({"do": "predict", "checkpoint": "CHECKPOINT"})")
                               << "inputs: is not a list of at most 512";
    QTest::newRow("inputs of numbers") << QByteArray(R"({"do": "predict", "checkpoint": "CHECKPOINT", "inputs": [1]})")
                                       << "inputs: is not a list of texts";
    QTest::newRow("top of text") << QByteArray(
                                        R"({"do": "predict", "checkpoint": "CHECKPOINT", "inputs": [], "top": "five"})")
                                 << "top: is not a whole number from 0 to 1000";
    QTest::newRow("no checkpoint") << QByteArray(R"({"do": "predict", "inputs": ["row:1,2"]})")
                                   << "checkpoint: is not a text";
    QTest::newRow("a checkpoint that is not there")
        << QByteArray(R"({"do": "predict", "checkpoint": "/nowhere.safetensors", "inputs": ["row:1,2"]})")
        << "/nowhere.safetensors";
    QTest::newRow("a row that is too long")
        << QByteArray(R"({"do": "predict", "checkpoint": "CHECKPOINT", "inputs": ["row:1,2,3"]})")
        << "row:1,2,3: holds 3 numbers, and a sample of this model has 2";
    QTest::newRow("a row of words") << QByteArray(
                                           R"({"do": "predict", "checkpoint": "CHECKPOINT", "inputs": ["row:1,two"]})")
                                    << "\"two\" is not a number";
    QTest::newRow("a text") << QByteArray(R"({"do": "predict", "checkpoint": "CHECKPOINT", "inputs": ["text:To be"]})")
                            << "is a text, and the model was not trained on texts";
    QTest::newRow("another part")
        << QByteArray(R"({"do": "samples", "checkpoint": "CHECKPOINT", "part": "half", "indices": [0]})")
        << "part: \"half\" is not a part of a dataset";
    QTest::newRow("an index too large") << QByteArray(
                                               R"({"do": "samples", "checkpoint": "CHECKPOINT", "indices": [1000000]})")
                                        << "indices: holds 1000000, and the samples are from 0 to";
}

void AnswerTest::aBadQuestionIsAnsweredAndTheNextOneToo() {
    QFETCH(QByteArray, line);
    QFETCH(QString, says);
    const auto reply = ask(line.replace("CHECKPOINT", m_checkpoint.toUtf8()));
    const auto error = reply["error"].toObject();
    QVERIFY2(error["error"].toString().contains(says), qPrintable(error["error"].toString()));
    QCOMPARE(error["error_kind"].toString(), QString("input"));
    QVERIFY(!error["error_code"].toString().isEmpty());
    answersOneQuestionAfterAnother();
}

// Bad inputs: a question that is too long.
void AnswerTest::aLongLineIsRefusedAndTheNextOneAnswered() {
    const auto reply = ask(QByteArray(3 << 20, 'x'));
    QVERIFY(reply["error"]["error"].toString().contains("is longer than 1048576 bytes"));
    answersOneQuestionAfterAnother();
}

void AnswerTest::theTerminalPredictsRows() {
    const auto json = QJsonDocument::fromJson(
        ctl({"predict", QString::fromStdString(m_run), "--row", "0.1,-0.2", "--row", "0.3,0.4", "--json"}));
    QCOMPARE(json["inputs"].toArray().size(), 2);
    QCOMPARE(json["inputs"][0]["input"].toString(), QString("row:0.1,-0.2"));
    QVERIFY(ctl({"predict", QString::fromStdString(m_run)}).contains("no input is named"));
    const QTemporaryDir folder; // the same rows as a table, and as CSV
    QFile table(folder.filePath("points.tsv"));
    QVERIFY(table.open(QIODevice::WriteOnly) && table.write("x\ty\n0.1\t-0.2\n0.3\t0.4\n") > 0);
    table.close();
    const auto lines = ctl({"predict", QString::fromStdString(m_run), table.fileName(), "--csv"}).trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0], QByteArray("input,label,predicted,probability"));
    for (int i = 0; i < 2; ++i) {
        const auto likeliest = json["inputs"][i]["predictions"][0];
        const auto cells = lines[i + 1].split(',');
        QCOMPARE(cells.size(), 4);
        QCOMPARE(cells[0], table.fileName().toUtf8() + ':' + QByteArray::number(i + 2));
        QCOMPARE(QString::fromUtf8(cells[2]), likeliest["class"].toString());
        QCOMPARE(cells[3].toDouble(), likeliest["probability"].toDouble());
    }
}

void AnswerTest::theTerminalEvaluatesCheckpoints() {
    const QString run = QString::fromStdString(m_run);
    const auto set = evaluations();
    const auto text = ctl({"evaluate", run, "--checkpoint", "last"});
    QVERIFY2(text.contains("precision") && text.contains("recall"), text.constData());
    const auto last = QJsonDocument::fromJson(ctl({"evaluate", run + "@last", "--part", "test", "--json"})).array();
    QCOMPARE(last.size(), 1);
    QCOMPARE(last[0]["accuracy"].toDouble(), set.tests.at("last").metrics.at("accuracy"));
    const auto all = QJsonDocument::fromJson(ctl({"evaluate", run, "--checkpoint", "all", "--json"})).array();
    QVERIFY(all.size() >= 2);
    QVERIFY(ctl({"evaluate", run, "--checkpoint", "all"}).contains("validation accuracy"));
    QVERIFY(ctl({"evaluate", run, "--checkpoint", "77777"}).contains("77777"));
}

namespace {

// The pages that the processes have asked for which it started and has collected; 0: there is none.
std::int64_t pagesOfItsChildren(std::int64_t pool) {
    std::ifstream stat("/proc/" + std::to_string(pool) + "/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    std::string word;
    for (int field = 3; field <= 11; ++field) fields >> word;
    return std::atoll(word.c_str());
}

// The one of this test's folder.
std::int64_t poolHere() {
    const auto words = " pool " + qgetenv("XDG_RUNTIME_DIR").toStdString() + "/";
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const auto pid = std::atoll(entry.path().filename().c_str());
        if (pid > 0 && test::commandLine(pid).find(words) != std::string::npos) return pid;
    }
    return 0;
}

} // namespace

void AnswerTest::aPoolAnswersTheTerminalLikeTheProgram_data() {
    QTest::addColumn<QStringList>("command");
    const auto file = QString::fromStdString(m_lab->folder()) + "/exported.safetensors";
    QTest::newRow("weights") << QStringList{"weights", m_checkpoint};
    QTest::newRow("an export") << QStringList{
        "export", QString::fromStdString(m_run), "--format", "safetensors", "--out", file, "--force"};
    QTest::newRow("an error of the input") << QStringList{"inspect", m_checkpoint + ".pt"};
}

// The run's pool is warm: what needs LibTorch is forked from it. One that stands still is no obstacle.
// Fault: SIGSTOP of the pool while the terminal asks the worker. The program is started instead.
void AnswerTest::aPoolAnswersTheTerminalLikeTheProgram() {
    QFETCH(QStringList, command);
    const auto pool = poolHere();
    QVERIFY(pool > 0);
    const auto before = pagesOfItsChildren(pool);
    const auto forked = ctl(command);
    QVERIFY(!forked.isEmpty());
    const auto after = pagesOfItsChildren(pool);
    QVERIFY2(after > before, "the pool has started nothing");
    QCOMPARE(::kill(static_cast<pid_t>(pool), SIGSTOP), 0);
    const auto started = ctl(command);
    QCOMPARE(::kill(static_cast<pid_t>(pool), SIGCONT), 0);
    QCOMPARE(started, forked);
    QVERIFY(run::isAlive(pool));
}

QTEST_GUILESS_MAIN(AnswerTest)
#include "answer_test.moc"
