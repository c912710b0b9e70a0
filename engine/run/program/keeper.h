// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/program/bond/supervisor_bond.h"
#include "engine/run/program/bond/supervisor_watch.h"
#include "engine/run/program/checkpoint_feed.h"
#include "engine/run/program/follow/metric_feed.h"
#include "engine/run/program/follow/output_cap.h"
#include "engine/run/program/follow/printed_output.h"
#include "engine/run/program/hang_watch.h"
#include "engine/run/program/program_end.h"
#include "engine/run/program/program_requests.h"
#include "engine/run/program/program_stop.h"
#include "engine/run/program/rank_plan.h"
#include "engine/run/program/rank_start.h"
#include "engine/run/program/reserved_port.h"
#include "engine/run/program/store/store_server.h"
#include "engine/run/program/tree_meter.h"

#include <memory>

namespace trainyard::run {

// `trainyard-relay rank`: stands for one rank of a program run (PROGRAMS.md). It starts the user's process, reads what
// that leaves in files, and speaks to the supervisor over its standard descriptors as a rank of Trainyard's own does.
// Returns the rank's exit code, or dies of the signal that the user's process died of. Blocks for the whole life of the
// rank. Leaves no process behind.
int keepProgram();

// The loop behind keepProgram(). One thread; every wait has a deadline.
class Keeper {
public:
    Keeper(int readFd, int writeFd);
    int run();

private:
    // The rank's process, with all that follows it.
    struct Running {
        Running(KeptRank rank, RankStart start, RankProcess process, PrintedOutput printed,
                std::unique_ptr<MetricFeed> metrics);
        Error failure() const; // once the process has ended
        KeptRank rank;
        RankStart start;
        RankProcess process;
        PrintedOutput printed;
        OutputCap cap;
        std::unique_ptr<MetricFeed> metrics;
        ProgramStopping stopping;
        ProgramRequests requests;
        TreeMeter meter;
        HangWatch hang;
        SupervisorWatch supervisor;
        std::optional<double> abortedAt; // it hung, and was asked for its stacks
        bool hasPoint = false;
        UniqueFd watch;                                // inotify of the files that are followed
        std::unique_ptr<CheckpointFeed> checkpoints{}; // of rank 0
        double beatDue = 0, sampleDue = 0;
        std::int64_t beatenStep = -1; // that the last heartbeat told
    };

    // keeper_start.cpp
    static std::string deviceOf(const KeptRank& rank);
    Result<wire::Start> waitForStart();
    Result<void> begin(const wire::Start& start);
    Result<void> meet(const wire::Start& start, RankPlace& place); // where rank 0 is
    void tellWhere(KeptRank& rank, const RankStart& start);
    Result<wire::StoreReply> waitForReply();
    void wait(double until, int fd = -1); // or until the descriptor is readable, too
    void waitForServer(int fd, double until);
    static RankNote noteOf(const Running& running, const wire::Start& start);
    static bool outlivesSupervisor(const Running& running);

    // keeper.cpp
    bool attend(double now);
    double nextDue(double now) const;
    std::optional<int> serveBond(); // the exit code where the rank is over
    void greet(double now);
    void take(const wire::Message& message);
    void carryOut(const wire::Command& command, double now);
    void readChannel();
    void readSignals();
    void hearRequest();
    bool follow(double now);
    void tell(MetricNews&& news, double now);
    void followCheckpoints(double now);
    void tellSaved(std::vector<wire::CheckpointSaved> all, double now);
    void lookForLastCheckpoints(double now, bool well);
    double idleBeat(double now) const;
    void beat(double now);
    void stop(double now);
    void watchForHang(double now);
    bool startAgain();
    void tellOfStart();
    int end();
    int fail(const Error& error, std::int64_t step = 0);
    void tellEnd(const std::optional<wire::Message>& word);
    void enter(wire::Phase phase, const std::string& detail = {});
    void print(std::string_view line); // to the rank's log
    void print(const CodePaths& code, std::string_view line);

    SupervisorBond m_bond;
    UniqueFd m_signals;
    double m_begun;
    ReservedPort m_port;
    std::unique_ptr<StoreServer> m_store; // of rank 0, or none
    std::vector<wire::Message> m_unread;  // came while another message was waited for
    std::unique_ptr<Running> m_running;
    double m_aloneSince = 0;  // without a supervisor
    double m_pausedSince = 0; // the program
};

} // namespace trainyard::run
