// SPDX-License-Identifier: GPL-3.0-or-later
// The load of this computer in the status bar: GPUs where the driver tells of some, the network while a run needs it.
#include "ui/models/desktop/system_stats.h"
#include "ui/models/runs/run_item.h"
#include "ui/shell/load_segments.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

class LoadSegmentsTest : public QObject {
    Q_OBJECT

    static QStringList shown(const LoadSegments& segments) {
        QStringList words;
        for (const auto* each : segments.findChildren<StatusSegment*>())
            if (each->isVisibleTo(&segments)) words << each->accessibleName();
        return words;
    }
    static SystemLoad busy() {
        SystemLoad load;
        load.cpuShare = 0.5;
        load.memoryUsed = 8'000'000'000;
        load.memoryTotal = 32'000'000'000;
        load.diskFree = 41'000'000'000;
        load.diskTotal = 100'000'000'000;
        load.receivedPerSecond = 12.34e6;
        load.sentPerSecond = 234.5e6;
        return load;
    }

private Q_SLOTS:
    void whatThereIsNotIsNotShown() {
        LoadSegments segments;
        segments.setLoad(busy(), {}, false);
        QCOMPARE(shown(segments), (QStringList{"CPU 50%", "8.0 / 32 GB", "41.0 GB free"}));
    }

    void aFullDiskStandsOut() {
        LoadSegments segments;
        segments.resize(900, 28);
        segments.show();
        SystemLoad load = busy();
        const auto red = [&segments] {
            const QImage image = segments.findChildren<StatusSegment*>().last()->grab().toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == Theme::current().error;
            return count;
        };
        segments.setLoad(load, {}, false);
        QCOMPARE(red(), 0);
        load.diskFree = 0;
        segments.setLoad(load, {}, false);
        QCOMPARE(shown(segments).last(), QStringLiteral("0 B free: the disk is full"));
        QVERIFY(red() > 20);
    }

    void theNetworkIsShownWhileARunNeedsIt() {
        LoadSegments segments;
        segments.setLoad(busy(), Qt::red, true);
        QVERIFY2(shown(segments).contains(QStringLiteral("↓ 12.3 MB/s  ↑ 234 MB/s")) ||
                     shown(segments).contains(QStringLiteral("↓ 12.3 MB/s  ↑ 235 MB/s")),
                 qPrintable(shown(segments).join('|')));
        segments.setLoad(busy(), Qt::red, false);
        QCOMPARE(shown(segments).size(), 3);
    }

    // The driver's libraries are those of fake_nvidia.cpp.
    // Feature: GPU and network in the status bar, only where there is one or a run needs it; what has no room is left
    // out.
    void gpusTellTheirLoad() {
        SystemStats stats(QStringLiteral("/"));
        QVERIFY(stats.sample().gpus.empty());
        stats.setGpus(gpuMeters(4)); // the second one does not tell, the fourth one is none
        SystemLoad load = busy();
        load.gpus = stats.sample().gpus;
        QCOMPARE(load.gpus.size(), std::size_t{2});
        LoadSegments segments;
        segments.setLoad(load, Qt::red, false);
        QCOMPARE(shown(segments), (QStringList{"CPU 50%", "8.0 / 32 GB", "GPU 50%  10.0 / 48 GB", "41.0 GB free"}));
        const auto* gpu = segments.findChildren<StatusSegment*>()[2];
        QCOMPARE(gpu->toolTip(), QStringLiteral("cuda:0  90%  9.0 / 24 GB\ncuda:2  10%  1.0 / 24 GB"));
    }

    void whatHasNoRoomIsLeftOut() {
        LoadSegments segments;
        segments.setLoad(busy(), {}, true);
        QCOMPARE(shown(segments).size(), 4);
        int wide = 0;
        for (const auto* each : segments.findChildren<StatusSegment*>())
            if (each->isVisibleTo(&segments)) wide += each->sizeHint().width();
        segments.setRoom(wide - 1);
        QCOMPARE(shown(segments), (QStringList{"CPU 50%", "8.0 / 32 GB", "41.0 GB free"}));
        segments.setRoom(10);
        QCOMPARE(shown(segments), QStringList{"41.0 GB free"});
        segments.setRoom(wide);
        QCOMPARE(shown(segments).size(), 4);
    }

    void eachOfThemLeadsOn() {
        LoadSegments segments;
        segments.setLoad(busy(), {}, true);
        const QSignalSpy pressed(&segments, &LoadSegments::pressed);
        for (auto* each : segments.findChildren<StatusSegment*>()) each->click();
        QCOMPARE(pressed.size(), 5);
    }

    void runsThatReachOtherHosts_data() {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<bool>("active");
        QTest::addColumn<bool>("reaches");
        QTest::newRow("this computer") << R"("scaling":{"workers":2})" << true << false;
        QTest::newRow("by its name") << R"("scaling":{"workers":2},"hosts":["local"])" << true << false;
        QTest::newRow("another host") << R"("scaling":{"workers":2},"hosts":["local","lab1"])" << true << true;
        QTest::newRow("it has ended") << R"("scaling":{"workers":2},"hosts":["local","lab1"])" << false << false;
    }
    void runsThatReachOtherHosts() {
        QFETCH(QString, hosts);
        QFETCH(bool, active);
        QFETCH(bool, reaches);
        store::RunRow row;
        row.id = "a";
        row.status = active ? wire::RunStatus::Running : wire::RunStatus::Finished;
        row.specJson = ("{" + hosts + "}").toStdString();
        QCOMPARE(reachesOtherHosts(*makeRunItem(row)), reaches);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    LoadSegmentsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "load_segments_test.moc"
