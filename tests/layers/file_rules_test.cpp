// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for every source file: its licence line, its length, its include guard.
#include "tests/layers/source_tree.h"
#include "tests/layers/test_marks.h"

#include <QFileInfo>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

#include <utility>

using namespace trainyard::layers;

class FileRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFileNamesItsLicence() {
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            const QString text = readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file);
            if (!text.startsWith("// SPDX-License-Identifier: GPL-3.0-or-later\n")) wrong << file;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("without the licence as first line:\n" + wrong.join('\n')));
    }

    void everyHeaderIsReadOnce() {
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR).filter(".h")) {
            if (file.endsWith(".h") &&
                !readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file).contains("\n#pragma once\n")) {
                wrong << file;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("without #pragma once:\n" + wrong.join('\n')));
    }

    // Every class and struct of a header says what it is: in a comment right before it, or, for the first one, in that
    // of the file.
    void everyPublicTypeHasAComment() {
        static const QRegularExpression ofProduct("^(engine|remote|ui|app)/.*\\.h$");
        static const QRegularExpression type("^(?:class|struct|enum class) \\w+(?: final)?(?: :.*)? \\{");
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR).filter(ofProduct)) {
            const QStringList lines = readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file).split('\n');
            bool first = true;
            for (qsizetype i = 1; i < lines.size(); ++i) {
                if (!type.match(lines[i]).hasMatch()) continue;
                const bool isTemplate = lines[i - 1].startsWith("template");
                const QString& before = lines[isTemplate ? i - 2 : i - 1];
                const bool said = before.startsWith("//") || lines[i].contains("//");
                if (!said && !(std::exchange(first, false) && lines[1].startsWith("//")))
                    wrong << QString("%1:%2: %3").arg(file).arg(i + 1).arg(lines[i]);
                first = false;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("without a comment:\n" + wrong.join('\n')));
    }

    // A stranger reads the names of a folder to find one: what is more becomes folders that say what is inside.
    void noFolderIsCrowded() {
        constexpr int kMost = 40;
        QMap<QString, int> files;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) ++files[file.section('/', 0, -2)];
        QStringList wrong;
        for (auto folder = files.cbegin(); folder != files.cend(); ++folder)
            if (folder.value() > kMost) wrong << QString("%1: %2 files").arg(folder.key()).arg(folder.value());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY(files.size() > 20);
    }

    // Who reads an #include or a message knows the folder: a name of the product stands in one. The public headers of
    // the interface and the headers that LibTorch lacks have names that others gave them.
    void noNameStandsInTwoFolders() {
        static const QRegularExpression product("^(app|engine|remote|ui)/(?!torch/(api/include|compat_shim)/)");
        QMap<QString, QSet<QString>> folders;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR).filter(product))
            folders[QFileInfo(file).baseName()].insert(file.section('/', 0, -2));
        QStringList wrong;
        for (auto name = folders.cbegin(); name != folders.cend(); ++name)
            if (name->size() > 1) wrong << name.key() + ": " + name->values().join(", ");
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
        QVERIFY(folders.size() > 500);
    }

    // clang-format leaves long comments and literals as they are.
    void noLineIsWide() {
        constexpr qsizetype kWidest = 120;
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            const QStringList lines = readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file).split('\n');
            for (qsizetype i = 0; i < lines.size(); ++i)
                if (lines[i].size() > kWidest)
                    wrong << QString("%1:%2: %3 columns").arg(file).arg(i + 1).arg(lines[i].size());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    // One formatting for all: .clang-format, read by the version it was written for.
    void everyFileIsFormatted() {
        const QString program = QStandardPaths::findExecutable("clang-format-19");
        if (program.isEmpty()) QSKIP("clang-format-19 is not installed; other versions format otherwise");
        QProcess format;
        format.setWorkingDirectory(TRAINYARD_SOURCE_DIR);
        format.setProcessChannelMode(QProcess::MergedChannels);
        format.start(program, QStringList{"--dry-run", "--Werror"} + sourceFiles(TRAINYARD_SOURCE_DIR));
        QVERIFY(format.waitForFinished(50'000));
        QVERIFY2(format.exitCode() == 0, format.readAll().left(2000));
    }

    // The tests of a folder lie in the folder of the same name.
    void everyRoomOfTestsIsOneOfTheProduct_data() {
        QTest::addColumn<QString>("tests");
        QTest::addColumn<QString>("product");
        QTest::newRow("engine") << "tests/unit/" << "engine/";
        QTest::newRow("window") << "tests/gui/" << "ui/";
    }
    void everyRoomOfTestsIsOneOfTheProduct() {
        QFETCH(QString, tests);
        QFETCH(QString, product);
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            if (!file.startsWith(tests)) continue;
            const QString folder = product + file.section('/', 2, -2);
            if (!QFileInfo(QString(TRAINYARD_SOURCE_DIR) + '/' + folder).isDir()) wrong << file;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("without a folder in " + product + ":\n" + wrong.join('\n')));
    }

    // A file past 500 lines says in a comment "Long because: ..." why it is one file. The marks of tests do not count.
    void noFileIsLongWithoutAReason() {
        constexpr qsizetype kLongest = 500;
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            const QString text = readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file);
            qsizetype lines = text.count('\n');
            for (const Mark& mark : marksOf(text)) lines -= mark.lines;
            if (lines > kLongest && !text.contains("// Long because: "))
                wrong << QString("%1: %2 lines").arg(file).arg(lines);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }
};

QTEST_GUILESS_MAIN(FileRulesTest)
#include "file_rules_test.moc"
