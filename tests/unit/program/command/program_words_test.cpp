// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments by name as the words of a rank, and back; Python's own parser has the last word.
#include "engine/base/json_text.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/command/argument_words.h"
#include "engine/program/command/offered_values.h"
#include "engine/program/command/rank_words.h"
#include "engine/spec/run/run_spec.h"
#include "tests/texts.h"

#include <nlohmann/json.hpp>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::program;
using trainyard::test::compareText;
using trainyard::test::text;

namespace {

const QString kPrograms = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/arguments/");

// Prints what it was given as JSON.
constexpr const char* kOwnScript = R"(import argparse
import json
parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("more", nargs="*")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--steps", type=int, default=10)
parser.add_argument("--name", default="base")
parser.add_argument("--amp", action="store_true")
parser.add_argument("--no-shuffle", dest="shuffle", action="store_false")
parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--wrong", type=bool, default=True)
parser.add_argument("--cache", type=lambda x: x.lower() in ("true", "1", "yes"), default=False)
parser.add_argument("--betas", type=float, nargs=2, default=[0.9, 0.999])
parser.add_argument("--layers", type=int, nargs="+")
parser.add_argument("--tag", action="append")
parser.add_argument("-v", "--verbose", action="count", default=0)
parser.add_argument("--optimizer", choices=["sgd", "adam"], default="sgd")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--local_rank", type=int, default=-1)
parser.add_argument("--resume", default="")
parser.add_argument("--config", default="")
print(json.dumps(vars(parser.parse_args()), sort_keys=True))
)";

spec::ArgumentValues valuesOf(const QByteArray& json) {
    const auto read = spec::parseRunSpec(R"({"program": {"script": "a.py", "arguments": )" + json.toStdString() + "}}");
    return read ? read->program->arguments : spec::ArgumentValues{};
}

QString shown(const std::vector<std::string>& words) {
    QStringList all;
    for (const auto& each : words) {
        const bool plain = !each.empty() && each.find_first_of(" '\"") == each.npos;
        all << (plain ? text(each) : "'" + text(each) + "'");
    }
    return all.join(' ');
}

std::vector<std::string> wordsIn(const QString& line) {
    std::vector<std::string> words;
    for (const QString& each : line.split(' ', Qt::SkipEmptyParts)) words.push_back(each.toStdString());
    return words;
}

std::string jsonOf(const spec::ArgumentValues& values) {
    spec::RunSpec spec = spec::programRun({.script = "a.py"});
    spec.program->arguments = values;
    const auto json = parseJson(spec::toJson(spec))["program"];
    return json.contains("arguments") ? jsonText(json["arguments"]) : "{}";
}

} // namespace

class ProgramWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QFile file(m_folder.filePath("own.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kOwnScript);
    }

    // Feature: arguments by name, with their types, reach a program as it takes them.
    void argumentsBecomeWords_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* script, QByteArray arguments, const char* words) {
            QTest::newRow(name) << QString(script) << arguments.replace('\'', '"') << QString(words);
        };
        row("a number", "own.py", "{'lr': 0.5, 'steps': 20}", "--lr 0.5 --steps 20");
        row("a whole one", "own.py", "{'lr': 1}", "--lr 1");
        row("defaults", "own.py", "{'lr': 0.1, 'steps': 10, 'name': 'base', 'betas': [0.9, 0.999], 'amp': false}", "");
        row("behind settings", "own.py", "{'lr': 0.1, 'config': 'a'}", "--lr 0.1 --config a");
        row("a switch", "own.py", "{'amp': true, 'shuffle': false, 'compile': false}",
            "--amp --no-shuffle --no-compile");
        row("switches as they are", "own.py", "{'amp': false, 'shuffle': true, 'compile': true}", "");
        row("truths as words", "own.py", "{'wrong': false, 'cache': true}", "--wrong '' --cache True");
        row("lists", "own.py", "{'betas': [0.5, 1], 'layers': [64, 128], 'tag': ['a b', 'c']}",
            "--betas 0.5 1 --layers 64 128 --tag 'a b' --tag c");
        row("counted", "own.py", "{'verbose': 3}", "--verbose --verbose --verbose");
        row("positional", "own.py", "{'data': 'd', 'more': ['x', 'y'], 'lr': 2}", "d x y --lr 2");
        row("by its flag", "own.py", "{'--no-shuffle': false, '--steps': 1}", "--steps 1 --no-shuffle");
        row("like an option", "own.py", "{'lr': -1e-3, 'name': '--x'}", "--lr=-0.001 --name=--x");
        row("a text with spaces", "own.py", "{'name': 'a  b \\\"c\\\"'}", "--name 'a  b \"c\"'");
        row("a subcommand", "commands.py", "{'verbose': true, 'train.lr': 1, 'seed': 3}",
            "--verbose train --seed 3 --lr 1");
        row("another one", "commands.py", "{'evaluate.lr': 1, 'evaluate.checkpoint': 'c'}", "evaluate c --lr 1");
        row("absl", "absl_flags.py", "{'lr': 0.5, 'restore': true, 'workdir': 'w'}",
            "--lr=0.5 --restore=true --workdir=w");
        row("Hydra", "hydra_main.py", "{'model.lr': 0.5, 'name': 'a b', 'l': [1, 2], 'amp': true}",
            "amp=true l=[1,2] model.lr=0.5 'name='a b''");
        row("unknown script", "", "{'lr': 0.5, 'amp': true, 'no': false, 'l': [1, 2]}", "--amp --l 1 2 --lr 0.5");
    }
    void argumentsBecomeWords() {
        QFETCH(QString, script);
        QFETCH(QByteArray, arguments);
        QFETCH(QString, words);
        const auto known = read(script);
        const auto made = argumentWords(valuesOf(arguments), "auto", known ? &*known : nullptr);
        QVERIFY2(made.ok(), text(made).c_str());
        QCOMPARE(shown(*made), words);
    }

    void stylesAreKept_data() {
        QTest::addColumn<QString>("style");
        QTest::addColumn<QString>("words");
        QTest::newRow("spaced") << "--a b" << "--lr 0.5 --name x";
        QTest::newRow("equals") << "--a=b" << "--lr=0.5 --name=x";
        QTest::newRow("plain") << "a=b" << "lr=0.5 name=x";
    }
    void stylesAreKept() {
        QFETCH(QString, style);
        QFETCH(QString, words);
        const auto made = argumentWords(valuesOf(R"({"lr": 0.5, "name": "x"})"), style.toStdString(), nullptr);
        QVERIFY(made.ok());
        QCOMPARE(shown(*made), words);
    }

    // Bad inputs: an argument that the script has not, or of another type, with the nearest name.
    void badArgumentsAreExplained_data() {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("a typing error") << QByteArray(R"({"stpes": 1})") << "did you mean steps?";
        QTest::newRow("unknown") << QByteArray(R"({"weight_decay": 1})")
                                 << "program.arguments.weight_decay: the script";
        QTest::newRow("a switch") << QByteArray(R"({"amp": 1})")
                                  << "program.arguments.amp: takes true or false, found 1";
        QTest::newRow("negatable") << QByteArray(R"({"compile": "no"})") << "takes true or false, found no";
        QTest::newRow("counted") << QByteArray(R"({"verbose": 1000})") << "takes a whole number from 0 to 100";
    }
    void badArgumentsAreExplained() {
        QFETCH(QByteArray, arguments);
        QFETCH(QString, says);
        const auto known = read("own.py");
        const auto made = argumentWords(valuesOf(arguments), "auto", &*known);
        QVERIFY(!made.ok());
        QVERIFY(!made.error().remedy.empty());
        compareText(text(text(made)), says);
    }

    // Feature: typed words become arguments by name where every one is known; the form of the window begins with them.
    void wordsBecomeArguments_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("arguments"); // empty: they stay words
        const auto row = [](const char* script, const char* words, QByteArray arguments) {
            QTest::newRow(words) << QString(script) << QString(words) << arguments.replace('\'', '"');
        };
        row("own.py", "d --lr 0.5 --steps=3 --amp", "{'amp':true,'data':'d','lr':0.5,'steps':3}");
        row("own.py", "--lr -1e-3 --no-shuffle --no-compile", "{'compile':false,'lr':-0.001,'shuffle':false}");
        row("own.py", "--betas 0.5 1 --layers 64 128 --tag a --tag b",
            "{'betas':[0.5,1],'layers':[64,128],'tag':['a','b']}");
        row("own.py", "--wrong False --optimizer adam", "{'optimizer':'adam','wrong':true}");
        row("own.py", "d x y --steps 1", "{'data':'d','more':['x','y'],'steps':1}");
        row("own.py", "--opti adam", "{'optimizer':'adam'}");
        row("own.py", "--optimizer lamb", "");
        row("own.py", "--stpes 3", "");
        row("own.py", "--steps 3.5", "");
        row("own.py", "--steps", "");
        row("own.py", "--lr --amp", "");
        row("own.py", "--amp=1", "");
        row("own.py", "--betas", "");
        row("own.py", "-vv", "");
        row("own.py", "-- d", "");
        row("commands.py", "train --lr 1", "");
        row("absl_flags.py", "--lr=0.5 --norestore", "{'lr':0.5,'restore':false}");
        row("hydra_main.py", "model.lr=0.5 model=gpt n=007 a=true k=3",
            "{'a':true,'k':3,'model':'gpt','model.lr':0.5,'n':'007'}");
        row("hydra_main.py", "+x=1", "");
        row("hydra_main.py", "-m lr=1,2", "");
    }
    void wordsBecomeArguments() {
        QFETCH(QString, script);
        QFETCH(QString, words);
        QFETCH(QByteArray, arguments);
        const auto known = read(script);
        QVERIFY(known);
        const auto values = argumentsOf(wordsIn(words), *known);
        QCOMPARE(values ? QByteArray::fromStdString(jsonOf(*values)) : QByteArray(), arguments);
    }

    // What Python's parser makes of typed words, it makes of the words of the arguments that they became.
    void pythonTakesThemTheSame_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("all") << QStringList{
            "d",       "x y", "--lr", "-0.5",  "--steps", "7",     "--name", "a b",      "--amp", "--no-shuffle",
            "--betas", "1",   "2",    "--tag", "u v",     "--tag", "w",      "--layers", "1",     "--optimizer=adam"};
        QTest::newRow("defaults") << QStringList{"d", "--lr", "0.1", "--compile", "--optimizer", "sgd"};
        QTest::newRow("small") << QStringList{"d", "--lr=-1e-5", "--wrong", "False", "--cache", "yes"};
        QTest::newRow("empty") << QStringList{"", "--name", "", "--wrong", ""};
    }
    void pythonTakesThemTheSame() {
        QFETCH(QStringList, words);
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no Python here to ask");
        std::vector<std::string> typed;
        for (const QString& each : words) typed.push_back(each.toStdString());
        const auto known = read("own.py");
        const auto values = argumentsOf(typed, *known);
        QVERIFY(values);
        const auto made = argumentWords(*values, "auto", &*known);
        QVERIFY2(made.ok(), text(made).c_str());
        QStringList again;
        for (const auto& each : *made) again << text(each);
        const auto output = [&](const QStringList& given) {
            QProcess process;
            process.start(python, QStringList{"-B", m_folder.filePath("own.py")} + given);
            const bool ended = process.waitForFinished();
            return ended && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                    : "failed: " + process.readAllStandardError();
        };
        const QByteArray as = output(words);
        if (as.contains("BooleanOptionalAction")) QSKIP("this Python is older than 3.9");
        QVERIFY2(as.startsWith('{'), as);
        QCOMPARE(output(again), as);
    }

    // Feature: a rank's command line, with its placeholders, and the words to resume with where there is a checkpoint.
    void rankGetsItsWords_data() {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, QByteArray program, const char* checkpoint, const char* words) {
            QTest::newRow(name) << program.replace('\'', '"') << QString(checkpoint) << QString(words);
        };
        row("a list", "'script': 'own.py', 'arguments': ['d', '--name', '{run}-{trial}', '--steps={worldSize}']", "",
            "py own.py --local_rank=1 --seed=7 d --name r-t --steps=4");
        row("by name", "'script': 'own.py', 'arguments': {'data': '{output}/{rank}', 'name': 'x{port}{}{y}'}", "",
            "py own.py --local_rank=1 --seed=7 o/3 --name x99{}{y}");
        row("a seed of its own", "'script': 'own.py', 'arguments': {'seed': 5, 'local_rank': 0}", "",
            "py own.py --seed 5 --local_rank 0");
        row("a module", "'module': 'a.b', 'arguments': ['{seed}']", "", "py -m a.b --local_rank=1 --seed=7 7");
        row("a command", "'command': ['./t', '{localRank}', 'a b']", "", "./t 1 'a b'");
        row("to resume", "'command': ['./t'], 'resume': ['--from', '{checkpoint}']", "c.pt", "./t --from c.pt");
        row("nothing to resume", "'command': ['./t'], 'resume': ['--from', '{checkpoint}']", "", "./t");
        row("an argument for it", "'script': 'own.py', 'arguments': {'resume': '{checkpoint}', 'seed': 1}", "c",
            "py own.py --local_rank=1 --seed 1 --resume c");
        row("left out", "'script': 'own.py', 'arguments': {'resume': '{checkpoint}', 'seed': 1}", "",
            "py own.py --local_rank=1 --seed 1");
        row("words left out", "'command': ['t', '--amp', '--resume', '{checkpoint}', '--r={checkpoint}', 'x']", "",
            "t --amp x");
    }
    void rankGetsItsWords() {
        QFETCH(QByteArray, program);
        QFETCH(QString, checkpoint);
        QFETCH(QString, words);
        const auto run = spec::parseRunSpec("{\"program\": {" + program.toStdString() + "}}");
        QVERIFY2(run.ok(), text(run).c_str());
        const auto known = read("own.py");
        const Placeholders placeholders{3, 1, 4, "o", checkpoint.toStdString(), "r", "t", 7, 99};
        const auto made = rankWords(*run->program, "py", &*known, placeholders, {.passSeed = true});
        QVERIFY2(made.ok(), text(made).c_str());
        QCOMPARE(shown(*made), words);
    }

    void offeredValuesAreThoseOfTheScript() {
        const auto known = read("own.py");
        QCOMPARE(jsonOf(offeredValues(*known)),
                 std::string(R"({"amp":false,"betas":[0.9,0.999],"cache":false,"compile":true,"config":"","data":"",)"
                             R"("local_rank":-1,"lr":0.1,"name":"base","optimizer":"sgd","seed":0,"shuffle":true,)"
                             R"("steps":10,"verbose":0,"wrong":true})"));
    }

private:
    std::optional<ScriptArguments> read(const QString& script) const {
        if (script.isEmpty()) return std::nullopt;
        const QString path = script == "own.py" ? m_folder.filePath(script) : kPrograms + script;
        const auto found = readArguments(path.toStdString());
        return found ? std::optional(*found) : std::nullopt;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ProgramWordsTest)
#include "program_words_test.moc"
