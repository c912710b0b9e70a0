// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks as torchrun starts them: the peer of program runs.
#pragma once

#include <QProcess>

#include <unistd.h>

#include <memory>
#include <vector>

namespace trainyard::test {

// Whether that Python's ranks can meet at a store which is open already: its PyTorch has libuv, or is older than 2.4.
inline bool canMeetAtAStore(const QString& python) {
    return QProcess::execute(python, {"-c", "import torch.distributed as d\nd.TCPStore('127.0.0.1', 0, 1, True)"}) == 0;
}

// A script's ranks on this computer, by torchrun; where its own store cannot be opened for want of libuv, as on Debian
// 13, each with the variables that torchrun would give it.
class TorchrunRanks {
public:
    TorchrunRanks(const QString& torchrun, QProcessEnvironment environment, int ranks, const QStringList& script) {
        const QString port = QString::number(29000 + ::getpid() % 1000);
        if (canMeetAtAStore("/usr/bin/python3")) {
            // Debian 12's needs -r and -t with its Python.
            const QStringList words{
                "--nnodes", "1", "--node_rank", "0", "--master_addr",    "127.0.0.1",           "--master_port", port,
                "-r",       "1", "-t",          "1", "--nproc_per_node", QString::number(ranks)};
            start(torchrun, words + script, environment);
            return;
        }
        environment.insert("USE_LIBUV", "0");
        environment.insert("MASTER_ADDR", "127.0.0.1");
        environment.insert("MASTER_PORT", port);
        for (const char* name : {"WORLD_SIZE", "LOCAL_WORLD_SIZE"}) environment.insert(name, QString::number(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
            for (const char* name : {"RANK", "LOCAL_RANK"}) environment.insert(name, QString::number(rank));
            start("/usr/bin/python3", script, environment);
        }
    }
    // Waits for all; whether each has ended well.
    bool end() {
        bool isWell = true;
        for (auto& each : m_processes) isWell = each->waitForFinished(120'000) && each->exitCode() == 0 && isWell;
        return isWell;
    }

private:
    void start(const QString& program, const QStringList& words, const QProcessEnvironment& environment) {
        m_processes.push_back(std::make_unique<QProcess>());
        m_processes.back()->setProcessEnvironment(environment);
        m_processes.back()->start(program, words);
    }
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

} // namespace trainyard::test
