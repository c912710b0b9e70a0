// SPDX-License-Identifier: GPL-3.0-or-later
// What a step takes over links of different speed, beside Python's DistributedDataParallel with the hook that
// compresses alike (peers/ddp.py), in turn: links_bench [PAIRS] [WORD,WORD]. Two hosts of the lab
// (tests/ssh/host_lab.h), whose links are held down in both directions; 64 samples and one thread a rank,
// Fashion-MNIST. With words, only rows that have one of them in their name. The median of the pairs, the least and the
// most, and the loss that both have come to, the mean of the last 20 steps of the last pair. Exit code 77: the dataset
// or PyTorch is not installed, or there can be no hosts.
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QFile>
#include <QThread>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>

using namespace trainyard;
using test::trainyardctl;

namespace {

constexpr int kBatch = 64, kHosts = 2;

struct Row {
    const char* name;
    const char* model = "mlp";
    int mbit = 0; // 0: as fast as this computer copies
    int ranks = kHosts;
    const char* compression = "none"; // ours
    const char* hook = "";            // the peer's
    int steps = 40, warm = 10;
    double lr = 1e-3;
};

// What a training comes to.
struct Outcome {
    double milliseconds = 0; // a step
    double loss = 0;
};

constexpr Row kRows[] = {
    {"mlp, 100 mbit", "mlp", 100, 2, "none", ""},
    {"mlp, 100 mbit, fp16", "mlp", 100, 2, "fp16", "fp16"},
    {"mlp, 100 mbit, powersgd", "mlp", 100, 2, "powersgd", "powersgd", 300, 20, 0.05},
    {"mlp, 100 mbit, 2 ranks a host", "mlp", 100, 4, "none", ""},
    {"mlp, 100 mbit, 2 ranks a host, fp16", "mlp", 100, 4, "fp16", "fp16"},
    {"mlp, 100 mbit, 2 ranks a host, powersgd", "mlp", 100, 4, "powersgd", "powersgd", 300, 20, 0.05},
    {"mlp, 1 gbit", "mlp", 1000, 2, "none", "", 150, 20},
    {"mlp, 1 gbit, fp16", "mlp", 1000, 2, "fp16", "fp16", 150, 20},
    {"mlp, 1 gbit, powersgd", "mlp", 1000, 2, "powersgd", "powersgd", 300, 20, 0.05},
    {"mlp, no limit", "mlp", 0, 2, "none", "", 200, 20},
    {"mlp, no limit, fp16", "mlp", 0, 2, "fp16", "fp16", 200, 20},
    {"convnet, 100 mbit", "convnet", 100, 2, "none", "", 300, 20},
};

[[noreturn]] void giveUp(const QByteArray& why) {
    std::printf("%s\n", why.constData());
    std::exit(1);
}

class LinksBench {
public:
    LinksBench() {
        if (const QString failure = m_lab.start(kHosts); !failure.isEmpty()) giveUp(failure.toUtf8());
        for (int n = 1; n <= kHosts; ++n) {
            const QString name = QStringLiteral("h%1").arg(n);
            const auto added = trainyardctl(
                {"hosts", "add", "root@" + name, "--identity", QString::fromStdString(m_lab.key("ed25519"))});
            const auto tested = trainyardctl({"hosts", "test", name, "--accept-new-key"});
            if (added.code != 0 || tested.code != 0) giveUp(added.said() + tested.said());
            m_sessions.push_back(m_lab.connect(n));
        }
        if (!QFile::copy(PEER_SCRIPT, path("ddp.py"))) giveUp("the peer's script cannot be copied");
    }

    // Of both hosts, in both directions, for what follows.
    void setLinks(int mbit) {
        for (int n = 1; n <= kHosts; ++n)
            if (mbit > 0) m_lab.slow(n, mbit);
            else if (m_mbit > 0) m_lab.fast(n);
        m_mbit = mbit;
    }

    Outcome ours(const Row& row) {
        const auto ended =
            trainyardctl({"run", runFile(row), "--workspace", path("workspace"), "--json"}, kMostSeconds);
        if (ended.code != 0) giveUp(ended.said());
        const auto table = trainyardctl({"metrics", ended.json()["run"].toString(), "--series", "train/loss", "--csv",
                                         "--workspace", path("workspace")});
        if (table.code != 0) giveUp(table.said());
        double begin = 0, end = 0;
        Outcome outcome;
        constexpr int kLast = 20;
        for (const QByteArray& line : table.out.split('\n')) {
            const auto columns = line.split(',');
            if (columns.size() < 3) continue;
            if (columns[kStepColumn].toInt() == row.warm) begin = columns[kTimeColumn].toDouble();
            if (columns[kStepColumn].toInt() == row.warm + row.steps) end = columns[kTimeColumn].toDouble();
            if (columns[kStepColumn].toInt() > row.warm + row.steps - kLast)
                outcome.loss += columns[kValueColumn].toDouble() / kLast;
        }
        if (begin <= 0 || end <= begin) giveUp("the run has no times of its steps");
        outcome.milliseconds = (end - begin) / row.steps * 1000;
        return outcome;
    }

    Outcome peer(const Row& row) {
        std::vector<std::future<bool>> hosts;
        const std::string port = std::to_string(29'500 + m_peers++ % 400);
        for (int host = 0; host < kHosts; ++host)
            hosts.push_back(std::async(std::launch::async, [&, host] { return startPeers(row, host, port); }));
        const bool good = std::all_of(hosts.begin(), hosts.end(), [](auto& host) { return host.get(); });
        QFile said(path("peer.0"));
        const QByteArray text = said.open(QIODevice::ReadOnly) ? said.readAll() : QByteArray();
        const QJsonObject object = QJsonDocument::fromJson(text).object();
        const double rate = object["samples_per_s"].toDouble();
        if (!good || rate <= 0) giveUp("the peer has failed: " + text);
        return {kBatch * row.ranks / rate * 1000, object["loss"].toDouble()};
    }

private:
    static constexpr int kMostSeconds = 300;
    static constexpr int kStepColumn = 1, kTimeColumn = 3, kValueColumn = 4; // series,step,epoch,time_s,value

    QString path(const char* name) const { return QString::fromStdString(m_lab.folder()) + "/" + QLatin1String(name); }

    // All ranks of one host, to their end.
    bool startPeers(const Row& row, int host, const std::string& port) {
        static const std::string script = R"(
            export MASTER_ADDR=10.77.0.1 MASTER_PORT=$1 WORLD_SIZE=$2 GLOO_SOCKET_IFNAME=eth0
            export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
            export MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296
            first=$3 last=$4; shift 4; ranks=
            for rank in $(seq $first $last); do
                RANK=$rank /usr/bin/python3 -Wignore /mnt/lab/ddp.py "$@" > /mnt/lab/peer.$rank 2>&1 &
                ranks="$ranks $!"
            done
            for rank in $ranks; do wait $rank || exit 1; done)";
        const int each = row.ranks / kHosts;
        std::vector<std::string> parameters{port,
                                            std::to_string(row.ranks),
                                            std::to_string(host * each),
                                            std::to_string((host + 1) * each - 1),
                                            std::string("workload=") + row.model,
                                            "batch=" + std::to_string(kBatch),
                                            "steps=" + std::to_string(row.steps),
                                            "warm=" + std::to_string(row.warm),
                                            "lr=" + std::to_string(row.lr)};
        if (*row.hook) parameters.push_back(std::string("hook=") + row.hook);
        remote::ExecOptions options;
        options.silenceSeconds = kMostSeconds;
        const auto ended = m_sessions[static_cast<std::size_t>(host)]->script(script, parameters, options);
        return ended && ended->ok();
    }

    QString runFile(const Row& row) const {
        QJsonObject model{{"name", row.model}};
        if (std::string(row.model) == "mlp") model["params"] = QJsonObject{{"hidden", QJsonArray{512, 512}}};
        const QJsonObject file{
            {"version", 1},
            {"model", model},
            {"dataset", QJsonObject{{"name", "fashion-mnist"}, {"params", QJsonObject{{"validation", 0}}}}},
            {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", row.lr}}},
            {"batch", QJsonObject{{"perRank", kBatch}, {"dropLast", true}}},
            {"steps", row.steps + row.warm},
            {"hosts", QJsonArray{"h1", "h2"}},
            {"scaling",
             QJsonObject{
                 {"workers", row.ranks}, {"device", "cpu"}, {"threadsPerWorker", 1}, {"compression", row.compression}}},
            {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 0}}},
        };
        QFile out(path("run.json"));
        if (!out.open(QIODevice::WriteOnly) || out.write(QJsonDocument(file).toJson()) < 0) giveUp("no run file");
        return out.fileName();
    }

    test::HostLab m_lab;
    std::vector<std::shared_ptr<remote::SshSession>> m_sessions;
    int m_mbit = 0, m_peers = 0;
};

struct Spread {
    double median, least, most;
};

Spread spreadOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values.front(), values.back()};
}

void measure(LinksBench& bench, const Row& row, int pairs) {
    bench.setLinks(row.mbit);
    std::vector<double> ours, peers, ratios;
    Outcome own, others;
    for (int pair = 0; pair < pairs; ++pair) {
        for (const bool mine : {pair % 2 == 0, pair % 2 != 0}) // who goes first changes
            (mine ? own : others) = mine ? bench.ours(row) : bench.peer(row);
        ours.push_back(own.milliseconds);
        peers.push_back(others.milliseconds);
        ratios.push_back(peers.back() / ours.back());
    }
    const Spread us = spreadOf(ours), them = spreadOf(peers), ratio = spreadOf(ratios);
    std::array<double, 1> load{};
    ::getloadavg(load.data(), 1);
    std::printf("%-38s %6.1f ms [%.1f..%.1f]  %6.1f ms [%.1f..%.1f]  %5.2f x [%.2f..%.2f]  loss %.3f %.3f  load %.1f\n",
                row.name, us.median, us.least, us.most, them.median, them.least, them.most, ratio.median, ratio.least,
                ratio.most, own.loss, others.loss, load[0]);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    if (!QDir("/usr/share/datasets/fashion-mnist").exists()) {
        std::puts("SKIP: Fashion-MNIST is not installed");
        return 77;
    }
    if (test::execute("/usr/bin/python3", {"-c", "import torch.distributed"}).code != 0) {
        std::puts("SKIP: Debian's python3-torch is not installed");
        return 77;
    }
    if (!QFile::exists(test::program("trainyardctl"))) {
        std::puts("SKIP: TRAINYARD_BIN does not name the folder of the programs");
        return 77;
    }
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int pairs = arguments.size() > 1 ? std::max(1, arguments[1].toInt()) : 3;
    const QStringList words = arguments.size() > 2 ? arguments[2].split(',') : QStringList{""};
    LinksBench bench;
    std::printf("%d pairs; ms a step: Trainyard, Python's DistributedDataParallel, the ratio\n", pairs);
    for (const Row& row : kRows)
        if (std::any_of(words.begin(), words.end(),
                        [&](const QString& word) { return QString(row.name).contains(word); }))
            measure(bench, row, pairs);
    return 0;
}
