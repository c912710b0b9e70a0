// SPDX-License-Identifier: GPL-3.0-or-later
// Which Python runs a script, and where it runs.
#include "engine/program/command/interpreter.h"
#include "engine/program/command/own_program.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::program;
using trainyard::test::compareText;
using trainyard::test::text;

class InterpreterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        program("bin/python3");
        program("bin/python3.11");
        QVERIFY(QDir(path()).mkpath("home/project/sub"));
        m_variables = {{"PATH", string("bin") + ":relative:/none"}, {"HOME", string("home")}};
    }

    // Feature: the Python of a run: .venv or venv beside the script or above it, $VIRTUAL_ENV, $CONDA_PREFIX, python3;
    // or the one that is named.
    void theNearestPythonIsTaken() {
        expect("", "bin/python3", "$PATH");
        conda("conda");
        m_variables["CONDA_PREFIX"] = string("conda");
        expect("", "conda/bin/python", "$CONDA_PREFIX");
        venv("active");
        m_variables["VIRTUAL_ENV"] = string("active");
        expect("", "active/bin/python", "$VIRTUAL_ENV");
        venv("home/venv");
        expect("", "home/venv/bin/python", "venv of " + path("home"));
        venv("home/project/.venv");
        expect("", "home/project/.venv/bin/python", ".venv of " + path("home/project"));
        venv("home/project/sub/venv");
        expect("", "home/project/sub/venv/bin/python", "venv of " + path("home/project/sub"));
    }
    void namedPythonsAreFound_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::newRow("in $PATH") << "python3.11" << "bin/python3.11";
        QTest::newRow("relative") << "../own/bin/python" << "home/project/own/bin/python";
        QTest::newRow("an environment") << "../own" << "home/project/own/bin/python";
        QTest::newRow("with a slash") << "../own/" << "home/project/own/bin/python";
        QTest::newRow("at home") << "~/project/own" << "home/project/own/bin/python";
        QTest::newRow("conda base") << "conda:base" << "home/miniconda3/bin/python";
        QTest::newRow("conda") << "conda:torch" << "home/miniconda3/envs/torch/bin/python";
        QTest::newRow("elsewhere") << "conda:far" << "far/bin/python";
    }
    void namedPythonsAreFound() {
        QFETCH(QString, name);
        QFETCH(QString, file);
        venv("home/project/own");
        conda("home/miniconda3");
        conda("home/miniconda3/envs/torch");
        conda("far");
        write("home/.conda/environments.txt", "/none\nrelative/far\n" + path("far").toUtf8() + "\n");
        const auto found = find(name);
        QVERIFY2(found.ok(), text(found).c_str());
        QCOMPARE(text(found->file.string()), path(file));
    }

    // Bad inputs: a Python that is missing, no program, in an environment that has lost it: each with its remedy.
    void badPythonsAreExplained_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("not in $PATH") << "python9" << "there is no program \"python9\" in $PATH";
        QTest::newRow("no file") << "./python" << "there is no \"";
        QTest::newRow("no program") << "../plain.txt" << "cannot be started";
        QTest::newRow("a folder") << ".." << "is a folder without bin/python";
        QTest::newRow("broken") << "../broken" << "make the environment again (python3 -m venv ";
        QTest::newRow("conda") << "conda:none" << "there is no conda environment \"none\"";
        QTest::newRow("no name") << "conda:" << "is no name of an environment";
        QTest::newRow("a path") << "conda:../x" << "of one in a folder write the folder";
    }
    void badPythonsAreExplained() {
        QFETCH(QString, name);
        QFETCH(QString, says);
        write("home/project/plain.txt", "x");
        broken("home/project/broken");
        const auto found = find(name);
        QVERIFY(!found.ok());
        QCOMPARE(found.error().kind, ErrorKind::Input);
        QCOMPARE(found.error().where, std::string("program.interpreter"));
        QVERIFY(!found.error().remedy.empty());
        compareText(text(text(found)), says);
    }
    void noPythonIsSaid() {
        m_variables = {};
        const auto found = find("");
        QVERIFY(!found.ok());
        QCOMPARE(found.error().kind, ErrorKind::Environment);
        compareText(text(text(found)), "there is no python3");
    }
    // The environment that a script would have had is not replaced by another one in silence.
    void aBrokenEnvironmentBesideAScriptIsSaid() {
        broken("home/project/.venv");
        const auto found = find("");
        QVERIFY(!found.ok());
        compareText(text(text(found)), "is gone");
    }
    void foldersThatAreNoEnvironmentsArePassedOver() {
        QVERIFY(QDir(path()).mkpath("home/project/venv/bin"));
        expect("", "bin/python3", "$PATH");
    }

    // Feature: a program in another language is run as it is, and needs no Python.
    void programsOfTheirOwnAreKnown_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("mayRun");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QByteArray& content, bool mayRun, const char* words) {
            QTest::newRow(name) << content << mayRun << words;
        };
        row("bash", "#!/usr/bin/env bash\necho 1\n", true, "FILE");
        row("bash that may not run", "#!/usr/bin/env bash\necho 1\n", false, "/usr/bin/env bash FILE");
        row("with an option", "#! /bin/sh -e", false, "/bin/sh -e FILE");
        row("machine code",
            "\x7f"
            "ELF\x02",
            true, "FILE");
        row("machine code that may not run",
            "\x7f"
            "ELF\x02",
            false, "");
        row("Python", "#!/usr/bin/env python3\nprint(1)\n", true, "");
        row("no first line", "print(1)\n", true, "");
        row("an empty one", "#!\n", false, "");
        row("empty", "", true, "");
    }
    void programsOfTheirOwnAreKnown() {
        QFETCH(QByteArray, content);
        QFETCH(bool, mayRun);
        for (const char* name : {"home/own", "home/own.py"}) {
            write(name, content);
            const auto run = mayRun ? QFile::ExeOwner : QFile::Permission{};
            QVERIFY(QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | run));
        }
        QStringList words;
        for (const auto& word : ownProgram(string("home/own"))) words << QString::fromStdString(word);
        QTEST(words.join(' ').replace(path("home/own"), QStringLiteral("FILE")), "words");
        QVERIFY(ownProgram(string("home/own.py")).empty()); // by its name
        QVERIFY(ownProgram(string("home")).empty() && ownProgram(string("none")).empty());
    }

    void activationPutsItsProgramsFirst() {
        venv("home/project/.venv");
        const auto found = find("");
        QVERIFY(found.ok());
        const auto set = activation(*found, {{"PATH", "/usr/bin"}});
        QCOMPARE(text(set.at("PATH")), path("home/project/.venv/bin") + ":/usr/bin");
        QCOMPARE(text(set.at("VIRTUAL_ENV")), path("home/project/.venv"));
        QVERIFY(activation({}, m_variables).empty());
    }

    // Feature: a script runs in its project: the nearest folder with .git or pyproject.toml, else its own.
    void projectIsTheNearestFolder() {
        const std::filesystem::path sub = string("home/project/sub");
        QCOMPARE(projectFolder(sub, m_variables), sub);
        QVERIFY(QDir(path()).mkpath("home/.git")); // the whole home folder under version control
        QCOMPARE(projectFolder(sub, m_variables), sub);
        write("home/project/pyproject.toml", "");
        QCOMPARE(projectFolder(sub, m_variables), std::filesystem::path(string("home/project")));
        QVERIFY(QDir(path()).mkpath("home/project/sub/.git"));
        QCOMPARE(projectFolder(sub, m_variables), sub);
    }

private:
    QString path(const QString& name = {}) const {
        return name.isEmpty() ? m_folder->path() : m_folder->filePath(name);
    }
    std::string string(const QString& name) const { return path(name).toStdString(); }
    void write(const QString& name, const QByteArray& content) const {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    void program(const QString& name) const {
        write(name, "#!/bin/sh\n");
        QVERIFY(QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    void venv(const QString& name) const {
        program(name + "/bin/python");
        write(name + "/pyvenv.cfg", "home = /usr/bin\n");
    }
    void conda(const QString& name) const {
        program(name + "/bin/python");
        QVERIFY(QDir(path()).mkpath(name + "/conda-meta"));
    }
    void broken(const QString& name) const {
        write(name + "/pyvenv.cfg", "home = /usr/bin\n");
        QVERIFY(QDir(path()).mkpath(name + "/bin"));
        QVERIFY(QFile::link("/none/python3", path(name + "/bin/python")));
    }
    Result<Interpreter> find(const QString& name) const {
        return findInterpreter(name.toStdString(), string("home/project/sub"), m_variables);
    }
    void expect(const QString& name, const QString& file, const QString& reason) const {
        const auto found = find(name);
        QVERIFY2(found.ok(), text(found).c_str());
        QCOMPARE(text(found->file.string()), path(file));
        QCOMPARE(text(found->reason), reason);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    Variables m_variables;
};

QTEST_GUILESS_MAIN(InterpreterTest)
#include "interpreter_test.moc"
