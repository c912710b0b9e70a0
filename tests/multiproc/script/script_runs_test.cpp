// SPDX-License-Identifier: GPL-3.0-or-later
// TorchScript files of Python as people save them: what is found before the first step, what trains all the same, and
// what becomes of those that fail later.
#include "tests/unit/torch/torch_python.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using trainyard::test::pythonWithTorch;

namespace {

struct Ended {
    int code = -1;
    QString out, err;
    QJsonObject object() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
    QString all() const { return out + err; }
};

Ended called(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(240000)) {
        process.kill();
        process.waitForFinished();
        return {-1, {}, "did not end"};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class ScriptRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        qputenv("TRAINYARD_WORKSPACE", m_folder.filePath("workspace").toUtf8());
        if (pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to script a module");
        const auto made = trainyard::test::runPython(
            {TRAINYARD_SOURCE_DIR "/tests/multiproc/python/script_modules.py", m_folder.filePath("modules")});
        QVERIFY2(made.code == 0, qPrintable(made.err));
    }

    // Bad inputs: TorchScript files that cannot be trained. Real modules saved by Python, tried in both modes; exit
    // code 2, no restart.
    void whatCannotBeTrainedIsFoundBeforeTheFirstStep_data() {
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char* module, const QString& says, const QString& remedy) {
            QTest::newRow(module) << says << remedy;
        };
        row("eval_raises",
            "forward fails in evaluation mode for an input of [2, 1, 28, 28]: the module raises RuntimeError: not for "
            "inference (script_modules.py, line ",
            "call it in Python, after eval(), with torch.randn(2, 1, 28, 28), and change the module");
        row("eval_one_only",
            "forward fails in evaluation mode for an input of [2, 1, 28, 28]: the module raises AssertionError: one "
            "picture at a time",
            "a run calls it in both modes, to train and to validate");
        row("eval_argmax",
            "forward gives [2] in evaluation mode for an input of [2, 1, 28, 28], and the run needs [2, 10]",
            "change the last layer of the module");
        row("train_fails", "forward fails for an input of [2, 1, 28, 28]: RuntimeError: mat1 and mat2 shapes",
            "call it in Python with torch.randn(2, 1, 28, 28)");
        row("backward_fails", "backward fails for an input of [2, 1, 28, 28]: ",
            "call model(torch.randn(2, 1, 28, 28)).sum().backward() in Python");
        row("two_inputs", "forward needs \"mask\" as well, and a run gives it one tensor",
            "wrap the module in one whose forward takes the batch alone");
        row("half", "it has parameters of type Half, and a run gives it Float", "save model.float()");
        row("double", "it has parameters of type Double, and a run gives it Float", "save model.float()");
        row("bfloat16", "it has parameters of type BFloat16, and a run gives it Float", "save model.float()");
        row("traced_train",
            "was traced in train(): dropout (1 call) and batch normalisation (1 call) would go on as in training when "
            "it validates and predicts",
            "save torch.jit.script(model), or a trace of model.eval()");
    }
    void whatCannotBeTrainedIsFoundBeforeTheFirstStep() {
        QFETCH(QString, says);
        QFETCH(QString, remedy);
        const QString name = QTest::currentDataTag();
        const auto inspected = ctl({"inspect", module(name), "--sample-shape", "1,28,28", "--outputs", "10"});
        QCOMPARE(inspected.code, 2);
        QVERIFY2(inspected.err.contains(says) && inspected.err.contains(remedy), qPrintable(inspected.err));
        const auto run = ctl({"run", runFile(name), "--json"});
        QCOMPARE(run.code, 2);
        const auto result = run.object();
        QCOMPARE(result["restarts"].toInt(), 0);
        QCOMPARE(result["steps"].toInt(), 0);
        QVERIFY2(result["error"].toString().contains(says), qPrintable(run.all()));
        QVERIFY2(!result["error"].toString().contains('\n'), qPrintable(run.all()));
    }

    void aTextWithTokensThatItDoesNotKnowIsFoundBeforeTheFirstStep() {
        const QString text = write("text.txt", QByteArray("abcdefghijklmnopqrstuvwxyz ").repeated(60));
        const auto runOf = [&](const QString& name) {
            return ctl({"run",
                        write(name + ".json",
                              json(R"({'version': 1, 'name': '%1', 'task': 'language', 'model': {'name': 'torchscript',
                                   'params': {'path': '%2'}}, 'dataset': {'name': 'text', 'params': {'file': '%3',
                                   'sequenceLength': 16}}, 'batch': {'perRank': 8}, 'steps': 3,
                                   'scaling': {'workers': 1}})")
                                  .arg(name, module(name), text)
                                  .toUtf8()),
                        "--json"});
        };
        const auto few = runOf("few_tokens");
        QCOMPARE(few.code, 2);
        QVERIFY2(few.object()["error"].toString().contains("index out of range") &&
                     few.object()["error"].toString().contains("it may know fewer tokens"),
                 qPrintable(few.all()));
        QCOMPARE(runOf("tokens").code, 0);
    }

    void whatTrainsIsToldWhatItHasToKnow_data() {
        QTest::addColumn<QString>("notice"); // of the run's log, and of inspect
        QTest::addColumn<bool>("alone");     // a single sample can be predicted
        QTest::newRow("layers") << QString() << true;
        QTest::newRow("traced_plain") << QString() << true;
        QTest::newRow("squeeze") << QString() << true;
        QTest::newRow("in_place") << QString() << true;
        QTest::newRow("counter") << QString() << true;
        QTest::newRow("batch_statistics") << "the module cannot take a single sample in evaluation mode" << false;
        QTest::newRow("noise") << "different numbers for the same input in evaluation" << true;
        QTest::newRow("always_dropout") << "different numbers for the same input in evaluation" << true;
        QTest::newRow("functional_train") << "save torch.jit.script(model) instead of a trace" << true;
        QTest::newRow("traced_eval") << "the module was traced in eval(): dropout (1 call) never drops, batch "
                                        "normalisation (1 call) never learns its statistics while it trains"
                                     << true;
        QTest::newRow("functional_eval") << "dropout (1 call) never drops while it trains" << true;
    }
    // With a batch of one at the end of each epoch and of the validation: 481 samples to train with, and 120 to
    // validate.
    void whatTrainsIsToldWhatItHasToKnow() {
        QFETCH(QString, notice);
        QFETCH(bool, alone);
        const QString name = QTest::currentDataTag();
        const auto inspected = ctl({"inspect", module(name), "--sample-shape", "1,28,28", "--outputs", "10"});
        QVERIFY2(inspected.code == 0, qPrintable(inspected.err));
        QVERIFY2(inspected.out.contains(notice), qPrintable(inspected.out));
        const auto run = ctl({"run", runFile(name, name == "counter" ? 2 : 1)});
        QVERIFY2(run.code == 0, qPrintable(run.all()));
        const auto log = ctl({"logs", name});
        QVERIFY2(log.out.contains(notice), qPrintable(log.all()));
        if (notice.isEmpty()) QVERIFY2(!log.out.contains("the module "), qPrintable(log.out));

        const QString out = m_folder.filePath(name + ".export.pt");
        const auto exported = ctl({"export", name, "--format", "torchscript", "--out", out});
        QVERIFY2(exported.code == 0, qPrintable(exported.err));
        const auto predicted = ctl({"predict", name, "data:validation/0", "--json"});
        QCOMPARE(predicted.code, alone ? 0 : 2);
        if (!alone) QVERIFY2(predicted.err.contains("a prediction is of one"), qPrintable(predicted.err));
    }

    // Where each worker has a single sample in every batch there is nothing to be done about it.
    void aBatchOfOneThatTheModuleDoesNotTakeIsRefused() {
        const auto run = ctl({"run", runFile("batch_statistics", 1, "'perRank': 1"), "--set", "name=single", "--json"});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.object()["error"].toString().contains("batch.perRank: a batch of 1 sample is too small: the model "
                                                           "takes 2 at least (set it to at least 2 for each worker)"),
                 qPrintable(run.all()));
    }

    void aModuleThatNeverReturnsIsNamed() {
        QElapsedTimer time;
        time.start();
        const auto run = ctl({"run", runFile("spins"), "--set", "failure.heartbeatSeconds=1", "--set",
                              "failure.maxRestarts=0", "--json"}); // recovery_policy_test: it is not tried for ever
        QCOMPARE(run.code, 1);
        const auto result = run.object();
        const QRegularExpression named("rank 0 has made no progress for 15 s: it is in \"[a-z ]+\" of step 1");
        QVERIFY2(result["error"].toString().contains(named), qPrintable(run.all()));
        QCOMPARE(result["error_code"].toString(), QString("worker-silent"));
        QVERIFY2(time.elapsed() > 14'000, qPrintable(QString::number(time.elapsed())));
    }

    void theSameExceptionIsNotTriedForEver_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("restarts");
        QTest::addColumn<QString>("says");
        QTest::newRow("raises_later") << 2 << 0 << "the module raises ValueError: too often (script_modules.py, line ";
        QTest::newRow("fails_later") << 1 << 1 << "RuntimeError: mat1 and mat2 shapes cannot be multiplied";
    }
    void theSameExceptionIsNotTriedForEver() {
        QFETCH(int, code);
        QFETCH(int, restarts);
        QFETCH(QString, says);
        const QString name = QTest::currentDataTag();
        const auto run = ctl({"run", runFile(name), "--json"});
        QVERIFY2(run.code == code, qPrintable(run.all()));
        const auto result = run.object();
        QVERIFY2(result["error"].toString().contains(says), qPrintable(run.all()));
        QVERIFY2(!result["error"].toString().contains("\\n"), qPrintable(run.all())); // not the code of every call
        QCOMPARE(result["restarts"].toInt(), restarts);
        // Which is in the log once for each time.
        QCOMPARE(ctl({"logs", name}).out.count("failed in the TorchScript interpreter"), restarts + 1);
    }

    // One pass over 32,768 samples needs more than the limit, and half of it does not: the remedy is obeyed.
    void aBatchThatNeedsTooMuchMemoryIsNotTriedAgain() {
        qputenv("TRAINYARD_POOL", "off"); // a pool that runs already has no limit
        const QString file = write("large.json", json(R"({'version': 1, 'name': 'large', 'model': {'name': 'mlp',
            'params': {'hidden': [10240]}}, 'dataset': {'name': 'blobs', 'params': {'samples': 50000}},
            'batch': {'perRank': 32768}, 'steps': 1, 'scaling': {'workers': 1, 'device': 'cpu'}})")
                                                     .toUtf8());
        const QString limited = "ulimit -v 4608000; exec \"$TRAINYARD_BIN/trainyardctl\" run '" + file + "' --json";
        const auto run = called("/bin/sh", {"-c", limited});
        QVERIFY2(run.code == 3, qPrintable(run.all()));
        const auto result = run.object();
        QCOMPARE(result["error_code"].toString(), QString("out-of-memory"));
        QCOMPARE(result["restarts"].toInt(), 0);
        const QString error = result["error"].toString();
        const QRegularExpression needAndHave(
            "not enough memory for a (tensor|product) of [^,]+, and [0-9.]+ [kMG]B are left");
        QVERIFY2(error.contains(needAndHave), qPrintable(error));
        QVERIFY2(error.contains("set batch.perRank to 16384 (it was 32768)"), qPrintable(error));
        const auto again = called("/bin/sh", {"-c", limited + " --set name=half --set batch.perRank=16384"});
        QVERIFY2(again.code == 0, qPrintable(again.all()));
        qunsetenv("TRAINYARD_POOL");
    }

private:
    Ended ctl(const QStringList& arguments) {
        return called(qEnvironmentVariable("TRAINYARD_BIN") + "/trainyardctl", arguments);
    }
    QString module(const QString& name) const { return m_folder.filePath("modules/" + name + ".pt"); }
    QString write(const QString& name, const QByteArray& text) {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return path;
    }
    // moc does not read raw strings that hold quotation marks.
    static QString json(QString text) { return text.replace('\'', '"'); }
    QString runFile(const QString& name, int workers = 1, const QString& batch = "'perRank': 32") {
        return write(name + ".json",
                     json(QString("{'version': 1, 'name': '%1', 'model': {'name': 'torchscript', 'params': {'path': "
                                  "'%2'}}, 'dataset': {'name': 'glyphs', 'params': {'samples': 601}}, 'batch': {%3}, "
                                  "'epochs': 2, 'optimizer': {'name': 'sgd', 'lr': 0.05}, 'scaling': {'workers': %4, "
                                  "'device': 'cpu', 'threadsPerWorker': 1}}")
                              .arg(name, module(name), batch)
                              .arg(workers))
                         .toUtf8());
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ScriptRunsTest)
#include "script_runs_test.moc"
