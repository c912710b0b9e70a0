// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal's commands about programs: what `run` and `sweep` make of a command line, metric, log, arguments.
#include "engine/spec/run/run_spec.h"
#include "tests/multiproc/app/terminal.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <sys/stat.h>

using namespace trainyard;
using test::compareText;
using test::ctl;
using test::RunLab;

namespace {

constexpr const char* kScript = R"(import argparse
p = argparse.ArgumentParser()
p.add_argument("--lr", type=float, default=0.1)
p.add_argument("--width", type=int, default=64)
p.add_argument("--optimizer", choices=["sgd", "adam"], default="sgd")
p.add_argument("--amp", action="store_true")
p.add_argument("--out-dir", default=".")
p.add_argument("--resume")
p.parse_args()
)";

} // namespace

class ProgramCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_lab = std::make_unique<RunLab>();
        write("train.py", kScript);
    }
    void cleanup() {
        qunsetenv("TRAINYARD_METRICS");
        m_lab.reset();
    }

    // Feature: a program of any language adds points and lines to its run: trainyardctl metric, trainyardctl log.
    void pointsAreAppended() {
        inRun();
        write("model.pt", "x");
        QCOMPARE(ctl({"metric", "loss=0.3", "step=10", "epoch=0.5"}).code, 0);
        QCOMPARE(ctl({"metric", "train/acc=1", "a=nan", "b=-inf"}).code, 0);
        QCOMPARE(ctl({"metric", "step=11", "--checkpoint", path("model.pt")}).code, 0);
        QCOMPARE(ctl({"log", "rate \"lowered\"\nnow ü"}).code, 0);
        QCOMPARE(lines(), (QList<QByteArray>{R"({"loss":0.3,"step":10,"epoch":0.5})",
                                             R"({"train/acc":1.0,"a":NaN,"b":-Infinity})",
                                             "{\"step\":11,\"checkpoint\":\"" + path("model.pt").toUtf8() + "\"}",
                                             "{\"text\":\"rate \\\"lowered\\\"\\nnow ü\"}"}));
    }

    // Bad inputs: points that are none, and points outside a run: what was given and what to write.
    void badPointsAreExplained_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& words, const char* says) {
            QTest::newRow(name) << words << QString(says);
        };
        row("nothing", {"metric"}, "there is nothing to add");
        row("no value", {"metric", "loss"}, "\"loss\" is no name=value");
        row("no number", {"metric", "loss=low"}, "loss: \"low\" is no number");
        row("no whole step", {"metric", "step=1.5", "a=1"}, "step: \"1.5\" is no whole number from 0 on");
        row("a taken name", {"metric", "text=1"}, "a series cannot be called text");
        row("a checkpoint as a value", {"metric", "checkpoint=a"}, "name a checkpoint with --checkpoint FILE");
        row("no checkpoint", {"metric", "--checkpoint", "/none/a.pt"}, "/none/a.pt: there is no such file");
        row("no text", {"log"}, "TEXT is required");
    }
    void badPointsAreExplained() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        inRun();
        const auto answer = ctl(words);
        QCOMPARE(answer.code, 2);
        compareText(answer.err, says);
        QVERIFY(lines().isEmpty());
    }
    void outsideARunIsSaid() {
        for (const QStringList& words : {QStringList{"metric", "a=1"}, QStringList{"log", "a"}}) {
            const auto answer = ctl(words);
            QCOMPARE(answer.code, 2);
            compareText(answer.err, "there is no run around this command");
            compareText(answer.err, "trainyardctl run");
        }
    }
    // Fault: The metrics file is a FIFO that nobody reads, or its folder is gone. It is said at once, nothing waits.
    void aBrokenMetricsFileIsSaid() {
        inRun();
        QCOMPARE(::mkfifo(path("m.jsonl").toLocal8Bit().constData(), 0600), 0);
        const auto fifo = ctl({"metric", "a=1"}, 10);
        QCOMPARE(fifo.code, 3);
        qputenv("TRAINYARD_METRICS", path("none/m.jsonl").toLocal8Bit());
        const auto missing = ctl({"metric", "a=1"});
        QCOMPARE(missing.code, 3);
        compareText(missing.err, "the metrics of the run cannot be written");
    }

    // Feature: a run file with all arguments of a script, to go on from.
    void argumentsBecomeARunFile() {
        const auto answer = ctl({"arguments", path("train.py"), "--run-file"});
        QCOMPARE(answer.code, 0);
        const auto spec = spec::parseRunSpec(answer.out.toStdString());
        QVERIFY2(spec.ok(), test::text(spec).c_str());
        QCOMPARE(spec->name, std::string("train"));
        QCOMPARE(spec->program->script, path("train.py").toStdString());
        QCOMPARE(std::get<double>(spec->program->arguments.at("lr")), 0.1);
        QCOMPARE(std::get<std::string>(spec->program->arguments.at("out_dir")), std::string("{output}"));
        QCOMPARE(spec->program->resume, (std::vector<std::string>{"--resume", "{checkpoint}"}));
        QVERIFY(spec::validateFields(*spec).empty());
    }

    // Feature: arguments with several values make a sweep of a script; --dry-run says what would be trained.
    void wordsMakeASweep() {
        const auto answer = ctl({"sweep", "--dry-run", "--json", "--score", "val/acc", path("train.py"), "--width",
                                 "64,128", "--amp", "--optimizer", "sgd,adam"});
        QVERIFY2(answer.code == 0, qPrintable(answer.err));
        const auto json = answer.json().object();
        QCOMPARE(json["configurations"].toInt(), 4);
        const auto first = json["first"].toArray().first().toObject();
        QCOMPARE(first["program.arguments.width"].toInt(), 64);
        QCOMPARE(first["program.arguments.optimizer"].toString(), QString("sgd"));
        const auto drawn = ctl({"sweep", "--dry-run", "--json", "--trials", "5", "--set", "searcher=random", "--score",
                                "val/acc", path("train.py"), "--lr=0.001..0.1 log"});
        QVERIFY2(drawn.code == 0, qPrintable(drawn.err));
        for (const auto& each : drawn.json().object()["first"].toArray()) {
            const double lr = each.toObject()["program.arguments.lr"].toDouble();
            QVERIFY2(lr >= 0.001 && lr <= 0.1, QByteArray::number(lr));
        }
    }

    // Bad inputs: programs that cannot be started: the word, and what to write instead.
    void badProgramsAreExplained_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& words, const char* says) {
            QTest::newRow(name) << words << QString(says);
        };
        row("nothing", {"run"}, "FILE is required");
        row("no script", {"run", "/none/train.py"}, "/none/train.py: there is no such script");
        row("a folder", {"run", "--", "python", "/"}, "this is a folder, not a script");
        row("our option behind", {"run", "--lr", "1", "train.py"}, "--lr");
        row("a launcher's option", {"run", "--", "torchrun", "--rdzv_id=1", "a.py"}, "means nothing here");
        row("hosts", {"run", "--", "torchrun", "--nnodes", "2", "SCRIPT"}, "name them: trainyardctl run --hosts h1,h2");
        row("a secret", {"run", "SCRIPT", "--password", "hunter2"}, "--password: looks like a secret");
        row("nothing varies", {"sweep", "SCRIPT", "--lr", "0.1"}, "nothing varies");
        row("no score", {"sweep", "SCRIPT", "--lr", "1,2"}, "it is not said which series compares the trials");
        row("a bad range", {"sweep", "SCRIPT", "--lr", "1..0"}, "the range has no values");
        row("a sweep of a command", {"sweep", "--", "./train", "--a", "1,2"}, "have no names to vary them by");
        row("words without names", {"sweep", "SCRIPT", "x", "--lr", "1,2"}, "some of these words have no name");
        row("no such script in a sweep", {"sweep", "/none/a.py", "--lr", "1,2"}, "there is no such script");
    }
    void badProgramsAreExplained() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        for (QString& each : words)
            if (each == "SCRIPT") each = path("train.py");
        const auto answer = ctl(words + QStringList{});
        QVERIFY2(answer.code == 2, qPrintable(answer.err));
        compareText(answer.err, says);
        QVERIFY(!answer.err.contains("hunter2"));
    }

private:
    QString path(const QString& name) const { return QString::fromStdString(m_lab->folder()) + '/' + name; }
    void write(const QString& name, const QByteArray& content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    void inRun() const { qputenv("TRAINYARD_METRICS", path("m.jsonl").toLocal8Bit()); }
    QList<QByteArray> lines() const {
        QFile file(path("m.jsonl"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return file.readAll().chopped(1).split('\n');
    }

    std::unique_ptr<RunLab> m_lab;
};

QTEST_GUILESS_MAIN(ProgramCommandsTest)
#include "program_commands_test.moc"
