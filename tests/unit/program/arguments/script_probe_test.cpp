// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that are run up to their arguments, in a sandbox, and what goes wrong on the way.
#include "engine/base/files/atomic_file.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/probe/script_probe.h"
#include "tests/pause.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::program;

namespace {

QString namesFound(const ScriptArguments& found) {
    QStringList names;
    for (const auto& each : found.arguments) names << QString::fromStdString(each.name);
    return names.join(' ');
}

// Of processors, by all that has been started and has ended: a busy computer takes longer by the clock.
double secondsOfChildren() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

const Argument* argumentCalled(const ScriptArguments& found, const std::string& name) {
    const auto it = std::find_if(found.arguments.begin(), found.arguments.end(),
                                 [&](const Argument& each) { return each.name == name; });
    return it == found.arguments.end() ? nullptr : &*it;
}

} // namespace

class ScriptProbeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    // Bad inputs: scripts that end, hang, fail, download or ask for too much before they parse their arguments.
    void scriptsThatMisbehaveAreProbed_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("problem"); // part of it, or of what was skipped
        const QByteArray parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', default=1)\n";
        const QByteArray parse = "args = p.parse_args()\n";
        const auto row = [](const char* name, const QByteArray& source, const char* names, const char* problem = "") {
            QTest::newRow(name) << source << QString(names) << QString(problem);
        };
        row("as they should be", parser + parse, "lr");
        row("no parser", "print('training')\n", "");
        row("an exit at import", "import sys\nsys.exit('no GPU')\n" + parser + parse, "lr", "SystemExit: no GPU");
        row("a failing statement", "x = 1 / 0\n" + parser + parse, "lr", "ZeroDivisionError");
        row("a missing package", "import not_there\nassert not_there.__version__ > '1'\n" + parser + parse, "lr");
        row("a download at import",
            "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:1/x')\n" + parser + parse, "lr",
            "Operation not permitted");
        row("a program at import", "import subprocess\nsubprocess.run(['ls'])\n" + parser + parse, "lr",
            "Operation not permitted");
        row("a file written", "open('" + path("written").toUtf8() + "', 'w').write('x')\n" + parser + parse, "lr",
            "Operation not permitted");
        row("an endless loop", "while True:\n    pass\n" + parser + parse, "lr", "took longer");
        row("a sleep", "import time\ntime.sleep(1000)\n" + parser + parse, "lr", "took longer");
        row("more memory than there is", "x = 'a' * (1 << 40)\n" + parser + parse, "lr", "MemoryError");
        row("the end of Python", "import os\nos._exit(3)\n" + parser + parse, "lr", "exit code 3");
        row("a crash", "import os\nos.abort()\n" + parser + parse, "lr", "when it was tried");
        row("deaf to its alarm",
            "import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)\nwhile True:\n    pass\n", "",
            "did not come to its arguments");
        row("words of its own", parser + "args = p.parse_args(['--lr', '2'])\n", "lr");
        row("it trains on", parser + "args, rest = p.parse_known_args()\nwhile True:\n    pass\n", "lr");
        row("its output is no answer", "print('{\"arguments\": []}', flush=True)\n" + parser + parse, "lr");
        row("names in a loop",
            parser + "for k in ('a', 'b'):\n    p.add_argument('--' + k, type=int, default=3)\n" + parse, "lr a b");
        row("names that it makes where it stands",
            parser +
                "vars()['flag'] = '--a'\np.add_argument(flag)\n"
                "class C:\n    exec('flag = \"--b\"')\np.add_argument(C.flag)\n" +
                parse,
            "lr a b");
        row("two parsers",
            parser + "q = argparse.ArgumentParser()\nq.add_argument('--w')\nr, _ = q.parse_known_args()\n" + parse,
            "w lr");
    }
    void scriptsThatMisbehaveAreProbed() {
        QFETCH(QByteArray, source);
        QFETCH(QString, names);
        QFETCH(QString, problem);
        const double before = secondsOfChildren();
        const auto script = write("train.py", source).toStdString();
        const auto read = readArguments(script);
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        const bool ends = problem != "took longer" && problem != "did not come to its arguments"; // at any load
        const double given = ends ? 30 : test::patience();                                        // Python starts in it
        const auto answer = probeScript(script, {.folder = m_folder.path().toStdString(), .seconds = given});
        const double computed = secondsOfChildren() - before;
        QVERIFY2(computed < 2 + test::patience(), qPrintable(QString::number(computed)));
        QCOMPARE(namesFound(answer ? withProbe(*read, *answer) : *read), names);
        QStringList told;
        if (!answer) told << QString::fromStdString(answer.error().text());
        else
            for (const auto& each : answer->failed) told << QString::fromStdString(each);
        QVERIFY2(told.join('\n').contains(problem), qPrintable(told.join('\n')));
        QVERIFY(!QFile::exists(path("written")));
    }

    // What only Python knows is corrected and added; what nobody knows stays marked.
    void theProbeCorrectsWhatWasRead() {
        const auto script =
            write("train.py", "import argparse, os\nimport zoo\nfrom mine import WIDTHS\n"
                              "p = argparse.ArgumentParser()\ng = p.add_argument_group('model')\n"
                              "g.add_argument('--model', choices=zoo.names(), help='a name')\n"
                              "g.add_argument('--width', type=int, default=max(WIDTHS))\n"
                              "p.add_argument('--home', default=os.path.join('a', 'b'))\n"
                              "for k in ('x', 'y'):\n    p.add_argument('--' + k, type=float)\n"
                              "if os.environ.get('NEVER_SET_ANYWHERE'):\n    p.add_argument('--extra')\n"
                              "p.parse_args()\n");
        write("mine.py", "WIDTHS = [1, 2, 64]\n");
        const auto read = readArguments(script.toStdString());
        QVERIFY(read.ok());
        QVERIFY(!argumentCalled(*read, "x") && !argumentCalled(*read, "width")->certain());
        const auto probed = probeArguments(script.toStdString());
        QVERIFY(probed.ok() && !probed->problem);
        const auto& all = probed->arguments;
        QCOMPARE(namesFound(all), QString("model width home x y extra"));
        QCOMPARE(QString::fromStdString(pythonText(*argumentCalled(all, "width")->byDefault)), QString("64"));
        QCOMPARE(argumentCalled(all, "model")->computed, std::string("choices: zoo.names()"));
        QCOMPARE(argumentCalled(all, "model")->group, std::string("model"));
        QCOMPARE(argumentCalled(all, "model")->help, std::string("a name"));
        QCOMPARE(QString::fromStdString(pythonText(*argumentCalled(all, "home")->byDefault)), QString("'a/b'"));
        QVERIFY(argumentCalled(all, "x")->certain());
        QVERIFY(QString::fromStdString(argumentCalled(all, "extra")->computed).contains("when it was tried"));
        QVERIFY(all.unread.empty());
    }

    void realPackagesAreImported() {
        write("zoo.py", "import json\ndef names():\n    return ['resnet', 'vit']\n");
        const auto script = write("train.py", "import argparse\nimport zoo, not_there\np = argparse.ArgumentParser()\n"
                                              "p.add_argument('--model', choices=zoo.names())\np.parse_args()\n");
        const auto probed = probeArguments(script.toStdString(), {.imports = ProbeImports::Real});
        QVERIFY(probed.ok() && !probed->problem);
        QCOMPARE(argumentCalled(probed->arguments, "model")->choices.size(), std::size_t{2});
        QFile::remove(path("zoo.py"));
    }

    void missingScriptsAndInterpretersAreExplained() {
        const auto missing = probeScript(path("none.py").toStdString());
        QVERIFY(!missing.ok());
        QCOMPARE(missing.error().code, ErrorCode::FileMissing);
        QVERIFY(!probeScript(m_folder.path().toStdString()).ok());
        const auto script = write("train.py", "x = 1\n").toStdString();
        QVERIFY(!probeScript(script, {.interpreter = "/nowhere/python"}).ok());
        const auto other = probeScript(script, {.interpreter = "/bin/true"});
        QVERIFY(!other.ok());
        QVERIFY2(other.error().text().find("Python 3.7") != std::string::npos, other.error().text().c_str());
    }

    // Bad inputs: an answer of a probe that is none, or says what no probe says.
    void badAnswersAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("arguments"); // -1: refused
        QTest::newRow("nothing") << QByteArray() << -1;
        QTest::newRow("no object") << QByteArray("[]") << -1;
        QTest::newRow("cut") << QByteArray("{\"arguments\": [{\"name\": \"a\"") << -1;
        QTest::newRow("no list") << QByteArray("{\"arguments\": 3}") << -1;
        QTest::newRow("no names") << QByteArray("{\"arguments\": [3, {}, {\"name\": 3}, [], null]}") << 0;
        QTest::newRow("other types") << QByteArray(
                                            "{\"arguments\": [{\"name\": \"a\", \"flags\": 3, \"default\": {\"x\": 1},"
                                            "\"choices\": 3, \"required\": \"yes\", \"nargs\": []}],"
                                            "\"failed\": {}, \"unread\": [1], \"seconds\": \"x\"}")
                                     << 1;
        QTest::newRow("deep") << "{\"arguments\": [{\"name\": \"a\", \"default\": " + QByteArray(50'000, '[') +
                                     QByteArray(50'000, ']') + "}]}"
                              << 1;
        QTest::newRow("a whole number too large")
            << QByteArray("{\"arguments\": [{\"name\": \"a\", \"default\": 18446744073709551615}]}") << 1;
    }
    void badAnswersAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(int, arguments);
        const auto answer = readProbeAnswer(text.toStdString(), "train.py");
        if (arguments < 0) {
            QVERIFY(!answer.ok());
            QVERIFY(!answer.error().remedy.empty());
        } else {
            QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
            QCOMPARE(answer->found.arguments.size(), static_cast<std::size_t>(arguments));
            (void)withProbe({}, *answer);
        }
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString write(const QString& name, const QByteArray& source) {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(source) != source.size()) return {};
        return file.fileName();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ScriptProbeTest)
#include "script_probe_test.moc"
