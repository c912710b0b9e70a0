// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the ranks of one run as real trainyard-worker processes and plays the supervisor's part towards them.
#pragma once

#include "engine/run/launch/launcher.h"
#include "engine/run/supervise/rendezvous_store.h"
#include "engine/wire/messages.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::test {

// What one rank said until it ended.
struct RankRecord {
    std::optional<wire::Hello> hello;
    std::optional<wire::Ready> ready;
    std::vector<wire::PhaseChange> phases;
    std::map<std::string, std::vector<wire::Point>> series;
    std::vector<wire::CheckpointSaved> saved;
    std::vector<wire::CheckpointSkipped> skipped;
    std::vector<wire::Evaluation> evaluations;
    std::vector<wire::Tested> tests;
    std::vector<wire::Notice> notices;
    std::vector<wire::RolledBack> rolledBack;
    std::vector<wire::Heartbeat> beats;
    std::vector<wire::SystemSample> samples;
    std::optional<wire::Failed> failed;
    std::optional<wire::Finished> finished;
    std::optional<run::ExitStatus> exit;
    double endedAt = 0; // monotonicSeconds()
    std::string log;    // what it printed
    bool badFrame = false;
};

class RankGroup {
public:
    struct Options {
        int ranks = 2;
        std::string runJson;
        std::map<int, std::string> otherRunJson{}; // of ranks that are given another run file
        std::string checkpointFolder{}, resumeFrom{};
        std::map<std::string, std::string> environment{};
    };
    // Launches, from a pool that lives as long as the test where the pool serves (worker_pool.h; TRAINYARD_POOL=off:
    // each rank is a program of its own). Start goes out at each Hello.
    explicit RankGroup(Options options);

    // Serves the ranks until all have ended, `until` says so (asked after each message), or the time is over. True
    // unless the time was over.
    bool serve(double seconds, const std::function<bool()>& until = {});

    const RankRecord& rank(int rank) const { return m_ranks[static_cast<std::size_t>(rank)].record; }
    std::vector<double> values(const std::string& series) const; // of rank 0
    void send(int rank, const wire::Message& message);
    void sendBytes(int rank, const std::string& bytes);
    void closeChannel(int rank); // end of file on its stdin
    void signal(int rank, int number);
    std::string report() const; // logs and failures of all ranks, for a failing test

private:
    struct Rank {
        std::unique_ptr<run::WorkerProcess> process;
        wire::Decoder decoder;
        RankRecord record;
        bool closed = false, logClosed = false;
    };
    void readFrames(int rank);
    void handle(int rank, const wire::Message& message);
    void answer(const std::vector<run::RendezvousStore::Reply>& replies);
    void sendStart(int rank);
    void readLog(Rank& rank);

    Options m_options;
    std::unique_ptr<run::Launcher> m_launcher;
    run::RendezvousStore m_store;
    std::vector<Rank> m_ranks;
};

} // namespace trainyard::test
