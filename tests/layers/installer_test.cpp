// SPDX-License-Identifier: GPL-3.0-or-later
// The two commands of the README, as far as they can be tried without installing or building anything.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kInstaller = QString(TRAINYARD_SOURCE_DIR) + "/installer/";

struct BashAnswer {
    int code = -1;
    QString out, err;
};

BashAnswer runBash(const QStringList& arguments,
                   const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start("bash", arguments);
    if (!process.waitForFinished(30000)) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

// Functions of lib.sh; its folders point into `folder`, so that nothing is written to the source tree.
BashAnswer runFunctions(const QString& folder, const QString& commands) {
    const QString setup =
        ". '%1lib.sh'; trainyard_root='%2'; build_dir='%2/build'; step_log='%2/build/log'; set -euo pipefail\n";
    return runBash({"-c", setup.arg(kInstaller, folder) + commands});
}

void writeFile(const QString& path, const QByteArray& text) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
}

} // namespace

class InstallerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scriptsExplainThemselves_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("run") << "run.sh";
        QTest::newRow("test") << "test.sh";
        QTest::newRow("package") << "package.sh";
    }
    void scriptsExplainThemselves() {
        QFETCH(QString, script);
        const BashAnswer help = runBash({kInstaller + script, "--help"});
        QCOMPARE(help.code, 0);
        QVERIFY(help.out.startsWith("installer/" + script));
        const BashAnswer wrong = runBash({kInstaller + script, "--frobnicate"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("\"--frobnicate\""), qPrintable(wrong.err));
    }

    void everyPackageHasAGroupAndAReason() {
        QFile file(kInstaller + "packages.txt");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QRegularExpression row(R"(^(build|test|optional|wayland|package)\s+[a-z0-9.+|-]+\s+# \S.*$)");
        int packages = 0;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
            if (line.startsWith('#')) continue;
            QVERIFY2(row.match(line).hasMatch(), qPrintable(line));
            ++packages;
        }
        QVERIFY(packages > 15);
    }

    void onlyWhatIsMissingIsInstalled() {
        if (!QFile::exists("/usr/bin/dpkg-query")) QSKIP("there is no dpkg here");
        const QTemporaryDir folder;
        writeFile(folder.filePath("installer/packages.txt"),
                  "# comment\nbuild bash # there\nbuild trainyard-none-a|bash # the second is there\n"
                  "build trainyard-none-b|trainyard-none-c # none is there\ntest trainyard-none-d # another group\n");
        const BashAnswer missing = runFunctions(folder.path(), "missing_packages build");
        QCOMPARE(missing.out, "trainyard-none-b\n");
    }

    void optionalPackagesAreLeftOutWhereTheReleaseHasNone() {
        if (!QFile::exists("/usr/bin/apt-cache")) QSKIP("there is no apt here");
        const QTemporaryDir folder;
        writeFile(
            folder.filePath("installer/packages.txt"),
            "test trainyard-none-a # needed\noptional trainyard-none-b # not needed\noptional bash # there is one\n");
        const BashAnswer answer = runFunctions(folder.path(), "obtainable trainyard-none-a trainyard-none-b bash");
        QCOMPARE(answer.out, "trainyard-none-a\nbash\n");
    }

    void packagesAreInstalledOnTheTestedReleases_data() {
        QTest::addColumn<QByteArray>("release");
        QTest::addColumn<bool>("supported");
        QTest::newRow("Debian 11") << QByteArray("ID=debian\nVERSION_ID=\"11\"\n") << false;
        QTest::newRow("Debian 12") << QByteArray("ID=debian\nVERSION_ID=\"12\"\n") << true;
        QTest::newRow("Debian 13") << QByteArray("ID=debian\nVERSION_ID=\"13\"\nVERSION_CODENAME=trixie\n") << true;
        QTest::newRow("Debian 14") << QByteArray("ID=debian\nVERSION_CODENAME=forky\n") << true;
        QTest::newRow("another Debian") << QByteArray("ID=debian\nVERSION_CODENAME=sid\n") << false;
        QTest::newRow("another distribution") << QByteArray("ID=ubuntu\nVERSION_ID=\"12\"\n") << false;
    }
    void packagesAreInstalledOnTheTestedReleases() {
        QFETCH(QByteArray, release);
        QFETCH(bool, supported);
        const QTemporaryDir folder;
        writeFile(folder.filePath("os-release"), release);
        const BashAnswer answer =
            runFunctions(folder.path(), "os_release=" + folder.filePath("os-release") +
                                            "; if is_supported_debian; then echo yes; else echo no; fi");
        QCOMPARE(answer.out.trimmed(), supported ? "yes" : "no");
    }

    void anotherDistributionIsToldThePackages() {
        const BashAnswer answer =
            runFunctions(QDir::cleanPath(TRAINYARD_SOURCE_DIR),
                         "is_supported_debian() { false; }; step() { echo touched; }; install_packages build");
        QCOMPARE(answer.code, 3);
        QVERIFY2(answer.err.contains("libtorch-dev libgloo-dev libopenblas0-openmp "), qPrintable(answer.err));
        QVERIFY(answer.out.isEmpty());
    }

    void aFailedStepShowsWhy() {
        const QTemporaryDir folder;
        const BashAnswer answer =
            runFunctions(folder.path(), "step Quiet echo unseen; step Wrong sh -c 'echo the cause; exit 7'");
        QCOMPARE(answer.code, 7);
        QVERIFY(answer.out.contains(QRegularExpression("^Quiet \\.\\.\\. \\d s\nWrong \\.\\.\\. failed after")));
        QVERIFY2(answer.err.contains("the cause") && !answer.err.contains("unseen"), qPrintable(answer.err));
    }

    void windowNeedsADisplayThatIsThere_data() {
        QTest::addColumn<QString>("variables");
        QTest::addColumn<bool>("found");
        QTest::newRow("none") << "true" << false;
        QTest::newRow("a display without a server") << "DISPLAY=:7654" << false;
        QTest::newRow("a forwarded display") << "DISPLAY=localhost:10.0" << true;
        QTest::newRow("a Wayland name without a socket") << "WAYLAND_DISPLAY=wayland-none" << false;
    }
    void windowNeedsADisplayThatIsThere() {
        QFETCH(QString, variables);
        QFETCH(bool, found);
        const QTemporaryDir folder;
        const BashAnswer answer = runFunctions(folder.path(), "unset DISPLAY WAYLAND_DISPLAY; " + variables +
                                                                  "; if has_display; then echo yes; else echo no; fi");
        QCOMPARE(answer.out.trimmed(), found ? "yes" : "no");
    }

    // With stand-ins for CMake and CTest: the exit code and the last line are CTest's.
    void testScriptEndsWithTheSummary_data() {
        QTest::addColumn<int>("failed");
        QTest::addColumn<int>("failedAgain");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("last");
        QTest::newRow("passed") << 0 << 0 << "" << "100% tests passed, 0 tests failed out of 9";
        QTest::newRow("failed twice") << 1 << 1 << "" << "89% tests passed, 1 tests failed out of 9";
        QTest::newRow("passed alone") << 2 << 0 << ""
                                      << "100% tests passed, 0 tests failed out of 9, only alone: test1 test2";
        QTest::newRow("one of two passed alone") << 2 << 1 << "" << "78% tests passed, 2 tests failed out of 9";
        QTest::newRow("too many for a second run") << 4 << 0 << "" << "56% tests passed, 4 tests failed out of 9";
        QTest::newRow("some by hand") << 1 << 0 << "-- -R test" << "89% tests passed, 1 tests failed out of 9";
    }
    void testScriptEndsWithTheSummary() {
        QFETCH(int, failed);
        QFETCH(int, failedAgain);
        QFETCH(QString, arguments);
        QFETCH(QString, last);
        const QTemporaryDir folder;
        QVERIFY(QDir().mkpath(folder.filePath("installer")));
        for (const char* name : {"lib.sh", "test.sh", "packages.txt"})
            QVERIFY(QFile::copy(kInstaller + name, folder.filePath(QString("installer/") + name)));
        writeFile(folder.filePath("bin/cmake"), "#!/bin/sh\nexit 0\n");
        writeFile(folder.filePath("bin/ctest"), QString(R"(#!/bin/bash
failed=%1 total=9
case "$*" in *--rerun-failed*) failed=%2 total=%1 ;; esac
mkdir -p "$2/Testing/Temporary"
for ((i = 1; i <= failed; i++)); do echo "$i:test$i"; done > "$2/Testing/Temporary/LastTestsFailed.log"
printf '%d%% tests passed, %d tests failed out of %d\n' $(((200 * (total - failed) / total + 1) / 2)) $failed $total
echo 'Total Test time (real) = 1 sec'
exit $((failed ? 8 : 0))
)")
                                                    .arg(failed)
                                                    .arg(failedAgain)
                                                    .toUtf8());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", folder.filePath("bin") + ":" + environment.value("PATH"));
        const QStringList command{folder.filePath("installer/test.sh"), "--skip-packages"};
        const BashAnswer answer = runBash(command + arguments.split(' ', Qt::SkipEmptyParts), environment);
        QCOMPARE(answer.out.trimmed().section('\n', -1), last);
        QCOMPARE(answer.code, last.startsWith("100%") ? 0 : 8);
        QVERIFY(answer.out.contains(QRegularExpression("\nBuild \\d+ s, tests \\d+ s\n")));
    }
};

QTEST_GUILESS_MAIN(InstallerTest)
#include "installer_test.moc"
