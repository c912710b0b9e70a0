// SPDX-License-Identifier: GPL-3.0-or-later
// Samples per second of a two-rank Fashion-MNIST training by trainyard-worker against a tuned Python DDP script on the
// same LibTorch, in interleaved pairs: ddp_bench [PAIRS] [STEPS]. Prints each pair, then the median ratio and its
// spread. Exit code 77: something that it needs is not installed.
#include "engine/base/clock.h"
#include "tests/multiproc/rank_group.h"
#include "tests/multiproc/test_runs.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using trainyard::test::RankGroup;
using trainyard::test::RunJson;

namespace {

const QString kPython = QStringLiteral("/usr/bin/python3");
const QString kData = QStringLiteral("/usr/share/datasets/fashion-mnist");
constexpr int kRanks = 2, kGlobalBatch = 64;

double ours(int steps) {
    RunJson run{.ranks = kRanks, .steps = steps, .perRank = kGlobalBatch / kRanks, .lr = 1e-3};
    run.model = R"({"name": "mlp", "params": {"hidden": [512, 512]}})";
    run.dataset = R"({"name": "fashion-mnist"})";
    run.optimizerParams = "";
    run.everyEpochs = 0;
    RankGroup group({.ranks = kRanks, .runJson = run.text()});
    if (!group.serve(300) || !group.rank(0).finished) {
        std::fprintf(stderr, "%s", group.report().c_str());
        std::exit(1);
    }
    const auto& points = group.rank(0).series.at("train/loss");
    return static_cast<double>((steps - 1) * kGlobalBatch) / (points.back().seconds - points.front().seconds);
}

double peer(int steps) {
    const QTemporaryDir folder;
    QProcess ranks[kRanks];
    for (int rank = 0; rank < kRanks; ++rank) {
        auto environment = QProcessEnvironment::systemEnvironment();
        const std::pair<const char*, QString> variables[] = {
            {"RANK", QString::number(rank)}, {"WORLD_SIZE", QString::number(kRanks)},
            {"OMP_NUM_THREADS", QStringLiteral("1")}, {"OPENBLAS_NUM_THREADS", QStringLiteral("1")},
            {"GLOO_SOCKET_IFNAME", QStringLiteral("lo")},
            // The limits that the worker sets too: without them each step returns its memory to the kernel.
            {"MALLOC_MMAP_THRESHOLD_", QStringLiteral("1073741824")},
            {"MALLOC_TRIM_THRESHOLD_", QStringLiteral("4294967296")}};
        for (const auto& [name, value] : variables) environment.insert(QString::fromLatin1(name), value);
        ranks[rank].setProcessEnvironment(environment);
        ranks[rank].setProcessChannelMode(QProcess::ForwardedErrorChannel);
        ranks[rank].start(kPython, {QStringLiteral("-Wignore"),
                                    QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/bench/python/ddp_peer.py"),
                                    folder.filePath(QStringLiteral("meet")), kData, QString::number(steps)});
    }
    for (auto& rank : ranks)
        if (!rank.waitForFinished(300'000) || rank.exitCode() != 0) std::exit(1);
    return ranks[0].readAllStandardOutput().trimmed().toDouble();
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 3, steps = argc > 2 ? std::atoi(argv[2]) : 900;
    if (pairs < 1 || steps < 10) {
        std::fprintf(stderr, "ddp_bench [PAIRS >= 1] [STEPS >= 10]\n");
        return 2;
    }
    if (!QFile::exists(kData) || QProcess::execute(kPython, {QStringLiteral("-c"), QStringLiteral("import torch")}) != 0) {
        std::fprintf(stderr, "skipped: needs dataset-fashion-mnist and python3-torch\n");
        return 77;
    }
    std::vector<double> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
        // Who goes first changes, so that a machine that slows down or heats up favours neither.
        double our = 0, their = 0;
        if (pair % 2 == 0) our = ours(steps);
        their = peer(steps);
        if (pair % 2 == 1) our = ours(steps);
        ratios.push_back(our / their);
        std::printf("pair %d: trainyard %.0f samples/s, Python DDP %.0f samples/s, ratio %.3f\n", pair + 1, our, their,
                    ratios.back());
        std::fflush(stdout);
    }
    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf("ratio: median %.3f, spread %.3f to %.3f over %d pairs of %d steps\n", medianOf(ratios), *low, *high,
                pairs, steps);
    return 0;
}
