// SPDX-License-Identifier: GPL-3.0-or-later
// The libraries that About names are those that the programs are linked with and the build looks for.
#include "ui/shell/about_dialog.h"
#include "ui/shell/about_libraries.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QMainWindow>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace trainyard::ui;

class LibrariesTest : public QObject {
    Q_OBJECT

    static bool isNamed(const QString& file) {
        const auto& all = libraries();
        return std::any_of(all.begin(), all.end(), [&](const Library& each) {
            return std::any_of(each.files.begin(), each.files.end(),
                               [&](const QString& start) { return file.startsWith(start); });
        });
    }

private Q_SLOTS:
    void whatAProgramIsLinkedWithIsNamed_data() {
        QTest::addColumn<QString>("program");
        for (const char* program : {"trainyard", "trainyardctl", "trainyard-worker"})
            QTest::newRow(program) << QString::fromLatin1(program);
    }
    void whatAProgramIsLinkedWithIsNamed() {
        QFETCH(QString, program);
        const QString file = qEnvironmentVariable("TRAINYARD_BIN") + QLatin1Char('/') + program;
        if (!QFile::exists(file)) QSKIP("it is not built");
        if (QStandardPaths::findExecutable(QStringLiteral("readelf")).isEmpty()) QSKIP("readelf is not installed");
        QProcess readelf;
        readelf.start(QStringLiteral("readelf"), {QStringLiteral("-d"), file});
        QVERIFY(readelf.waitForFinished(30000));
        static const QRegularExpression needed(QStringLiteral("\\(NEEDED\\).*\\[(.*)\\]"));
        int count = 0;
        auto found = needed.globalMatch(QString::fromUtf8(readelf.readAll()));
        while (found.hasNext()) {
            const QString library = found.next().captured(1);
            QVERIFY2(isNamed(library), qPrintable(library));
            ++count;
        }
        QVERIFY(count > 5);
    }

    // Headers leave no trace in a program; the build has to find them, though.
    void whatTheBuildLooksForIsNamed() {
        static const QRegularExpression package(QStringLiteral("find_package\\((\\w+)"));
        QStringList known;
        for (const Library& each : libraries()) known << each.packages;
        int count = 0;
        for (const char* folder : {"engine", "remote", "ui", "app"}) {
            QDirIterator files(QStringLiteral(TRAINYARD_SOURCE_DIR "/") + QLatin1String(folder),
                               {QStringLiteral("CMakeLists.txt")}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                auto found = package.globalMatch(QString::fromUtf8(file.readAll()));
                while (found.hasNext()) {
                    const QString name = found.next().captured(1);
                    QVERIFY2(known.contains(name), qPrintable(name));
                    ++count;
                }
            }
        }
        QVERIFY(count > 10);
    }

    // What is opened while a program runs is in no table of its sections.
    void whatIsLoadedLaterIsNamed() {
        static const QRegularExpression loaded(QStringLiteral("dlopen\\(\"([^\"]+)\""));
        int count = 0;
        QDirIterator files(QStringLiteral(TRAINYARD_SOURCE_DIR "/engine"), {QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto found = loaded.globalMatch(QString::fromUtf8(file.readAll()));
            while (found.hasNext()) {
                const QString library = found.next().captured(1);
                QVERIFY2(isNamed(library), qPrintable(library));
                ++count;
            }
        }
        QVERIFY(count > 0);
    }

    void aboutShowsThemAll() {
        QMainWindow window;
        window.setCentralWidget(new QWidget);
        window.resize(1280, 720);
        window.show();
        showAbout(&window);
        QStringList shown;
        for (const auto* list : window.findChildren<PairList*>())
            for (const auto& pair : list->pairs()) shown << pair.name + QLatin1Char('|') + pair.value;
        for (const Library& each : libraries()) {
            const auto named = shown.filter(QRegularExpression(
                QLatin1Char('^') + QRegularExpression::escape(QLatin1String(each.name)) + QStringLiteral("[ |]")));
            QVERIFY2(named.size() == 1 && named.first().contains(QLatin1String(each.licence)), each.name);
        }
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    LibrariesTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "libraries_test.moc"
