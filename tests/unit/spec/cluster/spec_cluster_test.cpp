// SPDX-License-Identifier: GPL-3.0-or-later
// Cluster files: what they say, and how what is wrong in one is told.
#include "engine/spec/cluster/cluster_file.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::spec;

class SpecClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatIsWritten();
    void aHostsOwnNeedsAreAdded();
    void theExampleIsValid();
    void comesBackAsItWas();
    void refuses_data();
    void refuses();
};

namespace {

constexpr const char* kFull = R"({
  "version": 1, "name": "lab",
  "hosts": ["spare", {"alias": "h1", "hostName": "10.0.0.7", "user": "anna", "port": 2222,
             "identityFile": "/home/anna/.ssh/id_ed25519", "address": "eth1", "setup": ["own"],
             "environment": {"A": "2"}, "folders": {"../code": "~/code"}}],
  "setup": ["true", "make"], "environment": {"A": "1", "B": "b c"}, "folders": {"data/": "/srv/data"}
})";

} // namespace

// Feature: a cluster of hosts: brought up side by side, set up once for each content, a failure told with its exit
// code; commands on all of them that end with their caller; folders there and back; ports; taken down with its runs
// saved. Also in ssh_cluster_test.
void SpecClusterTest::readsWhatIsWritten() {
    const auto cluster = parseClusterSpec(kFull, "lab.json", "/home/anna/clusters");
    QVERIFY2(cluster.ok(), cluster ? "" : cluster.error().text().c_str());
    QCOMPARE(cluster->name, std::string("lab"));
    QCOMPARE(cluster->hosts.size(), std::size_t(2));
    QVERIFY(!cluster->hosts[0].isDescribed());
    const ClusterHost& host = cluster->hosts[1];
    QVERIFY(host.isDescribed());
    QCOMPARE(host.hostName + host.user + host.identityFile + host.address,
             std::string("10.0.0.7anna/home/anna/.ssh/id_ed25519eth1"));
    QCOMPARE(host.port, 2222);
    QCOMPARE(cluster->needs.folders.at("/home/anna/clusters/data"), std::string("/srv/data"));
    QCOMPARE(host.needs.folders.at("/home/anna/code"), std::string("~/code"));
}

void SpecClusterTest::aHostsOwnNeedsAreAdded() {
    const auto cluster = parseClusterSpec(kFull, "lab.json", "/home/anna/clusters");
    QVERIFY(cluster.ok());
    const HostNeeds all = needsOf(*cluster, cluster->hosts[0]), own = needsOf(*cluster, cluster->hosts[1]);
    QVERIFY(all == cluster->needs);
    QCOMPARE(own.setup, (std::vector<std::string>{"true", "make", "own"}));
    QCOMPARE(own.environment, (std::map<std::string, std::string>{{"A", "2"}, {"B", "b c"}}));
    QCOMPARE(own.folders.size(), std::size_t(2));
}

void SpecClusterTest::theExampleIsValid() {
    const auto cluster = readClusterSpec(TRAINYARD_SOURCE_DIR "/examples/cluster/lab.json");
    QVERIFY2(cluster.ok(), cluster ? "" : cluster.error().text().c_str());
    for (const auto& [local, remote] : cluster->needs.folders)
        QVERIFY2(std::filesystem::is_directory(local), local.c_str());
}

void SpecClusterTest::comesBackAsItWas() {
    const auto cluster = parseClusterSpec(kFull, "lab.json", "/home/anna/clusters");
    QVERIFY(cluster.ok());
    const auto again = parseClusterSpec(clusterJson(*cluster), "again.json");
    QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == *cluster);
}

// Bad inputs: cluster files.
void SpecClusterTest::refuses_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* json, const char* said) { QTest::newRow(name) << json << said; };
    row("cluster cut short", R"({"name": "lab", "hosts": [)", "is not valid JSON at line 1, column 27");
    row("cluster of version 2", R"({"version": 2, "name": "lab", "hosts": ["h1"]})", "version: must be 1");
    row("cluster unknown key", R"({"name": "lab", "hosts": ["h1"], "setpu": []})",
        "lab.json: setpu: is not a known key, found []");
    row("cluster key nearest", R"({"name": "lab", "hosts": ["h1"], "setpu": "x"})", "did you mean \"setup\"?");
    row("cluster without a name", R"({"hosts": ["h1"]})", "name: a cluster needs a name");
    row("cluster name with a slash", R"({"name": "../lab", "hosts": ["h1"]})", "is not the name of a cluster");
    row("cluster without hosts", R"({"name": "lab"})", "hosts: must be a list of one host or more");
    row("cluster of no host", R"({"name": "lab", "hosts": []})", "hosts: must be a list of one host or more");
    row("cluster host number", R"({"name": "lab", "hosts": [1]})", "hosts.0: must be a host's name or an object");
    row("cluster host option", R"({"name": "lab", "hosts": ["-oProxyCommand=x"]})", "must not begin with -");
    row("cluster host twice", R"({"name": "lab", "hosts": ["h1", {"alias": "h1"}]})", "hosts.1: is there twice");
    row("cluster host without alias", R"({"name": "lab", "hosts": [{"hostName": "h1"}]})", "hosts.0: has no alias");
    row("cluster host key", R"({"name": "lab", "hosts": [{"alias": "h1", "hostname": "x"}]})",
        "did you mean \"hostName\"?");
    row("cluster port text", R"({"name": "lab", "hosts": [{"alias": "h1", "port": "22"}]})", "write it without quotes");
    row("cluster port 0", R"({"name": "lab", "hosts": [{"alias": "h1", "port": 0}]})", "hosts.0.port: is not a port");
    row("cluster setup text", R"({"name": "lab", "hosts": ["h1"], "setup": "make"})", "setup: must be a list of texts");
    row("cluster setup blank", R"({"name": "lab", "hosts": ["h1"], "setup": [" "]})", "setup.0: is not a command");
    row("cluster variable number", R"({"name": "lab", "hosts": ["h1"], "environment": {"A": 1}})",
        "environment.A: must be text");
    row("cluster variable name", R"({"name": "lab", "hosts": ["h1"], "environment": {"1A": "x"}})",
        "is not the name of an environment variable");
    row("cluster variable of ours", R"({"name": "lab", "hosts": ["h1"], "environment": {"TRAINYARD_POOL": "x"}})",
        "is a variable of Trainyard itself");
    row("cluster folder root", R"({"name": "lab", "hosts": ["h1"], "folders": {"code": "/"}})",
        "is not a folder that can be copied");
}

void SpecClusterTest::refuses() {
    QFETCH(QString, json);
    QFETCH(QString, said);
    const auto cluster = parseClusterSpec(json.toStdString(), "lab.json", "/tmp");
    QVERIFY(!cluster.ok());
    QVERIFY(cluster.error().kind == ErrorKind::Input);
    const QString text = QString::fromStdString(cluster.error().text());
    QVERIFY2(text.startsWith("lab.json") && text.contains(said), qPrintable(text));
}

QTEST_GUILESS_MAIN(SpecClusterTest)
#include "spec_cluster_test.moc"
