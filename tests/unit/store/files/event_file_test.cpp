// SPDX-License-Identifier: GPL-3.0-or-later
// Event files as an independent reader sees them (python/read_event_file.py).
#include "engine/run/record/series/tensorboard_log.h"
#include "engine/store/files/event_file.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <cmath>
#include <csignal>

using namespace trainyard;

namespace {

QString pathOf(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

} // namespace

class EventFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QProcess python;
        python.start(QStringLiteral("python3"), {QStringLiteral("--version")});
        if (!python.waitForFinished() || python.exitCode() != 0) QSKIP("there is no python3 to read the files with");
    }

    void holdsEveryPoint() {
        QTemporaryDir folder;
        const std::map<std::string, std::vector<wire::Point>> series{
            {"train/loss", {{1, 0.5, 0.25, 2.5}, {2, 1, 0.5, std::nan("")}, {3'000'000'000, 1.5, 1, 1e-30}}},
            {"val/accuracy", {{200, 1, 12.5, 0.75}}}};
        const auto path = store::writeEventFile(folder.path().toStdString(), "run-1", 1'700'000'000'500, series);
        QVERIFY2(path.ok(), path.ok() ? "" : path.error().text().c_str());
        QCOMPARE(path->filename().string(), std::string("events.out.tfevents.1700000000.run-1"));
        const auto events = read(pathOf(*path));
        QCOMPARE(events.size(), 5);
        QCOMPARE(events[0].toObject()["version"].toString(), QStringLiteral("brain.Event:2"));
        const auto third = events[3].toObject();
        QCOMPARE(third["tag"].toString(), QStringLiteral("train/loss"));
        QCOMPARE(third["step"].toInteger(), 3'000'000'000);
        QCOMPARE(third["wall"].toDouble(), 1'700'000'001.5);
        QCOMPARE(static_cast<float>(third["value"].toDouble()), 1e-30f);
        QVERIFY(events[2].toObject()["value"].isNull()); // NaN stays one
        QCOMPARE(events[4].toObject()["tag"].toString(), QStringLiteral("val/accuracy"));
        QCOMPARE(events[4].toObject()["value"].toDouble(), 0.75);
    }

    void growsWithARunAndTakesBackWhatIsRepeated() {
        QTemporaryDir folder;
        const auto log = run::TensorBoardLog::open(folder.path().toStdString(), "run-1");
        QVERIFY(log.ok());
        (*log)->add({{{"train/loss", 0, {{1, 0, 0, 1}, {2, 0, 0, 0.5}}}}});
        QCOMPARE(read(pathOf((*log)->path())).size(), 3); // readable while it grows
        (*log)->rewind(1);
        (*log)->add({{{"train/loss", 1, {{2, 0, 0, 0.25}}}}});
        const auto events = read(pathOf((*log)->path()));
        QCOMPARE(events.size(), 5);
        QVERIFY(events[3].toObject()["restart"].toBool());
        QCOMPARE(events[3].toObject()["step"].toInteger(), 2); // void from here on
        QCOMPARE(events[4].toObject()["value"].toDouble(), 0.25);
    }

    void waitsForADiskThatIsFull() {
        QTemporaryDir folder;
        const auto log = run::TensorBoardLog::open(folder.path().toStdString(), "run-1");
        QVERIFY(log.ok());
        std::vector<wire::Point> points;
        for (int step = 1; step <= 100; ++step) points.push_back({step, 0, 0, 1.0 / step});
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit little{500, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0);
        (*log)->add({{{"train/loss", 0, points}}});
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        QCOMPARE(read(pathOf((*log)->path())).size(), 1); // whole records only
        (*log)->add({{{"train/loss", 100, {{101, 0, 0, 0}}}}});
        QCOMPARE(read(pathOf((*log)->path())).size(), 102);
    }

    void saysWhyThereIsNoFile() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("in-the-way")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto log = run::TensorBoardLog::open(file.fileName().toStdString(), "run-1");
        QVERIFY(!log.ok());
        QCOMPARE(log.error().kind, ErrorKind::Environment);
        QCOMPARE(log.error().where, file.fileName().toStdString());
    }

private:
    static QJsonArray read(const QString& path) {
        QProcess python;
        python.start(QStringLiteral("python3"),
                     {QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/python/read_event_file.py"), path});
        if (!python.waitForFinished() || python.exitCode() != 0)
            qWarning("%s", python.readAllStandardError().constData());
        return QJsonDocument::fromJson(python.readAllStandardOutput()).array();
    }
};

QTEST_GUILESS_MAIN(EventFileTest)
#include "event_file_test.moc"
