// SPDX-License-Identifier: GPL-3.0-or-later
// What scripts take on their command line, read from their sources: tests/programs/arguments/NAME.py takes what
// NAME.txt says, and what Python's own parser holds.
#include "engine/program/arguments/script_arguments.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::program;

namespace {

const QString kScripts = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/arguments/");

QString words(const std::vector<std::string>& list) {
    QStringList all;
    for (const auto& each : list) all << QString::fromStdString(each);
    return all.join(' ');
}

// As tests/unit/python/held_arguments.py writes it.
QString lineOf(const Argument& argument) {
    const auto text = [](const std::string& each) { return QString::fromStdString(each); };
    const QString byDefault = argument.byDefault ? text(pythonText(*argument.byDefault)) : QString();
    const bool isGiven = !(argument.required && byDefault == "None");
    const QString choices = argument.choices.empty() ? QString() : text(pythonText({argument.choices}));
    return QStringList{text(argument.name),
                       words(argument.flags),
                       text(argument.type),
                       isGiven ? byDefault : QString(),
                       choices,
                       text(argument.nargs),
                       argument.required ? "required" : "",
                       text(argument.group),
                       text(argument.subcommand)}
        .join(" | ");
}

// Also what Python's parser does not tell.
QString told(const ScriptArguments& found) {
    QString told = QString("style: %1\n").arg(toString(found.style));
    for (const auto& each : found.arguments) {
        told += lineOf(each) + QString("  <%1:%2>").arg(QString::fromStdString(each.place.file)).arg(each.place.line) +
                "\n";
        if (!each.help.empty()) told += "    " + QString::fromStdString(each.help) + "\n";
        if (!each.certain()) told += "    ? " + QString::fromStdString(each.computed) + "\n";
    }
    for (const auto& each : found.unread)
        told += QString("not read: %1:%2: %3\n")
                    .arg(QString::fromStdString(each.place.file))
                    .arg(each.place.line)
                    .arg(QString::fromStdString(each.what));
    if (!found.configFile.empty()) told += "settings: " + QString::fromStdString(found.configFile) + "\n";
    return told;
}

QString textOfFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class ScriptArgumentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    // Feature: the arguments of a Python script, read from its source: names, types, defaults, choices, groups, help.
    void scriptsAreReadAsWritten_data() {
        QTest::addColumn<QString>("script");
        const QDir folder(kScripts);
        for (const QString& table : folder.entryList({"*.txt"})) {
            const QString name = table.chopped(4);
            QTest::newRow(qPrintable(name)) << (QDir(kScripts + name).exists() ? name + "/train.py" : name + ".py");
        }
    }
    void scriptsAreReadAsWritten() {
        QFETCH(QString, script);
        const auto found = readArguments((kScripts + script).toStdString());
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        const QString expected = textOfFile(kScripts + QString(QTest::currentDataTag()) + ".txt");
        QVERIFY(!expected.isEmpty());
        const QStringList is = told(*found).split('\n'), should = expected.split('\n');
        for (qsizetype at = 0; at < std::min(is.size(), should.size()); ++at) QCOMPARE(is[at], should[at]);
        QCOMPARE(is.size(), should.size());
    }

    void pythonHoldsTheSame_data() {
        QTest::addColumn<QString>("script");
        for (const char* each : {"mnist.py", "imagenet.py", "grouped.py", "commands.py", "project/train.py"})
            QTest::newRow(each) << QString(each);
    }
    void pythonHoldsTheSame() {
        QFETCH(QString, script);
        const QString python = QStandardPaths::findExecutable("python3");
        if (python.isEmpty()) QSKIP("no Python here to compare with");
        QProcess process;
        process.start(python, {"-B", TRAINYARD_SOURCE_DIR "/tests/unit/python/held_arguments.py", kScripts + script});
        QVERIFY(process.waitForFinished());
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const auto found = readArguments((kScripts + script).toStdString());
        QVERIFY(found.ok());
        QStringList lines;
        for (const auto& each : found->arguments) lines << lineOf(each);
        const QStringList held = QString::fromUtf8(process.readAllStandardOutput()).chopped(1).split('\n');
        for (qsizetype at = 0; at < std::min(lines.size(), held.size()); ++at) QCOMPARE(lines[at], held[at]);
        QCOMPARE(lines.size(), held.size());
    }

    // Bad inputs: a script that is missing, a folder, too large, not UTF-8, or no Python: file, line and remedy.
    void badScriptsAreExplained_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("line");
        const auto row = [](const char* name, const QByteArray& source, const char* message, int line) {
            QTest::newRow(name) << source << QString(message) << line;
        };
        row("a line of 10 MB", "x = '" + QByteArray(10'000'000, 'a') + "'\n", "larger than the limit", 0);
        row("not UTF-8", "a = 1\nb = '\xff'\n", "is not UTF-8 text", 2);
        row("an open text", "a = 1\n\nb = 'c\n", "a text does not end", 3);
        row("an open text of several lines", "\n'''a\nb\nc", "a text does not end", 2);
        row("an open bracket", "a = (\n1,\n", "\"(\" is never closed", 1);
        row("a closing bracket", "a = 1\n)\n", "\")\" closes nothing", 2);
        row("the wrong bracket", "(1]\n", "\"]\" closes nothing", 1);
        row("nested too deep", QByteArray(300, '(') + QByteArray(300, ')'), "nested more than 200 deep", 1);
        row("an open field", "f'{a'\n", "does not end", 1);
        row("a notebook's magic", "import x\n!pip install y\n", "there is a \"!\"", 2);
        row("NUL", QByteArray("a = 1\n\0b", 8), "which Python does not know here", 2);
        row("behind a backslash", "a = \\ 1\n", "something behind a \"\\\"", 1);
    }
    void badScriptsAreExplained() {
        QFETCH(QByteArray, source);
        QFETCH(QString, message);
        QFETCH(int, line);
        const QString path = write("bad.py", source);
        const auto found = readArguments(path.toStdString());
        QVERIFY(!found.ok());
        QCOMPARE(found.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(found.error().message).contains(message), found.error().message.c_str());
        const QString where = line == 0 ? path : QString("%1, line %2").arg(path).arg(line);
        QCOMPARE(QString::fromStdString(found.error().where), where);
        QVERIFY(!found.error().remedy.empty());
    }

    void missingScriptsAreExplained() {
        const auto missing = readArguments((m_folder.path() + "/none.py").toStdString());
        QVERIFY(!missing.ok());
        QCOMPARE(missing.error().code, ErrorCode::FileMissing);
        const auto folder = readArguments(m_folder.path().toStdString());
        QVERIFY(!folder.ok());
        QCOMPARE(QString::fromStdString(folder.error().message), "this is a folder, not a file");
    }

    // Bad inputs: scripts that would keep a reader busy: imports in circles, classes of themselves, endless constants.
    void readingEnds_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::newRow("imports itself") << QByteArray("from busy import *\nfrom busy import x\nx()\nget_args(x)\n");
        QTest::newRow("calls itself") << QByteArray(
            "def get_args(p):\n  get_args(p)\n  args(p)\ndef args(p):\n  get_args(p)\n"
            "import argparse\np = argparse.ArgumentParser()\nget_args(p)\n");
        QTest::newRow("class of itself") << "class Args(" + QByteArray("Args,").repeated(300) +
                                                "):\n  def f(self):\n    pass\nArgs()\n";
        QByteArray doubled = "a0 = [1, 1]\n";
        for (int i = 1; i < 60; ++i) doubled += QString("a%1 = a%2 + a%2 + [a%2]\n").arg(i).arg(i - 1).toUtf8();
        QTest::newRow("doubled lists") << doubled + "p.add_argument('--a', default=a59)\n";
        QTest::newRow("a constant of itself")
            << QByteArray("a = [a, b]\nb = [a, b]\np.add_argument('--a', default=a)\n");
        QTest::newRow("a million calls") << QByteArray("f(g(h()))\n").repeated(300'000);
        QTest::newRow("nested lists") << "a = " + QByteArray(199, '[') + QByteArray(199, ']') +
                                             "\np.add_argument('--a', default=a)\n";
    }
    void readingEnds() {
        QFETCH(QByteArray, source);
        QElapsedTimer timer;
        timer.start();
        const auto found = readArguments(write("busy.py", source).toStdString());
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
    }

    // A file that cannot be read costs what it adds, not the script.
    void aBrokenImportIsTold() {
        write("broken.py", "def get_args(p):\n  p.add_argument('--x'\n");
        const auto found = readArguments(
            write("whole.py", "import argparse\nfrom broken import get_args\np = argparse.ArgumentParser()\n"
                              "get_args(p)\np.add_argument('--y')\n")
                .toStdString());
        QVERIFY(found.ok());
        QCOMPARE(found->arguments.size(), std::size_t{1});
        QVERIFY(!found->unread.empty());
        QVERIFY(QString::fromStdString(found->unread.back().what).contains("is never closed"));
    }

    void aScriptWithoutArgumentsHasNone() {
        const auto found = readArguments(write("plain.py", "print('training')\n").toStdString());
        QVERIFY(found.ok());
        QVERIFY(found->arguments.empty() && found->unread.empty());
        QCOMPARE(found->style, ArgumentStyle::None);
        QVERIFY(readArguments(write("empty.py", "").toStdString()).ok());
    }

private:
    QString write(const QString& name, const QByteArray& source) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(source) != source.size()) return {};
        return file.fileName();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ScriptArgumentsTest)
#include "script_arguments_test.moc"
