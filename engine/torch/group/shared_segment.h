// SPDX-License-Identifier: GPL-3.0-or-later
// The memory that the ranks of one host share. It is a file without a name: made by one rank, found by the others
// through that rank's entry in /proc (same user, same host), and gone when the last process that maps it is.
//
//   cells | squares | copy 0: weights, slot 0, ... | copy 1: the same | ... | gradients of rank 0 | of rank 1 | ...
//
// The weights and what the optimizer remembers are there twice: a step reads one copy and writes the other, so a rank
// that dies in the middle of an update leaves the copy that was read as it was. With a third one a state can be kept
// for a checkpoint while training goes on in the other two.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace trainyard::train {

// What the ranks tell one another in each step, in this order. Each has a cell for each rank, which holds the number of
// the step that the rank has come to, times four; the last bits of Done say which copy is current after that step.
// Between hosts, which exchange their sums by bucket, Filled and Summed count buckets and Entered has no part.
enum class Gate : std::size_t {
    Entered,  // its gradients are complete
    Filled,   // those of a bucket are
    Summed,   // its share of a bucket's sum over this host's ranks is
    Crossed,  // the sum over all hosts has arrived (first rank of a host only)
    Measured, // its share of the squares is there
    Done,     // its share of the new copy is
    Dealt,    // its share of the mean is in every rank's buffer (where each updates weights of its own)
};
inline constexpr std::size_t kGates = 7;

struct alignas(64) Cell {
    std::atomic<std::uint32_t> value, waiters, helped; // helped: the value for which a waiting rank gave its core
    // In the first gate's cells: of the rank, until when it wants waiting ranks to sleep (WaitPolicy), and whether its
    // thread was moved to one core since it last took all its cores back.
    std::atomic<std::int32_t> pid;
    std::atomic<double> sleepUntil;
    std::atomic<bool> isMoved;
};

// What the memory is divided into; the same on every rank.
struct SegmentShape {
    std::size_t ranks = 0, floats = 0, slots = 0, squares = 0; // floats: a multiple of 16
    std::size_t copies = 2; // 3 where a state is pinned; 0: there are no weights, only what each rank writes

    std::size_t cellBytes() const;
    std::size_t squareBytes() const;
    std::size_t bytes() const;
};

// Memory that the ranks of a host share, gone when their processes are.
class SharedSegment {
public:
    // Environment: not enough memory, or too many open files.
    static Result<std::shared_ptr<SharedSegment>> create(const SegmentShape& shape);
    // `address` is that of the rank that made it. Environment: the file cannot be opened, or is another.
    static Result<std::shared_ptr<SharedSegment>> open(const SegmentShape& shape, const std::string& address);
    ~SharedSegment();
    SharedSegment(const SharedSegment&) = delete;
    SharedSegment& operator=(const SharedSegment&) = delete;

    std::string address() const; // "pid:descriptor"
    // The memory stays; others can no longer find it.
    void close() { m_file = UniqueFd(); }

    Cell& cell(Gate gate, std::size_t rank);
    double* squares();
    // Weights; the slots follow, `floats` apart.
    float* copy(int which);
    int copies() const { return static_cast<int>(m_shape.copies); }
    std::size_t copyFloats() const { return m_shape.floats * (1 + m_shape.slots); }
    float* gradients(std::size_t rank);

private:
    SharedSegment(const SegmentShape& shape, UniqueFd file) : m_shape(shape), m_file(std::move(file)) {}
    Result<void> map();

    SegmentShape m_shape;
    UniqueFd m_file;
    std::byte* m_memory = nullptr;
};

} // namespace trainyard::train
