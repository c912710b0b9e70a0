// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/base/compat.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/group/shared_gates.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard::train {

// Small messages between the ranks of one host, through shared memory: each rank has a slot to write to, all ranks
// read. It takes microseconds where sockets take tenths of milliseconds, and setting it up takes two store requests.
// Calls come in the same order on every rank. They throw PeerLost when the abort flag is raised, a rank has died or
// does not come in time; the mailbox is then beyond use. Not for several threads at a time.
class SharedMailbox {
public:
    struct Options {
        int rank = 0, worldSize = 1; // all of them on this host
        std::chrono::milliseconds timeout{};
        const AbortFlag* abort = nullptr;
    };
    // Collective. Environment, the same on every rank: one of them cannot make or reach the memory. Throws what the
    // store throws.
    static Result<std::shared_ptr<SharedMailbox>> make(const compat::StorePtr& store, const Options& options);

    // Every rank's bytes, by rank; any number of them.
    std::vector<std::string> gather(std::span<const std::byte> mine);
    // The same for bytes of which every rank has as many, handed out in parts as they come: the same offset of each
    // rank's, by rank. What is written at `mine` behind the part's end is not read before.
    using Part = std::function<void(std::size_t offset, const std::vector<std::span<const std::byte>>& parts)>;
    void gatherParts(std::span<const std::byte> mine, const Part& onPart);
    // Those of rank `root` to all, in place.
    void broadcast(std::span<std::byte> bytes, int root);

    // Publishes numbers without waiting. What a rank posts before it enters a barrier, or a collective that acts as
    // one, the others can read once they have left that barrier or know that a rank has. It stays readable until the
    // posting rank has left the next barrier, even if its process dies. At most kMostPosted numbers.
    static constexpr std::size_t kMostPosted = 64;
    void post(std::span<const double> numbers);
    // What `rank` posted last; as many as this rank posted.
    std::span<const double> posted(int rank) const;

private:
    SharedMailbox(std::shared_ptr<SharedSegment> segment, const Options& options);
    std::byte* slot(int rank) const; // for the present message
    void tell(std::size_t offset, std::span<const std::byte> bytes);
    void waitForAll();
    double* postOf(int rank) const;

    std::shared_ptr<SharedSegment> m_segment;
    const Options m_options;
    SharedGates m_gates;
    std::int64_t m_count = 0; // of times that all have told something
    std::int64_t m_posts = 0; // by each rank
    std::size_t m_posted = 0; // numbers, the last time
};

} // namespace trainyard::train
