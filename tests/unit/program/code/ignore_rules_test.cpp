// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of a .gitignore say, and that git says the same.
#include "engine/program/code/ignore_rules.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard::program;
using Verdict = IgnoreRules::Verdict;

class IgnoreRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: .gitignore means what it means to git.
    void linesDecide_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QString>("path"); // with a slash at its end: a folder
        QTest::addColumn<bool>("ignored");
        const auto row = [](const char* lines, const char* path, bool ignored) {
            QTest::addRow("%s of %s", path, lines) << QByteArray(lines) << QString(path) << ignored;
        };
        row("*.log", "a.log", true);
        row("*.log", "deep/a.log", true);
        row("*.log", "a.logs", false);
        row("data", "src/data/", true);
        row("data/", "data", false);
        row("data/", "data/", true);
        row("/data", "src/data/", false);
        row("src/data", "src/data/", true);
        row("src/data", "a/src/data/", false);
        row("src/*.txt", "src/a.txt", true);
        row("src/*.txt", "src/b/a.txt", false);
        row("**/out", "a/b/out", true);
        row("**/out", "out", true);
        row("a/**/b", "a/b", true);
        row("a/**/b", "a/x/y/b", true);
        row("a/**/b", "a/x/y/c", false);
        row("a/**", "a/x/y", true);
        row("a/**", "a/", false);
        row("a/**", "b/a/x", false);
        row("*\n!keep.txt", "keep.txt", false);
        row("*\n!keep.txt", "other.txt", true);
        row("!keep.txt\n*", "keep.txt", true);
        row("# a comment", "# a comment", false);
        row("\\#file", "#file", true);
        row("\\!file", "!file", true);
        row("file\\ ", "file ", true);
        row("file ", "file", true);
        row("f?le", "file", true);
        row("f?le", "f/le", false);
        row("[a-c]x", "bx", true);
        row("[!a-c]x", "bx", false);
        row("[!a-c]x", "dx", true);
        row("[]]x", "]x", true);
        row("[a-]x", "-x", true);
        row("[ab", "a", false);
        row("a*b*c", "axxbxxc", true);
        row("a*b*c", "axxcxxb", false);
        row("*", "x/", true);
        row("foo/*", "foo/bar", true);
        row("foo/*", "foo/bar/hello", false);
        row("foo\\*", "foo*", true);
        row("foo\\*", "foobar", false);
        row("\xc3\xa4*", "\xc3\xa4x", true);
        row("data\r", "data", true);
    }
    void linesDecide() {
        QFETCH(QByteArray, lines);
        QFETCH(QString, path);
        QFETCH(bool, ignored);
        IgnoreRules rules;
        rules.add(lines.toStdString(), "");
        const bool isFolder = path.endsWith('/');
        const auto plain = (isFolder ? path.chopped(1) : path).toStdString();
        QCOMPARE(rules.verdict(plain, isFolder) == Verdict::Ignore, ignored);
        if (lines.contains('\r')) return; // git would take it for a part of the name
        if (const int git = saidByGit(lines, path); git >= 0) {
            // git also asks for the folders above.
            bool above = false;
            for (auto slash = plain.find('/'); slash != plain.npos; slash = plain.find('/', slash + 1))
                above = above || rules.verdict(plain.substr(0, slash), true) == Verdict::Ignore;
            QCOMPARE(ignored || above, git == 1);
        }
    }
    void deeperFilesDecideLast() {
        IgnoreRules rules;
        rules.add("*.txt\n/top", "");
        const auto outside = rules.size();
        rules.add("!a.txt\n/own\n", "src");
        QCOMPARE(rules.verdict("src/a.txt", false), Verdict::Keep);
        QCOMPARE(rules.verdict("src/b.txt", false), Verdict::Ignore);
        QCOMPARE(rules.verdict("src/own", false), Verdict::Ignore);
        QCOMPARE(rules.verdict("own", false), Verdict::None);
        QCOMPARE(rules.verdict("src/top", false), Verdict::None);
        QCOMPARE(rules.verdict("a.txt", false), Verdict::Ignore);
        rules.shrink(outside);
        QCOMPARE(rules.verdict("src/a.txt", false), Verdict::Ignore);
    }
    // Bad inputs: lines of .gitignore files.
    void hostileLinesEndSoon() {
        IgnoreRules rules;
        std::string stars;
        for (int i = 0; i < 300; ++i) stars += "*a";
        rules.add(stars + "b\n" + stars + "/**/**/**/" + "x\n" + std::string(5000, 'x') + "\n", "");
        QCOMPARE(rules.size(), std::size_t{2}); // the longest is passed over
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(rules.verdict(std::string(4000, 'a'), false), Verdict::None);
        QVERIFY(timer.elapsed() < 1000);
        std::string many;
        for (int i = 0; i < 20'000; ++i) many += "name" + std::to_string(i) + "\n";
        rules.add(many, "");
        QCOMPARE(rules.size(), std::size_t{10'000});
    }

private:
    // 1: ignored, 0: not; -1: there is no git.
    static int saidByGit(const QByteArray& lines, const QString& path) {
        const auto git = QStandardPaths::findExecutable("git");
        if (git.isEmpty()) return -1;
        QTemporaryDir folder;
        const auto call = [&](const QStringList& words) {
            QProcess process;
            process.setWorkingDirectory(folder.path());
            process.start(git, words);
            return process.waitForFinished() ? process.exitCode() : -1;
        };
        if (call({"init", "-q"}) != 0) return -1;
        QFile file(folder.filePath(".gitignore"));
        if (!file.open(QIODevice::WriteOnly) || file.write(lines) < 0) return -1;
        file.close();
        const auto plain = path.endsWith('/') ? path.chopped(1) : path;
        QDir(folder.path()).mkpath(path.endsWith('/') ? plain : QFileInfo(plain).path());
        if (!path.endsWith('/')) {
            QFile there(folder.filePath(plain));
            if (!there.open(QIODevice::WriteOnly)) return -1;
        }
        const int code = call({"check-ignore", "-q", "--", plain});
        return code == 0 ? 1 : code == 1 ? 0 : -1;
    }
};

QTEST_GUILESS_MAIN(IgnoreRulesTest)
#include "ignore_rules_test.moc"
