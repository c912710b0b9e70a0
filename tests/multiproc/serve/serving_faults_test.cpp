// SPDX-License-Identifier: GPL-3.0-or-later
// A service whose world changes below it: its checkpoint, its disk, the run that it follows; and models that a user's
// program has saved.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/serve/control/service_client.h"
#include "engine/serve/control/service_http.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>

using namespace trainyard;
using namespace trainyard::serve;
using test::RunLab;

namespace {

// A forward pass of two layers, saved by Python as a program does it; one that never ends where a number is large; one
// of pictures, and pictures that hold more than they should.
constexpr const char* kSave = R"(import struct, torch, zlib

class Endless(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.out = torch.nn.Linear(2, 2)
    def forward(self, x):
        while bool((x > 1e6).any()):
            x = x + 1.0
        return self.out(x)

def picture(name, width, height, data):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    with open(name, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                  chunk(b"IDAT", zlib.compress(data, 1)) + chunk(b"IEND", b""))

picture("small.png", 28, 28, bytes(29 * 28))
picture("large.png", 16384, 4096, bytes(16385 * 4096))
picture("bomb.png", 60000, 60000, bytes(1 << 20))
picture("cut.png", 16384, 4096, bytes(1 << 20))
picture("more.png", 28, 28, bytes(1 << 24))
torch.jit.script(Endless()).save("endless.ts")
pictures = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10)).eval()
torch.jit.save(torch.jit.script(pictures), "pictures.ts",
               _extra_files={"modelInfo.json": '{"sampleShape": [1, 28, 28], "classes": 10}'})
torch.manual_seed(3)
model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)).eval()
torch.save(model.state_dict(), "plain.pt")
torch.jit.script(model).save("bare.ts")
%1
with torch.no_grad():
    print(torch.softmax(model(torch.tensor([[0.25, -0.5]])), 1)[0].tolist())
)";

} // namespace

class ServingFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void isTriedOverTlsAndASocket();
    void aDeletedCheckpointIsServedOn();
    void aDeletedFileElsewhereIsTold();
    void aFullDiskIsTold();
    void followTakesBetterCheckpoints();
    void aProgramsOwnModelIsServed();
    void anEndlessPassIsEnded();
    void hostilePicturesCostNobody();

private:
    QString ctl(const QStringList& arguments, int* code = nullptr) const;
    ServiceStatus status(const char* name) const;
    HttpReply ask(const char* name, const std::string& path, const std::string& type, const std::string& body) const;
    HttpReply predict(const char* name) const { return ask(name, "/predict", "text/csv", "0.25,-0.5"); }
    int ready(const char* name) const; // replicas that compute or could

    std::unique_ptr<RunLab> m_lab;
    std::string m_run;
};

QString ServingFaultsTest::ctl(const QStringList& arguments, int* code) const {
    QProcess process;
    process.start(RunLab::builtPrograms() + "/trainyardctl",
                  arguments + QStringList{"--workspace", QString::fromStdString(m_lab->workspace().root.string())});
    if (!process.waitForFinished(90'000)) return {};
    if (code) *code = process.exitCode();
    return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

ServiceStatus ServingFaultsTest::status(const char* name) const {
    const auto view = viewService(m_lab->workspace(), name);
    return view ? view->status : ServiceStatus{};
}

HttpReply ServingFaultsTest::ask(const char* name, const std::string& path, const std::string& type,
                                 const std::string& body) const {
    const auto token = tokenOf(ServiceFolder::of(m_lab->workspace(), name));
    auto connection = ServiceHttp::connect(status(name).url);
    if (!connection || !token) return {};
    const auto reply = connection->ask(
        "POST", path, "Authorization: Bearer " + *token + "\r\nContent-Type: " + type + "\r\n", body, 20);
    return reply ? *reply : HttpReply{};
}

int ServingFaultsTest::ready(const char* name) const {
    const auto replicas = status(name).replicas;
    return static_cast<int>(std::count_if(replicas.begin(), replicas.end(), [](const ReplicaStatus& each) {
        return each.state == ReplicaState::Idle || each.state == ReplicaState::Busy;
    }));
}

void ServingFaultsTest::initTestCase() {
    m_lab = std::make_unique<RunLab>();
    m_run = m_lab->startReal(RunLab::spirals(1, 40));
    QCOMPARE(m_lab->waitForEnd(m_run, 120).status, wire::RunStatus::Finished);
    const std::string file = m_lab->folder() + "/served.safetensors";
    std::filesystem::copy_file(m_lab->lastCheckpoint(m_run), file);
    int code = -1;
    const QString said =
        ctl({"serve", QString::fromStdString(file), "--name", "own", "--replicas", "2", "--threads", "1", "--detach"},
            &code);
    QVERIFY2(code == 0, qPrintable(said));
    QVERIFY(m_lab->waitUntil([&] { return ready("own") == 2; }));
}

void ServingFaultsTest::cleanupTestCase() {
    for (const auto& each : listServices(m_lab->workspace()))
        if (each.isServed) (void)ServiceClient(each.folder).stopAndWait(20);
}

// Feature: `serve try` asks a service as a client would: over TCP, TLS and a Unix socket, with a row or a table.
// Bad inputs: no input, two, a file of another kind, and what the model does not take.
void ServingFaultsTest::isTriedOverTlsAndASocket() {
    const QString folder = QString::fromStdString(m_lab->folder());
    QFile table(folder + "/rows.csv"), odd(folder + "/rows.bin");
    QVERIFY(table.open(QIODevice::WriteOnly) && odd.open(QIODevice::WriteOnly));
    table.write("0.25,-0.5\n");
    table.close();
    int code = -1;
    const auto asked = [&](const QStringList& words) { return ctl(QStringList{"serve", "try"} + words, &code); };
    const QString answer = asked({"own", "--row", "0.25,-0.5", "--json"});
    QVERIFY2(code == 0, qPrintable(answer));
    QCOMPARE(QJsonDocument::fromJson(answer.toUtf8()).object(),
             QJsonDocument::fromJson(QByteArray::fromStdString(predict("own").body)).object());
    QCOMPARE(asked({"own", table.fileName(), "--json"}), answer);
    QVERIFY(asked({"own"}).contains("--row NUMBERS") && code == 2);
    QVERIFY(asked({"own", table.fileName(), "--text", "x"}).contains("more than one") && code == 2);
    QVERIFY(asked({"own", odd.fileName()}).contains("name it .csv") && code == 2);
    QVERIFY(asked({"own", "--text", "To be"}).contains("text/plain") && code == 2);
    const QString file = QString::fromStdString(m_lab->lastCheckpoint(m_run));
    const QStringList rest{"--detach", "--threads", "1", "--name", "other"};
    const auto tried = [&](const QStringList& how) {
        const QString said = ctl(QStringList{"serve", file} + how + rest, &code);
        if (code != 0) return said;
        const QString heard = asked({"other", "--row", "0.25,-0.5", "--json"});
        ctl({"serve", "stop", "other"});
        return heard;
    };
    QCOMPARE(tried({"--socket", folder + "/s"}), answer);
    if (QProcess::execute("openssl", {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                                      "-nodes", "-subj", "/CN=elsewhere", "-keyout", folder + "/key.pem", "-out",
                                      folder + "/cert.pem"}) != 0)
        QSKIP("there is no openssl");
    QCOMPARE(tried({"--certificate", folder + "/cert.pem", "--key", folder + "/key.pem"}), answer);
}

// Fault: the checkpoint of a service is deleted while it serves, and then a replica dies, and the server. Replicas load
// it as before, the next server's, too, and nothing of it is left once the service has stopped.
void ServingFaultsTest::aDeletedCheckpointIsServedOn() {
    const std::filesystem::path file = m_lab->folder() + "/served.safetensors", away = file.string() + ".away";
    const auto models = ServiceFolder::of(m_lab->workspace(), "own").models();
    const std::string answer = predict("own").body;
    std::filesystem::rename(file, away);
    ::kill(static_cast<pid_t>(status("own").replicas[0].pid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return status("own").restarts == 1 && ready("own") == 2; }));
    QVERIFY(status("own").reason.empty());
    ::kill(static_cast<pid_t>(status("own").pid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return !ServiceFolder::of(m_lab->workspace(), "own").isServed(); }));
    int code = -1;
    const auto resumed = [&] { return ctl({"serve", "resume", "own", "--detach"}, &code); };
    QString said = resumed();
    QVERIFY2(code == 0, qPrintable(said));
    QVERIFY(m_lab->waitUntil([&] { return ready("own") == 2; }));
    QCOMPARE(predict("own").body, answer);
    ctl({"serve", "stop", "own"}, &code);
    QCOMPARE(code, 0);
    QVERIFY(!std::filesystem::exists(models));
    said = resumed();
    QVERIFY2(code != 0 && said.contains("served.safetensors"), qPrintable(said));
    std::filesystem::rename(away, file);
    said = resumed();
    QVERIFY2(code == 0, qPrintable(said));
    QVERIFY(m_lab->waitUntil([&] { return ready("own") == 2; }));
}

// Fault: the same of a file on another filesystem. The other replica answers, the state says what is missing, and the
// replica comes back with the file.
void ServingFaultsTest::aDeletedFileElsewhereIsTold() {
    QTemporaryDir elsewhere("/dev/shm/trainyard-XXXXXX");
    if (!elsewhere.isValid()) QSKIP("/dev/shm cannot be written");
    const std::filesystem::path file = elsewhere.filePath("far.safetensors").toStdString(),
                                away = file.string() + ".away";
    std::filesystem::copy_file(m_lab->lastCheckpoint(m_run), file);
    int code = -1;
    const QString said = ctl({"serve", QString::fromStdString(file.string()), "--name", "far", "--replicas", "2",
                              "--threads", "1", "--detach"},
                             &code);
    QVERIFY2(code == 0, qPrintable(said));
    QVERIFY(m_lab->waitUntil([&] { return ready("far") == 2; }));
    std::filesystem::rename(file, away);
    ::kill(static_cast<pid_t>(status("far").replicas[0].pid), SIGKILL);
    QVERIFY(m_lab->waitUntil([&] { return status("far").reason.find("far.safetensors") != std::string::npos; }));
    QCOMPARE(status("far").state, ServiceState::Ready);
    QCOMPARE(ready("far"), 1);
    QCOMPARE(predict("far").status, 200);
    std::filesystem::rename(away, file);
    QVERIFY(m_lab->waitUntil([&] { return ready("far") == 2; }, 40));
    QVERIFY(m_lab->waitUntil([&] { return status("far").reason.empty(); }));
    ctl({"serve", "stop", "far"});
}

// Fault: the disk of a service is full: its state, its access log and its figures cannot be written. It answers on, its
// state says why over the control socket, and no longer once there is room.
void ServingFaultsTest::aFullDiskIsTold() {
    const auto server = static_cast<pid_t>(status("own").pid);
    rlimit before{};
    QCOMPARE(::prlimit(server, RLIMIT_FSIZE, nullptr, &before), 0);
    const rlimit nothing{0, before.rlim_max};
    QCOMPARE(::prlimit(server, RLIMIT_FSIZE, &nothing, nullptr), 0);
    QVERIFY(m_lab->waitUntil([&] { return status("own").reason.find("state.json") != std::string::npos; }));
    for (int i = 0; i < 20; ++i) QCOMPARE(predict("own").status, 200);
    QCOMPARE(::prlimit(server, RLIMIT_FSIZE, &before, nullptr), 0);
    QVERIFY(m_lab->waitUntil([&] { return status("own").reason.empty(); }));
    QCOMPARE(static_cast<pid_t>(status("own").pid), server);
    QVERIFY(QFile::exists(QString::fromStdString(ServiceFolder::of(m_lab->workspace(), "own").state().string())));
}

// Feature: a service follows a run that trains, and takes each better checkpoint without an error.
void ServingFaultsTest::followTakesBetterCheckpoints() {
    auto spec = RunLab::spirals(1, RunLab::kEndless);
    spec.checkpoint.everySteps = 200;
    spec.checkpoint.everyEpochs = 0;
    spec.checkpoint.keep = 2; // a tenth of a second of them: they are gone long before the service ends
    spec.checkpoint.scoreBy = "val/loss";
    spec.checkpoint.mode = "min";
    spec.optimizer.params["lr"] = 3e-6; // each is better than the last, at any speed
    const std::string run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitUntil([&] { return !m_lab->lastCheckpoint(run).empty(); }, 30));
    int code = -1;
    const QString said = ctl({"serve", QString::fromStdString(run), "--name", "news", "--follow",
                              QString::fromStdString(run), "--threads", "1", "--detach"},
                             &code);
    QVERIFY2(code == 0, qPrintable(said));
    std::set<std::string> versions;
    std::string wrong;
    QVERIFY(m_lab->waitUntil(
        [&] {
            const auto reply = predict("news");
            if (reply.status != 200) wrong = std::to_string(reply.status) + " " + reply.body;
            versions.insert(reply.header("x-model-version"));
            return versions.size() >= 3 || !wrong.empty();
        },
        40));
    QVERIFY2(wrong.empty(), wrong.c_str());
    (void)m_lab->stopped(run);
    const auto best = m_lab->query().checkpoint(run);
    QVERIFY(best.ok());
    QVERIFY(m_lab->waitUntil(
        [&] { return predict("news").header("x-model-version").ends_with("@" + std::to_string(best->step)); }));
}

// Feature: a TorchScript file that a program has saved is served, by what it says of its inputs or by what is said on
// the command line, and answers as it does in Python.
// Bad inputs: weights alone, and a file that does not say what it takes; what the error advises works.
void ServingFaultsTest::aProgramsOwnModelIsServed() {
    if (QProcess::execute("/usr/bin/python3", {"-c", "import torch"}) != 0) QSKIP("there is no python3-torch");
    int code = -1;
    const QString folder = QString::fromStdString(m_lab->folder());
    const auto serve = [&](const QStringList& words) {
        return ctl(QStringList{"serve", "--detach", "--threads", "1"} + words, &code);
    };
    const auto python = [&](const QString& save) {
        QFile script(folder + "/save.py");
        if (!script.open(QIODevice::WriteOnly)) return QByteArray();
        script.write(QString(kSave).arg(save).toUtf8());
        script.close();
        QProcess process;
        process.setWorkingDirectory(folder);
        process.start("/usr/bin/python3", {"save.py"});
        process.waitForFinished(60'000);
        return process.readAllStandardOutput().trimmed();
    };
    QVERIFY(python("").startsWith("["));
    const QString plain = serve({folder + "/plain.pt", "--name", "plain"});
    QVERIFY2(code != 0 && plain.contains("weights without the model"), qPrintable(plain));
    QString bare = serve({folder + "/bare.ts", "--name", "bare"});
    QVERIFY2(code != 0 && bare.contains("--sample-shape"), qPrintable(bare));
    bare = serve({folder + "/bare.ts", "--name", "bare", "--sample-shape", "2", "--outputs", "3"});
    QVERIFY2(code == 0, qPrintable(bare));
    QVERIFY(serve({folder + "/bare.ts", "--sample-shape", "2,x", "--outputs", "3"}).contains("--sample-shape"));

    // As the refusal of the weights says it, with the program's own names.
    static const QRegularExpression advice(R"re(torch\.jit\.save\(.*\}'\}\))re");
    QString save = advice.match(plain).captured(0);
    QVERIFY2(save.contains("_extra_files"), qPrintable(plain));
    save.replace("[3, 224, 224]", "[2]").replace("\"classes\": 10", "\"classes\": 3").replace("path", "\"model.pt\"");
    const auto numbers = QJsonDocument::fromJson(python(save)).array();
    QCOMPARE(numbers.size(), 3);
    const QString own = serve({folder + "/model.pt", "--name", "model"});
    QVERIFY2(code == 0, qPrintable(own));
    const auto answers = [&](const char* name) {
        const auto reply = predict(name);
        QJsonObject found;
        const auto body = QJsonDocument::fromJson(QByteArray::fromStdString(reply.body));
        for (const auto& each : body["inputs"][0]["predictions"].toArray())
            found[each.toObject()["class"].toString()] = each.toObject()["probability"];
        return found;
    };
    const QJsonObject first = answers("model");
    QCOMPARE(first.size(), 3);
    QCOMPARE(answers("bare"), first);
    for (int i = 0; i < 3; ++i) QVERIFY(std::abs(first[QString::number(i)].toDouble() - numbers[i].toDouble()) < 1e-6);
}

// Fault: a forward pass that does not end. Its request gets 504 at its deadline, others are answered meanwhile, and the
// replica is ended and replaced.
void ServingFaultsTest::anEndlessPassIsEnded() {
    const QString file = QString::fromStdString(m_lab->folder()) + "/endless.ts";
    if (!QFile::exists(file)) QSKIP("there is no python3-torch");
    int code = -1;
    const QString said = ctl({"serve", file, "--name", "endless", "--sample-shape", "2", "--outputs", "2", "--replicas",
                              "2", "--threads", "1", "--detach"},
                             &code);
    QVERIFY2(code == 0, qPrintable(said));
    QVERIFY(m_lab->waitUntil([&] { return ready("endless") == 2; }));
    const auto late = ask("endless", "/v2/models/endless/infer", "application/json",
                          R"({"parameters":{"timeout":100000},"inputs":[{"name":"input","datatype":"FP32",)"
                          R"("shape":[1,2],"data":[2e6,0]}]})");
    QVERIFY2(late.status == 504, late.body.c_str());
    for (int i = 0; i < 10; ++i) QCOMPARE(predict("endless").status, 200);
    QCOMPARE(status("endless").restarts, 0);
    QVERIFY(m_lab->waitUntil([&] { return status("endless").restarts == 1 && ready("endless") == 2; }));
    QCOMPARE(predict("endless").status, 200);
}

// Bad inputs: pictures that say to be larger than any, that hold more or less than they say, and the largest there may
// be. They are answered or refused by one process; the server takes no more memory for them.
void ServingFaultsTest::hostilePicturesCostNobody() {
    const std::string folder = m_lab->folder();
    const QString file = QString::fromStdString(folder) + "/pictures.ts";
    if (!QFile::exists(file)) QSKIP("there is no python3-torch");
    int code = -1;
    const QString said = ctl({"serve", file, "--name", "pictures", "--threads", "1", "--detach"}, &code);
    QVERIFY2(code == 0, qPrintable(said));
    const auto sent = [&](const char* picture) {
        return ask("pictures", "/predict", "image/png", readFile(folder + "/" + picture).valueOr(std::string()));
    };
    QCOMPARE(sent("small.png").status, 200);
    const auto before = status("pictures");
    const auto bomb = sent("bomb.png");
    QVERIFY2(bomb.status == 400 && bomb.body.find("60000") != std::string::npos, bomb.body.c_str());
    QCOMPARE(sent("cut.png").status, 400);
    for (const char* each : {"more.png", "large.png", "small.png"}) QCOMPARE(sent(each).status, 200);
    QCOMPARE(status("pictures").restarts, 0);
    QCOMPARE(status("pictures").replicas.front().pid, before.replicas.front().pid);
    QFile memory(QString("/proc/%1/status").arg(before.pid));
    QVERIFY(memory.open(QIODevice::ReadOnly));
    static const QRegularExpression peak(R"(VmHWM:\s+(\d+) kB)");
    QVERIFY(peak.match(memory.readAll()).captured(1).toInt() < 40 << 10);
}

QTEST_GUILESS_MAIN(ServingFaultsTest)
#include "serving_faults_test.moc"
