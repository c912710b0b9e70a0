// SPDX-License-Identifier: GPL-3.0-or-later
// The library as its users get it: installed, found by CMake from another project (the examples), and run from there.
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kPlace = QStringLiteral(OUTSIDE_FOLDER); // kept between runs, so that only what changed is built again
const QString kPrefix = kPlace + "/prefix", kBuild = kPlace + "/build";
// What is tested is that it compiles; half of the time goes without the optimizer.
const QStringList kQuickly{"-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0"};

struct Outcome {
    int code = -1;
    QString output;
};

Outcome runProgram(const QString& program, const QStringList& arguments, const QProcessEnvironment& environment,
                   int seconds) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(seconds * 1000)) return {-1, program + " does not end: " + process.readAll()};
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

// What only the build folder has must not help.
QProcessEnvironment plainEnvironment() {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.remove("TRAINYARD_BIN");
    return environment;
}

} // namespace

class InstalledExamplesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void exampleTrainsOnTwoRanks_data();
    void exampleTrainsOnTwoRanks();
    void aProgramCopiedOfARunStartsAnEqualOne();
};

void InstalledExamplesTest::initTestCase() {
    const auto environment = plainEnvironment();
    auto done = runProgram(CMAKE_PROGRAM, {"--install", BINARY_FOLDER, "--prefix", kPrefix}, environment, 120);
    QVERIFY2(done.code == 0, qPrintable(done.output));
    QStringList configure{"-S",
                          QString(TRAINYARD_SOURCE_DIR) + "/examples",
                          "-B",
                          kBuild,
                          "-G",
                          CMAKE_MAKER,
                          "-DCMAKE_PREFIX_PATH=" + kPrefix};
    configure += kQuickly;
    if (const QString launcher = COMPILER_LAUNCHER; !launcher.isEmpty())
        configure << "-DCMAKE_CXX_COMPILER_LAUNCHER=" + launcher;
    done = runProgram(CMAKE_PROGRAM, configure, environment, 120);
    QVERIFY2(done.code == 0, qPrintable(done.output));
    done = runProgram(CMAKE_PROGRAM, {"--build", kBuild}, environment, 900);
    QVERIFY2(done.code == 0, qPrintable(done.output));
}

void InstalledExamplesTest::exampleTrainsOnTwoRanks_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("ray_quick_start") << QStringList{"--data",  "glyphs", "--samples", "64",
                                                    "--batch", "16",     "--epochs",  "1"}
                                     << "metrics: {\"epoch\": 0";
    QTest::newRow("ray_creators") << QStringList{"--data",  "glyphs", "--samples",    "32",
                                                 "--batch", "8",      "--checkpoint", "CHECKPOINT"}
                                  << "success!";
}

void InstalledExamplesTest::exampleTrainsOnTwoRanks() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    auto environment = plainEnvironment();
    environment.insert("TRAINYARD_WORKSPACE", folder.filePath("ws"));
    environment.insert("XDG_RUNTIME_DIR", folder.path());
    environment.insert("XDG_CACHE_HOME", folder.path());
    arguments.replaceInStrings("CHECKPOINT", folder.filePath("checkpoint.pt"));
    const auto done = runProgram(kBuild + '/' + QTest::currentDataTag(), arguments, environment, 300);
    QVERIFY2(done.code == 0 && done.output.contains(says), qPrintable(done.output));
    // The run is in the workspace that the terminal and the window show.
    const auto listed = runProgram(kPrefix + "/bin/trainyardctl", {"runs"}, environment, 30);
    const QString name = QString(QTest::currentDataTag()).replace('_', '-');
    QVERIFY2(listed.code == 0 && listed.output.contains(name) && listed.output.contains("finished"),
             qPrintable(listed.output));
    if (arguments.contains("--checkpoint")) QVERIFY(QFileInfo(folder.filePath("checkpoint.pt")).size() > 1'000'000);
}

// `show --as c++`, built against the installed package.
void InstalledExamplesTest::aProgramCopiedOfARunStartsAnEqualOne() {
    const QTemporaryDir folder;
    auto environment = plainEnvironment();
    environment.insert("TRAINYARD_WORKSPACE", folder.filePath("ws"));
    environment.insert("XDG_RUNTIME_DIR", folder.path());
    environment.insert("XDG_CACHE_HOME", folder.filePath("cache"));
    const auto write = [](const QString& path, const QByteArray& text) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly) && file.readAll() == text) return true; // nothing is built again
        file.close();
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    const auto ctl = [&](const QStringList& words) {
        return runProgram(kPrefix + "/bin/trainyardctl", words, environment, 120);
    };
    QVERIFY(write(folder.filePath("copied.json"),
                  R"({"version": 1, "name": "copied", "model": {"name": "mlp", "params": {"hidden": [8]}},
                      "dataset": {"name": "spirals", "params": {"samples": 300, "validation": 20}},
                      "optimizer": {"name": "sgd", "lr": 0.05}, "batch": {"perRank": 8}, "steps": 4,
                      "scaling": {"workers": 1, "device": "cpu"}})"));
    const auto trained = ctl({"run", folder.filePath("copied.json")});
    QVERIFY2(trained.code == 0, qPrintable(trained.output));
    const auto program = ctl({"show", "copied", "--as", "c++"});
    QVERIFY2(program.code == 0 && program.output.contains("#include <trainyard/train.h>"), qPrintable(program.output));
    const QString source = kPlace + "/copied";
    // With the header that was compiled for the examples.
    const QString header = kBuild + "/CMakeFiles/ray_quick_start.dir/cmake_pch.hxx";
    const QString project = "cmake_minimum_required(VERSION 3.25)\nproject(copied LANGUAGES C CXX)\n"
                            "find_package(Trainyard REQUIRED)\nadd_executable(copied copied.cpp)\n"
                            "target_link_libraries(copied PRIVATE Trainyard::train)\n"
                            "target_compile_options(copied PRIVATE -include \"" +
                            header + "\")\n";
    QVERIFY(QDir().mkpath(source) && write(source + "/copied.cpp", program.output.toUtf8()) &&
            write(source + "/CMakeLists.txt", project.toUtf8()));
    auto done = runProgram(CMAKE_PROGRAM,
                           kQuickly + QStringList{"-S", source, "-B", source + "/build", "-G", CMAKE_MAKER,
                                                  "-DCMAKE_PREFIX_PATH=" + kPrefix},
                           environment, 120);
    QVERIFY2(done.code == 0, qPrintable(done.output));
    done = runProgram(CMAKE_PROGRAM, {"--build", source + "/build"}, environment, 600);
    QVERIFY2(done.code == 0, qPrintable(done.output));
    done = runProgram(source + "/build/copied", {}, environment, 120);
    QVERIFY2(done.code == 0 && done.output.contains("val/accuracy"), qPrintable(done.output));
    const auto listed = ctl({"runs", "--filter", "name:copied and status:finished"});
    QCOMPARE(listed.output.count("copied"), 2);
}

QTEST_GUILESS_MAIN(InstalledExamplesTest)
#include "installed_examples_test.moc"
