// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages and completion: they know what --help knows, and the shells' own programs take them.
#include "tests/multiproc/lab/run_lab.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <sys/resource.h>

#include <algorithm>

using namespace trainyard;
using test::RunLab;

namespace {

struct Output {
    int code = -1;
    QString out, err;
};

Output runProgram(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60'000)) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

// A page as people read it.
QString plain(QString roff) {
    roff.remove("\\&").remove("\\fB").remove("\\fR");
    return roff.replace("\\-", "-")
        .replace("\\e", "\\")
        .replace("\\(aq", "'")
        .replace("\\(ti", "~")
        .replace("\\(ha", "^");
}

QString readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// What --help lists below a heading: the first words of its lines. CLI11 from 2.5 on writes headings large, and "-h,"
// and "--help" in columns of their own.
QStringList listed(const QString& help, const QString& heading) {
    QStringList words;
    bool inside = false;
    for (const QString& line : help.split('\n')) {
        if (!line.startsWith(' ')) inside = line.startsWith(heading, Qt::CaseInsensitive);
        static const QRegularExpression entry("^ {2,10}((?:-[^ ,], +)?[^ ]+)");
        const auto match = entry.match(line);
        if (inside && match.hasMatch()) words += match.captured(1).remove(' ').split(',');
    }
    return words;
}

} // namespace

class CtlHelpTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_built = QString::fromUtf8(qgetenv("TRAINYARD_BIN"));
        m_lab = std::make_unique<RunLab>();
        const auto made = runProgram(
            ctl(), {"manual", pages(), "--run-file", QString(TRAINYARD_SOURCE_DIR) + "/engine/spec/RUN_FILE.md"});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        m_run = m_lab->start({.plan = "", .epochs = 2});
        QCOMPARE(m_lab->waitForEnd(m_run).status, wire::RunStatus::Finished);
    }
    void cleanupTestCase() { m_lab.reset(); }

    // Feature: manual pages of every command, option and field of a run file; completion in bash, zsh and fish. Also in
    // packages_test.
    void everyOptionIsInTheManualPages() { checkCommand({}, {}); }
    void everyOptionOfTheOtherProgramsIsInTheirs_data();
    void everyOptionOfTheOtherProgramsIsInTheirs();
    void everyFieldOfARunFileIsInItsPage();
    void manWarnsOfNothing();
    void completes_data();
    void completes();
    void knowsRunsAndCheckpoints();
    void isQuick();
    void showsTheArgumentsOfAScript();
    void bashCompletes_data();
    void bashCompletes();
    void otherShellsTakeTheirScripts_data();
    void otherShellsTakeTheirScripts();

private:
    QString ctl() const { return m_built + "/trainyardctl"; }
    QString pages() const { return QString::fromStdString(m_lab->folder()) + "/pages"; }
    QStringList offered(QStringList words) const;
    // The command and those below it, against the page of the first word.
    void checkCommand(const QStringList& path, const QString& page);

    QString m_built;
    std::unique_ptr<RunLab> m_lab;
    std::string m_run;
};

void CtlHelpTest::checkCommand(const QStringList& path, const QString& page) {
    const auto help = runProgram(ctl(), path + QStringList{"--help"});
    QVERIFY2(help.code == 0, qPrintable(path.join(' ') + help.err));
    const QString name = path.isEmpty() ? QString("trainyardctl") : "trainyardctl-" + path.front();
    const QString text = page.isEmpty() ? plain(readFile(pages() + '/' + name + ".1")) : page;
    QVERIFY2(!text.isEmpty(), qPrintable(name + " has no page"));
    const QStringList options = listed(help.out, "Options:"), commands = listed(help.out, "Subcommands:");
    QVERIFY(options.contains("--help"));
    for (const QString& option : options)
        QVERIFY2(text.contains(QRegularExpression("\\n(-[^\\n]*, )?" + QRegularExpression::escape(option) + "[ ,\\n]")),
                 qPrintable(path.join(' ') + ": " + option + " is not in " + name));
    QVERIFY(!path.isEmpty() || commands.size() > 30);
    for (const QString& command : commands)
        checkCommand(path + QStringList{command}, path.isEmpty() ? QString() : text);
}

void CtlHelpTest::everyOptionOfTheOtherProgramsIsInTheirs_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("verb");
    QTest::newRow("the window") << "trainyard" << "--manual";
    QTest::newRow("the worker") << "trainyard-worker" << "manual";
}

void CtlHelpTest::everyOptionOfTheOtherProgramsIsInTheirs() {
    QFETCH(QString, program);
    QFETCH(QString, verb);
    const QString path = m_built + '/' + program, page = pages() + '/' + program + ".1";
    if (!QFile::exists(path)) QSKIP("this build does not have the program");
    const auto made = runProgram(path, {verb, page});
    QVERIFY2(made.code == 0, qPrintable(made.err));
    const QString text = plain(readFile(page)), help = runProgram(path, {"--help"}).out;
    static const QRegularExpression option("(?<![\\w-])--[a-z][a-z-]+");
    int found = 0;
    for (auto each = option.globalMatch(help); each.hasNext(); ++found) {
        const QString name = each.next().captured();
        if (name == "--help-all") continue; // Qt's own options, which are for developers
        QVERIFY2(text.contains(name), qPrintable(name + " is not in " + program + "(1)"));
    }
    QVERIFY(found > 4);
}

void CtlHelpTest::everyFieldOfARunFileIsInItsPage() {
    const QString document = readFile(QString(TRAINYARD_SOURCE_DIR) + "/engine/spec/RUN_FILE.md");
    const QString page = plain(readFile(pages() + "/trainyard-run-file.5"));
    static const QRegularExpression row("^\\| `([A-Za-z]+)` \\|", QRegularExpression::MultilineOption);
    int found = 0;
    for (auto each = row.globalMatch(document); each.hasNext(); ++found) {
        const QString field = each.next().captured(1);
        QVERIFY2(page.contains(".TP\n" + field + '\n'), qPrintable(field + " is not in the page"));
    }
    QVERIFY(found > 80);
    QVERIFY(!page.contains('`') && !page.contains("](") && !page.contains("**"));
}

void CtlHelpTest::manWarnsOfNothing() {
    if (QStandardPaths::findExecutable("man").isEmpty() || QStandardPaths::findExecutable("groff").isEmpty())
        QSKIP("man-db or groff is not installed");
    const QStringList files = QDir(pages()).entryList(QDir::Files);
    QVERIFY(files.size() > 35);
    for (const QString& file : files) {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LC_ALL", "C.UTF-8");
        environment.insert("MANROFFSEQ", "");
        environment.insert("MANWIDTH", "80");
        process.setProcessEnvironment(environment);
        process.start("man", {"--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", pages() + '/' + file});
        QVERIFY(process.waitForFinished(60'000));
        const auto said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0 && said.isEmpty(), (file.toUtf8() + ": " + said).constData());
    }
}

QStringList CtlHelpTest::offered(QStringList words) const {
    const auto answer = runProgram(ctl(), QStringList{"complete"} + words);
    QStringList lines = answer.out.split('\n', Qt::SkipEmptyParts);
    for (auto& line : lines) line = line.section('\t', 0, 0);
    return lines;
}

void CtlHelpTest::completes_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("wanted"); // the flags, then the words
    const auto row = [](const char* name, const QStringList& words, const QStringList& wanted) {
        QTest::newRow(name) << words << wanted;
    };
    row("a command", {"exp"}, {":none", "export"});
    row("a command below", {"checkpoints", "un"}, {":none", "unpin"});
    row("no command", {"frobnicate", ""}, {":none", "--help", "--version"});
    row("an option", {"export", "--fo"}, {":none", "--format", "--force"});
    row("not one that is given", {"export", "--force", "x", "--fo"}, {":none", "--format"});
    row("a short option", {"logs", "-"}, {":none", "--help", "-h", "--follow", "-f", "--workspace", "--json", "--on"});
    row("the value of an option", {"export", "--format", "s"}, {":none", "safetensors", "state-dict"});
    row("the same behind a sign", {"export", "--format=c"}, {":none", "--format=csv"});
    row("a file", {"run", ""}, {":files"});
    row("a folder", {"runs", "--workspace", ""}, {":folders"});
    row("a field", {"run", "--set", "checkpoint.everyE"}, {":open", "checkpoint.everyEpochs="});
    row("no field after its sign", {"run", "--set", "epochs=1"}, {":open"});
    row("a dataset", {"datasets", "download", "cifar"}, {":none", "cifar10", "cifar100"});
    row("a shell", {"completion", ""}, {":none", "bash", "zsh", "fish"});
    row("only arguments after a double dash", {"run", "--", "--fo"}, {":files"});
    const QString script = QStringLiteral(TRAINYARD_SOURCE_DIR "/examples/programs/plain.py");
    row("the arguments of a script", {"run", "--workers", "2", script, "--s"}, {":none", "--steps", "--seed"});
    row("what follows them", {"run", script, "--lr", ""}, {":files"});
    row("more arguments than there are", {"show", "a", "b", "--js"}, {":none", "--json"});
}

void CtlHelpTest::completes() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, wanted);
    QCOMPARE(offered(words), wanted);
}

void CtlHelpTest::knowsRunsAndCheckpoints() {
    QCOMPARE(offered({"show", "scr"}), QStringList({":none", "scripted"}));
    QCOMPARE(offered({"compare", "scripted", ""}), QStringList({":none", "scripted"}));
    QCOMPARE(offered({"export", "scripted@"}),
             QStringList({":none", "scripted@20", "scripted@best", "scripted@last", "scripted@40"}));
    QCOMPARE(offered({"export", "scripted@b"}), QStringList({":none", "scripted@best"}));
    QCOMPARE(offered({"run", "--from", "scripted@l"}), QStringList({":none", "scripted@last"}));
    QCOMPARE(offered({"show", "--workspace", pages(), "scr"}), QStringList({":none"})); // no runs there
}

// Of processor time, so that other programs count little: on a shared processor it passes more slowly.
void CtlHelpTest::isQuick() {
    double least = 1e9;
    for (int i = 0; i < 60 && least >= 30; ++i) {
        rusage before{}, after{};
        ::getrusage(RUSAGE_CHILDREN, &before);
        (void)offered({"export", "scripted@"});
        ::getrusage(RUSAGE_CHILDREN, &after);
        const auto milliseconds = [](const timeval& time) {
            return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
        };
        least = std::min(least, milliseconds(after.ru_utime) + milliseconds(after.ru_stime) -
                                    milliseconds(before.ru_utime) - milliseconds(before.ru_stime));
    }
    QVERIFY2(least < 30, qPrintable(QString("%1 ms").arg(least)));
}

// Feature: the arguments of a Python script, read from its source. Also in script_arguments_test.
void CtlHelpTest::showsTheArgumentsOfAScript() {
    const QString script = QString(TRAINYARD_SOURCE_DIR) + "/tests/programs/arguments/computed.py";
    const auto table = runProgram(ctl(), {"arguments", script});
    QCOMPARE(table.code, 0);
    static const QRegularExpression row("(?m)^  --lr +float +0\\.1 *$"),
        unread("(?m)^not read\n  .*computed\\.py:11: ");
    QVERIFY2(row.match(table.out).hasMatch() && unread.match(table.out).hasMatch(), qPrintable(table.out));
    const auto json = runProgram(ctl(), {"arguments", script, "--json"});
    const auto arguments = QJsonDocument::fromJson(json.out.toUtf8())["arguments"].toArray();
    const auto lr = std::find_if(arguments.begin(), arguments.end(),
                                 [](const auto& each) { return each.toObject()["name"] == "lr"; });
    QVERIFY2(lr != arguments.end(), qPrintable(json.out + json.err));
    QCOMPARE(lr->toObject()["default"].toDouble(), 0.1);
    const auto none = runProgram(ctl(), {"arguments", "/nowhere/train.py"});
    QCOMPARE(none.code, 2);
    QVERIFY2(none.err.contains("/nowhere/train.py: there is no such file (check the path)"), qPrintable(none.err));
}

void CtlHelpTest::bashCompletes_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words"); // as bash breaks the line
    QTest::addColumn<QStringList>("wanted");
    QTest::newRow("a command") << "ctl exp" << QStringList{"ctl", "exp"} << QStringList{"export"};
    QTest::newRow("a run") << "ctl show s" << QStringList{"ctl", "show", "s"} << QStringList{"scripted"};
    QTest::newRow("a checkpoint") << "ctl export scripted@b" << QStringList{"ctl", "export", "scripted", "@", "b"}
                                  << QStringList{"best"};
    QTest::newRow("a value") << "ctl export --format=to" << QStringList{"ctl", "export", "--format", "=", "to"}
                             << QStringList{"torchscript"};
    QTest::newRow("a value of nothing typed")
        << "ctl export scripted --format=" << QStringList{"ctl", "export", "scripted", "--format", "="}
        << QStringList{"safetensors", "state-dict", "torchscript", "peft", "csv", "tensorboard", "bundle"};
    QTest::newRow("a field") << "ctl run --set checkpoint.keep" << QStringList{"ctl", "run", "--set", "checkpoint.keep"}
                             << QStringList{"checkpoint.keep="};
    QTest::newRow("a file") << "ctl run run.j" << QStringList{"ctl", "run", "run.j"} << QStringList{"run.json"};
}

void CtlHelpTest::bashCompletes() {
    QFETCH(QString, line);
    QFETCH(QStringList, words);
    QFETCH(QStringList, wanted);
    QDir folder(QString::fromStdString(m_lab->folder()));
    QVERIFY(folder.mkpath("typed"));
    QVERIFY(QFile::exists(folder.filePath("typed/run.json")) ||
            QFile::copy(QString(TRAINYARD_SOURCE_DIR) + "/examples/fashion_mnist_mlp.json",
                        folder.filePath("typed/run.json")));
    const auto quoted = [](QString text) { return '\'' + text.replace("'", "'\\''") + '\''; };
    line.replace(0, 3, ctl());
    words.front() = ctl();
    QString script = "set -u; cd " + quoted(folder.filePath("typed")) + "; source <(" + quoted(ctl()) +
                     " completion bash); COMP_LINE=" + quoted(line) + "; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(";
    for (const QString& word : words) script += quoted(word) + ' ';
    script += "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_WORDBREAKS=$' \\t\\n\"\\'@><=;|&(:'; _trainyardctl; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"";
    const auto answer = runProgram("bash", {"--norc", "-c", script});
    QVERIFY2(answer.err.isEmpty(), qPrintable(answer.err));
    QCOMPARE(answer.out.split('\n', Qt::SkipEmptyParts), wanted);
}

void CtlHelpTest::otherShellsTakeTheirScripts_data() {
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"bash", "zsh", "fish"}) QTest::newRow(shell) << shell;
}

void CtlHelpTest::otherShellsTakeTheirScripts() {
    QFETCH(QString, shell);
    if (QStandardPaths::findExecutable(shell).isEmpty()) QSKIP(qPrintable(shell + " is not installed"));
    const auto script = runProgram(ctl(), {"completion", shell});
    QVERIFY(script.code == 0 && script.out.contains("trainyardctl"));
    QFile file(pages() + "/script");
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(script.out.toUtf8()) > 100);
    file.close();
    const auto parsed = runProgram(shell, {"-n", file.fileName()});
    QVERIFY2(parsed.code == 0 && parsed.err.isEmpty(), qPrintable(parsed.err));

    // What the shell itself makes of it: fish completes a line without a terminal; zsh hands its list to _describe.
    const QString setup = "export PATH='" + m_built + "':$PATH; ";
    QString wanted = "state-dict";
    Output answer{0, wanted, {}};
    if (shell == "fish") {
        answer = runProgram(
            shell, {"--no-config", "-c",
                    setup + "source '" + file.fileName() + "'; complete -C 'trainyardctl export --format st'"});
    } else if (shell == "zsh") {
        wanted += ':';
        answer = runProgram(shell, {"-f", "-c",
                                    setup + "compdef() {}; _describe() { print -rl -- \"${(@P)4}\" }; source '" +
                                        file.fileName() +
                                        "'; words=(trainyardctl export --format st); CURRENT=4; PREFIX=st; "
                                        "_trainyardctl"});
    }
    QVERIFY(file.remove());
    QVERIFY2(answer.out.trimmed() == wanted, qPrintable(answer.out + answer.err));
}

QTEST_GUILESS_MAIN(CtlHelpTest)
#include "ctl_help_test.moc"
