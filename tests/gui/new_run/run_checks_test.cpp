// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it run?" as a table: what the New run sheet knows, and what it says of it.
#include "ui/new_run/run_checks.h"

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

class RunChecksTest : public QObject {
    Q_OBJECT

    static Preview small() {
        Preview preview;
        preview.train = 90;
        preview.validation = 10;
        preview.bytesOfAll = 1e9;
        return preview;
    }
    // Plenty of everything.
    static SystemLoad idle() {
        SystemLoad load;
        load.memoryTotal = 8'000'000'000;
        load.diskFree = load.diskTotal = 100'000'000'000;
        return load;
    }
    static QString stateWord(RunCheck::State state) {
        static const char* const words[] = {"ok", "wait", "wrong", "unknown"};
        return QLatin1String(words[state]);
    }

private Q_SLOTS:
    void theFactsDecideEachLine_data() {
        QTest::addColumn<PreviewFacts>("facts");
        QTest::addColumn<SystemLoad>("load");
        QTest::addColumn<int>("activeRuns");
        QTest::addColumn<QString>("said"); // "name: state" of the lines that are not ok
        QTest::addColumn<QString>("lines");
        const QString here = QStringLiteral("Memory Ports Settings Devices Disk");
        PreviewFacts known;
        known.preview = small();
        const auto row = [&](const char* name, const PreviewFacts& facts, const QString& said,
                             const QString& lines = QStringLiteral("Data "), const SystemLoad& load = idle(),
                             int activeRuns = 0) {
            QTest::newRow(name) << facts << load << activeRuns << said << lines + here;
        };
        row("all is well", known, {});
        PreviewFacts facts = known;
        facts.busy = true;
        const QString unread = QStringLiteral("Data and model ");
        row("it is asked again", facts, QStringLiteral("Data and model: unknown, Memory: unknown"), unread);
        row("nothing is known yet", {}, QStringLiteral("Data and model: unknown, Memory: unknown"), unread);
        facts = {};
        facts.refused = QStringLiteral("there is no such file");
        row("the worker refuses", facts, QStringLiteral("Data and model: wrong, Memory: unknown"), unread);
        facts = known;
        facts.preview->lost = 30;
        row("much of the data is left out", facts, QStringLiteral("Data: wait"), QStringLiteral("Data Data "));
        facts.preview->lost = 20;
        row("some of it is", facts, {});
        facts = known;
        facts.preview->checkpoint =
            Preview::Checkpoint{.fits = false, .why = QStringLiteral("another model"), .remedy = {}, .changed = {}};
        const QString begun = QStringLiteral("Data Checkpoint ");
        row("the checkpoint does not fit", facts, QStringLiteral("Checkpoint: wrong"), begun);
        facts.preview->checkpoint =
            Preview::Checkpoint{.fits = true, .why = {}, .remedy = {}, .changed = QStringLiteral("2 files are new")};
        row("its data has changed", facts, QStringLiteral("Checkpoint: wait"), begun);
        facts.preview->checkpoint = Preview::Checkpoint{};
        row("it fits", facts, {}, begun);
        facts = known;
        facts.preview->weights = Preview::Weights{100, 100, 0, QStringLiteral("new")};
        row("it begins with weights", facts, {}, QStringLiteral("Data Weights "));
        facts.preview->checkpoint = Preview::Checkpoint{};
        row("a checkpoint takes the place of weights", facts, {}, begun);
        facts = known;
        facts.state.errors = QStringList{QStringLiteral("Batch: must be at least 1")};
        row("a field is wrong", facts, QStringLiteral("Settings: wrong"));
        SystemLoad full = idle();
        full.diskFree = 1000;
        row("the disk is full", known, QStringLiteral("Disk: wrong"), QStringLiteral("Data "), full);
        SystemLoad used = idle();
        used.memoryUsed = 7'500'000'000;
        row("memory is short", known, QStringLiteral("Memory: wrong"), QStringLiteral("Data "), used);
        row("another run trains", known, QStringLiteral("Devices: wait"), QStringLiteral("Data "), idle(), 1);
        facts = known;
        facts.state.home = QStringLiteral("gpu-1");
        facts.state.shown.hosts = {"gpu-1"};
        QTest::newRow("it lives on a host")
            << facts << full << 0 << QString() << QStringLiteral("Data Ports Settings Devices");
        facts.state.home.clear();
        facts.state.slurm = run::SlurmRequest{};
        QTest::newRow("it is a job of Slurm")
            << facts << idle() << 0 << QString() << QStringLiteral("Data Settings Devices Disk");
    }
    void theFactsDecideEachLine() {
        QFETCH(PreviewFacts, facts);
        QFETCH(SystemLoad, load);
        QFETCH(int, activeRuns);
        HostsCheck hosts;
        QStringList said, lines;
        for (const RunCheck& check : RunChecks(facts, hosts, load, activeRuns).all()) {
            lines << check.name;
            if (check.state != RunCheck::Ok) said << check.name + QStringLiteral(": ") + stateWord(check.state);
            QVERIFY2(!check.detail.isEmpty(), qPrintable(check.name));
        }
        QTEST(said.join(QStringLiteral(", ")), "said");
        QTEST(lines.join(QLatin1Char(' ')), "lines");
    }

    // Feature: of a program it tells the interpreter, what that says of the script, and what a restart begins from.
    void aProgramHasLinesOfItsOwn_data() {
        QTest::addColumn<ProgramFacts>("program");
        QTest::addColumn<QString>("command"); // another command than a script; empty: train.py
        QTest::addColumn<QStringList>("hosts");
        QTest::addColumn<QString>("said"); // name, state and detail of each line before "Settings", and those not ok
        ProgramFacts known;
        known.look.python = QStringLiteral("3.11.2");
        known.look.torch = QStringLiteral("1.13.0");
        known.resume = QStringLiteral("--resume X");
        const auto row = [](const char* name, const ProgramFacts& facts, const QString& said,
                            const QString& command = {}, const QStringList& hosts = {}) {
            QTest::newRow(name) << facts << command << hosts << said;
        };
        const QString good = QStringLiteral("Interpreter ok: Python 3.11.2, torch 1.13.0");
        row("all is well", known, good + "|Script ok: no syntax error");
        ProgramFacts facts = known;
        facts.look.torch.clear();
        row("without torch", facts, "Interpreter ok: Python 3.11.2|Script ok: no syntax error");
        facts = known;
        facts.busy = true;
        row("it is asked", facts, "Interpreter unknown: checking…|Script unknown: checking…");
        facts = known;
        facts.look.syntax = QStringLiteral("line 2: invalid syntax");
        row("a syntax error", facts, good + "|Script wrong: line 2: invalid syntax");
        facts = known;
        facts.look.missing = QStringList{QStringLiteral("timm"), QStringLiteral("tqdm")};
        row("packages are missing", facts, good + "|Script wait: this Python has no timm, tqdm");
        row("on a host there is another Python", facts,
            "Interpreter ok: each host has its own|Script ok: no syntax error", {}, {QStringLiteral("h1")});
        facts = known;
        facts.look = {};
        facts.look.why = QStringLiteral("no such file");
        row("there is no Python", facts, "Interpreter wrong: no such file");
        facts = known;
        facts.shared = QStringLiteral("out");
        row("trials share a folder", facts,
            good + "|Script ok: no syntax error|Output wait: trials would overwrite each other: set out to {output}");
        row("another command", {}, {}, QStringLiteral("./train"));
    }
    void aProgramHasLinesOfItsOwn() {
        QFETCH(ProgramFacts, program);
        QFETCH(QString, command);
        QFETCH(QStringList, hosts);
        PreviewFacts facts;
        spec::Program made;
        if (command.isEmpty()) made.script = "train.py";
        else made.command = {command.toStdString()};
        facts.state.spec = spec::programRun(made);
        for (const QString& host : hosts) facts.state.spec.hosts.push_back(host.toStdString());
        facts.state.shown = facts.state.spec;
        QStringList said;
        for (const RunCheck& check : RunChecks(facts, HostsCheck(), idle(), 0).ofProgram(program)) {
            const bool isOwn = check.name == QString("Interpreter") || check.name == QString("Script");
            if (isOwn || check.state != RunCheck::Ok)
                said << QStringLiteral("%1 %2: %3").arg(check.name, stateWord(check.state), check.detail);
            if (check.name == QString("Restart"))
                QCOMPARE(check.detail.startsWith(QString("from the beginning")), program.resume.isEmpty());
        }
        QTEST(said.join('|'), "said");
    }

    // What an interpreter answers is nobody's word: anything else than it should be is left out.
    void anAnswerIsReadWithoutTrust_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QString>("said");
        QTest::newRow("as it should be") << QByteArray(
                                                R"({"python": "3.9.1", "torch": "2.1+cu121", "missing": ["a", "b"]})")
                                         << QString("3.9.1|2.1||a,b");
        QTest::newRow("an error") << QByteArray(R"({"python": "3.9.1", "syntax": [7, "invalid syntax"]})")
                                  << QString("3.9.1||line 7: invalid syntax|");
        QTest::newRow("an error without a line")
            << QByteArray(R"({"syntax": [0, "a null byte"]})") << QString("||a null byte|");
        QTest::newRow("no JSON") << QByteArray("Segmentation fault") << QString("|||");
        QTest::newRow("other types") << QByteArray(R"({"python": 3, "syntax": [1], "missing": [1, {}]})")
                                     << QString("|||");
        QTest::newRow("far too many") << QByteArray("{\"missing\": [" + QByteArray("\"x\",").repeated(20) + "\"x\"]}")
                                      << QString("|||x,x,x,x,x,x,x,x");
    }
    void anAnswerIsReadWithoutTrust() {
        QFETCH(QByteArray, answer);
        const ProgramLook look = readLook(answer);
        QTEST(QStringList({look.python, look.torch, look.syntax, look.missing.join(',')}).join('|'), "said");
    }

    // With a real Python: nothing of the script runs, and what it lacks is named.
    void aScriptIsReadByItsPython_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("said");
        QTest::newRow("right") << QByteArray("import os\nraise SystemExit(3)\n") << QString("|");
        QTest::newRow("wrong") << QByteArray("def f(:\n") << QString("line 1: invalid syntax|");
        QTest::newRow("a package is missing") << QByteArray("import no_such_package.part, os\nimport trainyard\ntry:\n "
                                                            " import other\nexcept ImportError: pass\n")
                                              << QString("|no_such_package");
        QTest::newRow("a neighbour is there") << QByteArray("import beside\n") << QString("|");
    }
    void aScriptIsReadByItsPython() {
        QFETCH(QByteArray, script);
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no Python");
        QTemporaryDir folder;
        const auto write = [&folder](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        write("train.py", script);
        write("beside.py", "open('run', 'w')\n");
        ProgramLooker looker;
        looker.ask({}, folder.filePath("train.py"), folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(!looker.isBusy(), 20000);
        QVERIFY2(looker.look().python.startsWith("3."), qPrintable(looker.look().why));
        QTEST(looker.look().syntax + '|' + looker.look().missing.join(','), "said");
        QVERIFY(!QFile::exists(folder.filePath("run")));
    }
};

QTEST_MAIN(RunChecksTest)
#include "run_checks_test.moc"
