// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run on SSH hosts takes from its launch to the first step, with ranks that are programs and with ranks from
// the warm pools of the hosts, in turn: hosts_bench [PAIRS] [HOSTS] [--bars]. One rank on each host of the lab
// (tests/ssh/host_lab.h); the Fashion-MNIST network of the other benchmarks, with data that only this computer has.
// Cold: the hosts have nothing of Trainyard. Warm: they have what the run before has left. Exit code 77: the dataset is
// not installed, or there can be no hosts.
#include "tests/bench/bars.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <cstdlib>

using namespace trainyard;
using test::trainyardctl;

namespace {

constexpr double kMostMilliseconds = 400; // warm, one host
constexpr int kSmallHost = 3;             // of the lab: its disk has no room for the data
const QString kInstalled = QStringLiteral("/usr/share/datasets/fashion-mnist");

[[noreturn]] void giveUp(const QByteArray& why) {
    std::printf("%s\n", why.constData());
    std::exit(1);
}

class HostsBench {
public:
    explicit HostsBench(int hosts) : m_count(hosts) {
        if (const QString failure = m_lab.start(hosts < kSmallHost ? hosts : hosts + 1); !failure.isEmpty())
            giveUp(failure.toUtf8());
        for (int n = 1; static_cast<int>(m_hosts.size()) < hosts; ++n)
            if (n != kSmallHost) add(n);
        m_data = QString::fromStdString(m_lab.folder()) + "/data";
        QDir().mkpath(m_data);
        for (const QString& name : QDir(kInstalled).entryList(QDir::Files))
            if (!QFile::copy(kInstalled + "/" + name, m_data + "/" + name)) giveUp("the data cannot be copied");
    }

    // Nothing of Trainyard is there and runs there.
    void forget() {
        for (const int n : m_hosts)
            if (!m_lab.connect(n)->script("pkill -x trainyard-pool; rm -rf ~/.cache/trainyard")->ok())
                giveUp("a host cannot be emptied");
    }

    // Milliseconds from the launch of a run to its first step.
    double launch(const char* pool) {
        qputenv("TRAINYARD_HOST_POOL", pool);
        const auto ended = trainyardctl({"run", runFile(), "--workspace", workspace(), "--json"});
        if (ended.code != 0) giveUp(ended.said());
        return ended.json()["timing"].toObject()["launch_to_first_step_s"].toDouble() * 1000;
    }

private:
    QString workspace() const { return QString::fromStdString(m_lab.folder()) + "/workspace"; }

    void add(int n) {
        const QString name = QStringLiteral("h%1").arg(n);
        const auto added =
            trainyardctl({"hosts", "add", "root@" + name, "--identity", QString::fromStdString(m_lab.key("ed25519"))});
        const auto tested = trainyardctl({"hosts", "test", name, "--accept-new-key"});
        if (added.code != 0 || tested.code != 0) giveUp(added.said() + tested.said());
        m_hosts.push_back(n);
    }

    QString runFile() const {
        QJsonArray hosts;
        for (const int n : m_hosts) hosts << QStringLiteral("h%1").arg(n);
        const QJsonObject file{
            {"version", 1},
            {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{512, 512}}}}}},
            {"dataset", QJsonObject{{"name", "fashion-mnist"}, {"params", QJsonObject{{"folder", m_data}}}}},
            {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 1e-3}}},
            {"batch", QJsonObject{{"global", 32 * m_count}}},
            {"steps", 20},
            {"hosts", hosts},
            {"scaling", QJsonObject{{"workers", m_count}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
            {"checkpoint", QJsonObject{{"everyEpochs", 0}}},
        };
        const QString path = QString::fromStdString(m_lab.folder()) + "/run.json";
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(QJsonDocument(file).toJson()) < 0) giveUp("no run file");
        return path;
    }

    const int m_count;
    test::HostLab m_lab;
    std::vector<int> m_hosts;
    QString m_data;
};

double show(const char* what, std::vector<double> milliseconds) {
    std::sort(milliseconds.begin(), milliseconds.end());
    const double median = milliseconds[milliseconds.size() / 2];
    std::printf("%-28s median %7.0f ms, %7.0f to %7.0f, %zu times\n", what, median, milliseconds.front(),
                milliseconds.back(), milliseconds.size());
    std::fflush(stdout);
    return median;
}

} // namespace

int main(int argc, char** argv) {
    if (!QDir(kInstalled).exists()) {
        std::puts("SKIP: Fashion-MNIST is not installed");
        return 77;
    }
    if (!QFile::exists(test::program("trainyardctl"))) {
        std::puts("SKIP: TRAINYARD_BIN does not name the folder of the programs");
        return 77;
    }
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    QStringList arguments = QCoreApplication::arguments();
    bench::Bars bars(arguments);
    const auto number = [&arguments](int at, int otherwise) {
        return arguments.size() > at ? std::max(1, arguments[at].toInt()) : otherwise;
    };
    const int pairs = number(1, 5), hosts = number(2, 1);
    HostsBench bench(hosts);
    std::vector<double> coldPrograms, coldPools, programs, pools;
    for (int pair = 0; pair < pairs; ++pair) {
        bench.forget();
        coldPrograms.push_back(bench.launch("off"));
        bench.forget();
        coldPools.push_back(bench.launch("on"));
        QThread::sleep(3); // the pools take the dataset over once they have nothing else to do
        programs.push_back(bench.launch("off"));
        pools.push_back(bench.launch("on"));
    }
    std::printf("launch to first step, one rank on each of %d hosts\n", hosts);
    show("cold, programs", coldPrograms);
    show("cold, pools", coldPools);
    show("warm, programs", programs);
    const double warm = show("warm, pools", pools);
    if (hosts == 1) bars.keep("warm, pools", warm, kMostMilliseconds, "ms");
    return bars.exitCode();
}
