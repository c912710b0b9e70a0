// SPDX-License-Identifier: GPL-3.0-or-later
// Which CUDA devices a process is to see, and what they are called on both sides.
#include "engine/run/launch/cuda_devices.h"

#include <QTest>

using namespace trainyard::run;

class CudaDevicesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areThoseOfTheEnvironment_data() {
        QTest::addColumn<QByteArray>("value"); // null: not set
        QTest::addColumn<int>("visible");      // of 4
        QTest::addColumn<QByteArray>("first"), QTest::addColumn<QByteArray>("others");
        const QByteArray unset, none = "";
        QTest::newRow("not set") << unset << 4 << QByteArray("0") << QByteArray("1,2");
        QTest::newRow("empty") << QByteArray("") << 0 << none << none;
        QTest::newRow("some") << QByteArray("2, 0 ,3") << 3 << QByteArray("2") << QByteArray("0,3");
        QTest::newRow("one") << QByteArray("3") << 1 << QByteArray("3") << none;
        QTest::newRow("by their ids") << QByteArray("GPU-5f,MIG-7,GPU-1") << 3 << QByteArray("GPU-5f")
                                      << QByteArray("MIG-7,GPU-1");
        QTest::newRow("up to what is none") << QByteArray("1,-1,0") << 1 << QByteArray("1") << none;
        QTest::newRow("more than there are") << QByteArray("0,1,2,3,4,5") << 4 << QByteArray("0") << QByteArray("1,2");
    }
    void areThoseOfTheEnvironment() {
        QFETCH(QByteArray, value);
        const char* const given = value.isNull() ? nullptr : value.constData();
        QTEST(visibleOf(4, given), "visible");
        QTEST(QByteArray::fromStdString(valueFor({0}, given)), "first");
        QTEST(QByteArray::fromStdString(valueFor({1, 2}, given)), "others");
    }

    void areDealtByPlaces_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("devices");
        QTest::addColumn<QList<CudaDevices>>("dealt"); // by place
        QTest::newRow("one each") << 1 << 2 << QList<CudaDevices>{{0}, {1}, {0}, {1}};
        QTest::newRow("several each") << 2 << 4 << QList<CudaDevices>{{0, 1}, {2, 3}, {0, 1}};
        QTest::newRow("one is left over") << 2 << 3 << QList<CudaDevices>{{0, 1}, {0, 1}};
        QTest::newRow("one for all") << 1 << 1 << QList<CudaDevices>{{0}, {0}};
        QTest::newRow("too few") << 2 << 1 << QList<CudaDevices>{{}, {}};
        QTest::newRow("none") << 1 << 0 << QList<CudaDevices>{{}, {}};
        QTest::newRow("no ranks") << 0 << 2 << QList<CudaDevices>{{}, {}};
    }
    void areDealtByPlaces() {
        QFETCH(int, ranks);
        QFETCH(int, devices);
        QFETCH(QList<CudaDevices>, dealt);
        for (int place = 0; place < dealt.size(); ++place)
            QCOMPARE(devicesOfPlace(place, {ranks, devices}), dealt[place]);
        QCOMPARE(devicesOfPlace(-1, {ranks, devices}), CudaDevices{}); // no place
    }

    void areThoseOfThePlaceOnASpare_data() {
        QTest::addColumn<CudaDevices>("dealt"); // on the host that was lost
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("devices"); // of the spare
        QTest::addColumn<CudaDevices>("there");
        QTest::newRow("the same") << CudaDevices{1} << 1 << 2 << CudaDevices{1};
        QTest::newRow("the same of several") << CudaDevices{0, 3} << 2 << 4 << CudaDevices{0, 3};
        QTest::newRow("it has no such") << CudaDevices{3} << 1 << 2 << CudaDevices{0};
        QTest::newRow("it has one of them") << CudaDevices{1, 2} << 2 << 2 << CudaDevices{0, 1};
        QTest::newRow("too few") << CudaDevices{0, 1} << 2 << 1 << CudaDevices{};
        QTest::newRow("none") << CudaDevices{0} << 1 << 0 << CudaDevices{};
        QTest::newRow("more ranks than devices") << CudaDevices{1} << 2 << 2 << CudaDevices{1};
    }
    void areThoseOfThePlaceOnASpare() {
        QFETCH(CudaDevices, dealt);
        QFETCH(int, ranks);
        QFETCH(int, devices);
        QTEST(devicesOfSpare(dealt, {ranks, devices}), "there");
    }

    void areNamedAsHere_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("here"); // with devices 1 and 3
        QTest::newRow("first") << "cuda:0" << "cuda:1";
        QTest::newRow("second") << "cuda:1" << "cuda:3";
        QTest::newRow("not one of them") << "cuda:2" << "cuda:2";
        QTest::newRow("the processor") << "cpu" << "cpu";
        QTest::newRow("no number") << "cuda:x" << "cuda:x";
    }
    void areNamedAsHere() {
        QFETCH(QString, device);
        QTEST(QString::fromStdString(nameHere(device.toStdString(), {1, 3})), "here");
        QCOMPARE(nameHere(device.toStdString(), {}), device.toStdString());
    }
};

QTEST_GUILESS_MAIN(CudaDevicesTest)
#include "cuda_devices_test.moc"
