// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for every source file: its licence line, its length, its include guard.
#include "tests/layers/source_tree.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

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

    // A file past 500 lines says in a comment "Long because: ..." why it is one file.
    void noFileIsLongWithoutAReason() {
        constexpr qsizetype kLongest = 500;
        QStringList wrong;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            const QString text = readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file);
            const qsizetype lines = text.count('\n');
            if (lines > kLongest && !text.contains("// Long because: "))
                wrong << QString("%1: %2 lines").arg(file).arg(lines);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }
};

QTEST_GUILESS_MAIN(FileRulesTest)
#include "file_rules_test.moc"
