// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the cluster without another host: the devices of this computer, and how a new host is named.
#include "tests/gui/forms/form_fields.h"
#include "ui/pages/cluster/local_host_card.h"
#include "ui/shell/main_window.h"
#ifdef TRAINYARD_REMOTE
#include "ui/pages/cluster/add_host_panel.h"
#include "ui/pages/cluster/host_use.h"
#endif

#include <QComboBox>
#include <QLabel>
#include <QPushButton>

using namespace trainyard;
using namespace trainyard::ui;

class ClusterPageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    QStringList devices() const {
        QStringList names;
        for (const auto* row : m_window->findChild<LocalHostCard*>()->findChildren<DeviceRow*>())
            if (row->isVisible()) names << row->accessibleName();
        return names;
    }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<MainWindow>(store::Workspace{m_folder->path().toStdString()});
        m_window->resize(1366, 768);
        m_window->setPage(PageId::cluster);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    // Feature: the GPUs of this computer on the page of the cluster; what trains on another host, and its load; a host
    // is named as for ssh; datasets say whether they are there, in words. Also in data_page_test.
    void everyGpuHasItsRow() {
        auto& card = *m_window->findChild<LocalHostCard*>();
        QTRY_VERIFY(m_window->bench().load().memoryTotal > 0); // from now on it is measured once a second
        SystemLoad load;
        load.memoryTotal = 64'000'000'000;
        card.setLoad(load);
        QCOMPARE(devices().size(), 1); // the processor
        load.gpus = {{0, {0.9, 9'000'000'000, 24'000'000'000}}, {2, {0.1, 1'000'000'000, 24'000'000'000}}};
        card.setLoad(load);
        QCOMPARE(devices().size(), 3);
        QCOMPARE(devices().mid(1), (QStringList{QStringLiteral("cuda:0"), QStringLiteral("cuda:2")}));
        const auto rows = card.findChildren<DeviceRow*>();
        QCOMPARE(rows[1]->accessibleDescription(), QStringLiteral("cuda:0: 90% busy, memory 9.0 / 24 GB"));
        for (int i = 0; i < 3; ++i) QCOMPARE(card.body()->indexOf(rows[i]), i);
        load.gpus.erase(0);
        card.setLoad(load);
        QCOMPARE(devices().mid(1), QStringList{QStringLiteral("cuda:2")});
    }

#ifdef TRAINYARD_REMOTE
    // By its alias or as for ssh; what a run calls its own computer is its home.
    void aHostShowsWhatTrainsOnIt_data() {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("home");
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("measured");
        QTest::newRow("by its alias") << R"(["local","lab1"])" << "" << "walk r1" << "lab1";
        QTest::newRow("as for ssh") << R"(["kim@10.0.0.5:2222","local"])" << "" << "walk r0" << "kim@10.0.0.5:2222";
        QTest::newRow("its home") << R"(["local","kim@lab2"])" << "lab1" << "walk r0" << "localhost";
        QTest::newRow("others") << R"(["lab2","local"])" << "" << "" << "lab2";
        QTest::newRow("this computer alone") << "[]" << "" << "" << "localhost";
    }
    void aHostShowsWhatTrainsOnIt() {
        QFETCH(QString, hosts);
        QFETCH(QString, home);
        QFETCH(QString, user);
        QFETCH(QString, measured);
        remote::HostEntry host;
        host.alias = "lab1";
        host.hostName = "10.0.0.5";
        store::RunRow row;
        row.id = "1";
        row.name = "walk";
        row.status = wire::RunStatus::Running;
        row.worldSize = 2;
        row.specJson = "{\"hosts\": " + hosts.toStdString() + "}";
        const auto run = makeRunItem(row);
        run->home.host = home;
        SeriesStore series;
        QCOMPARE(useOf(host, {run}, series).users.words.join('|'), user);
        QVERIFY(!useOf(host, {run}, series).cpuShare);
        for (const auto& [what, value] : {std::pair("cpu_percent", 50.0), std::pair("memory_mb", 3000.0)}) {
            const PlotPoint point{1, 1, 1, value};
            series.append(QStringLiteral("1"), QStringLiteral("system/host/%1/%2").arg(measured, QLatin1String(what)),
                          std::span(&point, 1));
        }
        const HostUse use = useOf(host, {run}, series);
        QCOMPARE(use.cpuShare, user.isEmpty() ? std::nullopt : std::optional(0.5));
        QCOMPARE(use.memoryBytes, user.isEmpty() ? 0 : 3e9);
    }

    // As one would type it for ssh.
    void aHostIsNamedAsForSsh_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("connects");
        QTest::addColumn<bool>("can"); // be tested
        QTest::newRow("name") << "node7" << "node7" << true;
        QTest::newRow("user and name") << "kim@node7" << "kim@node7" << true;
        QTest::newRow("and port") << "kim@10.0.0.5:2222" << "kim@10.0.0.5:2222" << true;
        QTest::newRow("IPv6") << "kim@[fe80::1]:22" << "kim@fe80::1" << true;
        QTest::newRow("no port") << "kim@node7:ssh" << "kim@node7:ssh" << false;
        QTest::newRow("no name") << "kim@" << "–" << false;
    }
    void aHostIsNamedAsForSsh() {
        QFETCH(QString, typed);
        QFETCH(QString, connects);
        QFETCH(bool, can);
        m_window->addHost();
        auto& panel = *m_window->findChild<AddHostPanel*>();
        auto* name = test::named<QComboBox>(panel, QStringLiteral("Name of the host"));
        QVERIFY(name);
        name->lineEdit()->selectAll();
        QTest::keyClicks(name->lineEdit(), typed);
        QStringList shown;
        for (const auto* label : panel.findChildren<QLabel*>())
            if (label->isVisible()) shown << label->text();
        QVERIFY2(shown.contains(connects), qPrintable(shown.join('|')));
        for (auto* each : panel.findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Test")) QCOMPARE(each->isEnabled(), can);
        QTest::keyClick(name->lineEdit(), Qt::Key_Escape);
        QTRY_VERIFY(!panel.isVisible());
    }
#endif
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ClusterPageTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-cluster-page-test"));
}
#include "cluster_page_test.moc"
