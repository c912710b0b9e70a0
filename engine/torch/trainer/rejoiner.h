// SPDX-License-Identifier: GPL-3.0-or-later
// How a group continues after the loss of a rank: what each rank knows of the old group, and what follows from it.
#pragma once

#include "engine/torch/group/process_group.h"
#include "engine/torch/trainer/learner/buffer_copies.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::train {

// What each rank of a new group tells the others about where it is.
struct Position {
    std::int64_t known = 0; // 0: it has just come and knows nothing
    std::int64_t step = 0, epoch = 0, batchInEpoch = 0;
    std::int64_t windowSteps = 0, keptSteps = 0, windowTarget = 1;
    std::int64_t settled = 0, validated = -1, saved = -1, totalSteps = 0, totalEpochs = 0;
    std::int64_t reporter = 0;             // it was rank 0 in the group before
    std::int64_t world = 0;                // of the group before
    std::int64_t endEarly = 0;             // the run no longer gets better
    std::int64_t stepsPerEpoch = 0;        // in the group before
    std::int64_t toStop = 0;               // it was asked to save and stop
    std::int64_t gradNorm = 0, lastLr = 0; // the bits of doubles

    torch::Tensor toTensor() const;
    static Position of(const torch::Tensor& tensor);
};

// What follows from the positions of all ranks of a new group, the same on each: a value. The state of the most
// advanced rank goes to all that lack it. A rank is at most one step behind, since averaging needs all ranks.
class RejoinPlan {
public:
    explicit RejoinPlan(std::vector<Position> all); // by rank, one at least

    int donor() const { return static_cast<int>(m_donor); } // the most advanced rank
    const Position& newest() const { return m_all[m_donor]; }
    bool isBehind(const Position& each) const;
    bool anyBehind() const;
    // How many of the newest steps some rank has not yet reported, or a new rank 0 cannot know to have been reported.
    std::int64_t openSteps() const;
    // The ranks that were there before, and they alone, take no step more when they are to stop: they save the state as
    // the group before would have. One that has just come has dealt its samples for the new size.
    bool savesAndEnds() const;
    // What comes after the last step (reports, validation, checkpoint) and is known to be done by all that were there.
    bool isSettled() const;
    std::int64_t validatedStep() const; // of the last validation and checkpoint; -1: none, or not known
    std::int64_t savedStep() const;

private:
    std::vector<Position> m_all;
    std::size_t m_donor = 0;
};

// What one rank knows of the group that it was in, from the loss of a peer until it is in the next one.
class Rejoiner {
public:
    void losePeer() { m_lostPeer = true; }
    bool hasLostPeer() const { return m_lostPeer; }
    // It leaves `group`. Of several in turn, the first is the one where steps were taken.
    void leave(const ProcessGroup& group);
    void rejoined();
    void describe(Position& mine) const; // as far as it is known here

    // The last step after which all was done that comes after a step.
    void settle(std::int64_t step) { m_settledStep = step; }
    bool isSettled(std::int64_t step) const { return m_settledStep >= step; }

    // A forward pass changes running statistics; the step that a lost peer has cut short is taken again.
    void keepBuffers(const models::Model& model) { m_buffers.keep(model); }
    void forgetBuffers() { m_buffers.clear(); } // no step is cut short
    void bringBuffersBack(models::Model& model) const { m_buffers.bringBack(model); }

    // What the new group has agreed on.
    void setSavesAndEnds(bool on) { m_savesAndEnds = on; }
    bool savesAndEnds() const { return m_savesAndEnds; } // it takes no step more
    void noteResize(std::string text) { m_resized = std::move(text); }
    std::string takeResize() { return std::exchange(m_resized, {}); } // what another size has changed; empty: nothing

private:
    bool m_lostPeer = false, m_wasReporter = false, m_savesAndEnds = false;
    int m_lastWorld = 0; // of the group before; 0: it has left none
    std::int64_t m_settledStep = 0;
    BufferCopies m_buffers; // as the last step left them
    std::string m_resized;
};

} // namespace trainyard::train
