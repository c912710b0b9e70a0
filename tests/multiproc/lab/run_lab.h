// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/store/run_query.h"

#include <QByteArray>
#include <QTemporaryDir>

#include <functional>

namespace trainyard::test {

// The step of the newest checkpoint file of a run, announced or not; 0 without one.
std::int64_t newestCheckpoint(const std::filesystem::path& runFolder);

// A workspace of its own and real supervisors in it, whose workers follow plans (scripted_worker.cpp) or really train.
// The labs of a test program share what takes seconds to make: the pool that ranks are forked from, the catalog of the
// worker program, and the kernels that were chosen by timing.
class RunLab {
public:
    // Steps of a run that a test stops when it has seen enough.
    static constexpr std::int64_t kEndless = 1'000'000;

    RunLab();
    ~RunLab(); // kills what is left
    // What is started from then on has sockets, a pool and a cache of this lab alone.
    void shareNothing() const;

    struct Plan {
        std::string plan{};
        int workers = 2, epochs = 5, maxRestarts = 3, keep = 2;
        double heartbeatSeconds = 20, lr = 0.1;
        std::string storage{}; // a default of its own keeps designated initialisers short
    };
    spec::RunSpec spec(const Plan& plan) const;
    std::string start(const Plan& plan);
    // Ranks of one thread each on a set of points, which save every 400 steps.
    static spec::RunSpec spirals(int workers, std::int64_t steps);
    // The same with a random draw in each step, and no checkpoint due before the end.
    static spec::RunSpec spiralsWithoutCheckpoint(int workers, std::int64_t steps);
    // With the programs that the test was started with, as all that is started from then on. Empty when it cannot be.
    std::string startReal(const spec::RunSpec& spec);
    static QByteArray builtPrograms(); // their folder
    store::RunRow row(const std::string& run);
    // Polls until the run is over, or fails the test.
    store::RunRow waitForEnd(const std::string& run, double seconds = 30);
    // Asks the run to save and stop, and returns its row once it is over; an empty one when it cannot be asked.
    store::RunRow stopped(const std::string& run);
    // The id of a run of that file which nothing disturbs and which has trained for so many steps: what one that was
    // disturbed and stopped is compared with. Empty when it did not finish.
    std::string trained(spec::RunSpec spec, std::int64_t steps);
    bool waitUntil(const std::function<bool()>& condition, double seconds = 10);
    bool waitForStep(const std::string& run, std::int64_t step, double seconds = 10);
    std::vector<wire::Point> points(const std::string& run, const std::string& series = "train/loss");
    std::vector<std::int64_t> workerPids(const std::string& run);
    bool gone(const std::vector<std::int64_t>& pids, double seconds);
    std::string logText(const std::string& run);
    // Empty when steps run from 1 to `last` without a gap or a repeat; else what is wrong.
    std::string contiguity(const std::string& run, std::int64_t last);
    // Empty when both runs have the same points of the series, bit for bit and step for step; else the first that
    // differ.
    std::string curveDifference(const std::string& run, const std::string& other, const std::string& series);
    std::string lastCheckpoint(const std::string& run); // its file; empty: there is none
    // Empty when the last checkpoints of both runs hold the same bits; else what does not.
    std::string difference(const std::string& run, const std::string& other);
    // Resumes what has ended early and waits for both runs. Empty when it then has all steps, bits and points of the
    // undisturbed one; else what it has not.
    std::string differenceOnceResumed(const std::string& run, const std::string& undisturbed, std::int64_t steps);

    const store::Workspace& workspace() const { return m_workspace; }
    store::RunQuery& query() { return *m_query; }
    std::string folder() const { return m_folder.path().toStdString(); }

private:
    static std::string sharedFolder(); // of sockets and caches
    static void exchangeCatalogs();
    std::string started(const spec::RunSpec& spec);

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<store::RunQuery> m_query;
};

} // namespace trainyard::test
