// SPDX-License-Identifier: GPL-3.0-or-later
// A command line by the arguments of a real script, and back.
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/line/argument_line.h"
#include "engine/program/line/word_split.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace trainyard;
using namespace trainyard::program;

namespace {

const QString kFolder = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/arguments/");

ScriptArguments scriptOf(const QString& name) {
    const auto found = readArguments((kFolder + name).toStdString());
    if (!found) qFatal("%s", found.error().text().c_str());
    return *found;
}

// "lr=0.1 amp=on data=[a|b] : rest"
QString toldOf(const ArgumentLine& line) {
    QStringList told;
    if (!line.subcommand.empty()) told << '@' + QString::fromStdString(line.subcommand);
    for (const auto& [name, given] : line.given) {
        const auto* on = std::get_if<bool>(&given);
        QStringList words;
        if (!on)
            for (const auto& word : std::get<1>(given)) words << QString::fromStdString(word);
        told << QString::fromStdString(name) + '=' + (on ? QString(*on ? "on" : "off") : words.join('|'));
    }
    if (!line.rest.empty()) told << ": " + QString::fromStdString(joinWords(line.rest));
    return told.join(' ');
}

} // namespace

class ArgumentLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsAreSplitAsAShellDoes_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"a b", "  a\tb\n", "'a b' c", "a'b c'd", "\"a \\\" b\"", "a\\ b", "'' \"\"", "a\\\nb",
                                 "\"a\\nb\"", "--a=\"x y\" 'it'\\''s'", "\"\\\\\""})
            QTest::newRow(text) << text;
    }
    void wordsAreSplitAsAShellDoes() {
        QFETCH(QString, text);
        QProcess shell;
        shell.start("/bin/sh", {"-c", "printf '<%s>' " + text});
        QVERIFY(shell.waitForFinished());
        QString mine;
        const auto words = splitWords(text.toStdString());
        QVERIFY(words.ok());
        for (const auto& word : *words) mine += '<' + QString::fromStdString(word) + '>';
        QCOMPARE(mine, QString::fromUtf8(shell.readAllStandardOutput()));
        QCOMPARE(*splitWords(joinWords(*words)), *words);
    }

    // Bad inputs: a quotation mark that is never closed is refused, with a remedy.
    void anOpenQuotationMarkIsRefused() {
        for (const char* text : {"'a", "a \"b", "\"a\\\""}) {
            const auto words = splitWords(text);
            QVERIFY(!words.ok());
            QCOMPARE(words.error().kind, ErrorKind::Input);
            QVERIFY(!words.error().remedy.empty());
        }
    }

    // Feature: a command line is taken apart by the arguments of its script, and put together again.
    void linesAreTakenApartAndBack_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("told");
        QTest::addColumn<QString>("back"); // empty: the same line
        const auto row = [](const char* name, const char* script, const char* line, const char* told,
                            const char* back = "") { QTest::newRow(name) << script << line << told << back; };
        row("options", "mnist.py", "--lr 0.5 --no-cuda", "lr=0.5 no_cuda=on");
        row("joined", "mnist.py", "--lr=0.5 --epochs=3", "epochs=3 lr=0.5", "--epochs 3 --lr 0.5");
        row("a default has no word", "mnist.py", "--lr 1.00 --epochs 14 --seed 2", "epochs=14 lr=1.00 seed=2",
            "--seed 2");
        row("two words", "mnist.py", "--betas 0.8 0.9", "betas=0.8|0.9");
        row("one that is unknown", "mnist.py", "--lr 0.5 --wandb team/x", "lr=0.5 : --wandb team/x");
        row("an abbreviation", "mnist.py", "--ep 3", "epochs=3", "--epochs 3");
        row("one of two", "mnist.py", "--s 3", ": --s 3");
        row("blanks in a word", "mnist.py", "--data 'a b'", "data=a b");
        row("a word like a flag", "mnist.py", "--data=-x", "data=-x");
        row("short ones", "imagenet.py", "-a vit_b_16 -j8 -e -vv --world-size 1",
            "arch=vit_b_16 evaluate=on v=2 "
            "workers=8 world_size=1",
            "--arch vit_b_16 --workers 8 --evaluate --world-size 1 -v -v");
        row("positional first", "imagenet.py", "--lr 0.3 data/x", "data=data/x lr=0.3", "data/x --lr 0.3");
        row("too many of them", "imagenet.py", "a b", "data=a : b");
        row("a negative number", "imagenet.py", "--wd -0.5", "weight_decay=-0.5", "--wd=-0.5");
        row("on and off", "grouped.py", "a.csv b.csv --no-amp --no-shuffle", "amp=off input=a.csv|b.csv shuffle=off");
        row("str2bool", "grouped.py", "a --ema True", "ema=True input=a");
        row("subcommand", "commands.py", "--verbose evaluate m.pt --lr 0.5",
            "@evaluate checkpoint=m.pt lr=0.5 verbose=on");
        row("absl", "absl_flags.py", "-lr=0.5 --restore --workdir /tmp", "lr=0.5 restore=on workdir=/tmp",
            "--lr=0.5 --restore=true --workdir=/tmp");
        row("configurator", "char_gpt.py", "--learning_rate=0.1 --decay_lr=False", "decay_lr=False learning_rate=0.1");
        row("Hydra", "hydra_main.py", "model.lr=0.1 +x=2", ": model.lr=0.1 +x=2");
        row("behind --", "imagenet.py", "-- -x", "data=-x", "-x");
    }
    void linesAreTakenApartAndBack() {
        QFETCH(QString, script);
        QFETCH(QString, line);
        QFETCH(QString, told);
        QFETCH(QString, back);
        const auto arguments = scriptOf(script);
        const auto read = lineOf(*splitWords(line.toStdString()), arguments);
        QCOMPARE(toldOf(read), told);
        QCOMPARE(QString::fromStdString(joinWords(wordsOf(read, arguments, "auto"))), back.isEmpty() ? line : back);
    }
};

QTEST_APPLESS_MAIN(ArgumentLineTest)
#include "argument_line_test.moc"
