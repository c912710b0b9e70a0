// SPDX-License-Identifier: GPL-3.0-or-later
// A service of a run that really trained: what it answers, and what happens when its parts die, hang or change.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/process_check.h"
#include "engine/serve/control/service_client.h"
#include "engine/serve/control/service_http.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <thread>

using namespace trainyard;
using namespace trainyard::serve;
using test::RunLab;

namespace {

// Rows of two numbers each.
std::string inferBody(const QJsonArray& numbers, const std::string& id = {}) {
    const QJsonObject input{
        {"name", "input"}, {"datatype", "FP32"}, {"shape", QJsonArray{numbers.size() / 2, 2}}, {"data", numbers}};
    return QJsonDocument(QJsonObject{{"id", QString::fromStdString(id)}, {"inputs", QJsonArray{input}}})
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

std::string inferBody(float x, float y, const std::string& id = {}) {
    return inferBody(QJsonArray{static_cast<double>(x), static_cast<double>(y)}, id);
}

QJsonObject jsonOf(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray(text.data(), static_cast<qsizetype>(text.size()))).object();
}

// What several clients saw while something was done to the service.
struct Seen {
    std::atomic<int> right{0}, wrong{0};
    std::atomic<bool> stop{false};
    std::string first; // what a wrong one was
    std::mutex guard;  // of that

    void fail(const std::string& what) {
        ++wrong;
        const std::lock_guard lock(guard);
        if (first.empty()) first = what;
    }
};

} // namespace

class ServingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void answersAsPredictDoes();
    void documentsOfTheService();
    void badRequestsAreRefused_data();
    void badRequestsAreRefused();
    void nothingIsLostWhenReplicasDie();
    void aReplicaDiesBetweenBatchAndAnswer();
    void aKilledPoolCostsNothing();
    void aTakenPortIsToldAtOnce();
    void aStoppedReplicaIsReplaced();
    void aSwapUnderLoadLosesNothing();
    void anExportAnswersWithTheSameBits();
    void aVersionThatCannotServeChangesNothing();
    void aFullQueueIsRefused();
    void stopsWithoutAProcessLeft();
    void aKilledServerLeavesNothingAndIsResumed();
    void neighboursChangeNoBitAndATokenHasItsRate();

private:
    QString ctl(const QStringList& arguments, int* code = nullptr);
    void does(const QStringList& arguments); // without an error
    HttpReply ask(const std::string& method, const std::string& path, const std::string& body,
                  const std::string& type = "application/json");
    std::string headers(const std::string& type) const;
    ServiceStatus status();
    void load(Seen& seen, int clients, const std::function<void()>& act);
    std::vector<std::int64_t> pids(); // of all replicas
    bool hasBoth();                   // replicas of the version that serves, after a while

    std::unique_ptr<RunLab> m_lab;
    std::string m_run, m_token;
    std::vector<std::string> m_files; // checkpoints, oldest first
    ServiceFolder m_folder;
    std::string m_url;
};

std::string ServingTest::headers(const std::string& type) const {
    return "Authorization: Bearer " + m_token + "\r\nContent-Type: " + type + "\r\n";
}

HttpReply ServingTest::ask(const std::string& method, const std::string& path, const std::string& body,
                           const std::string& type) {
    auto connection = ServiceHttp::connect(m_url);
    if (!connection) return {};
    const auto reply = connection->ask(method, path, headers(type), body);
    return reply ? *reply : HttpReply{};
}

QString ServingTest::ctl(const QStringList& arguments, int* code) {
    QProcess process;
    process.start(RunLab::builtPrograms() + "/trainyardctl",
                  arguments + QStringList{"--workspace", QString::fromStdString(m_lab->workspace().root.string())});
    if (!process.waitForFinished(90'000)) return {};
    if (code) *code = process.exitCode();
    return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

void ServingTest::does(const QStringList& arguments) {
    int code = -1;
    const QString said = ctl(arguments, &code);
    QVERIFY2(code == 0, qPrintable(said));
}

ServiceStatus ServingTest::status() {
    const auto told = ServiceClient(m_folder).status();
    if (!told) qFatal("%s", told.error().text().c_str());
    return *told;
}

std::vector<std::int64_t> ServingTest::pids() {
    std::vector<std::int64_t> all;
    for (const auto& each : status().replicas)
        if (each.pid > 0) all.push_back(each.pid);
    return all;
}

bool ServingTest::hasBoth() {
    return m_lab->waitUntil([&] {
        const auto replicas = status().replicas;
        return std::count_if(replicas.begin(), replicas.end(), [](const ReplicaStatus& each) {
                   return each.state == ReplicaState::Idle && each.version.ends_with("@90");
               }) == 2;
    });
}

void ServingTest::initTestCase() {
    m_lab = std::make_unique<RunLab>();
    auto spec = RunLab::spirals(1, 90);
    spec.checkpoint.everySteps = 40;
    spec.checkpoint.everyEpochs = 0;
    spec.checkpoint.keep = 5;
    m_run = m_lab->startReal(spec);
    QCOMPARE(m_lab->waitForEnd(m_run, 120).status, wire::RunStatus::Finished);
    for (const auto& file : std::filesystem::directory_iterator(m_lab->row(m_run).folder + "/checkpoints"))
        if (file.path().extension() == ".safetensors") m_files.push_back(file.path().string());
    std::sort(m_files.begin(), m_files.end());
    QVERIFY(m_files.size() >= 2);
    int code = -1;
    const QString out = ctl({"serve", QString::fromStdString(m_run) + "@last", "--name", "spirals", "--replicas", "2",
                             "--threads", "1", "--detach", "--json"},
                            &code);
    QVERIFY2(code == 0, qPrintable(out));
    m_url = jsonOf(out.toStdString())["url"].toString().toStdString();
    m_folder = ServiceFolder::of(m_lab->workspace(), "spirals");
    m_token = *tokenOf(m_folder);
}

void ServingTest::cleanupTestCase() {
    if (m_lab && m_folder.isServed()) (void)ServiceClient(m_folder).stopAndWait(30);
    m_lab.reset();
}

// Feature: the same sample gives the same answer through predict, /predict and the Open Inference Protocol, to the bit.
void ServingTest::answersAsPredictDoes() {
    const auto predicted =
        jsonOf(ctl({"predict", QString::fromStdString(m_run) + "@last", "--row", "0.1,-0.2", "--json"}).toStdString());
    const auto served = ask("POST", "/predict", "0.1,-0.2", "text/csv");
    QVERIFY2(served.status == 200, served.body.c_str());
    QCOMPARE(jsonOf(served.body), predicted);
    QVERIFY(served.header("x-model-version").find("@90") != std::string::npos);
    QCOMPARE(jsonOf(ctl({"serve", "try", "spirals", "--row", "0.1,-0.2", "--json"}).toStdString()), predicted);
    QVERIFY(served.header("server-timing").starts_with("queue;dur="));
    const auto several = jsonOf(ask("POST", "/predict", R"({"rows":[[0.1,-0.2],[0.3,0.4]]})").body);
    QCOMPARE(several["inputs"].toArray().size(), 2);
    const auto inferred =
        ask("POST", "/v2/models/" + status().signatures[0].name + "/infer", inferBody(0.1f, -0.2f, "a"));
    QVERIFY2(inferred.status == 200, inferred.body.c_str());
    const auto json = jsonOf(inferred.body);
    QCOMPARE(json["id"].toString(), QString("a"));
    const auto logits = json["outputs"][0]["data"].toArray();
    double sum = 0, most = -1e9;
    for (const auto& each : logits) most = std::max(most, each.toDouble());
    for (const auto& each : logits) sum += std::exp(each.toDouble() - most);
    QVERIFY(std::abs(1 / sum - predicted["inputs"][0]["predictions"][0]["probability"].toDouble()) < 1e-5);
}

void ServingTest::documentsOfTheService() {
    QCOMPARE(ask("GET", "/v2/health/ready", "").status, 200);
    QCOMPARE(jsonOf(ask("GET", "/v2", "").body)["extensions"][0].toString(), QString("binary_tensor_data"));
    const std::string name = status().signatures[0].name;
    QCOMPARE(jsonOf(ask("GET", "/v2/models/" + name, "").body)["inputs"][0]["datatype"].toString(), QString("FP32"));
    QVERIFY(jsonOf(ask("GET", "/openapi.json", "").body).contains("paths"));
    const auto metrics = ask("GET", "/metrics", "");
    QCOMPARE(metrics.status, 200);
    QVERIFY(metrics.body.find("# HELP") != std::string::npos);
    const QString table = ctl({"services"});
    QVERIFY(table.contains("spirals") && table.contains("ready"));
    QVERIFY(ctl({"serve", "status", "spirals"}).contains("current"));
}

// Bad inputs: requests without a token, of models that are not there, of bodies that do not fit.
void ServingTest::badRequestsAreRefused_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* path, const char* body, const char* type, int status,
                        const char* says) { QTest::newRow(name) << path << body << type << status << says; };
    row("no such model", "/v2/models/none/infer", "{}", "application/json", 404, "no model");
    row("no such version", "/v2/models/%1/versions/x@9/infer", "{}", "application/json", 404, "no version");
    row("no such path", "/nothing", "", "text/plain", 404, "");
    row("no JSON", "/v2/models/%1/infer", "{", "application/json", 400, "");
    row("too few numbers", "/v2/models/%1/infer",
        R"({"inputs":[{"name":"input","datatype":"FP32","shape":[1,2],"data":[1]}]})", "application/json", 400, "data");
    row("a word for a number", "/predict", "0.1,red", "text/csv", 400, "red");
    row("too few cells", "/predict", "0.1", "text/csv", 400, "");
    row("a picture for a model of rows", "/predict", "x", "image/png", 415, "image/png");
}

void ServingTest::badRequestsAreRefused() {
    QFETCH(QString, path);
    QFETCH(QString, body);
    QFETCH(QString, type);
    QFETCH(int, status);
    QFETCH(QString, says);
    const QString name = QString::fromStdString(this->status().signatures[0].name);
    const auto reply = ask("POST", path.replace("%1", name).toStdString(), body.toStdString(), type.toStdString());
    QVERIFY2(reply.status == status, qPrintable(QString::number(reply.status) + " " + reply.body.c_str()));
    QVERIFY(jsonOf(reply.body).contains("error"));
    QVERIFY2(reply.body.find(says.toStdString()) != std::string::npos, reply.body.c_str());
    const std::string token = std::exchange(m_token, "wrong");
    QCOMPARE(ask("POST", "/predict", "0.1,0.2", "text/csv").status, 401);
    m_token = token;
}

// Clients that ask without a pause and look at every answer, while `act` is done to the service.
void ServingTest::load(Seen& seen, int clients, const std::function<void()>& act) {
    const std::string path = "/v2/models/" + status().signatures[0].name + "/infer";
    std::vector<std::thread> threads;
    for (int i = 0; i < clients; ++i)
        threads.emplace_back([&, i] {
            auto connection = ServiceHttp::connect(m_url);
            if (!connection) return seen.fail(connection.error().text());
            for (int n = 0; !seen.stop; ++n) {
                const std::string id = std::to_string(i) + "." + std::to_string(n);
                const auto reply = connection->ask("POST", path, headers("application/json"),
                                                   inferBody(0.01f * static_cast<float>(n % 90), 0.3f, id), 20);
                if (!reply) return seen.fail(reply.error().text());
                if (reply->status != 200) seen.fail(std::to_string(reply->status) + " " + reply->body);
                else if (reply->body.find("\"id\":\"" + id + "\"") == std::string::npos) seen.fail("another answer");
                else ++seen.right;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    act();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    seen.stop = true;
    for (auto& thread : threads) thread.join();
}

// Fault: SIGKILL of one or all replicas under load. Every request gets its answer, and others take their place.
void ServingTest::nothingIsLostWhenReplicasDie() {
    Seen seen;
    const auto before = status().restarts;
    load(seen, 4, [&] {
        for (int i = 0; i < 4; ++i) {
            for (const auto pid : pids()) {
                ::kill(static_cast<pid_t>(pid), SIGKILL);
                if (i < 3) break; // the last time all of them
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(150));
        }
    });
    QVERIFY2(seen.wrong == 0, seen.first.c_str());
    QVERIFY(seen.right > 20);
    QVERIFY(status().restarts >= before + 2); // one that is not ready yet is replaced, too, but not counted
    does({"serve", "kill", "spirals", QString::number(status().replicas[0].number)});
}

// Fault: a replica dies after it has been given a batch and before it has answered. Another computes it.
void ServingTest::aReplicaDiesBetweenBatchAndAnswer() {
    QVERIFY(hasBoth());
    const auto both = pids();
    for (const auto pid : both) ::kill(static_cast<pid_t>(pid), SIGSTOP);
    auto connection = ServiceHttp::connect(m_url);
    QVERIFY(connection.ok());
    const std::string path = "/v2/models/" + status().signatures[0].name + "/infer";
    const auto request = ServiceHttp::requestOf("POST", path, headers("application/json"), inferBody(0.1f, 0.2f));
    QVERIFY(connection->send(request, 5).ok());
    QVERIFY(m_lab->waitUntil([&] { return status().inFlight == 1; }));
    for (const auto pid : both) ::kill(static_cast<pid_t>(pid), SIGKILL);
    const auto reply = connection->receive(20);
    QVERIFY(reply.ok() && reply->status == 200);
}

// Fault: SIGKILL of the pool that the replicas were forked from, and of one of them. The others go on, and another pool
// gives the one that is missing.
void ServingTest::aKilledPoolCostsNothing() {
    QVERIFY(hasBoth());
    std::ifstream stat("/proc/" + std::to_string(pids().front()) + "/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    char state = 0;
    pid_t pool = 0;
    fields >> state >> pool;
    Seen seen;
    load(seen, 2, [&] {
        ::kill(pool, SIGKILL);
        ::kill(static_cast<pid_t>(pids().front()), SIGKILL);
        QVERIFY(hasBoth());
    });
    QVERIFY2(seen.wrong == 0, seen.first.c_str());
}

// Fault: the port of a service is taken. It says so, and leaves nothing behind.
void ServingTest::aTakenPortIsToldAtOnce() {
    int code = -1;
    const QString port = QString::fromStdString(m_url).section(':', -1);
    const QString said =
        ctl({"serve", QString::fromStdString(m_run), "--name", "second", "--port", port, "--detach"}, &code);
    QVERIFY(code != 0);
    QVERIFY2(said.contains(port), qPrintable(said));
    QVERIFY(!ServiceFolder::of(m_lab->workspace(), "second").isServed());
}

// Fault: SIGSTOP of a replica under load. It is found and replaced, and its requests are answered by others.
void ServingTest::aStoppedReplicaIsReplaced() {
    QVERIFY(hasBoth());
    const auto stopped = pids().front();
    ::kill(static_cast<pid_t>(stopped), SIGSTOP);
    Seen seen;
    load(seen, 4, [&] {
        QVERIFY(m_lab->waitUntil(
            [&] {
                const auto now = pids();
                return std::find(now.begin(), now.end(), stopped) == now.end();
            },
            10));
    });
    QVERIFY2(seen.wrong == 0, seen.first.c_str());
    QVERIFY(!run::isAlive(stopped));
}

// Feature: another checkpoint takes the place of the one that serves, without an error under load; the one before can
// be taken back; a canary gets its share, and copies of requests are compared.
void ServingTest::aSwapUnderLoadLosesNothing() {
    Seen seen;
    load(seen, 4, [&] {
        does({"serve", "swap", "spirals", QString::fromStdString(m_files.front())});
        QCOMPARE(QString::fromStdString(ask("POST", "/predict", "0.1,0.2", "text/csv").header("x-model-version")),
                 QString::fromStdString(std::filesystem::path(m_files.front()).filename().string()));
        does({"serve", "rollback", "spirals"});
        QVERIFY(ask("POST", "/predict", "0.1,0.2", "text/csv").header("x-model-version").find("@90") !=
                std::string::npos);
    });
    QVERIFY2(seen.wrong == 0, seen.first.c_str());
    QVERIFY(ServiceClient(m_folder).shadow({status().signatures[0].name, m_files[1], "second", 1}).ok());
    Seen compared;
    load(compared, 1, [] {});
    const auto versions = status().versions;
    const auto shadow = std::find_if(versions.begin(), versions.end(),
                                     [](const VersionStatus& each) { return each.role == VersionRole::Shadow; });
    QVERIFY(shadow != versions.end() && shadow->requests > 0);
    QVERIFY2(shadow->reason.find("answers differ") != std::string::npos, shadow->reason.c_str());
    QVERIFY(ServiceClient(m_folder).setShare(status().signatures[0].name, 0).ok());
}

// Feature: an exported TorchScript file is served as the checkpoint that it is of, with the same bits.
void ServingTest::anExportAnswersWithTheSameBits() {
    const QString file = QString::fromStdString(m_lab->folder() + "/model.pt");
    does({"export", QString::fromStdString(m_run) + "@last", "--format", "torchscript", "--out", file});
    const std::string path = "/v2/models/" + status().signatures[0].name + "/infer";
    const auto before = jsonOf(ask("POST", path, inferBody(0.1f, -0.2f)).body);
    does({"serve", "swap", "spirals", file});
    const auto after = jsonOf(ask("POST", path, inferBody(0.1f, -0.2f)).body);
    QCOMPARE(after["model_version"].toString(), QString("model.pt"));
    QCOMPARE(after["outputs"], before["outputs"]);
    QVERIFY(ServiceClient(m_folder).rollback(status().signatures[0].name).ok());
}

// Fault: a swap to a damaged checkpoint, or to none. It is not taken, the reason is told, and nothing changes.
void ServingTest::aVersionThatCannotServeChangesNothing() {
    const std::string broken = m_lab->folder() + "/broken.safetensors";
    std::ofstream(broken) << "nothing of a checkpoint";
    int code = -1;
    const QString said = ctl({"serve", "swap", "spirals", QString::fromStdString(broken)}, &code);
    QVERIFY(code != 0);
    QVERIFY2(said.contains("broken.safetensors"), qPrintable(said));
    QVERIFY(ask("POST", "/predict", "0.1,0.2", "text/csv").header("x-model-version").find("@90") != std::string::npos);
    QVERIFY(status().reason.find("was not taken") != std::string::npos);
    QVERIFY(ctl({"serve", "swap", "spirals", "/nowhere.safetensors"}, &code).contains("no such file"));
}

// Feature: what is more than the service takes is refused with 503 and Retry-After, and what waited too long gets 504.
void ServingTest::aFullQueueIsRefused() {
    for (const auto pid : pids()) ::kill(static_cast<pid_t>(pid), SIGSTOP);
    const std::string path = "/v2/models/" + status().signatures[0].name + "/infer";
    std::string brief = inferBody(1, 2);
    brief.insert(1, R"("parameters":{"timeout":200000},)");
    const auto late = ask("POST", path, brief);
    QVERIFY2(late.status == 504, late.body.c_str());
    QJsonArray numbers;
    for (int i = 0; i < 1024; ++i) numbers.append(i);
    const std::string many = inferBody(numbers);
    std::vector<ServiceHttp> waiting;
    int refused = 0;
    for (int i = 0; i < 6; ++i) {
        auto connection = ServiceHttp::connect(m_url);
        QVERIFY(connection.ok());
        QVERIFY(connection->send(ServiceHttp::requestOf("POST", path, headers("application/json"), many), 5).ok());
        waiting.push_back(std::move(*connection));
    }
    for (auto& each : waiting) {
        const auto reply = each.receive(20);
        QVERIFY(reply.ok());
        if (reply->status == 503) {
            ++refused;
            QCOMPARE(reply->header("retry-after"), std::string("1"));
        } else QVERIFY2(reply->status == 200, reply->body.c_str());
    }
    QVERIFY(refused > 0 && refused < 6);
}

// Feature: a stop answers what was accepted, and no process is left.
void ServingTest::stopsWithoutAProcessLeft() {
    QVERIFY(hasBoth());
    const auto before = pids();
    int code = -1;
    const QString said = ctl({"serve", "stop", "spirals"}, &code);
    QVERIFY2(code == 0 && said.contains("0 processes left"), qPrintable(said));
    for (const auto pid : before) QVERIFY(!run::isAlive(pid));
    QVERIFY(!m_folder.isServed());
    QVERIFY(ctl({"services"}).contains("stopped"));
}

// Fault: SIGKILL of a service's server. No replica is left, not even a stopped one; resumed, it has the same address
// and begins with the version that was swapped to last.
void ServingTest::aKilledServerLeavesNothingAndIsResumed() {
    int code = -1;
    QString said = ctl({"serve", "resume", "spirals", "--detach", "--json"}, &code);
    QVERIFY2(code == 0, qPrintable(said));
    QCOMPARE(jsonOf(said.toStdString())["url"].toString().toStdString(), m_url);
    QVERIFY(hasBoth());
    does({"serve", "swap", "spirals", QString::fromStdString(m_files.front())});
    const auto kept = [&] { return readService(m_lab->workspace(), "spirals")->models.front().file; };
    QVERIFY(m_lab->waitUntil([&] { return kept() == m_files.front(); }));
    const auto replicas = pids();
    ::kill(static_cast<pid_t>(replicas.front()), SIGSTOP);
    ::kill(static_cast<pid_t>(status().pid), SIGKILL);
    QVERIFY(m_lab->gone(replicas, 10));
    QVERIFY(m_lab->waitUntil([&] { return !m_folder.isServed(); }));
    QVERIFY(ctl({"services"}).contains("serve resume spirals"));
    does({"serve", "resume", "spirals", "--detach"});
    const auto reply = ask("POST", "/predict", "0.1,-0.2", "text/csv");
    QCOMPARE(reply.status, 200);
    QCOMPARE(reply.header("x-model-version"), std::filesystem::path(m_files.front()).filename().string());
}

// Feature: with batches of one size a row has the same bits whatever stands beside it; what a token asks beyond its
// rate gets 429; a token that was renewed counts without a restart.
void ServingTest::neighboursChangeNoBitAndATokenHasItsRate() {
    does({"serve", "stop", "spirals"});
    auto spec = parseServiceSpec(*readFile(m_folder.spec(), 1 << 20), "service.json");
    QVERIFY(spec.ok());
    spec->deterministic = true;
    spec->perSecond = 4;
    QVERIFY(writeFileAtomic(m_folder.spec(), serviceJson(*spec)).ok());
    does({"serve", "resume", "spirals", "--detach"});
    const std::string path = "/v2/models/" + status().signatures[0].name + "/infer";
    const auto inferred = [&](const QJsonArray& numbers) { return ask("POST", path, inferBody(numbers)); };
    const QJsonArray alone = jsonOf(inferred({0.1, -0.2}).body)["outputs"][0]["data"].toArray();
    QJsonArray many;
    for (int row = 0; row < 45; ++row)
        for (const double number : {row == 40 ? 0.1 : 0.01 * row, row == 40 ? -0.2 : 0.7}) many.append(number);
    const QJsonArray all = jsonOf(inferred(many).body)["outputs"][0]["data"].toArray();
    QVERIFY(!alone.isEmpty() && all.size() == 45 * alone.size());
    for (qsizetype i = 0; i < alone.size(); ++i) QCOMPARE(all[40 * alone.size() + i], alone[i]);
    HttpReply last;
    for (int i = 0; i < 40 && last.status != 429; ++i) last = inferred({0.1, -0.2});
    QVERIFY2(last.status == 429, last.body.c_str());
    QCOMPARE(last.header("retry-after"), std::string("1"));
    QVERIFY(jsonOf(last.body)["error"].toString().contains("4 predictions a second"));
    const std::string old =
        std::exchange(m_token, ctl({"serve", "token", "spirals", "--renew"}).trimmed().toStdString());
    QVERIFY(old != m_token);
    QVERIFY(m_lab->waitUntil([&] { return ask("GET", "/v2", "").status == 200; }));
    m_token = old;
    QCOMPARE(ask("GET", "/v2", "").status, 401);
}

QTEST_GUILESS_MAIN(ServingTest)
#include "serving_test.moc"
