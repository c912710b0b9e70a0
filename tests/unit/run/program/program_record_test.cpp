// SPDX-License-Identifier: GPL-3.0-or-later
// What a program's run was made of: of version control, of Python, and of its variables.
#include "engine/run/program/editable_paths.h"
#include "engine/run/program/facts/program_record.h"
#include "tests/texts.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;
using trainyard::test::text;

class ProgramRecordTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: a run's record has commit, branch, remote, and the changes since as a patch that git takes.
    void gitIsAsked() {
        if (QStandardPaths::findExecutable("git").isEmpty()) QSKIP("git is not installed");
        const QTemporaryDir folder;
        const auto git = [&](QStringList words) {
            QProcess process;
            process.setWorkingDirectory(folder.path());
            process.start("git",
                          QStringList{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"} +
                              words);
            process.waitForFinished();
            return process.exitCode();
        };
        const auto write = [&](const char* name, const char* bytes) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        QCOMPARE(gitFacts(folder.path().toStdString(), [] { return true; }).commit, std::string());
        QVERIFY(!gitFacts(folder.path().toStdString(), [] { return true; }).missing.empty());
        QCOMPARE(git({"init", "-q"}), 0);
        write("a.py", "one\n");
        write(".gitignore", "out\n");
        QCOMPARE(git({"add", "."}), 0);
        QCOMPARE(git({"commit", "-qm", "x"}), 0);
        QCOMPARE(git({"remote", "add", "origin", "https://ada:secret@example.org/x.git"}), 0);
        write("a.py", "two\n");
        write("new file.py", "new\nno end");
        write("out", "ignored");
        const auto facts = gitFacts(folder.path().toStdString(), [] { return true; });
        QCOMPARE(facts.commit.size(), std::size_t{40});
        QCOMPARE(facts.branch, std::string("main"));
        QCOMPARE(facts.remote, std::string("https://example.org/x.git"));
        QCOMPARE(facts.untracked, (std::vector<std::string>{"new file.py"}));
        QVERIFY(!facts.patchIsCut);
        // The patch makes of the commit what was there.
        QCOMPARE(git({"stash", "-q", "-u"}), 0);
        write("x.patch", facts.patch.c_str());
        QCOMPARE(git({"apply", "x.patch"}), 0);
        QFile changed(folder.filePath("a.py")), added(folder.filePath("new file.py"));
        QVERIFY(changed.open(QIODevice::ReadOnly) && added.open(QIODevice::ReadOnly));
        QCOMPARE(changed.readAll(), QByteArray("two\n"));
        QCOMPARE(added.readAll(), QByteArray("new\nno end"));
    }
    void credentialsAreLeftOut_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("written");
        QTest::newRow("user and password") << "https://a:b@c/d" << "https://c/d";
        QTest::newRow("token") << "https://ghp_123@github.com/x" << "https://github.com/x";
        QTest::newRow("an at in the password") << "https://a:b@d@c/e@f" << "https://c/e@f";
        QTest::newRow("none") << "https://c/d@e" << "https://c/d@e";
        QTest::newRow("ssh") << "git@c:d/e" << "git@c:d/e";
        QTest::newRow("empty") << "" << "";
    }
    void credentialsAreLeftOut() {
        QFETCH(QString, url);
        QFETCH(QString, written);
        QCOMPARE(text(withoutCredentials(url.toStdString())), written);
    }
    void packagesAreNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("package");
        QTest::newRow("wheel") << "torch-2.1.0+cu121.dist-info" << "torch 2.1.0+cu121";
        QTest::newRow("underscores") << "Typing_Extensions-4.8.dist-info" << "typing-extensions 4.8";
        QTest::newRow("egg") << "six-1.16.0-py3.11.egg-info" << "six 1.16.0";
        QTest::newRow("a source folder") << "mine.egg-info" << "";
        QTest::newRow("other") << "torch-2.1.0" << "";
    }
    void packagesAreNamed() {
        QFETCH(QString, name);
        QFETCH(QString, package);
        const auto found = packageOf(name.toStdString());
        QCOMPARE(found ? text(found->first + " " + found->second) : QString(), package);
    }
    void pythonIsAsked() {
        const auto facts = pythonFacts("/usr/bin/python3");
        QVERIFY2(facts.ok(), text(facts).c_str());
        QVERIFY2(facts->version.starts_with("3."), facts->version.c_str());
        auto other = *facts;
        other.version = "3.99";
        other.packages = {{"a", "1"}};
        auto then = *facts;
        then.packages = {{"a", "2"}, {"b", "1"}};
        QCOMPARE(differences(*facts, *facts), std::vector<std::string>{});
        QCOMPARE(differences(then, other), (std::vector<std::string>{"Python " + facts->version + ", now 3.99",
                                                                     "a 2, now 1", "b 1, now missing"}));
        QVERIFY(!pythonFacts("/bin/true").ok());
        QVERIFY(!pythonFacts("/nowhere").ok());
    }
    // Feature: packages that pip has installed from the project's own folder come from the snapshot.
    void editablePackagesAreFound() {
        const QTemporaryDir folder;
        const QString site = folder.filePath("venv/lib/python3.11/site-packages/");
        QDir().mkpath(site);
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(site + name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        write("__editable__.a-0.1.pth", "/home/ada/p/src\n/elsewhere\nimport os; os.system('x')\r\n");
        write("__editable___b_finder.py",
              "import x\nMAPPING: dict[str, str] = {'b': '/home/ada/p/lib/b', 'c': '/other/c'}\n");
        write("broken_finder.py", "MAPPING = {'/home/ada/p/no/x");
        const auto prefix = std::filesystem::path(folder.filePath("venv").toStdString());
        auto found = editablePaths(prefix, "/home/ada/p");
        std::ranges::sort(found);
        QCOMPARE(found, (std::vector<std::filesystem::path>{"/home/ada/p/lib", "/home/ada/p/src"}));
        QVERIFY(pathsOfFinder("MAPPING = {'/home/x").empty());
        QVERIFY(pathsOfFinder("MAPPING").empty());
    }
    void secretsAreNotWritten() {
        const auto kept = recordedVariables({{"CUDA_VISIBLE_DEVICES", "0"},
                                             {"PYTHONPATH", "/x"},
                                             {"HOME", "/home/ada"},
                                             {"SLURM_JWT", "abc"},
                                             {"TORCH_API_KEY", "abc"},
                                             {"PYTHON_REPO", "https://a:b@c/d"}});
        QCOMPARE(kept, (std::map<std::string, std::string>{{"CUDA_VISIBLE_DEVICES", "0"}, {"PYTHONPATH", "/x"}}));
    }
    // Bad inputs: damaged records of a program's run.
    void damagedRecords() {
        const QTemporaryDir folder;
        QDir(folder.path()).mkpath("program");
        const RunFolder run{folder.path().toStdString()};
        QVERIFY(readProgramRecord(run).is_null());
        for (const char* bytes : {"", "[1]", "{\"python\": 3}", "{\"python\": {\"file\": 1}}", "\xff"}) {
            for (const auto& file : {recordFile(run), startedFile(run)}) {
                QFile damaged(QString::fromStdString(file.string()));
                QVERIFY(damaged.open(QIODevice::WriteOnly));
                damaged.write(bytes);
            }
            QVERIFY(!pythonOfRecord(readProgramRecord(run)));
            QVERIFY(!readStarted(startedFile(run)));
        }
    }
};

QTEST_GUILESS_MAIN(ProgramRecordTest)
#include "program_record_test.moc"
