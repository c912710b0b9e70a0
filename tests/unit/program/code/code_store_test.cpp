// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a project are its code, and what its snapshots are.
#include "engine/program/code/code_prune.h"
#include "engine/program/code/code_store.h"
#include "engine/run/start/take_code.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace trainyard;
using namespace trainyard::program;
using trainyard::test::text;

namespace fs = std::filesystem;

class CodeStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        write("project/.git/HEAD", "ref: x\n");
        write("project/train.py", "print(1)\n");
        write("project/pkg/model.py", "x = 1\n");
    }

    // Feature: the code of a project is what git would keep, without data, weights, caches, environments and secrets.
    void codeIsFound_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("as"); // code, out, or nothing
        QTest::newRow("a source") << "pkg/deep/x.py" << "code";
        QTest::newRow("settings") << "configs/a.yaml" << "code";
        QTest::newRow("text") << "README" << "code";
        QTest::newRow("hidden") << ".flake8" << "code";
        QTest::newRow("ignored") << "pkg/skipped.txt" << "out";
        QTest::newRow("ignored for Trainyard alone") << "pkg/own.txt" << "out";
        QTest::newRow("kept again") << "pkg/kept.txt" << "code";
        QTest::newRow("weights") << "pkg/model.pt" << "out";
        QTest::newRow("version control") << ".git/HEAD" << "out:.git";
        QTest::newRow("an environment") << "env/pyvenv.cfg" << "out:env";
        QTest::newRow("a workspace") << "here/trainyard.db" << "out:here";
        QTest::newRow("records") << "wandb/run.json" << "out:wandb";
        QTest::newRow("only data") << "data/cats/1.jpg" << "out:data";
        QTest::newRow("an ignored folder") << "build/x.py" << "out:build";
        QTest::newRow("a cache") << "pkg/__pycache__/model.cpython-311.pyc" << "";
        QTest::newRow("secrets") << ".env" << "out";
        QTest::newRow("a tab and a line end in its name") << "pkg/a\tb\n.py" << "code";
    }
    void codeIsFound() {
        QFETCH(QString, path);
        QFETCH(QString, as);
        write("project/.gitignore", "build/\n*.txt\n!kept.txt\n");
        write("project/pkg/.trainyardignore", "own.txt\n");
        write("project/" + path, "x\n");
        const auto found = findCode({folder("project")});
        QVERIFY2(found.ok(), text(found).c_str());
        const auto out = as.startsWith("out:") ? as.mid(4) : path;
        QCOMPARE(std::ranges::count(found->files, path.toStdString(), &CodeFile::path), as == "code" ? 1 : 0);
        QCOMPARE(std::ranges::count(found->leftOut, out.toStdString()), as.startsWith("out") ? 1 : 0);
        QCOMPARE(std::ranges::count(found->files, std::string("train.py"), &CodeFile::path), 1);
    }
    void theScriptAlwaysBelongs() {
        write("project/.gitignore", "scripts/\n");
        write("project/scripts/deep/run.py", "x\n");
        write("project/scripts/other.py", "x\n");
        const auto found = findCode({folder("project"), false, false, {"scripts/deep/run.py"}});
        QVERIFY2(found.ok(), text(found).c_str());
        QCOMPARE(std::ranges::count(found->files, std::string("scripts/deep/run.py"), &CodeFile::path), 1);
    }
    // A script beside other things: sources and folders with Python, and in a folder that others share none of these.
    void aScriptWithoutAProject() {
        write("loose/train.py", "x");
        write("loose/helper.py", "x");
        write("loose/notes", "x");
        write("loose/lib/a.py", "x");
        write("loose/lib/b.dat", "x");
        write("loose/photos/cat.json", "x");
        const auto names = [](const CodeFiles& found) {
            QStringList all;
            for (const auto& file : found.files) all << QString::fromStdString(file.path);
            return all.join(' ');
        };
        const auto found = findCode({folder("loose"), true, false, {"train.py"}});
        QVERIFY2(found.ok(), text(found).c_str());
        QCOMPARE(names(*found), "helper.py lib/a.py train.py");
        QCOMPARE(found->leftOut, (std::vector<std::string>{"lib/b.dat", "notes", "photos"}));
        const auto shared = findCode({folder("loose"), true, true, {"train.py"}});
        QCOMPARE(names(*shared), "helper.py train.py");
    }
    void linksStayLinks() {
        QDir().mkpath(path("outside"));
        QFile::link("pkg/model.py", path("project/same.py"));
        QFile::link(path("outside"), path("project/away"));
        QFile::link("../outside", path("project/up"));
        const auto found = findCode({folder("project")});
        QVERIFY(found.ok());
        QCOMPARE(std::ranges::count(found->files, std::string("pkg/model.py"), &CodeFile::link), 1);
        QCOMPARE(found->leftOut, (std::vector<std::string>{".git", "away", "up"}));
    }
    // Bad inputs: projects that are too large. The largest folders are named as deep as they lie, with what to do.
    void largeProjectsAreRefused() {
        for (int i = 0; i < 10'050; ++i) write(QString("project/src/gen/f%1.txt").arg(i), "");
        for (int i = 0; i < 3; ++i) write(QString("project/docs/%1.md").arg(i), "");
        const auto found = findCode({folder("project")});
        QVERIFY(!found.ok());
        const auto said = found.error().text();
        for (const char* part :
             {"more than 10,000 files", "src/gen (10,0", "docs (3 files", ".trainyardignore", "inPlace"})
            QVERIFY2(said.find(part) != said.npos, said.c_str());
        write("project/.trainyardignore", "gen/\n"); // the remedy
        QVERIFY(findCode({folder("project")}).ok());
    }

    // Feature: a snapshot has the files as they were, and what is left out as links; the same code is the same one.
    void snapshotsHoldTheCode() {
        write("project/.gitignore", "data\n");
        write("project/data/big.txt", "1");
        const CodeStore store(folder("store"));
        const auto first = taken();
        write("project/train.py", "print(2)\n");
        QCOMPARE(read("store/" + first + "/train.py"), "print(1)\n");
        QCOMPARE(read("store/" + first + "/data/big.txt"), "1");
        const auto second = taken();
        QVERIFY(first != second);
        QCOMPARE(read("store/" + second + "/train.py"), "print(2)\n");
        write("project/train.py", "print(1)\n");
        QCOMPARE(taken(), first);
        QVERIFY(store.check(first.toStdString()).ok());
    }
    // Files that are as they were are not read: one whose bytes changed behind its times is not noticed.
    void unchangedFilesAreNotRead() {
        const auto first = taken();
        QTest::qWait(10);
        // Times that are long past are trusted.
        const auto old = [&](const char* name) {
            const timespec times[2]{{1'000'000'000, 0}, {1'000'000'000, 0}};
            ::utimensat(AT_FDCWD, path(name).toUtf8(), times, 0);
        };
        old("project/train.py");
        QCOMPARE(taken(), first);
        write("project/train.py", "print(7)\n");
        old("project/train.py");
        QVERIFY(taken() != first); // its inode's own time tells
    }
    // Fault: a program changes, deletes and adds files in its snapshot. The next start finds the code as it was.
    void aDamagedSnapshotIsPutRight() {
        const auto digest = taken();
        const CodeStore store(folder("store"));
        write("store/" + digest + "/train.py", "overwritten\n");
        QFile::remove(path("store/" + digest + "/pkg/model.py"));
        write("store/" + digest + "/made.txt", "by a program");
        const auto checked = store.check(digest.toStdString());
        QVERIFY(!checked.ok());
        QVERIFY2(checked.error().text().find("start the run anew") != std::string::npos, text(checked).c_str());
        QCOMPARE(taken(), digest);
        QCOMPARE(read("store/" + digest + "/train.py"), "print(1)\n");
        QCOMPARE(read("store/" + digest + "/pkg/model.py"), "x = 1\n");
        QCOMPARE(read("store/" + digest + "/made.txt"), "by a program");
        QVERIFY(store.check(digest.toStdString()).ok());
    }
    // What is left out comes and goes without another snapshot; a link that leads nowhere would be in the way.
    void whatIsLeftOutComesAndGoes() {
        const auto digest = taken();
        write("project/runs/a.pt", "x");
        QCOMPARE(taken(), digest);
        QCOMPARE(read("store/" + digest + "/runs/a.pt"), "x");
        QDir(path("project/runs")).removeRecursively();
        QCOMPARE(taken(), digest);
        QVERIFY(!QFileInfo(path("store/" + digest + "/runs")).isSymLink());
    }
    // What Python has compiled serves the next snapshot where the source is the same.
    void compiledFilesGoOver() {
        const auto first = taken();
        write("store/" + first + "/__pycache__/train.cpython-311.pyc", "t");
        write("store/" + first + "/pkg/__pycache__/model.cpython-311.pyc", "m");
        write("project/train.py", "print(22)\n");
        const auto second = taken();
        QCOMPARE(read("store/" + second + "/pkg/__pycache__/model.cpython-311.pyc"), "m");
        QVERIFY(!QFile::exists(path("store/" + second + "/__pycache__/train.cpython-311.pyc")));
    }
    // Feature: pruning deletes the snapshots that nothing needs, but for those in which a program has left files.
    void whatNobodyNeedsIsPruned() {
        const CodeStore store(folder("store"));
        QStringList digests;
        for (const char* text : {"a", "b", "c", "d"}) {
            write("project/train.py", text);
            digests << taken();
        }
        write("store/" + digests[0] + "/__pycache__/train.cpython-311.pyc", "x"); // is made again
        write("store/" + digests[1] + "/runs/result.txt", "x");
        for (int i = 0; i < 3; ++i) { // the last one is young
            const timespec times[2]{{1'000'000'000, 0}, {1'000'000'000, 0}};
            ::utimensat(AT_FDCWD, path("store/" + digests[i] + ".list").toUtf8(), times, 0);
        }
        const auto pruned = pruneCode(store, {digests[2].toStdString()});
        QCOMPARE(pruned.deleted, 1);
        QCOMPARE(pruned.kept, 1);
        for (int i = 0; i < 4; ++i) QCOMPARE(QFile::exists(path("store/" + digests[i])), i != 0);
        QCOMPARE(read("store/" + digests[1] + "/runs/result.txt"), "x");
        write("project/train.py", "a");
        QCOMPARE(taken(), digests[0]); // it comes back
    }
    // Which folder's code a script has.
    void thePlaceFollowsFromTheScript() {
        const auto place = [&](const QString& script) {
            spec::Program program;
            program.script = script.startsWith('/') ? script.toStdString() : path(script).toStdString();
            return run::codePlace(program);
        };
        const auto inProject = place("project/pkg/model.py");
        QVERIFY(inProject && !inProject->isLoose);
        QCOMPARE(inProject->project, folder("project"));
        QCOMPARE(inProject->always, (std::vector<std::string>{"pkg/model.py"}));
        write("loose/train.py", "x");
        QVERIFY(place("loose/train.py")->isLoose && !place("loose/train.py")->isShared);
        QTemporaryFile inTmp("/tmp/XXXXXX.py");
        QVERIFY(inTmp.open());
        QVERIFY(place(inTmp.fileName())->isShared);
        QVERIFY(!place("loose/missing.py"));
        const auto home = qgetenv("HOME");
        qputenv("HOME", path("loose").toUtf8());
        QVERIFY(place("loose/train.py")->isShared);
        qputenv("HOME", home);
        spec::Program command;
        command.folder = path("loose").toStdString();
        command.command = {"true"};
        QVERIFY(!run::codePlace(command));
        command.command = {"bash", "-e", "train.py"};
        QVERIFY(run::codePlace(command).has_value());
        command.code = "inPlace";
        QVERIFY(!run::codePlace(command));
    }
    // Bad inputs: damaged lists of a store cost a new look, or the snapshot.
    void damagedLists_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("binary") << QByteArray("\0\xff\n", 3);
        QTest::newRow("half") << QByteArray("trainyard code 1\t0123456789abcdef0123456789abcdef\t/x");
        QTest::newRow("a way out") << QByteArray(
            "trainyard code 1\t0123456789abcdef0123456789abcdef\t/x\nout\t../../etc\n");
    }
    void damagedLists() {
        QFETCH(QByteArray, bytes);
        const auto digest = taken();
        for (const auto& name : QDir(path("store/looks")).entryList(QDir::Files)) write("store/looks/" + name, bytes);
        QCOMPARE(taken(), digest);
        write("store/" + digest + ".list", bytes);
        QVERIFY(!CodeStore(folder("store")).list(digest.toStdString()).ok());
        QCOMPARE(taken(), digest); // it is made again
        QVERIFY(CodeStore(folder("store")).check(digest.toStdString()).ok());
    }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    fs::path folder(const QString& name) const { return path(name).toStdString(); }
    void write(const QString& name, const QByteArray& bytes) const {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    QString read(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString("missing");
    }
    QString taken() const {
        const auto list = CodeStore(folder("store")).take({folder("project")});
        return list ? QString::fromStdString(list->digest) : QString::fromStdString(list.error().text());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(CodeStoreTest)
#include "code_store_test.moc"
