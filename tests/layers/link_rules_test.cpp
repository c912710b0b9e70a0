// SPDX-License-Identifier: GPL-3.0-or-later
// What the built programs load: through all their libraries, but for the worker what it links itself, since LibTorch
// as distributions package it brings Qt and libssh2 along (through OpenCV and curl).
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

class LinkRulesTest : public QObject {
    Q_OBJECT

    static QString programPath(const QString& program) { return qEnvironmentVariable("TRAINYARD_BIN") + '/' + program; }

    // The names of the libraries, one a line; empty when ldd fails.
    static QString librariesOf(const QString& path) {
        QProcess ldd;
        ldd.start("ldd", {path});
        if (!ldd.waitForFinished(20000) || ldd.exitCode() != 0) return {};
        return QString::fromLocal8Bit(ldd.readAllStandardOutput());
    }

    // The same for the program's own entries alone.
    static QString directLibrariesOf(const QString& path) {
        QProcess readelf;
        readelf.start("readelf", {"-d", path});
        if (!readelf.waitForFinished(20000) || readelf.exitCode() != 0) return {};
        static const QRegularExpression entry(R"(NEEDED[^\n]*\[([^\]]*)\])");
        QString names;
        for (const auto& match : entry.globalMatch(QString::fromLocal8Bit(readelf.readAllStandardOutput())))
            names += match.captured(1) + '\n';
        return names;
    }

private Q_SLOTS:
    void programLoadsNone_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("forbidden");
        const QString torch = R"(^\s*lib(torch|c10|gloo)[^\n]*)", qt = R"(^\s*libQt[^\n]*)",
                      ssh = R"(^\s*libssh2[^\n]*)";
        QTest::newRow("window: no LibTorch") << "trainyard" << torch;
        QTest::newRow("terminal: no LibTorch") << "trainyardctl" << torch;
        QTest::newRow("terminal: no Qt") << "trainyardctl" << qt;
        // They cost every start milliseconds, and are loaded when they are needed.
        QTest::newRow("terminal: libmicrohttpd and libcurl at need")
            << "trainyardctl" << R"(^\s*lib(microhttpd|gnutls|curl)[^\n]*)";
        QTest::newRow("relay: no simdjson") << "trainyard-relay" << R"(^\s*libsimdjson[^\n]*)";
        QTest::newRow("relay: no LibTorch") << "trainyard-relay" << torch;
        QTest::newRow("relay: no Qt") << "trainyard-relay" << qt;
        QTest::newRow("relay: no libssh2") << "trainyard-relay" << ssh;
        QTest::newRow("worker: no Qt") << "trainyard-worker" << qt;
        QTest::newRow("worker: no libssh2") << "trainyard-worker" << ssh;
    }
    void programLoadsNone() {
        QFETCH(QString, program);
        QFETCH(QString, forbidden);
        if (!QFileInfo::exists(programPath(program))) QSKIP(qPrintable(program + " is not part of this build"));
        const bool direct = program == "trainyard-worker";
        const QString libraries = direct ? directLibrariesOf(programPath(program)) : librariesOf(programPath(program));
        QVERIFY2(libraries.contains("libc.so"), qPrintable("its libraries: " + libraries));
        const auto match = QRegularExpression(forbidden, QRegularExpression::MultilineOption).match(libraries);
        QVERIFY2(!match.hasMatch(), qPrintable(program + " loads " + match.captured(0).trimmed()));
    }

    void workerLoadsLibTorch() {
        if (!QFileInfo::exists(programPath("trainyard-worker"))) QSKIP("trainyard-worker is not part of this build");
        QVERIFY(librariesOf(programPath("trainyard-worker")).contains("libtorch"));
    }
};

QTEST_GUILESS_MAIN(LinkRulesTest)
#include "link_rules_test.moc"
