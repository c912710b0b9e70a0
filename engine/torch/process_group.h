// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of a run as one group: collectives over c10d with Gloo on the CPU and NCCL on CUDA.
#pragma once

#include "engine/base/result.h"
#include "engine/torch/compat.h"

#include <chrono>
#include <string>
#include <vector>

namespace trainyard::train {

struct GroupOptions {
    int rank = 0, worldSize = 1;
    std::string interfaceAddress = "127.0.0.1"; // Gloo binds to this address and to no other
    bool nccl = false;                          // else Gloo
    torch::Device device = torch::kCPU;         // this rank's own, where NCCL has its data
    std::chrono::milliseconds timeout = std::chrono::minutes(5); // of the meeting and of every collective
};

// A group that exists; cheap to copy. A group of one holds no connection and its collectives return at once. Calls
// must come in the same order on every rank. They throw c10::Error (or std::runtime_error from Gloo) when a peer is
// lost or the timeout passes; the group is then beyond use. Not for several threads at a time.
class ProcessGroup {
public:
    // Meets the other ranks through `store`; blocks until all are there. Environment: the address cannot be bound,
    // NCCL is not in this build. Run: the others did not come in time.
    static Result<ProcessGroup> make(const compat::StorePtr& store, const GroupOptions& options);
    // A group of some of this group's ranks, in the order given. Collective over all of its ranks, whether they are in
    // it or not; those that are not get a group of one. Errors as in make().
    Result<ProcessGroup> subgroup(const std::string& name, const std::vector<int>& ranks) const;
    // The only rank of its world.
    static ProcessGroup single() { return ProcessGroup({}, 0, 1); }

    int rank() const { return m_rank; }
    int worldSize() const { return m_worldSize; }
    const compat::GroupPtr& c10d() const { return m_group; } // null for a group of one

    // Sums over the ranks, in place. Float, double and integer tensors; contiguous. Blocks.
    void sum(torch::Tensor& tensor) const;
    // The same without waiting; null for a group of one. The tensor must live until the work is done.
    c10::intrusive_ptr<c10d::Work> startSum(torch::Tensor& tensor) const;
    // Rank 0's values to all, in place; contiguous. Blocks.
    void broadcast(torch::Tensor& tensor) const;
    // Rank `root`'s bytes (uint8 [n], on the CPU) to all; the others may pass an undefined tensor. Blocks.
    torch::Tensor broadcastBytes(const torch::Tensor& bytes, int root) const;
    // Every rank's tensor of the same shape, in order of ranks. Blocks.
    std::vector<torch::Tensor> gather(const torch::Tensor& tensor) const;
    // Every rank's text. Blocks.
    std::vector<std::string> gatherText(const std::string& text) const;
    void barrier() const;

private:
    ProcessGroup(compat::GroupPtr group, int rank, int worldSize)
        : m_group(std::move(group)), m_rank(rank), m_worldSize(worldSize) {}

    compat::GroupPtr m_group;
    compat::StorePtr m_store; // where it met
    GroupOptions m_options;
    int m_rank = 0, m_worldSize = 1;
    torch::Device m_device = torch::kCPU; // where NCCL wants what CPU tensors hold
};

} // namespace trainyard::train
