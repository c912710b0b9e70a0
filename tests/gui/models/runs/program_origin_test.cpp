// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector reads of a program's record.
#include "ui/models/runs/program_origin.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard::ui;

class ProgramOriginTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: a run says with which Python, packages and commit it ran. Bad inputs: the record is missing or damaged.
    void theRecordIsRead_data() {
        QTest::addColumn<QByteArray>("record");
        QTest::addColumn<QByteArray>("started");
        QTest::addColumn<QString>("said"); // words, interpreter, version, …, packages
        const QByteArray whole = R"({"version": 1, "git": {"commit": "abc", "branch": "main", "changed": true},
            "python": {"file": "/v/bin/python", "version": "3.11.2", "packages": {"torch": "2.1"}, "conda": {}}})";
        const QByteArray started =
            R"({"words": ["python", "a.py"], "folder": "/p", "interpreter": "/p/.venv/bin/python",
            "environment": {}})";
        QTest::newRow("whole") << whole << started
                               << QString("python a.py|/p/.venv/bin/python|3.11.2|/p|abc|1|torch 2.1");
        QTest::newRow("not started") << whole << QByteArray() << QString("|/v/bin/python|3.11.2||abc|1|torch 2.1");
        QTest::newRow("no git") << QByteArray(R"({"git": {"missing": "no git program"}})") << started
                                << QString("python a.py|/p/.venv/bin/python||/p||0|");
        QTest::newRow("none") << QByteArray() << QByteArray() << QString("|||||0|");
        QTest::newRow("cut") << whole.left(40) << QByteArray("{") << QString("|||||0|");
        QTest::newRow("other types")
            << QByteArray(R"({"git": {"changed": "x", "commit": 1}, "python": {"version": 3}, "driver": {}})")
            << QByteArray(R"({"folder": 7})") << QString("|||||0|");
    }
    void theRecordIsRead() {
        QFETCH(QByteArray, record);
        QFETCH(QByteArray, started);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("program"));
        for (const auto& [name, text] : {std::pair("program/record.json", record), {"program/started.json", started}}) {
            if (text.isEmpty()) continue;
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
        const ProgramOrigin origin = programOrigin(folder.path().toStdString());
        QStringList packages;
        for (const auto& [name, version] : origin.packages) packages << name + ' ' + version;
        QTEST(QStringList({origin.words.join(' '), origin.interpreter, origin.python, origin.folder, origin.commit,
                           QString::number(origin.isChanged), packages.join(',')})
                  .join('|'),
              "said");
    }
};

QTEST_GUILESS_MAIN(ProgramOriginTest)
#include "program_origin_test.moc"
