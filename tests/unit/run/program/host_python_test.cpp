// SPDX-License-Identifier: GPL-3.0-or-later
// What hosts say of their Python before a program starts on them, and where its checkpoints are written down.
#include "engine/run/program/host_python.h"
#include "engine/run/record/place/saved_place.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

class HostPythonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whichPythonsFitTogether_data() {
        QTest::addColumn<QString>("python");
        QTest::addColumn<QString>("torch");
        QTest::addColumn<QString>("cuda");
        QTest::addColumn<QStringList>("parts"); // of the error; none: they fit
        const auto row = [](const char* name, const char* python, const char* torch, const char* cuda,
                            const QStringList& parts = {}) {
            QTest::newRow(name) << QString(python) << QString(torch) << QString(cuda) << parts;
        };
        row("the same", "3.11.2", "2.9.1", "12.6");
        row("another last number", "3.11.9", "2.9.1", "12.6");
        row("another Python", "3.12.2", "2.9.1", "12.6", {"h1 has Python 3.11.2", "h2 has Python 3.12.2"});
        row("another PyTorch", "3.11.2", "2.8.0", "12.6",
            {"PyTorch 2.9.1 for CUDA 12.6", "PyTorch 2.8.0", "on h2: /h2/python -m pip install torch==2.9.1"});
        row("another CUDA", "3.11.2", "2.9.1", "11.8", {"for CUDA 12.6", "for CUDA 11.8"});
        row("without CUDA", "3.11.2", "2.9.1", "", {"PyTorch 2.9.1 without CUDA"});
        row("no PyTorch", "3.11.2", "", "", {"h2 has no PyTorch", "on h2: /h2/python -m pip install torch==2.9.1"});
    }
    void whichPythonsFitTogether() {
        QFETCH(QString, python);
        QFETCH(QString, torch);
        QFETCH(QString, cuda);
        QFETCH(QStringList, parts);
        const HostPython first{"/h1/python", "3.11.2", "2.9.1", "12.6"};
        const HostPython second{"/h2/python", python.toStdString(), torch.toStdString(), cuda.toStdString()};
        const auto fits = fitTogether({{"h1", first}, {"h2", second}, {"h3", first}});
        QCOMPARE(fits.ok(), parts.isEmpty());
        for (const auto& part : parts)
            QVERIFY2(fits.error().text().find(part.toStdString()) != std::string::npos, fits.error().text().c_str());
        if (!fits) QCOMPARE(fits.error().code, ErrorCode::HostUnsuitable);
    }
    void factsComeBack() {
        const HostPython facts{"/opt/a \"b\"/python", "3.11.2", "2.9.1", ""};
        const auto read = hostPythonFrom(toJson(facts));
        QVERIFY(read.ok());
        QCOMPARE(read->interpreter, facts.interpreter);
        QVERIFY(*read == facts);
    }
    // Bad inputs: what a host answers instead of the facts of its Python.
    void otherAnswersAreRefused_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("half") << QByteArray("{\"python\": \"3.11");
        QTest::newRow("no torch") << QByteArray(R"({"python": "3.11.2", "cuda": ""})");
        QTest::newRow("a number") << QByteArray(R"({"python": 3, "torch": "", "cuda": ""})");
        QTest::newRow("long") << "{\"python\": \"" + QByteArray(5000, '3') + "\", \"torch\": \"\", \"cuda\": \"\"}";
        QTest::newRow("too long") << QByteArray(1 << 20, ' ');
    }
    void otherAnswersAreRefused() {
        QFETCH(QByteArray, answer);
        const auto read = hostPythonFrom(answer.toStdString());
        QVERIFY(!read);
        QVERIFY(!read.error().message.empty());
        QCOMPARE(lookFrom(answer.toStdString()).structure, program::Structure::Unknown);
    }
    void thisComputersPythonAnswers() {
        const auto facts = askPython("python3", "/");
        if (!facts) QSKIP("there is no python3");
        QVERIFY2(facts->python.starts_with("3."), facts->python.c_str());
        const auto none = askPython("/nowhere/python", "/");
        QVERIFY(!none && none.error().text().find("/nowhere/python") != std::string::npos);
        const auto broken = askPython("/bin/false", "/");
        QVERIFY(!broken && broken.error().text().find("does not start") != std::string::npos);
    }

    void checkpointsOnHostsAreWrittenDown_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("recorded");
        QTest::newRow("here") << "" << "/a/b.pt" << "/a/b.pt";
        QTest::newRow("here, with a colon") << "" << "/a:/b.pt" << "/a:/b.pt";
        QTest::newRow("on a host") << "h2" << "/a/b.pt" << "h2:/a/b.pt";
        QTest::newRow("by an address") << "ada@2001:db8::1" << "/a/b.pt" << "ada@2001:db8::1:/a/b.pt";
    }
    void checkpointsOnHostsAreWrittenDown() {
        QFETCH(QString, host);
        QFETCH(QString, path);
        QTEST(QString::fromStdString(recordedPath({HostName(host.toStdString()), path.toStdString()})), "recorded");
        const auto place = savedPlaceOf(recordedPath({HostName(host.toStdString()), path.toStdString()}));
        QTEST(QString::fromStdString(place.host), "host");
        QTEST(QString::fromStdString(place.path), "path");
    }
    void nodesOfSlurmShareTheirFiles() {
        QCOMPARE(recordedPath({HostName("slurm:n1"), "/a/b.pt"}), std::string("/a/b.pt"));
    }
};

QTEST_GUILESS_MAIN(HostPythonTest)
#include "host_python_test.moc"
