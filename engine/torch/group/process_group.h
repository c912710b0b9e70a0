// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of a run as one group: collectives over c10d with Gloo on the CPU and NCCL on CUDA, and between ranks of
// one host through memory.
#pragma once

#include "engine/base/result.h"
#include "engine/torch/base/compat.h"
#include "engine/torch/group/peer_connections.h"
#include "engine/torch/group/shared_mailbox.h"

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::train {

struct GroupOptions {
    int rank = 0, worldSize = 1;
    std::string interfaceAddress = "127.0.0.1";                  // Gloo binds to this address and to no other
    bool nccl = false;                                           // on the calling thread's CUDA device; else Gloo
    std::chrono::milliseconds timeout = std::chrono::minutes(5); // of the rendezvous and of every collective
    // All ranks are on this host and compute on its CPU: what they tell one another goes through memory that they
    // share, where that can be made, and Gloo's connections, which take ten milliseconds, are made when c10d() is first
    // asked for.
    bool oneHost = false;
    const AbortFlag* abort = nullptr; // ends waits, all in that memory and Gloo's by wait(); outlives the group
    // Learns of the connections to the other ranks that Gloo makes, its subgroups' too; outlives the group.
    PeerConnections* connections = nullptr;
};

// A group that exists; cheap to copy. A group of one holds no connection and its collectives return at once. Calls
// must come in the same order on every rank. They throw c10::Error (or std::runtime_error from Gloo, PeerLost from
// memory) when a peer is lost or the timeout passes; the group is then beyond use. Not for several threads at a time.
class ProcessGroup {
public:
    // Meets the other ranks through `store`; blocks until all are there. Environment: the address cannot be bound,
    // NCCL is not in this build. Run: the others did not come in time.
    static Result<ProcessGroup> make(const compat::StorePtr& store, const GroupOptions& options);
    // A group of some of this group's ranks, in the order given. Collective over all of its ranks, whether they are in
    // it or not; those that are not get a group of one. Each call makes another. Errors as in make().
    Result<ProcessGroup> subgroup(const std::string& name, const std::vector<int>& ranks) const;
    // The only rank of its world.
    static ProcessGroup single() { return ProcessGroup({}, 0, 1); }

    int rank() const { return m_rank; }
    int worldSize() const { return m_worldSize; }
    // Null for a group of one. Collective where it is the first to ask; then it throws PeerLost when they do not meet.
    const compat::GroupPtr& c10d() const;
    // Null where the ranks do not share one.
    SharedMailbox* mailbox() const { return m_transports ? m_transports->mailbox.get() : nullptr; }

    // Sums over the ranks, in place. Float, double and integer tensors; contiguous. Blocks.
    void sum(torch::Tensor& tensor) const;
    // The same without waiting; null for a group of one. The tensor must live until the work is done.
    c10::intrusive_ptr<c10d::Work> startSum(torch::Tensor& tensor) const;
    // Every rank's tensor of the same shape into `all`, in order of ranks, without waiting; null for a group of one.
    // All of them must live until the work is done.
    c10::intrusive_ptr<c10d::Work> startGather(const torch::Tensor& tensor, std::vector<torch::Tensor>& all) const;
    // Waits for a collective that was begun in c10d() or by one of these. Throws as the others do, and PeerLost once
    // the abort flag is raised: Gloo alone may wait on for a message that it lost track of as the connection ended.
    void wait(c10d::Work& work) const;
    // Rank 0's values to all, in place; contiguous. Blocks.
    void broadcast(torch::Tensor& tensor) const;
    // Of what goes in parts: a link that one can train over takes one in well under a second.
    static constexpr std::int64_t kPartBytes = 4 << 20;
    // Rank `root`'s bytes (uint8 [n], on the CPU) to all; the others may pass an undefined tensor. They go in parts:
    // `onPart` gets the number of each before it is sent. Blocks until all ranks have them.
    torch::Tensor broadcastBytes(const torch::Tensor& bytes, int root, const std::function<void(int)>& onPart) const;
    // Every rank's tensor of the same shape, in order of ranks. Blocks.
    std::vector<torch::Tensor> gather(const torch::Tensor& tensor) const;
    // Every rank's text. Blocks.
    std::vector<std::string> gatherText(const std::string& text) const;
    void barrier() const;

private:
    struct Transports {                         // of telling one another; copies of the group have them in common
        compat::GroupPtr c10d;                  // null: not needed so far
        std::shared_ptr<SharedMailbox> mailbox; // null: none
        int subgroups = 0;                      // made so far
    };
    ProcessGroup(std::shared_ptr<Transports> transports, int rank, int worldSize)
        : m_transports(std::move(transports)), m_rank(rank), m_worldSize(worldSize) {}
    SharedMailbox* mailboxFor(const torch::Tensor& tensor) const; // null: it goes another way

    std::shared_ptr<Transports> m_transports; // null for a group of one
    compat::StorePtr m_store;                 // where it met
    GroupOptions m_options;
    int m_rank = 0, m_worldSize = 1;
    torch::Device m_device = torch::kCPU; // where NCCL wants what CPU tensors hold
};

// Where a trainer whose group has lost a member gets the next group from: the supervisor names its members.
class GroupSource {
public:
    virtual ~GroupSource() = default;
    // True when the group's exception means that a peer was lost and a next group may come; then tells the supervisor.
    virtual bool mayRejoin(const std::exception& thrown) = 0;
    // Waits for the supervisor's Regroup and joins the rendezvous. The lost group must have been released. Run error:
    // there will be no next group. Throws what the rendezvous throws when another rank is lost in turn.
    virtual Result<ProcessGroup> nextGroup() = 0;
};

} // namespace trainyard::train
