// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents promise: links and images exist, commands and options exist, run files validate, each rule of the
// product stands once at its code, each feature, fault and table of bad inputs at its test.
#include "tests/layers/source_tree.h"
#include "tests/layers/test_marks.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard::layers;

namespace {

const QString kRoot = TRAINYARD_SOURCE_DIR;

// The documents of the root, and those beside the code.
QStringList allDocuments() {
    QStringList found = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"};
    for (const char* folder : {"engine", "remote", "ui", "app", "tests", "resources", "examples"}) {
        QDirIterator walk(kRoot + '/' + QLatin1String(folder), {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) found << QDir(kRoot).relativeFilePath(walk.next());
    }
    return found;
}

// Escaped by hand: moc does not read raw strings that hold quotation marks.
const char* const kMarkdownLink = "\\]\\(([^)\\s]+)\\)";
const char* const kHtmlLink = "(?:src|srcset|href)=\"([^\"]+)\"";
const char* const kPath = "`((?:engine|remote|ui|app|tests|resources|examples|installer)/[\\w./-]+)`";

QString binary(const QString& program) { return qEnvironmentVariable("TRAINYARD_BIN") + '/' + program; }

// The contents of the ```language blocks of a document.
QStringList snippets(const QString& document, const QString& language) {
    const QRegularExpression fence("^```" + language + "\n(.*?)^```$",
                                   QRegularExpression::MultilineOption |
                                       QRegularExpression::DotMatchesEverythingOption);
    QStringList found;
    for (auto matches = fence.globalMatch(readText(kRoot + '/' + document)); matches.hasNext();)
        found << matches.next().captured(1);
    return found;
}

QStringList captures(const QString& text, const char* pattern) {
    QStringList found;
    for (auto matches = QRegularExpression(pattern).globalMatch(text); matches.hasNext();)
        found << matches.next().captured(1);
    return found;
}

// The commands of a shell snippet, comments gone, continued lines joined, each as its words.
QList<QStringList> commandsOf(QString snippet) {
    snippet.replace("\\\n", " ");
    QList<QStringList> commands;
    for (QString line : snippet.split('\n')) {
        line.remove(QRegularExpression(R"((^|\s)#.*$)"));
        for (const QString& part : line.split(QRegularExpression(R"(&&|\||;)"))) {
            const QStringList words = QProcess::splitCommand(part.trimmed());
            if (!words.isEmpty()) commands << words;
        }
    }
    return commands;
}

// The text of a test's file; empty: there is none.
QString sourceOfTest(const QString& name) {
    static const QHash<QString, QString> files = [] {
        QHash<QString, QString> found;
        QDirIterator walk(kRoot + "/tests", {"*_test.cpp"}, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QFileInfo file(walk.next());
            found.insert(file.completeBaseName(), file.filePath());
        }
        return found;
    }();
    return files.contains(name) ? readText(files[name]) : QString();
}

struct Rule {
    QString text, file;
};

// The rules of the product, from the comments at their declarations: "// Rule: which of two values is better.".
QList<Rule> rulesOf(const QString& root) {
    static const QRegularExpression comment("// Rule: *(.*)$", QRegularExpression::MultilineOption);
    QList<Rule> rules;
    for (const QString& file : sourceFiles(root)) {
        if (!file.endsWith(".h") || file.startsWith("tests/") || file.startsWith("examples/")) continue;
        for (auto matches = comment.globalMatch(readText(root + '/' + file)); matches.hasNext();)
            rules << Rule{matches.next().captured(1), file};
    }
    return rules;
}

struct Answer {
    int code = -1;
    QString text;
};

Answer runTerminal(const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(binary("trainyardctl"), arguments);
    if (!process.waitForFinished(30000)) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

// What stands behind `serve` and is no model.
const QStringList kServeWords{"status", "swap",  "canary", "shadow", "promote", "rollback", "scale",
                              "kill",   "drain", "stop",   "token",  "unit",    "bench",    "resume"};

// What is wrong with one command on trainyardctl: an unknown subcommand, or an option that its help does not list.
QString wrongWith(const QStringList& words) {
    QStringList subcommand{words.value(1)};
    const bool nested = words.value(1) == "hosts" || words.value(1) == "cluster" || words.value(1) == "datasets" ||
                        words.value(1) == "data" || words.value(1) == "slurm" ||
                        (words.value(1) == "checkpoints" && words.value(2) == "prune") ||
                        (words.value(1) == "serve" && kServeWords.contains(words.value(2))) ||
                        (words.value(1) == "sweep" && !words.value(2).endsWith(".json"));
    if (nested && !words.value(2).isEmpty() && !words.value(2).startsWith('-')) subcommand << words.value(2);
    if (subcommand.first().startsWith('-')) subcommand.clear();
    const Answer help = runTerminal(subcommand + QStringList{"--help"});
    if (help.code != 0) return words.join(' ') + ": no such command\n" + help.text;
    const bool mayBeProgram = words.value(1) == "run" || words.value(1) == "sweep";
    for (const QString& word : words.mid(1)) {
        if (mayBeProgram && (word == "--" || word == "-m" || word.endsWith(".py"))) break; // what follows is its own
        const QString option = word.section('=', 0, 0);
        if (option.startsWith("--") && !help.text.contains(option)) return words.join(' ') + ": no option " + option;
    }
    return {};
}

} // namespace

class DocumentsTest : public QObject {
    Q_OBJECT

    static void documentRows() {
        QTest::addColumn<QString>("document");
        for (const QString& document : allDocuments()) QTest::newRow(qPrintable(document)) << document;
    }

    // The marks of one kind in the tests, each with the name of its file: "formats_test".
    static QList<QPair<QString, Mark>> marksInTests(const QString& kind) {
        QList<QPair<QString, Mark>> found;
        for (const QString& file : sourceFiles(kRoot)) {
            if (!file.startsWith("tests/")) continue;
            for (const Mark& mark : marksOf(readText(kRoot + '/' + file)))
                if (mark.kind == kind) found << qMakePair(QFileInfo(file).completeBaseName(), mark);
        }
        return found;
    }

    // The sentences of one kind above the tests, sorted, each with the tests that prove it.
    static QMap<QString, QString> proofsOf(const QString& kind, QStringList& wrong) {
        static const QRegularExpression sentence("^(.+?)(?:\\. Also in ([\\w, ]+))?\\.$");
        QStringList programs;
        for (const QString& file : sourceFiles(kRoot)) programs << QFileInfo(file).completeBaseName();
        QMap<QString, QString> proofs;
        for (const auto& [program, mark] : marksInTests(kind)) {
            const QString place = program + "::" + mark.function;
            const auto match = sentence.match(mark.text);
            if (!match.hasMatch() || mark.function.isEmpty()) wrong << "no sentence above a test: " + place;
            if (proofs.contains(match.captured(1))) wrong << "stands twice: " + mark.text;
            QString& proof = proofs[match.captured(1)] = '`' + place + '`';
            for (const QString& other : match.captured(2).split(", ", Qt::SkipEmptyParts)) {
                if (!programs.contains(other)) wrong << place + " names what is not there: " + other;
                proof += ", `" + other + '`';
            }
        }
        return proofs;
    }

    // Writes a table for people into the folder of the build.
    static void writeTable(const QString& name, const QByteArray& table) {
        QFile file(qEnvironmentVariable("TRAINYARD_BIN") + "/../" + name);
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(file.fileName() + ": " + file.errorString()));
        QCOMPARE(file.write(table), table.size());
    }

private Q_SLOTS:
    // "// Feature: texts. Also in formats_test." above a test. Writes FEATURES.md.
    void everyFeatureStandsAtItsTest() {
        QStringList wrong;
        const auto proofs = proofsOf("Feature", wrong);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(proofs.size() >= 200, qPrintable(QString("only %1 features were found").arg(proofs.size())));
        QByteArray table = "| feature | proved by |\n|---|---|\n";
        for (auto proof = proofs.cbegin(); proof != proofs.cend(); ++proof)
            table += "| " + proof.key().toUtf8() + " | " + proof.value().toUtf8() + " |\n";
        writeTable("FEATURES.md", table);
    }

    // "// Fault: SIGKILL of all ranks. The run continues." above a test that injects it. Writes FAULTS.md.
    void everyFaultStandsAtItsTest() {
        QStringList wrong;
        const auto proofs = proofsOf("Fault", wrong);
        for (const QString& text : proofs.keys())
            if (!text.contains(". ")) wrong << "does not say what is expected: " + text;
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(proofs.size() >= 120, qPrintable(QString("only %1 faults were found").arg(proofs.size())));
        QByteArray table = "| fault | expected, and observed | test |\n|---|---|---|\n";
        for (auto proof = proofs.cbegin(); proof != proofs.cend(); ++proof)
            table += "| " + proof.key().section(". ", 0, 0).toUtf8() + " | " + proof.key().section(". ", 1).toUtf8() +
                     " | " + proof.value().toUtf8() + " |\n";
        writeTable("FAULTS.md", table);
    }

    // "// Bad inputs: CIFAR files. More about them." above a test or its rows. Writes BAD_INPUTS.md.
    void badInputsStandAtTheirTests() {
        QStringList wrong;
        QByteArray document = "# Bad inputs, and what the answer contains\n";
        qsizetype all = 0;
        for (const auto& [program, mark] : marksInTests("Bad inputs")) {
            const QString place = mark.function.isEmpty() ? program : program + "::" + mark.function;
            const auto rows = badRowsOf(mark.code);
            if (!mark.text.endsWith('.')) wrong << "no sentence: " + place;
            if (rows.isEmpty() && mark.function.isEmpty()) wrong << "neither rows nor a test: " + place;
            document += "\n## " + mark.text.section(". ", 0, 0).remove(QRegularExpression("\\.$")).toUtf8() + "\n\n`" +
                        place.toUtf8() + "`. " + mark.text.section(". ", 1).toUtf8() + '\n';
            if (!rows.isEmpty()) document += "\n| input | answer |\n|---|---|\n";
            for (const auto& [input, answer] : rows)
                document += "| " + input.toUtf8() + " | " + QString(answer).replace('|', "\\|").toUtf8() + " |\n";
            all += rows.size();
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(all >= 800, qPrintable(QString("only %1 rows were found").arg(all)));
        writeTable("BAD_INPUTS.md", document);
    }

    void linksAndImagesExist_data() { documentRows(); }
    void linksAndImagesExist() {
        QFETCH(QString, document);
        const QString text = readText(kRoot + '/' + document);
        const QDir folder = QFileInfo(kRoot + '/' + document).dir();
        QStringList missing;
        for (const QString& target : captures(text, kMarkdownLink) + captures(text, kHtmlLink)) {
            const QString path = target.section('#', 0, 0);
            if (path.isEmpty() || path.contains("://")) continue;
            if (!folder.exists(path)) missing << path;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(document + " links what is not there: " + missing.join(", ")));
    }

    // `engine/torch/…` in running text names a file or folder of the project.
    void pathsInTextExist_data() { documentRows(); }
    void pathsInTextExist() {
        QFETCH(QString, document);
        const QStringList paths = captures(readText(kRoot + '/' + document), kPath);
        QStringList missing;
        for (const QString& path : paths)
            if (!QFileInfo::exists(kRoot + '/' + path)) missing << path;
        QVERIFY2(missing.isEmpty(), qPrintable(document + " names what is not there: " + missing.join(", ")));
    }

    // The last column of a table of faults names tests and their functions: `formats_test` `badFilesAreExplained`.
    void testsInTablesExist_data() { documentRows(); }
    void testsInTablesExist() {
        QFETCH(QString, document);
        static const QRegularExpression function("^[a-z]+[A-Z][A-Za-z]*$");
        QStringList missing;
        for (const QString& line : readText(kRoot + '/' + document).split('\n')) {
            if (!line.startsWith("| ") || !line.endsWith(" |")) continue;
            QString source;
            for (const QString& word : captures(line.section(" | ", -1), "`(\\w+)`")) {
                const bool isTest = word.endsWith("_test");
                if (isTest) source = sourceOfTest(word);
                if (isTest ? source.isEmpty()
                           : function.match(word).hasMatch() && !source.isEmpty() &&
                                 !source.contains("void " + word + '(') && !source.contains("::" + word + '('))
                    missing << word;
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(document + " names tests that are not there: " + missing.join(", ")));
    }

    void shellSnippetsNameWhatExists_data() { documentRows(); }
    void shellSnippetsNameWhatExists() {
        QFETCH(QString, document);
        if (!QFileInfo::exists(binary("trainyardctl"))) QSKIP("trainyardctl is not part of this build");
        QStringList wrong;
        for (const QString& snippet : snippets(document, "sh")) {
            for (const QStringList& words : commandsOf(snippet)) {
                if (QFileInfo(words.first()).fileName() == "trainyardctl") wrong << wrongWith(words);
                for (const QString& word : words) {
                    const bool ofProject = word.contains(QRegularExpression("^(examples|installer)/"));
                    if (ofProject && !QFileInfo::exists(kRoot + '/' + word)) wrong << word + " is not there";
                }
            }
        }
        wrong.removeAll(QString());
        QVERIFY2(wrong.isEmpty(), qPrintable(document + ":\n" + wrong.join('\n')));
    }

    void jsonSnippetsAndExamplesValidate_data() {
        QTest::addColumn<QString>("file"); // empty: the text is a snippet
        QTest::addColumn<QString>("text");
        for (const QString& document : allDocuments()) {
            int number = 0;
            for (const QString& snippet : snippets(document, "json")) {
                QTest::newRow(qPrintable(QString("%1, snippet %2").arg(document).arg(++number)))
                    << QString() << snippet;
            }
        }
        const QDir examples(kRoot + "/examples");
        for (const QString& name : examples.entryList({"*.json"}, QDir::Files, QDir::Name)) {
            QTest::newRow(qPrintable("examples/" + name))
                << examples.filePath(name) << readText(examples.filePath(name));
        }
    }
    void jsonSnippetsAndExamplesValidate() {
        QFETCH(QString, file);
        QFETCH(QString, text);
        QJsonParseError error;
        QJsonDocument::fromJson(text.toUtf8(), &error);
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        if (!QFileInfo::exists(binary("trainyardctl")) || !QFileInfo::exists(binary("trainyard-worker")))
            QSKIP("trainyardctl or trainyard-worker is not part of this build");
        const QTemporaryDir folder;
        if (file.isEmpty()) {
            file = folder.filePath("snippet.json");
            QFile written(file);
            QVERIFY(written.open(QIODevice::WriteOnly));
            written.write(text.toUtf8());
        }
        const Answer answer = runTerminal({"validate", file});
        if (answer.code != 0 && answer.text.contains("trainyardctl datasets download"))
            QSKIP("its dataset is not installed");
        QVERIFY2(answer.code == 0, qPrintable(answer.text));
    }

    // Also writes the table of them for people: RULES.md in the folder of the build.
    void everyRuleStandsOnce() {
        const QList<Rule> rules = rulesOf(kRoot);
        QMap<QString, QString> places; // sorted by the rule
        QStringList wrong;
        for (const auto& [text, file] : rules) {
            if (!text.endsWith('.')) wrong << file + ": not one line that ends with a full stop: " + text;
            if (places.contains(text)) wrong << "stands twice: " + text + ' ' + places[text] + " and " + file;
            places[text] = file;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY2(rules.size() >= 70, qPrintable(QString("only %1 rules were found").arg(rules.size())));
        QByteArray table = "| rule | where |\n|---|---|\n";
        for (auto place = places.cbegin(); place != places.cend(); ++place)
            table += "| " + place.key().toUtf8() + " | `" + place.value().toUtf8() + "` |\n";
        writeTable("RULES.md", table);
    }

    void scannerSeesMarks() {
        const auto marks =
            marksOf("    // Rows.\n    // Bad inputs: texts. They are\n    // cut.\n    void bad_data() {\n"
                    "        QTest::newRow(\"a\") << 1 << \"is \"\n            \"cut\" << 2;\n"
                    "        row(\"b\", \"c\", R\"(no \"x\")\");\n        row(\"good\", \"\");\n    }\n"
                    "    void other() { row(\"d\", \"e\"); }\n");
        QCOMPARE(marks.size(), 1);
        QCOMPARE(marks[0].text, QString("texts. They are cut."));
        QCOMPARE(marks[0].function, QString("bad"));
        QCOMPARE(marks[0].lines, 2);
        const QList<QPair<QString, QString>> rows{{"a", "is cut"}, {"b", "no \"x\""}};
        QCOMPARE(badRowsOf(marks[0].code), rows);
    }

    void scannerSeesSnippetsAndWords() {
        const QList<QStringList> commands = commandsOf("a b # c\n\n# only a comment\nd \\\n  \"e f\" && g\n");
        QCOMPARE(commands.size(), 3);
        QCOMPARE(commands[0], QStringList({"a", "b"}));
        QCOMPARE(commands[1], QStringList({"d", "e f"}));
        QVERIFY(!snippets("README.md", "sh").isEmpty());
        QVERIFY(!snippets("README.md", "json").isEmpty());
    }
};

QTEST_GUILESS_MAIN(DocumentsTest)
#include "documents_test.moc"
