// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal contract: commands, keys of the JSON, exit codes, what goes to stdout and what to stderr.
#include "engine/run/launch/process_check.h"
#include "engine/store/files/safetensors.h"
#include "tests/multiproc/app/terminal.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <span>

using namespace trainyard;
using test::ctl;
using test::RunLab;

class CtlContractTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void printsTheResultOfARun();
    void tellsProgressOnStderrOnly();
    void exitsByKind_data();
    void exitsByKind();
    void exitsWithOneWhenTheRunFails();
    void offersToResumeWhatMayGoOn_data();
    void offersToResumeWhatMayGoOn();
    void aFailureIsTheOneJsonValue_data();
    void aFailureIsTheOneJsonValue();
    void exitsWithThreeWithoutAWorker();
    void stopsOnInterrupts_data();
    void stopsOnInterrupts();
    void leavesADetachedRunAlone();
    void listsAndShows();
    void printsMetricsAsCsv();
    void exportsOnlyTheModel();
    void exportsTheAverageOfTheWeights();
    void exportsEventFiles();
    void sweepsAndNamesTheBest();
    void resumesAndContinues();
    void obeysWhileARunTrains();
    void forksARun();
    void aForkOfALongNameIsTaken();
    void namesReachTheTerminalEscaped();
    void drawsCurves();

private:
    QString write(const QString& name, const QByteArray& text);
    QString runFile(const std::string& plan, int epochs = 5, int maxRestarts = 3);
    static QStringList keys(const QJsonObject& object) {
        auto list = object.keys();
        list.sort();
        return list;
    }
    std::unique_ptr<RunLab> m_lab;
};

QString CtlContractTest::write(const QString& name, const QByteArray& text) {
    QFile file(QString::fromStdString(m_lab->folder()) + "/" + name);
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return file.fileName();
}

QString CtlContractTest::runFile(const std::string& plan, int epochs, int maxRestarts) {
    return write("run.json", QByteArray::fromStdString(spec::toJson(
                                 m_lab->spec({.plan = plan, .epochs = epochs, .maxRestarts = maxRestarts}))));
}

// Feature: results as JSON and CSV, TensorBoard's event files. Also in event_file_test.
void CtlContractTest::printsTheResultOfARun() {
    const auto output = ctl({"run", runFile("kill@1:45"), "--json"});
    QCOMPARE(output.code, 0);
    const auto result = output.json().object();
    QStringList expected{
        "run",         "name",   "status",      "metrics",    "best",   "checkpoint", "best_checkpoint",
        "checkpoints", "path",   "error",       "world_size", "steps",  "epochs",     "workers",
        "restarts",    "timing", "forked_from", "estimate",   "notice", "error_kind", "error_code"};
    (expected << "computed" << "events" << "sources" << "system").sort();
    QCOMPARE(keys(result), expected);
    QCOMPARE(result["status"].toString(), QString("finished"));
    QVERIFY(result["error"].isNull() && result["error_kind"].isNull() && result["error_code"].isNull());
    QCOMPARE(result["steps"].toInt(), 100);
    QCOMPARE(result["epochs"].toDouble(), 5.0);
    QCOMPARE(result["world_size"].toInt(), 2);
    QCOMPARE(result["restarts"].toInt(), 1);
    QCOMPARE(keys(result["metrics"].toObject()), (QStringList{"train/loss", "val/accuracy"}));
    QCOMPARE(result["best"]["val/accuracy"]["step"].toInt(), 100);
    QCOMPARE(result["best"]["train/loss"]["value"].toDouble(), result["metrics"]["train/loss"].toDouble());
    QCOMPARE(keys(result["timing"].toObject()), (QStringList{"launch_to_first_step_s", "samples_per_s", "train_s"}));
    QCOMPARE(result["workers"].toArray().size(), 2);
    QCOMPARE(keys(result["workers"][1].toObject()), (QStringList{"device", "host", "pid", "rank", "status"}));
    QCOMPARE(result["events"][1]["kind"].toString(), QString("restarted"));
    for (const char* file : {"checkpoint", "best_checkpoint"}) QVERIFY(QFile::exists(result[file].toString()));
    QVERIFY(result["checkpoints"].toArray().size() >= 2);
}

void CtlContractTest::tellsProgressOnStderrOnly() {
    const auto output = ctl({"run", runFile("ms=60", 2)});
    QCOMPARE(output.code, 0);
    QVERIFY2(output.err.contains(QRegularExpression("scripted: running, epoch .*step .*/40")), qPrintable(output.err));
    QVERIFY(!output.err.contains('\x1b'));
    QVERIFY2(output.out.startsWith("scripted finished after"), qPrintable(output.out));
    QVERIFY(output.out.contains("best val/accuracy"));
    QVERIFY(output.out.contains("trainyardctl export "));
    const auto quiet = ctl({"run", runFile(""), "--json"});
    QCOMPARE(quiet.err, QString());
}

void CtlContractTest::exitsByKind_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    QTest::newRow("version") << QStringList{"--version"} << 0 << "";
    QTest::newRow("help") << QStringList{"--help"} << 0 << "";
    QTest::newRow("no command") << QStringList{} << 2 << "see trainyardctl --help";
    QTest::newRow("unknown command") << QStringList{"rum"} << 2 << "rum";
    QTest::newRow("unknown option") << QStringList{"runs", "--josn"} << 2 << "--josn";
    QTest::newRow("no such file") << QStringList{"run", "nothing.json"} << 2 << "nothing.json";
    QTest::newRow("no such run") << QStringList{"show", "nobody"} << 2 << "nobody";
    QTest::newRow("nothing to stop") << QStringList{"stop", "nobody"} << 2 << "nobody";
    QTest::newRow("malformed") << QStringList{"run", "@{"} << 2 << "file.json";
    QTest::newRow("unknown key") << QStringList{"run", "@{\"version\":1,\"optimiser\":\"sgd\"}"} << 2
                                 << "did you mean \"optimizer\"?";
    QTest::newRow("wrong value") << QStringList{"run", "=", "--set", "optimizer.lr=-1"} << 2 << "optimizer.lr";
    QTest::newRow("override without value") << QStringList{"run", "=", "--set", "optimizer.lr"} << 2 << "path=value";
    QTest::newRow("override of an unknown key") << QStringList{"run", "=", "--set", "optimiser.lr=1"} << 2 << "optimi";
    QTest::newRow("valid") << QStringList{"validate", "="} << 0 << "";
    QTest::newRow("models") << QStringList{"models", "--json"} << 0 << "";
    QTest::newRow("datasets") << QStringList{"datasets"} << 0 << "";
    QTest::newRow("runs of nothing") << QStringList{"runs"} << 0 << "";
}

void CtlContractTest::exitsByKind() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, message);
    for (auto& argument : arguments)
        if (argument == "=") argument = runFile("");
        else if (argument.startsWith('@')) argument = write("file.json", argument.mid(1).toUtf8());
    const auto output = ctl(arguments);
    QVERIFY2(output.code == code, qPrintable(QString::number(output.code) + ": " + output.err));
    QVERIFY2(output.err.contains(message), qPrintable(output.err));
    if (code == 0) return;
    QVERIFY2(output.err.startsWith("trainyardctl: "), qPrintable(output.err));
    QCOMPARE(output.err.count('\n'), 1); // one clear line
    QCOMPARE(output.out, QString());
}

void CtlContractTest::exitsWithOneWhenTheRunFails() {
    const auto output = ctl({"run", runFile("fail@1:7", 5, 0), "--json"});
    QCOMPARE(output.code, 1);
    const auto result = output.json().object();
    QCOMPARE(result["status"].toString(), QString("failed"));
    QCOMPARE(result["error"].toString(), QString("rank 1 on this computer, step 7, layer 3: the loss became NaN "
                                                 "(lower the learning rate)"));
    QCOMPARE(result["error_kind"].toString(), QString("run"));
    QCOMPARE(result["error_code"].toString(), QString("general"));
    QVERIFY(output.err.contains("the loss became NaN"));
    const auto killed = ctl({"run", runFile("kill@1:7", 5, 0), "--json"}).json().object();
    QCOMPARE(killed["error_code"].toString(), QString("worker-killed"));
    QCOMPARE(ctl({"run", runFile("failinput@0:2")}).code, 2);
}

// What would end the same way is not offered.
void CtlContractTest::offersToResumeWhatMayGoOn_data() {
    QTest::addColumn<QString>("plan");
    QTest::addColumn<bool>("offers");
    QTest::newRow("the training failed") << "fail@1:7" << true;
    QTest::newRow("a process was killed") << "kill@1:7" << true;
    QTest::newRow("the input is wrong") << "failinput@0:2" << false;
    QTest::newRow("the loss is not finite") << "failnan@0:7" << false;
    QTest::newRow("it has finished") << "ms=0" << false;
}

void CtlContractTest::offersToResumeWhatMayGoOn() {
    QFETCH(QString, plan);
    QFETCH(bool, offers);
    const auto output = ctl({"run", runFile(plan.toStdString(), 5, 0)});
    QVERIFY2(output.out.contains("run folder"), qPrintable(output.out + output.err));
    QCOMPARE(output.out.contains("trainyardctl resume "), offers);
}

void CtlContractTest::aFailureIsTheOneJsonValue_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QStringList>("parts"); // of the sentence, in the order of their names
    const auto row = [](const char* name, QStringList arguments, const char* code, QStringList parts) {
        QTest::newRow(name) << (arguments << "--json") << QString(code) << parts;
    };
    row("no such run", {"show", "nobody"}, "run-unknown", {"error_message", "error_remedy"});
    row("not running", {"stop", "scripted"}, "not-running", {"error_message", "error_where"});
    row("no such file", {"run", "nothing.json"}, "file-missing", {"error_message", "error_remedy", "error_where"});
    row("wrong value", {"run", "=", "--set", "optimizer.lr=-1"}, "field-invalid", {"error_message", "error_where"});
}

void CtlContractTest::aFailureIsTheOneJsonValue() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, code);
    QFETCH(QStringList, parts);
    QCOMPARE(ctl({"run", runFile("", 1)}).code, 0);
    arguments.replaceInStrings(QRegularExpression("^=$"), runFile("", 1));
    const auto output = ctl(arguments);
    QVERIFY2(output.err.startsWith("trainyardctl: ") && output.err.count('\n') == 1, qPrintable(output.err));
    QCOMPARE(output.code, 2);
    const auto failure = output.json().object();
    QCOMPARE(keys(failure), (QStringList{"error", "error_code", "error_kind"} + parts));
    QCOMPARE(failure["error_kind"].toString() + ' ' + failure["error_code"].toString(), "input " + code);
    QCOMPARE("trainyardctl: " + failure["error"].toString() + "\n", output.err);
}

void CtlContractTest::exitsWithThreeWithoutAWorker() {
    qputenv("TRAINYARD_BIN", m_lab->folder().c_str());
    const auto output = ctl({"run", runFile("")});
    QCOMPARE(output.code, 3);
    QVERIFY2(output.err.contains("the worker program cannot be run"), qPrintable(output.err));
}

void CtlContractTest::stopsOnInterrupts_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("said");
    QTest::newRow("once: save and stop") << 1 << "saves a checkpoint first";
    QTest::newRow("twice: stop now") << 2 << "stopping now";
}

void CtlContractTest::stopsOnInterrupts() {
    QFETCH(int, count);
    QFETCH(QString, said);
    QProcess process;
    process.start(QString(SCRIPTED_PROGRAMS "/trainyardctl"),
                  {"run", runFile(count == 1 ? "ms=10" : "ms=10 slow@0:60 slow@1:60", 100), "--json"});
    QVERIFY(process.waitForStarted());
    const auto pid = static_cast<pid_t>(process.processId());
    QVERIFY(pid > 0);
    std::string run;
    QVERIFY(m_lab->waitUntil([&] {
        const auto runs = m_lab->query().runs();
        if (runs && !runs->empty()) run = runs->front().id;
        return !run.empty() && m_lab->points(run).size() >= 30;
    }));
    const auto pids = m_lab->workerPids(run);
    for (int time = 0; time < count; ++time) {
        if (time > 0) QTest::qWait(300);
        ::kill(pid, SIGINT);
    }
    QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(15000));
    QCOMPARE(process.exitCode(), 130);
    const auto result = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(result["status"].toString(), QString("stopped"));
    if (count == 1) QCOMPARE(result["checkpoints"].toArray().last()["step"].toInt(), result["steps"].toInt());
    QVERIFY(m_lab->gone(pids, 0.5));
}

void CtlContractTest::leavesADetachedRunAlone() {
    const auto started = ctl({"run", runFile("ms=5"), "--detach"});
    QCOMPARE(started.code, 0);
    const auto run = started.out.trimmed();
    QCOMPARE(m_lab->waitForEnd(run.toStdString()).status, wire::RunStatus::Finished);
    const auto other = ctl({"run", runFile("ms=10", 100), "--detach", "--json"}).json().object();
    QVERIFY(m_lab->waitForStep(other["run"].toString().toStdString(), 3));
    const auto stopped = ctl({"stop", other["run"].toString()});
    QCOMPARE(stopped.code, 0);
    QVERIFY2(stopped.out.contains("0 of its processes are left"), qPrintable(stopped.out));
    const auto again = ctl({"run", runFile("ms=10", 100), "--detach"}).out.trimmed();
    QVERIFY(m_lab->waitForStep(again.toStdString(), 3));
    QCOMPARE(ctl({"kill", again}).code, 0);
    QCOMPARE(m_lab->row(again.toStdString()).status, wire::RunStatus::Stopped);
}

void CtlContractTest::listsAndShows() {
    const auto run = ctl({"run", runFile("print@1:3", 2), "--json"}).json().object()["run"].toString();
    const auto runs = ctl({"runs", "--json"}).json().array();
    QCOMPARE(runs.size(), 1);
    QCOMPARE(runs[0].toObject()["run"].toString(), run);
    QCOMPARE(ctl({"show", "scripted", "--json"}).json().object()["run"].toString(), run);
    QVERIFY(ctl({"show", run}).out.contains("this computer"));
    const auto checkpoints = ctl({"checkpoints", run, "--json"}).json().array();
    QCOMPARE(checkpoints.size(), 2);
    QCOMPARE(checkpoints[1].toObject()["last"].toBool(), true);
    const auto logs = ctl({"logs", run, "--json"}).json().array();
    QVERIFY(std::any_of(logs.begin(), logs.end(), [](const auto& line) {
        return line.toObject()["text"].toString() == "a line of rank 1" && line.toObject()["rank"].toInt() == 1;
    }));
    QVERIFY(ctl({"logs", run, "--follow"}).out.contains("a line of rank 1"));
}

void CtlContractTest::printsMetricsAsCsv() {
    const auto run = ctl({"run", runFile("", 2), "--json"}).json().object()["run"].toString();
    const auto lines = ctl({"metrics", run, "--csv"}).out.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 1 + 40 + 2);
    QCOMPARE(lines[0], QString("series,step,epoch,time_s,value"));
    QVERIFY2(lines[1].startsWith("train/loss,1,0.05,"), qPrintable(lines[1]));
    QCOMPARE(ctl({"metrics", run, "--csv", "--series", "val/accuracy"}).out.count('\n'), 3);
    const auto wrong = ctl({"metrics", run, "--csv", "--series", "val/acuracy"});
    QCOMPARE(wrong.code, 2);
    QVERIFY(wrong.err.contains("did you mean val/accuracy?"));
    QCOMPARE(ctl({"metrics", run, "--json"}).json().object()["train/loss"].toArray().size(), 40);
}

void CtlContractTest::exportsOnlyTheModel() {
    const auto run = ctl({"run", runFile("", 2), "--json"}).json().object()["run"].toString();
    const QString out = QString::fromStdString(m_lab->folder()) + "/model.safetensors";
    const auto exported = ctl({"export", run, "--format", "safetensors", "--out", out});
    QVERIFY2(exported.code == 0, qPrintable(exported.err));
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto bytes = file.readAll();
    QVERIFY(bytes.contains("\"weight\"") && !bytes.contains("model.weight") && !bytes.contains("momentum"));
    const auto again = ctl({"export", run + "@20", "--format", "safetensors", "--out", out});
    QCOMPARE(again.code, 2);
    QVERIFY(again.err.contains("exists already"));
    QCOMPARE(ctl({"export", run + "@20", "--format", "safetensors", "--out", out, "--force"}).code, 0);
    const auto wrong = ctl({"export", run + "@21", "--format", "safetensors", "--out", out, "--force"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("the steps 20, 40"), qPrintable(wrong.err));
    const QString csv = QString::fromStdString(m_lab->folder()) + "/metrics.csv";
    QCOMPARE(ctl({"export", run, "--format", "csv", "--out", csv}).code, 0);
    QVERIFY(QFile::exists(csv));
}

// A checkpoint of a run with `ema` holds both; the average is what is used.
void CtlContractTest::exportsTheAverageOfTheWeights() {
    const auto run = ctl({"run", runFile("", 1), "--json"}).json().object();
    const std::string checkpoint = run["best_checkpoint"].toString().toStdString();
    const auto before = store::SafetensorsFile::open(checkpoint);
    QVERIFY2(before.ok(), before ? "" : before.error().text().c_str());
    const std::array<float, 4> weight{1, 2, 3, 4}, average{5, 6, 7, 8};
    const std::array<std::int64_t, 1> steps{20};
    const std::vector<store::TensorBytes> tensors{{"model.weight", "F32", {4}, std::as_bytes(std::span(weight))},
                                                  {"model.steps", "I64", {1}, std::as_bytes(std::span(steps))},
                                                  {"ema.weight", "F32", {4}, std::as_bytes(std::span(average))}};
    store::Metadata metadata; // without the checksums of what it was
    for (const char* key : {"format", "version", "step", "epoch", "run", "metrics", "points", "modelInfo"})
        metadata[key] = before->metadata().at(key);
    QVERIFY(store::writeSafetensors(checkpoint, tensors, metadata).ok());
    const std::string out = m_lab->folder() + "/averaged.safetensors";
    const auto exported =
        ctl({"export", run["run"].toString(), "--format", "safetensors", "--out", QString::fromStdString(out)});
    QVERIFY2(exported.code == 0, qPrintable(exported.err));
    const auto file = store::SafetensorsFile::open(out);
    QVERIFY2(file.ok(), file ? "" : file.error().text().c_str());
    QCOMPARE(file->tensors().size(), 2u);
    const auto* found = file->find("weight");
    QVERIFY(found && file->find("steps"));
    const auto bytes = file->bytes(*found);
    const auto wanted = std::as_bytes(std::span(average));
    QVERIFY(std::equal(bytes.begin(), bytes.end(), wanted.begin(), wanted.end()));
}

// As a reader of its own sees them.
void CtlContractTest::exportsEventFiles() {
    const auto run = ctl({"run", runFile("", 2), "--json"}).json().object();
    const QString folder = QString::fromStdString(m_lab->folder()) + "/events";
    const QStringList words{"export", run["run"].toString(), "--format", "tensorboard", "--out", folder, "--json"};
    const auto exported = ctl(words);
    QVERIFY2(exported.code == 0, qPrintable(exported.err));
    const auto again = ctl(words);
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.contains("already holds the event file of this run"), qPrintable(again.err));
    QProcess python;
    python.start("python3", {TRAINYARD_SOURCE_DIR "/tests/unit/python/read_event_file.py",
                             exported.json().object()["path"].toString()});
    if (!python.waitForStarted()) QSKIP("there is no python3 to read the file with");
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    std::map<QString, int> points;
    std::map<QString, double> last;
    for (const auto& event : QJsonDocument::fromJson(python.readAllStandardOutput()).array()) {
        const QString tag = event.toObject()["tag"].toString();
        ++points[tag];
        last[tag] = event.toObject()["value"].toDouble();
    }
    QCOMPARE(points["train/loss"], 40);
    QCOMPARE(points["val/accuracy"], 2);
    for (const char* series : {"train/loss", "val/accuracy"})
        QCOMPARE(static_cast<float>(last[series]), static_cast<float>(run["metrics"][series].toDouble()));
}

void CtlContractTest::sweepsAndNamesTheBest() {
    const auto run = QString::fromStdString(spec::toJson(m_lab->spec({.plan = "perEpoch=10 ms=5", .epochs = 1})));
    const auto file = write("sweep.json", ("{\"version\":1,\"name\":\"rates\",\"run\":" + run +
                                           ",\"space\":{\"optimizer.lr\":[0.001,0.1,1.0]},\"parallel\":3}")
                                              .toUtf8());
    const auto output = ctl({"sweep", file, "--json"});
    QVERIFY2(output.code == 0, qPrintable(output.err));
    const auto sweep = output.json().object();
    QCOMPARE(keys(sweep).join(' '), QString("best_params best_trial configurations front reason sweep trials"));
    QCOMPARE(keys(sweep["trials"][0].toObject()),
             (QString("adopted best error metrics params reason run score second status").split(' ')));
    QCOMPARE(sweep["trials"][1]["score"]["value"], sweep["trials"][1]["best"]["val/accuracy"]["value"]);
    QCOMPARE(sweep["best_params"]["optimizer.lr"].toDouble(), 0.1);
    QCOMPARE(sweep["best_trial"].toString(), sweep["trials"][1]["run"].toString());
    const auto text = ctl({"run", file, "--set", "epochs=2"}); // both kinds of file start the same way
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("best: trial 1, optimizer.lr = 0.1"), qPrintable(text.out));
    const auto early = ctl({"sweep", file, "--set", R"(scheduler={"name":"asha","factor":2})", "--set", "epochs=4",
                            "--set", "parallel=1", "--set", R"(space={"optimizer.lr":[0.1,0.0001]})"});
    QVERIFY2(early.out.contains("stopped early by asha at epoch 1: val/accuracy "), qPrintable(early.out));
}

void CtlContractTest::resumesAndContinues() {
    const auto run = ctl({"run", runFile("", 2), "--json"}).json().object()["run"].toString();
    const auto refused = ctl({"resume", run});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("trainyardctl continue " + run + " EPOCHS"), qPrintable(refused.err));
    const auto output = ctl({"continue", run, "+2", "--json"});
    QVERIFY2(output.code == 0, qPrintable(output.err));
    QCOMPARE(output.json().object()["epochs"].toDouble(), 4.0);
    QCOMPARE(ctl({"continue", run, "some"}).code, 2);
}

void CtlContractTest::obeysWhileARunTrains() {
    const auto run = ctl({"run", runFile("ms=10"), "--detach"}).out.trimmed();
    QVERIFY(m_lab->waitForStep(run.toStdString(), 5));
    const auto paused = ctl({"pause", run, "--json"});
    QVERIFY2(paused.code == 0, qPrintable(paused.err));
    QCOMPARE(keys(paused.json().object()), (QStringList{"command", "run", "step"}));
    QCOMPARE(paused.json()["command"].toString(), QString("pause"));
    const auto step = paused.json()["step"].toInt();
    const auto rate = ctl({"set-lr", run, "0.02", "--json"});
    QCOMPARE(rate.json()["lr"].toDouble(), 0.02);
    QCOMPARE(ctl({"checkpoint", run}).out, QString("scripted has saved step %1\n").arg(step));
    QCOMPARE(ctl({"set-lr", run, "0"}).code, 2);
    QCOMPARE(ctl({"set-workers", run, "3"}).code, 2); // it is paused
    QCOMPARE(ctl({"unpause", run}).out, QString("scripted resumes after step %1\n").arg(step));
    QCOMPARE(ctl({"unpause", run}).code, 2);
    QCOMPARE(ctl({"kill", run}).code, 0);
    QCOMPARE(ctl({"checkpoint", run}).code, 2);
    QCOMPARE(ctl({"pause", "nobody"}).code, 2);
}

void CtlContractTest::forksARun() {
    const auto source = ctl({"run", runFile("", 2), "--json"}).json()["run"].toString();
    const auto over = ctl({"fork", source, "--set", "steps=20"}); // the best checkpoint is of step 40
    QVERIFY2(over.code == 2 && over.err.contains("40 steps behind it"), qPrintable(over.err));
    const auto fork = ctl({"fork", source + "@20", "--set", "optimizer.lr=0.2", "--json"});
    QVERIFY2(fork.code == 0, qPrintable(fork.err));
    QCOMPARE(fork.json()["forked_from"]["run"].toString(), source);
    QCOMPARE(fork.json()["forked_from"]["step"].toInt(), 20);
    QCOMPARE(fork.json()["name"].toString(), QString("scripted-fork"));
    QCOMPARE(fork.json()["steps"].toInt(), 40);
    QVERIFY(ctl({"show", source, "--json"}).json()["forked_from"].isNull());
}

void CtlContractTest::aForkOfALongNameIsTaken() {
    auto spec = m_lab->spec({.plan = "", .epochs = 2});
    spec.name = QString("é").repeated(100).toStdString(); // two bytes each
    const auto file = write("run.json", QByteArray::fromStdString(spec::toJson(spec)));
    const auto source = ctl({"run", file, "--json"}).json()["run"].toString();
    const auto fork = ctl({"fork", source + "@20", "--json"});
    QVERIFY2(fork.code == 0, qPrintable(fork.err));
    QCOMPARE(fork.json()["name"].toString(), QString("é").repeated(95) + "-fork");
}

// A name in the database that no check has seen: an older program's, or another's.
void CtlContractTest::namesReachTheTerminalEscaped() {
    store::RunRow row;
    row.id = "20260101-000000-000001";
    row.name = "a\x1b[2J\u202eb\nc";
    row.status = wire::RunStatus::Failed;
    row.error.message = "said \x1b[31m";
    row.specJson = spec::toJson(m_lab->spec({.plan = ""}));
    row.folder = m_lab->folder();
    QVERIFY((*store::Store::open(m_lab->workspace()))->createRun(row).ok());
    const QString id = QString::fromStdString(row.id);
    for (const char* command : {"runs", "show", "checkpoints", "stop", "fork"}) {
        const auto output = ctl(QString(command) == "runs" ? QStringList{command} : QStringList{command, id});
        const QString said = output.out + output.err;
        QVERIFY2(said.contains("a\\x1b[2J\\u202eb"), qPrintable(said));
        QVERIFY2(!said.contains('\x1b') && !said.contains(QChar(0x202e)), command);
    }
    QVERIFY(ctl({"runs"}).out.contains("u202eb\\nc"));
    const auto json = ctl({"show", id, "--json"});
    QVERIFY(!json.out.contains('\x1b') && !json.out.contains(QChar(0x202e)));
    QCOMPARE(json.json()["name"].toString(), QString::fromStdString(row.name));
    QVERIFY(ctl({"show", id}).out.contains("said \\x1b[31m"));
}

void CtlContractTest::drawsCurves() {
    const auto result = ctl({"run", runFile("", 2), "--json"}).json().object();
    QFile file(result["path"].toString() + "/curves.svg");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto svg = file.readAll();
    QVERIFY(svg.startsWith("<svg") && svg.contains(">loss<") && svg.contains(">accuracy<") && svg.contains(">epoch<"));
    QVERIFY(!svg.contains("nan") && !svg.contains("inf"));
}

QTEST_GUILESS_MAIN(CtlContractTest)
#include "ctl_contract_test.moc"
