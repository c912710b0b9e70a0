// SPDX-License-Identifier: GPL-3.0-or-later
// service.json and state.json: what is written is read, and what is wrong is refused with place and remedy.
#include "engine/serve/values/service_spec.h"
#include "engine/serve/values/service_status.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

ServiceSpec plain() {
    ServiceSpec spec;
    spec.name = "digits";
    spec.models = {{"digits", "/w/runs/a/step-7.safetensors", "my run", 7}, {"other", "/w/o.pt", "", -1}};
    return spec;
}

} // namespace

class ServiceSpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aServiceIsReadAsItWasWritten() {
        ServiceSpec spec = plain();
        spec.host = "0.0.0.0";
        spec.port = 8443;
        spec.certificate = "/c.pem";
        spec.key = "/k.pem";
        spec.minReplicas = 0;
        spec.maxReplicas = 4;
        spec.threads = 2;
        spec.batchMax = 64;
        spec.batchDelayUs = 500;
        spec.deterministic = true;
        spec.deadlineSeconds = 2.5;
        spec.drainSeconds = 3;
        spec.targetMs = 20;
        spec.bodyMb = 8;
        spec.perSecond = 12.5;
        spec.follow = "my run";
        const auto read = parseServiceSpec(serviceJson(spec), "service.json");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QVERIFY(*read == spec);
        QCOMPARE(spec.models[0].version(), std::string("my run@7"));
        QCOMPARE(spec.models[1].version(), std::string("o.pt"));
        QCOMPARE(spec.url(), std::string("https://0.0.0.0:8443"));
        ServiceSpec away = plain();
        away.on = "root@h1";
        away.models[1].there = true;
        away.forwardedFrom = 8100;
        const auto again = parseServiceSpec(serviceJson(away), "service.json");
        QVERIFY(again.ok() && *again == away);
    }

    // Bad inputs: a service that cannot be is refused with the field, what is wrong and what to write instead.
    void whatCannotBeIsRefused_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* json, const char* expected) {
            QTest::newRow(name) << json << expected;
        };
        const QString good = R"("name": "a", "models": [{"name": "m", "file": "/f"}])";
        row("no JSON", "{", "is not a JSON object");
        row("a list", "[]", "is not a JSON object");
        row("no model", R"({"name": "a"})", "a service needs a model");
        row("a name of a path", R"({"name": "../a", "models": [{"name": "m", "file": "/f"}]})", "name");
        row("a relative file", R"({"name": "a", "models": [{"name": "m", "file": "f"}]})", "not an absolute path");
        row("twice", R"({"name": "a", "models": [{"name": "m", "file": "/f"}, {"name": "m", "file": "/g"}]})", "twice");
        row("models of another type", R"({"name": "a", "models": {}})", "must be a list");
        const auto with = [&](const char* name, const QString& more, const char* expected) {
            QTest::newRow(name) << "{" + good + ", " + more + "}" << expected;
        };
        with("an unknown key", R"("replica": {"min": 1})", "replicas");
        with("an unknown key within", R"("batch": {"maximum": 3})", "batch.maximum");
        with("a newer version", R"("version": 2)", "newer Trainyard");
        with("a port that is none", R"("listen": {"port": 70000})", "listen.port");
        with("a host that is none", R"("listen": {"host": "example.org"})", "listen.host");
        with("everybody without TLS", R"("listen": {"host": "0.0.0.0"})", "certificate");
        with("a certificate without its key", R"("listen": {"certificate": "/c"})", "listen.key");
        with("a socket and a port", R"("listen": {"socket": "/s", "port": 1})", "beside a port");
        with("more at least than at most", R"("replicas": {"min": 3, "max": 2})", "replicas.max");
        with("a batch of none", R"("batch": {"max": 0})", "batch.max");
        with("TLS on a host", R"("on": "h1", "listen": {"certificate": "/c", "key": "/k"})", "leave out --host");
        with("a socket on a host", R"("on": "h1", "listen": {"socket": "/s"})", "this computer's loopback");
        with("a forwarded port that is none", R"("listen": {"forwardedFrom": -1})", "listen.forwardedFrom");
        with("no time", R"("limits": {"deadlineSeconds": 0})", "limits.deadlineSeconds");
        with("a negative rate", R"("limits": {"perSecond": -1})", "limits.perSecond");
        with("text for a number", R"("limits": {"bodyMb": "16"})", "limits.bodyMb");
    }
    void whatCannotBeIsRefused() {
        QFETCH(QString, json);
        QFETCH(QString, expected);
        const auto read = parseServiceSpec(json.toStdString(), "service.json");
        QVERIFY(!read.ok());
        QCOMPARE(read.error().kind, ErrorKind::Input);
        QVERIFY2(QString::fromStdString(read.error().text()).contains(expected), read.error().text().c_str());
    }

    void namesFitAddressesAndFolders() {
        QCOMPARE(serviceNameOf("My run!"), std::string("My-run"));
        QCOMPARE(serviceNameOf("../../etc"), std::string("etc"));
        QCOMPARE(serviceNameOf("\xc3\xa9"), std::string("model"));
        QVERIFY(isServiceName(serviceNameOf(std::string(300, 'a'))));
        for (const char* bad : {"", ".", "..", "a/b", "-x", "a b"}) QVERIFY(!isServiceName(bad));
    }

    void aStatusIsReadAsItWasWritten() {
        ServiceStatus status;
        status.name = "digits";
        status.state = ServiceState::Draining;
        status.reason = "why";
        status.url = "http://127.0.0.1:1";
        status.pid = 7;
        status.qps = 1.5;
        status.answered = 12;
        status.codes = {{200, 11}, {503, 1}};
        status.latency = {{1, 2}, {3, 4, 5}};
        status.replicas = {{1, 99, "m", "r@1", ReplicaState::Busy, 12, 2}};
        status.versions = {{"m", "r@1", "/f", VersionRole::Canary, 0.25, 12, 1, 1.5, 9, "because"}};
        status.processesLeft = 0;
        const auto read = statusFromJson(jsonText(statusToJson(status)), "state.json");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->state, ServiceState::Draining);
        QCOMPARE(read->codes, status.codes);
        QVERIFY(read->latency == status.latency && read->replicas == status.replicas);
        QVERIFY(read->versions == status.versions);
        QCOMPARE(read->processesLeft, 0);
        QCOMPARE(read->reason, status.reason);
    }

    // Bad inputs: the state file of a service: no JSON, an unknown state, members of other types.
    void aBrokenStateIsNoCrash() {
        for (const char* bad : {"", "[]", "{}", R"({"state": 3})", R"({"state": "asleep"})"})
            QVERIFY(!statusFromJson(bad, "state.json").ok());
        const auto odd = statusFromJson(R"({"state": "ready", "pid": "x", "codes": 3, "replicas": [1, {"state": "?"}],)"
                                        R"("latency": {"counts": [1, 2]}})",
                                        "state.json");
        QVERIFY(odd.ok());
        QVERIFY(odd->replicas.empty() && odd->latency.counts.empty() && odd->pid == 0);
    }
};

QTEST_GUILESS_MAIN(ServiceSpecTest)
#include "service_spec_test.moc"
