// SPDX-License-Identifier: GPL-3.0-or-later
// Models from outside and models that go outside: TorchScript files and plug-ins trained by two ranks, exports loaded
// by other programs, predictions.
#include "engine/base/unique_fd.h"
#include "tests/unit/torch/torch_python.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLibrary>
#include <QMap>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <cmath>

using trainyard::test::pythonWithTorch;
using trainyard::test::runPython;

namespace {

struct Output {
    int code = -1;
    QString out, err;
    QJsonObject object() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

Output call(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    Output output;
    if (!process.waitForFinished(240000)) {
        process.kill();
        process.waitForFinished();
        output.err = "did not end";
        return output;
    }
    output.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    output.out = QString::fromUtf8(process.readAllStandardOutput());
    output.err = QString::fromUtf8(process.readAllStandardError());
    return output;
}

const QString kScript = TRAINYARD_SOURCE_DIR "/tests/multiproc/python/script_model.py";

} // namespace

// A port of this computer that counts who comes.
class Door { // in no unnamed namespace: a lambda of the test has one
public:
    Door() : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(m_fd.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 && ::listen(m_fd.get(), 8) == 0 &&
            ::getsockname(m_fd.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0)
            m_port = ntohs(address.sin_port);
    }
    int port() const { return m_port; } // 0: none could be had
    bool visited() const { return trainyard::UniqueFd(::accept(m_fd.get(), nullptr, nullptr)).get() >= 0; }

private:
    trainyard::UniqueFd m_fd;
    int m_port = 0;
};

class ModelFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        qputenv("TRAINYARD_WORKSPACE", m_folder.filePath("workspace").toUtf8());
    }

    void anErrorOfTheWorkerKeepsItsCode_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("code");
        QTest::newRow("a file that does not exist")
            << QStringList{"inspect", m_folder.filePath("nowhere.pt")} << "file-missing";
        QTest::newRow("another file") << QStringList{"inspect", write("notes.pt", "no archive")} << "general";
    }
    // The worker program finds it and the terminal program tells it.
    void anErrorOfTheWorkerKeepsItsCode() {
        QFETCH(QStringList, command);
        QFETCH(QString, code);
        const auto done = ctl(command + QStringList{"--json"});
        QCOMPARE(done.code, 2);
        const auto failure = done.object();
        QCOMPARE(failure["error_kind"].toString(), QString("input"));
        QVERIFY2(failure["error_code"].toString() == code, qPrintable(done.out));
        QCOMPARE("trainyardctl: " + failure["error"].toString() + "\n", done.err);
    }

    void scriptedModelTrainsAndGoesBackToPython_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("name");
        QTest::newRow("torch.jit.script") << "make" << "scripted";
        QTest::newRow("torch.jit.trace") << "trace" << "traced";
    }
    void scriptedModelTrainsAndGoesBackToPython() {
        QFETCH(QString, how);
        QFETCH(QString, name);
        if (pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to script a module");
        const QString file = m_folder.filePath(name + ".pt");
        const auto made = runPython({kScript, how, file});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        qInfo("module of %s", qPrintable(made.out.trimmed()));

        const auto inspected = ctl({"inspect", file, "--sample-shape", "1,28,28", "--outputs", "10", "--json"});
        QVERIFY2(inspected.code == 0, qPrintable(inspected.err));
        QCOMPARE(inspected.object()["outputShape"].toArray(), (QJsonArray{2, 10}));
        QVERIFY(inspected.object()["trainable"].toInteger() > 100);

        const auto run =
            ctl({"run", runFile(name, json("{'name': 'torchscript', 'params': {'path': '" + file + "'}}"), images()),
                 "--json"});
        QVERIFY2(run.code == 0, qPrintable(run.err + run.out));
        const QString back = name + ".back.pt", weights = name + ".weights.pt";
        exportAs(name, "torchscript", back);
        exportAs(name, "state-dict", weights);
        const auto compared = runPython(
            {kScript, "compare", file, m_folder.filePath(back), m_folder.filePath(weights), made.out.trimmed()});
        QVERIFY2(compared.code == 0 && compared.out == "equal\n", qPrintable(compared.err));

        const auto predicted = ctl({"predict", name, "data:validation/3", "--json"});
        QVERIFY2(predicted.code == 0, qPrintable(predicted.err));
        const auto first = predicted.object()["inputs"].toArray()[0].toObject();
        QCOMPARE(first["predictions"].toArray().size(), 5);
        QVERIFY(!first["label"].toString().isEmpty());

        // What the run began with is what it goes on with, though another file of that name is as good in itself.
        QVERIFY(QFile::remove(file) && QFile::copy(m_folder.filePath(back), file));
        const auto changed = ctl({"predict", name, "data:validation/3"});
        QCOMPARE(changed.code, 2);
        QVERIFY2(changed.err.contains("is not the file that the run began with"), qPrintable(changed.err));
    }

    void refusesAFileBeforeAnythingStarts_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("says");
        QTest::newRow("no archive") << QByteArray("hello") << "is not a zip archive";
        QTest::newRow("empty") << QByteArray() << "is empty";
    }
    void refusesAFileBeforeAnythingStarts() {
        QFETCH(QByteArray, content);
        QFETCH(QString, says);
        const QString file = write("bad.pt", content);
        const auto inspected = ctl({"inspect", file});
        QCOMPARE(inspected.code, 2);
        QVERIFY2(inspected.err.contains(says) && inspected.err.contains(file), qPrintable(inspected.err));
        const auto run = ctl(
            {"run", runFile("bad", json("{'name': 'torchscript', 'params': {'path': '" + file + "'}}"), spirals())});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains(says), qPrintable(run.err));
    }

    // Feature: plug-in models, by path or by name from a folder of them.
    void pluginTrains() {
        const auto run =
            ctl({"run",
                 runFile("plugged",
                         json("{'name': 'plugin', 'params': {'path': '" WIDE_AND_DEEP "', 'settings': 'width=16'}}"),
                         spirals()),
                 "--json"});
        QVERIFY2(run.code == 0, qPrintable(run.err + run.out));
        exportAs("plugged", "torchscript", "plugged.pt");
        const auto predicted =
            ctl({"predict", "plugged", write("rows.csv", "x,y\n0.1,0.2\n-0.5,0.25\n"), "--json", "--top", "1"});
        QVERIFY2(predicted.code == 0, qPrintable(predicted.err));
        QCOMPARE(predicted.object()["inputs"].toArray().size(), 2);
        const auto missing = ctl({"predict", "plugged", m_folder.filePath("nowhere.csv"), "--json"});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.object()["error_code"] == "file-missing", qPrintable(missing.out));
    }

    // By its name from a folder of plug-ins, which `models` lists; what is no good there is listed with the reason.
    void findsPluginsByName() {
        const QString first = m_folder.filePath("plugins"), home = m_folder.filePath("data/trainyard/plugins");
        QVERIFY(QDir().mkpath(first) && QDir().mkpath(home));
        QVERIFY(QFile::copy(WIDE_AND_DEEP, home + "/libwide_and_deep.so"));
        QVERIFY(QFile::copy(OTHER_LIBRARY, first + "/other.so") && QFile::copy(OLD_PLUGIN, first + "/old.so"));
        qputenv("TRAINYARD_PLUGINS", QString("/nowhere:" + first).toUtf8());
        qputenv("XDG_DATA_HOME", m_folder.filePath("data").toUtf8());
        const auto done = qScopeGuard([] { qunsetenv("TRAINYARD_PLUGINS"), qunsetenv("XDG_DATA_HOME"); });

        const auto listed = ctl({"models", "--json"});
        QVERIFY2(listed.code == 0, qPrintable(listed.err));
        QJsonArray installed;
        for (const auto& entry : QJsonDocument::fromJson(listed.out.toUtf8()).array())
            if (entry.toObject()["name"] == "plugin") installed = entry.toObject()["installed"].toArray();
        QCOMPARE(installed.size(), 3);
        QCOMPARE(installed[0].toObject()["path"].toString(), home + "/libwide_and_deep.so");
        QCOMPARE(installed[0].toObject()["plugin"].toString(), "wide_and_deep");
        QCOMPARE(installed[0].toObject()["settings"].toArray()[0].toObject()["default"].toDouble(), 64.0);
        QVERIFY(installed[1].toObject()["error"].toString().contains("was built for plug-in version 99"));
        QVERIFY(installed[2].toObject()["error"].toString().contains("is a library, but not a plug-in"));
        const auto table = ctl({"models"});
        QVERIFY2(table.out.contains("width=64 (1 to 65536)") && table.out.contains("not usable: "),
                 qPrintable(table.out));

        const auto run =
            ctl({"run", runFile("named", json("{'name': 'plugin', 'params': {'path': 'wide_and_deep'}}"), spirals()),
                 "--json"});
        QVERIFY2(run.code == 0, qPrintable(run.err + run.out));
        const auto unknown =
            ctl({"run", runFile("unknown", json("{'name': 'plugin', 'params': {'path': 'deep'}}"), spirals())});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("and no plug-in deep in /nowhere or " + first + " or " + home),
                 qPrintable(unknown.err));
        const auto looked = ctl({"inspect", WIDE_AND_DEEP});
        QVERIFY2(looked.code == 0 && looked.out.contains("width=64"), qPrintable(looked.err + looked.out));
    }

    // What a library does when it is loaded, it does in the sandbox.
    void aPluginThatWritesIsFoundOut() {
        const QString mark = m_folder.filePath("written");
        qputenv("PLUGIN_WRITES", mark.toUtf8());
        const auto done = qScopeGuard([] { qunsetenv("PLUGIN_WRITES"); });
        const auto looked = ctl({"inspect", WRITING_LIBRARY});
        QCOMPARE(looked.code, 2);
        QVERIFY2(looked.err.contains("its code tried to open a file for writing, which was stopped"),
                 qPrintable(looked.err));
        QVERIFY(!QFile::exists(mark));
    }

    void aPluginThatReachesOutIsFoundOut_data() {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QString>("says");
        QTest::addColumn<bool>("comesBack");
        const QString program = "its code tried to start or control another program, which was stopped";
        QTest::newRow("visits a port") << QByteArray("PLUGIN_VISITS")
                                       << "its code tried to use the network, which was stopped" << true;
        QTest::newRow("starts a program")
            << QByteArray("PLUGIN_STARTS")
            << "its code tried to start another program, or something else that is not allowed" << true;
        QTest::newRow("becomes a program") << QByteArray("PLUGIN_BECOMES") << program << false;
    }
    void aPluginThatReachesOutIsFoundOut() {
        QFETCH(QByteArray, variable);
        QFETCH(QString, says);
        QFETCH(bool, comesBack);
        const Door door;
        QVERIFY(door.port() > 0);
        const QString mark = m_folder.filePath("reached");
        const bool visits = variable == "PLUGIN_VISITS";
        const auto reached = [&] { return visits ? door.visited() : QFile::exists(mark); };
        qputenv(variable.constData(), visits ? QByteArray::number(door.port()) : "echo > " + mark.toUtf8());
        const auto done = qScopeGuard([&] { qunsetenv(variable.constData()), QFile::remove(mark); });
        const auto looked = ctl({"inspect", WRITING_LIBRARY});
        QCOMPARE(looked.code, 2);
        QVERIFY2(looked.err.contains(says), qPrintable(looked.err));
        QVERIFY(!reached());
        if (!comesBack) return;
        QLibrary library(WRITING_LIBRARY); // without the sandbox it gets there
        QVERIFY(library.load());
        QVERIFY(reached());
        QVERIFY(library.unload());
    }

    // Bad inputs: plug-ins.
    void refusesPlugins_data() {
        QTest::addColumn<QString>("params");
        QTest::addColumn<QString>("says");
        const auto path = [](const QString& file) { return "'path': '" + file + "'"; };
        QTest::newRow("no file named") << "" << "model.params.path: is missing";
        QTest::newRow("no such file") << path("/nowhere/model.so") << "there is no file /nowhere/model.so";
        QTest::newRow("no library") << path(kScript) << "cannot be loaded";
        QTest::newRow("another library") << path(OTHER_LIBRARY) << "is a library, but not a plug-in";
        QTest::newRow("one that needs what LibTorch does not")
            << path(MEDIA_LIBRARY) << "is a library, but not a plug-in";
        QTest::newRow("another version") << path(OLD_PLUGIN) << "was built for plug-in version 99, and this is 1";
        QTest::newRow("unknown setting") << path(WIDE_AND_DEEP) + ", 'settings': 'depth=2'"
                                         << "\"depth\" is not a setting of this plug-in (known: width)";
        QTest::newRow("setting out of range")
            << path(WIDE_AND_DEEP) + ", 'settings': 'width=0'" << "width: 0 must be from 1 to 65536";
        QTest::newRow("setting of another type")
            << path(WIDE_AND_DEEP) + ", 'settings': 'width=big'" << "\"big\" is not a number";
    }
    void refusesPlugins() {
        QFETCH(QString, params);
        QFETCH(QString, says);
        const auto run =
            ctl({"run", runFile("refused", json("{'name': 'plugin', 'params': {" + params + "}}"), spirals())});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains(says), qPrintable(run.err));
    }

    void snippetsRun_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"safetensors", "state-dict", "torchscript"})
            QTest::newRow(format) << QString(format);
    }
    void snippetsRun() {
        QFETCH(QString, format);
        trainOnce();
        const QString out = m_folder.filePath("model." + format);
        const auto done = ctl({"export", "trained", "--format", format, "--out", out, "--snippet"});
        QVERIFY2(done.code == 0, qPrintable(done.err));
        QVERIFY(QFile::exists(out + ".py"));
        QCOMPARE(QFile::exists(out + ".cpp"), format != "safetensors");
        if (pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to run the snippet");
        const auto shown = runPython({out + ".py"});
        QVERIFY2(shown.code == 0, qPrintable(shown.err));
        QVERIFY2(shown.out.contains(format == "torchscript" ? "arm 1: 0." : "layers.0.weight (8, 2) torch.float32"),
                 qPrintable(shown.out));
    }

    // What "Copy as" gives, run as it is: the command starts an equal run, the loader loads the checkpoint.
    // Feature: a run copied as command, run file, C++ or Python loader, each run as it is. Also in
    // installed_examples_test.
    void aCopiedRunRuns() {
        trainOnce();
        const auto copied = ctl({"show", "trained", "--as", "command"});
        QVERIFY2(copied.code == 0, qPrintable(copied.err));
        const QString folder = m_folder.filePath("copied");
        QVERIFY(QDir().mkpath(folder));
        const auto started = shell(folder, copied.out);
        QVERIFY2(started.code == 0, qPrintable(started.err));
        // Two runs of equal settings, the seed among them.
        const auto runs =
            QJsonDocument::fromJson(ctl({"runs", "--filter", "name:trained", "--json"}).out.toUtf8()).array();
        QCOMPARE(runs.size(), 2);
        const auto fileOf = [&](int at) { return ctl({"show", runs[at]["run"].toString(), "--as", "run-file"}).out; };
        QVERIFY(fileOf(0).contains("\"spirals\""));
        QCOMPARE(fileOf(0), fileOf(1));
        if (pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to run the loader");
        const auto loader = ctl({"show", runs[0]["run"].toString(), "--as", "python"});
        QVERIFY2(loader.code == 0, qPrintable(loader.err));
        write("copied/load.py", loader.out.toUtf8());
        for (const char* time : {"first", "again"}) { // it exports what is not there, and reads what is
            const auto shown = shell(folder, pythonWithTorch() + " load.py");
            QVERIFY2(shown.code == 0 && shown.out.contains("layers.0.weight (8, 2) torch.float32"),
                     qPrintable(time + shown.err));
        }
    }

    // To another workspace and back to work: its checkpoint is found, and training goes on from it.
    void aBundledRunGoesOnElsewhere() {
        trainOnce();
        const QString file = m_folder.filePath("trained.trainyard.tar"), there = m_folder.filePath("there");
        const auto run = QJsonDocument::fromJson(ctl({"show", "trained", "--json"}).out.toUtf8()).object();
        const auto written = ctl({"export", "trained", "--bundle", "--out", file});
        QVERIFY2(written.code == 0, qPrintable(written.err));
        const auto imported = ctl({"import", file, "--workspace", there});
        QVERIFY2(imported.code == 0 && imported.out.startsWith("added trained"), qPrintable(imported.err));
        const auto same =
            QJsonDocument::fromJson(ctl({"show", "trained", "--json", "--workspace", there}).out.toUtf8()).object();
        QCOMPARE(same["run"], run["run"]);
        QCOMPARE(same["metrics"], run["metrics"]);
        QVERIFY(same["checkpoint"].toString().startsWith(there));
        const auto longer = ctl({"fork", "trained@last", "--set", "steps=8", "--json", "--workspace", there});
        QVERIFY2(longer.code == 0, qPrintable(longer.err));
        const QString fork = QJsonDocument::fromJson(longer.out.toUtf8()).object()["run"].toString();
        const auto points = ctl({"metrics", fork, "--series", "train/loss", "--csv", "--workspace", there}).out;
        const bool goesOn = points.contains("train/loss,8,") && !points.contains("train/loss,4,");
        QVERIFY2(goesOn, qPrintable(points));
    }

    // What the data was scaled by, and what the loss makes of outputs, is in the programs as it is in predict.
    void snippetsGiveWhatPredictGives_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("loss");
        QTest::newRow("a column of numbers") << "regression" << "height" << "mse";
        QTest::newRow("a column of shares") << "regression" << "share" << "bce";
        QTest::newRow("classes") << "classification" << "kind" << "cross-entropy";
        QTest::newRow("classes, each a yes or no") << "classification" << "kind" << "bce";
    }
    void snippetsGiveWhatPredictGives() {
        QFETCH(QString, task);
        QFETCH(QString, target);
        QFETCH(QString, loss);
        if (pythonWithTorch().isEmpty()) QSKIP("no Python with torch here to run the snippet");
        QByteArray rows = "width,depth," + target.toUtf8() + "\n";
        for (int i = 0; i < 60; ++i) {
            const QByteArray value = target == "height"  ? QByteArray::number(100 + i)
                                     : target == "share" ? QByteArray::number((i % 10) / 10.0)
                                                         : QByteArray(i % 3 ? "round" : "long");
            rows += QByteArray::number(5 + i % 7) + "," + QByteArray::number(40 - i) + "," + value + "\n";
        }
        const QString name = "table-" + target + "-" + loss;
        const QString text =
            json("{'version': 1, 'name': '%1', 'task': '%2', 'loss': '%3', 'model': {'name': 'mlp', 'params': "
                 "{'hidden': [8]}}, 'dataset': {'name': 'csv', 'params': {'file': '%4', 'target': '%5', 'standardise': "
                 "%6}}, "
                 "'optimizer': {'name': 'sgd', 'lr': 0.05}, 'batch': {'perRank': 8}, 'steps': 20, "
                 "'scaling': {'workers': 1, 'device': 'cpu', 'threadsPerWorker': 1}}")
                .arg(name, task, loss, write(name + ".csv", rows), target, target == "share" ? "false" : "true");
        const auto run = ctl({"run", write(name + ".json", text.toUtf8())});
        QVERIFY2(run.code == 0, qPrintable(run.err));
        const auto predicted = ctl({"predict", name, write("zeros.csv", "width,depth\n0,0\n"), "--json"});
        QVERIFY2(predicted.code == 0, qPrintable(predicted.err));
        const auto answer = predicted.object()["inputs"].toArray()[0].toObject();
        QMap<QString, double> want;
        for (const auto& each : answer["outputs"].toArray())
            want[each.toObject()["name"].toString()] = each.toObject()["value"].toDouble();
        for (const auto& each : answer["predictions"].toArray())
            want[each.toObject()["class"].toString()] = each.toObject()["probability"].toDouble();
        QVERIFY(!want.isEmpty());
        const QString out = m_folder.filePath(name + ".torchscript");
        QCOMPARE(ctl({"export", name, "--format", "torchscript", "--out", out, "--snippet"}).code, 0);
        const auto shown = runPython({out + ".py"});
        QVERIFY2(shown.code == 0, qPrintable(shown.err));
        QMap<QString, double> got;
        for (const QString& line : QString(shown.out).split('\n', Qt::SkipEmptyParts))
            got[line.section(": ", 0, 0)] = line.section(": ", 1).toDouble();
        QCOMPARE(got.keys(), want.keys());
        for (auto each = want.cbegin(); each != want.cend(); ++each) // printed with six digits, or four decimals
            QVERIFY2(std::abs(got[each.key()] - each.value()) <= 1e-4 * std::max(1.0, std::abs(each.value())),
                     qPrintable(each.key() + ": " + QString::number(got[each.key()]) + " for " +
                                QString::number(each.value())));
    }

    void cppSnippetCompilesAndRuns() {
        const QString source = m_folder.filePath("model.torchscript.cpp"), program = m_folder.filePath("snippet");
        if (!QFile::exists(source)) QSKIP("the export before this did not go well");
        QStringList words{"-std=c++20", "-O0", "-w", source, "-o", program};
        for (const QString& folder : QString(TORCH_INCLUDES).split('|')) words << "-I" + folder;
        words << "-L" TORCH_LIBRARY_FOLDER << "-Wl,-rpath," TORCH_LIBRARY_FOLDER << "-ltorch"
              << "-ltorch_cpu"
              << "-lc10";
        const auto built = call(CXX_COMPILER, words);
        QVERIFY2(built.code == 0, qPrintable(built.err));
        const auto shown = call(program, {m_folder.filePath("model.torchscript")});
        QVERIFY2(shown.code == 0 && shown.out.contains("CPUFloatType{1,3}"), qPrintable(shown.out + shown.err));
    }

private:
    Output ctl(const QStringList& arguments) {
        return call(qEnvironmentVariable("TRAINYARD_BIN") + "/trainyardctl", arguments);
    }

    // A run named trained, once for all tests.
    void trainOnce() {
        if (QFile::exists(m_folder.filePath("trained"))) return;
        const auto run =
            ctl({"run", runFile("trained", json("{'name': 'mlp', 'params': {'hidden': [8]}}"), spirals())});
        QVERIFY2(run.code == 0, qPrintable(run.err));
        write("trained", "");
    }
    // What a person types there, with the programs in the search path.
    static Output shell(const QString& folder, const QString& words) {
        return call("/bin/sh", {"-c", "cd '" + folder + "' && export PATH=\"$TRAINYARD_BIN:$PATH\"\n" + words});
    }

    QString write(const QString& name, const QByteArray& text) {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return path;
    }
    QString runFile(const QString& name, const QString& model, const QString& dataset) {
        return write(name + ".json",
                     json("{'version': 1, 'name': '" + name + "', 'model': " + model + ", 'dataset': " + dataset +
                          ", 'optimizer': {'name': 'sgd', 'lr': 0.05}, 'batch': {'perRank': 8}, 'steps': 4, "
                          "'scaling': {'workers': 2, 'device': 'cpu', 'threadsPerWorker': 1}}")
                         .toUtf8());
    }
    // moc does not read raw strings that hold quotation marks.
    static QString json(QString text) { return text.replace('\'', '"'); }
    static QString spirals() { return json("{'name': 'spirals', 'params': {'samples': 300, 'validation': 20}}"); }
    static QString images() { return json("{'name': 'glyphs', 'params': {'samples': 1000}}"); }
    void exportAs(const QString& run, const QString& format, const QString& name) {
        const auto done = ctl({"export", run, "--format", format, "--out", m_folder.filePath(name)});
        QVERIFY2(done.code == 0, qPrintable(done.err));
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ModelFilesTest)
#include "model_files_test.moc"
