// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard.py with the real Python: what a script reports, and what it is told.
#include "engine/program/metrics/metric_line.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace trainyard;

namespace {

const QString kModule = QStringLiteral(TRAINYARD_SOURCE_DIR "/resources/python");

struct Ended {
    int code = -1;
    QByteArray output, errors;
};

} // namespace

class PythonModuleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_python = QStandardPaths::findExecutable("python3");
        if (m_python.isEmpty()) QSKIP("no Python here");
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    // Feature: trainyard.py, one file for scripts of Python: points, checkpoints, and whether to stop.
    void pointsStandInTheFile() {
        const auto ended = run(R"(
import trainyard
class Tensor:
    def __init__(self, value): self.value = value
    def item(self): return self.value
trainyard.report({"train/loss": 0.5, "n": 3}, step=12)
trainyard.report({"loss": Tensor(0.25), "val": {"acc": Tensor(1)}, "note": object()}, step=Tensor(13).item(), epoch=0.5)
trainyard.report({"a": float("nan"), "b": float("inf"), "c": -float("inf"), "d": 1e-300})
trainyard.report({}, step=14, checkpoint="last.pt")
trainyard.report({"ä\n" + chr(34) + "x": 1})
trainyard.log("a\nb ü")
)");
        QCOMPARE(ended.errors, QByteArray());
        QCOMPARE(ended.code, 0);
        const QByteArray folder = QFileInfo(m_folder->path()).canonicalFilePath().toUtf8();
        QCOMPARE(lines(), (QList<QByteArray>{
                              R"({"step":12,"train/loss":0.5,"n":3})",
                              R"({"step":13,"epoch":0.5,"loss":0.25,"val":{"acc":1},"note":null})",
                              R"({"a":NaN,"b":Infinity,"c":-Infinity,"d":1e-300})",
                              "{\"step\":14,\"checkpoint\":\"" + folder + "/last.pt\"}",
                              "{\"\\u00e4\\n\\\"x\":1}",
                              R"({"text":"a\nb \u00fc"})",
                          }));
        for (const QByteArray& line : lines()) QVERIFY2(program::readMetricLine(line.toStdString(), "m").ok(), line);
    }

    void contextIsTold() {
        const auto ended = run(R"(
import trainyard
c = trainyard.context()
print(c.rank, c.world_size, c.local_rank, c.restarts, c.run, c.inside, c.output == trainyard.os.getcwd() + "/output")
print(trainyard.get_checkpoint(), c.checkpoint, trainyard.should_stop())
)",
                               {"RANK=1", "WORLD_SIZE=2", "LOCAL_RANK=x", "TORCHELASTIC_RESTART_COUNT=3",
                                "TRAINYARD_RUN=abc", "TRAINYARD_CHECKPOINT=/none"});
        QCOMPARE(ended.errors, QByteArray());
        QCOMPARE(ended.output, QByteArray("1 2 0 3 abc True True\nNone None False\n"));
    }

    // Without Trainyard a script runs as ever.
    void outsideARunNothingHappens() {
        const auto ended = run(R"(
import signal, trainyard
trainyard.report({"a": 1}, step=1)
trainyard.report(5)
trainyard.log("a")
trainyard.on_stop(lambda: print("never"))
c = trainyard.context()
print(trainyard.should_stop(), c.inside, c.rank, c.world_size, c.output == trainyard.os.getcwd())
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, trainyard.os.listdir("."))
)",
                               {}, false);
        QCOMPARE(ended.errors, QByteArray());
        QCOMPARE(ended.output, QByteArray("False False 0 1 True\nTrue ['script.py']\n"));
    }

    // Fault: A metrics file that is no file, or cannot be opened or written. The training goes on, and it is said once.
    void errorsNeverReachTheTraining_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("says");
        QTest::newRow("a FIFO") << "os.mkfifo(path)" << "No such device or address";
        QTest::newRow("a link") << "os.symlink('elsewhere', path)" << "Too many levels of symbolic links";
        QTest::newRow("a folder") << "os.mkdir(path)" << "Is a directory";
        QTest::newRow("no folder") << "trainyard._file.path = '/none/m'" << "No such file";
        QTest::newRow("no dict") << "trainyard.report(5)" << "object is not iterable";
        QTest::newRow("no step") << "trainyard.report({}, step='x')" << "invalid literal";
        QTest::newRow("a circle") << "d = {}; d['a'] = d; trainyard.report(d)" << "Circular reference";
    }
    void errorsNeverReachTheTraining() {
        QFETCH(QString, before);
        QFETCH(QString, says);
        const auto ended = run("import os, trainyard\npath = os.environ['TRAINYARD_METRICS']\n" + before.toUtf8() +
                               "\nfor i in range(3): trainyard.report({'a': 1}, step=i)\nprint('trained')\n");
        QCOMPARE(ended.output, QByteArray("trained\n"));
        test::compareText(ended.errors, says);
        QCOMPARE(ended.errors.count("trainyard: what is reported is lost"), 1);
        QVERIFY(!QFile::exists(m_folder->filePath("elsewhere")));
    }
    void aFullDiskCostsOneLine() {
        const auto ended = run(R"(
import resource, trainyard
trainyard.report({"a": 1}, step=1)
resource.setrlimit(resource.RLIMIT_FSIZE, (30, resource.RLIM_INFINITY))
for i in (2, 3): trainyard.report({"a": 1}, step=i)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
trainyard.report({"a": 1}, step=4)
)");
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.errors.count('\n'), 1);
        QCOMPARE(lines().front(), QByteArray(R"({"step":1,"a":1})"));
        QCOMPARE(lines().back(), QByteArray(R"({"step":4,"a":1})"));
    }
    // A program that closes all descriptors, as daemons do, gives their numbers to its own files.
    void filesOfTheProgramAreNotWrittenTo() {
        const auto ended = run(R"(
import os, time, trainyard
trainyard.report({"a": 1}, step=1)
os.closerange(3, 100)
own = os.open("own", os.O_WRONLY | os.O_CREAT)
time.sleep(0.05)
trainyard.report({"a": 1}, step=2)
print(os.path.getsize("own"))
)");
        QCOMPARE(ended.output, QByteArray("0\n"));
        QCOMPARE(lines().size(), 2);
    }
    void linesOfManyProcessesNeverMix() {
        const auto ended = run(R"(
import os, threading, trainyard
trainyard.report({"a": 0}, step=0)
children = []
for child in range(4):
    pid = os.fork()
    if pid == 0:
        def work():
            for i in range(500): trainyard.report({"loss/%d" % child: 0.123456789, "b": "x" * 50}, step=i)
        threads = [threading.Thread(target=work) for _ in range(2)]
        for each in threads: each.start()
        for each in threads: each.join()
        os._exit(0)
    children.append(pid)
for each in children: os.waitpid(each, 0)
)");
        QCOMPARE(ended.code, 0);
        QCOMPARE(lines().size(), 4001);
        for (const QByteArray& line : lines()) QVERIFY2(program::readMetricLine(line.toStdString(), "m").ok(), line);
    }

    // Feature: a stop calls the script's own function, or is told to its loop; data workers do not take it for theirs.
    void stopIsTold_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<int>("code");
        const QByteArray loop = "for i in range(9):\n    if i == 3: os.kill(os.getpid(), signal.SIGTERM)\n"
                                "    if trainyard.should_stop():\n        print('stopped at', i)\n        break\n";
        QTest::newRow("asked") << loop << QByteArray("stopped at 3\n") << 0;
        QTest::newRow("called") << QByteArray("trainyard.on_stop(lambda: print('saved'))\n"
                                              "os.kill(os.getpid(), signal.SIGTERM)\nprint('went on')\n")
                                << QByteArray("saved\n") << 143;
        QTest::newRow("both") << "@trainyard.on_stop\ndef save(): print('saved')\n" + loop
                              << QByteArray("saved\nstopped at 3\n") << 0;
        QTest::newRow("a broken one") << QByteArray("trainyard.on_stop(lambda: 1 / 0)\ntrainyard.on_stop(lambda: "
                                                    "print('saved'))\nos.kill(os.getpid(), signal.SIGTERM)\n")
                                      << QByteArray("saved\n") << 143;
        QTest::newRow("the script's own") << "signal.signal(signal.SIGTERM, lambda *_: print('own'))\n" + loop
                                          << QByteArray("own\nstopped at 3\n") << 0;
        QTest::newRow("a data worker")
            << QByteArray("trainyard.on_stop(lambda: print('saved'))\npid = os.fork()\nif pid == 0:\n"
                          "    import time; time.sleep(60)\nos.kill(pid, signal.SIGTERM)\n"
                          "print(os.waitpid(pid, 0)[1])\n")
            << QByteArray("15\n") << 0;
        QTest::newRow("in a thread") << QByteArray("import threading\nt = threading.Thread(target=lambda: "
                                                   "print(trainyard.should_stop()))\nt.start()\nt.join()\n")
                                     << QByteArray("False\n") << 0;
    }
    void stopIsTold() {
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, output);
        QFETCH(int, code);
        const auto ended = run("import os, signal, trainyard\n" + script);
        QVERIFY2(ended.output == output, ended.output + ended.errors);
        QCOMPARE(ended.code, code);
    }

    // Ranks that get the signal one after another stop after the same step.
    void ranksStopTogether() {
        const QString python = "/usr/bin/python3"; // whose torch is the distribution's
        QProcess probe;
        probe.start(python, {"-c", "import torch.distributed"});
        if (!probe.waitForFinished(60'000) || probe.exitCode() != 0) QSKIP("Python has no torch here");
        write(R"(
import os, sys, time, torch, trainyard
import torch.distributed as dist
dist.init_process_group("gloo")
print("ready", flush=True)
for step in range(2000):
    x = torch.ones(8)
    time.sleep(0.002)
    dist.all_reduce(x)
    if trainyard.should_stop():
        print(step, flush=True)
        sys.exit(0)
)");
        std::vector<std::unique_ptr<QProcess>> ranks;
        for (int rank = 0; rank < 2; ++rank) {
            ranks.push_back(std::make_unique<QProcess>());
            auto environment = variables({QString("RANK=%1").arg(rank), "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                                          "MASTER_PORT=" + QString::number(freePort()),
                                          "USE_LIBUV=0"}); // which PyTorch asks for, and Debian 13's lacks
            environment.insert("TRAINYARD_METRICS", m_folder->filePath(QString("m%1").arg(rank)));
            ranks.back()->setProcessEnvironment(environment);
            ranks.back()->setWorkingDirectory(m_folder->path());
            ranks.back()->start(python, {"-B", "script.py"});
        }
        for (const auto& each : ranks) QTRY_VERIFY_WITH_TIMEOUT(each->canReadLine(), 60'000);
        QTest::qWait(300);
        ranks[1]->terminate();
        QTest::qWait(100);
        ranks[0]->terminate();
        QList<QByteArray> steps;
        for (const auto& each : ranks) {
            QVERIFY(each->waitForFinished(20'000));
            QVERIFY2(each->exitCode() == 0, each->readAllStandardError());
            steps << each->readAllStandardOutput();
        }
        QCOMPARE(steps[0], steps[1]);
        QVERIFY2(steps[0].startsWith("ready\n") && steps[0].count('\n') == 2, steps[0]);
    }

    // Feature: a loop written for Ray Train reports to the run where Ray is not installed; `import ray` stays as it is.
    void loopsOfRayReport() {
        const auto ended = run(R"(
import os, sys, tempfile, trainyard
from trainyard.ray import train
import trainyard.ray.train as same
assert same is train
try:
    import ray
    print("ray is here")
except ImportError: pass
assert train.get_checkpoint() is None
context = train.get_context()
for epoch in range(2):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.pt"), "w") as file: file.write(str(epoch))
        train.report({"loss": 0.5, "name": "x"}, checkpoint=train.Checkpoint.from_directory(folder))
print(context.get_world_rank(), open("output/checkpoint_000001/model.pt").read(), sorted(os.listdir("output")))
with train.Checkpoint("output/checkpoint_000000").as_directory() as folder: print(os.listdir(folder))
try: train.DataConfig
except AttributeError as error: print(error)
)");
        QCOMPARE(ended.errors, QByteArray());
        if (ended.output.startsWith("ray is here")) QSKIP("Ray is installed here");
        QCOMPARE(ended.output,
                 QByteArray("0 1 ['checkpoint_000000', 'checkpoint_000001']\n['model.pt']\ntrainyard.ray.train has no "
                            "DataConfig: it has Checkpoint, get_checkpoint, get_context, report\n"));
        QVERIFY(lines()[1].startsWith("{\"step\":1,\"loss\":0.5,\"name\":\"x\",\"checkpoint\":\""));
    }

private:
    void write(const QByteArray& script) const {
        QFile file(m_folder->filePath("script.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(script);
    }
    QProcessEnvironment variables(const QStringList& given, bool inside = true) const {
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const QString& each : environment.keys())
            if (each.startsWith("TRAINYARD_")) environment.remove(each);
        environment.insert("PYTHONPATH", kModule);
        if (inside) environment.insert("TRAINYARD_METRICS", m_folder->filePath("m.jsonl"));
        for (const QString& each : given) environment.insert(each.section('=', 0, 0), each.section('=', 1));
        return environment;
    }
    Ended run(const QByteArray& script, const QStringList& given = {}, bool inside = true) const {
        write(script);
        QProcess process;
        process.setProcessEnvironment(variables(given, inside));
        process.setWorkingDirectory(m_folder->path());
        process.start(m_python, {"-B", "script.py"});
        if (!process.waitForFinished(30'000)) return {-1, {}, "did not end"};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    QList<QByteArray> lines() const {
        QFile file(m_folder->filePath("m.jsonl"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return file.readAll().chopped(1).split('\n');
    }
    int freePort() const {
        if (m_port == 0) {
            QProcess ask;
            ask.start(m_python,
                      {"-c", "import socket; s = socket.socket(); s.bind(('', 0)); print(s.getsockname()[1])"});
            ask.waitForFinished();
            m_port = ask.readAllStandardOutput().trimmed().toInt();
        }
        return m_port;
    }

    QString m_python;
    std::unique_ptr<QTemporaryDir> m_folder;
    mutable int m_port = 0;
};

QTEST_GUILESS_MAIN(PythonModuleTest)
#include "python_module_test.moc"
