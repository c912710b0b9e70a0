// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/peer_lost.h"
#include "engine/torch/group/core_share.h"
#include "engine/torch/group/shared_segment.h"
#include "engine/torch/group/wait_policy.h"

#include <functional>
#include <vector>

namespace trainyard::train {

// How the ranks of a host wait for one another in shared memory: they look for a moment, keep their core where that
// serves (WaitPolicy), then sleep. Where it does not serve, a sleeper changes cores with the rank it waits for. A wait
// throws PeerLost when the abort flag is raised, when the rank waited for has died, or when it has not come in time;
// the text says which rank has not come to what, and at which step. Made, used and destroyed by the thread that trains.
class SharedGates {
public:
    struct Options {
        std::size_t self = 0;     // this rank's place among the host's
        std::vector<int> numbers; // rank in the whole group of each of the host's
        const AbortFlag* abort = nullptr;
        double waitSeconds = 300;
        std::int64_t firstStep = 0; // for messages: what the first count of 1 is counted on from
        std::int64_t buckets = 1;   // of a step, at the gates that count them
        const char* what = nullptr; // for messages, in the place of a gate of a step
    };
    SharedGates(std::shared_ptr<SharedSegment> segment, Options options);

    // Says that this rank has come to the gate in the step (at some: the bucket) `count`, from 1; what it wrote before
    // is seen by those who then find it there. `note`, 0 to 3, goes with it.
    void pass(Gate gate, std::int64_t count, int note = 0);
    void wait(Gate gate, std::size_t rank, std::int64_t count);
    void waitForAll(Gate gate, std::int64_t count);
    bool allPassed(Gate gate, std::int64_t count) const;
    // What came with the newest pass of `rank`.
    int note(Gate gate, std::size_t rank) const;

private:
    Cell& ownEntry() const { return m_segment->cell(Gate::Entered, m_options.self); }
    bool keepsCore(double now) const;
    void measure(double now);
    void takeBackCores();
    bool looksOn(double begin, Gate gate, std::size_t rank, std::int64_t count);
    void waitAsleep(Gate gate, std::size_t rank, std::int64_t count);
    bool comesWithin(int looks, Gate gate, std::size_t rank, std::int64_t count) const;
    bool sleepOnce(Cell& cell, std::int64_t count, long nanoseconds) const;
    void waitLong(Gate gate, std::size_t rank, std::int64_t count) const;
    bool reached(Gate gate, std::size_t rank, std::int64_t count) const;
    void failIfAborted(Gate gate, std::size_t rank, std::int64_t count) const;
    [[noreturn]] void failWait(Gate gate, std::size_t rank, std::int64_t count, const std::string& why) const;

    std::shared_ptr<SharedSegment> m_segment;
    Options m_options;
    CoreShare m_core;
    WaitPolicy m_policy;
    bool m_sharesCores = false; // there are more ranks than cores
};

} // namespace trainyard::train
