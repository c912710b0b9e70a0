// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents promise: links and images exist, commands and options exist, run files validate, each rule of the
// product stands once at its code.
#include "tests/layers/source_tree.h"

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

// What is wrong with one command on trainyardctl: an unknown subcommand, or an option that its help does not list.
QString wrongWith(const QStringList& words) {
    QStringList subcommand{words.value(1)};
    const bool nested = words.value(1) == "hosts" || words.value(1) == "cluster" || words.value(1) == "datasets" ||
                        words.value(1) == "slurm" || (words.value(1) == "checkpoints" && words.value(2) == "prune") ||
                        (words.value(1) == "sweep" && !words.value(2).endsWith(".json"));
    if (nested && !words.value(2).isEmpty() && !words.value(2).startsWith('-')) subcommand << words.value(2);
    if (subcommand.first().startsWith('-')) subcommand.clear();
    const Answer help = runTerminal(subcommand + QStringList{"--help"});
    if (help.code != 0) return words.join(' ') + ": no such command\n" + help.text;
    for (const QString& word : words.mid(1)) {
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

    // Name -> source.
    static QMap<QString, QString> testPrograms() {
        QMap<QString, QString> programs;
        QDirIterator walk(kRoot + "/tests", {"*_test.cpp"}, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QFileInfo file(walk.next());
            programs[file.completeBaseName()] = readText(file.filePath());
        }
        return programs;
    }

private Q_SLOTS:
    void everyFeatureIsProvedByTestsThatExist() {
        const QString table = readText(kRoot + "/tests/FEATURES.md");
        const auto programs = testPrograms();
        QStringList wrong;
        int proofs = 0;
        for (const QString& line : table.split('\n')) {
            if (!line.startsWith("| ") || line.startsWith("| feature")) continue;
            const QStringList tests = captures(line.section('|', 2, 2), "`(\\w+::\\w+)`");
            if (tests.isEmpty()) wrong << "no test: " + line;
            for (const QString& test : tests) {
                const QString function = "void " + test.section("::", 1) + "()";
                if (!programs.value(test.section("::", 0, 0)).contains(function)) wrong << "no such test: " + test;
                ++proofs;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY(proofs > 60); // the table was found and read
    }

    // A section names its tests; every cell of its rows is in the source of the first of them.
    void everyBadInputIsOneOfItsTest() {
        const auto programs = testPrograms();
        QStringList wrong;
        QString source;
        int rows = 0;
        for (const QString& section : readText(kRoot + "/tests/BAD_INPUTS.md").split("\n## ").mid(1)) {
            const QStringList tests = captures(section, "`(\\w+::\\w+)`");
            for (const QString& test : tests) {
                source = programs.value(test.section("::", 0, 0));
                if (!source.contains(test.section("::", 1) + "()")) wrong << "no such test: " + test;
            }
            source = programs.value(tests.value(0).section("::", 0, 0));
            source.remove(QRegularExpression("\"\\s*\n\\s*\"")).replace("\\\"", "\""); // literals in pieces
            for (QString line : section.split('\n')) {
                if (!line.startsWith("| ") || line.startsWith("| input")) continue;
                line.chop(2);
                for (const QString& cell : line.mid(2).split(" | "))
                    if (!source.contains(cell)) wrong << tests.value(0) + " has no " + cell;
                ++rows;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY(rows > 300); // the tables were found and read
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
        QFile written(qEnvironmentVariable("TRAINYARD_BIN") + "/../RULES.md");
        QVERIFY2(written.open(QIODevice::WriteOnly), qPrintable(written.fileName() + ": " + written.errorString()));
        QCOMPARE(written.write(table), table.size());
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
