// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/shared_mailbox.h"

#include "engine/base/clock.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace trainyard::train {
namespace {

// Of a rank's place. There are two, used in turns: before a rank writes to one again, all ranks have passed the
// exchange in between and so have read its old content.
constexpr std::size_t kSlotBytes = 64 << 10;
constexpr std::size_t kPostBytes = SharedMailbox::kMostPosted * sizeof(double); // behind them, two as well
constexpr std::size_t kSlotFloats = 2 * (kSlotBytes + kPostBytes) / sizeof(float);

std::vector<std::uint8_t> asStored(const std::string& text) { return {text.begin(), text.end()}; }

std::string askedOf(const compat::StorePtr& store, const std::string& key) {
    const auto bytes = store->get(key);
    return {bytes.begin(), bytes.end()};
}

// In the memory too, so that a number of a process that is taken for another's cannot lead to another run's board.
std::uint64_t newToken() {
    const double now = monotonicSeconds();
    std::uint64_t bits = 0;
    std::memcpy(&bits, &now, sizeof bits);
    return bits * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(::getpid());
}

std::uint64_t& tokenIn(SharedSegment& segment) { return *reinterpret_cast<std::uint64_t*>(segment.gradients(0)); }

Result<std::shared_ptr<SharedSegment>> makeMemory(const SegmentShape& shape, std::string& address) {
    TY_ASSIGN(auto segment, SharedSegment::create(shape));
    tokenIn(*segment) = newToken();
    address = segment->address() + " " + std::to_string(tokenIn(*segment));
    return segment;
}

Result<std::shared_ptr<SharedSegment>> openMemory(const SegmentShape& shape, const std::string& address) {
    const auto space = address.find(' ');
    TY_ASSIGN(auto segment, SharedSegment::open(shape, address.substr(0, space)));
    if (space == std::string::npos || std::to_string(tokenIn(*segment)) != address.substr(space + 1))
        return environmentError("the shared memory at " + address.substr(0, space) + " is that of another run");
    return segment;
}

} // namespace

Result<std::shared_ptr<SharedMailbox>> SharedMailbox::make(const compat::StorePtr& store, const Options& options) {
    const SegmentShape shape{static_cast<std::size_t>(options.worldSize), kSlotFloats, 0, 0, 0};
    std::string address;
    auto segment = Result<std::shared_ptr<SharedSegment>>(environmentError("the first rank created no shared memory"));
    if (options.rank == 0) {
        segment = makeMemory(shape, address);
        store->set("board", asStored(address.empty() ? "-" : address)); // an empty value is like none in some stores
    } else if (address = askedOf(store, "board"); address != "-") {
        segment = openMemory(shape, address);
    }
    // A rank that cannot map the memory reports that through the store, the only channel it has.
    store->set("board of " + std::to_string(options.rank), asStored(segment ? "+" : segment.error().message));
    for (int rank = 0; rank < options.worldSize; ++rank) {
        if (rank == options.rank) continue;
        const auto said = askedOf(store, "board of " + std::to_string(rank));
        if (said != "+" && segment) segment = environmentError("rank " + std::to_string(rank) + ": " + said);
    }
    if (!segment) return std::move(segment).error();
    (*segment)->close();
    return std::shared_ptr<SharedMailbox>(new SharedMailbox(std::move(*segment), options));
}

SharedMailbox::SharedMailbox(std::shared_ptr<SharedSegment> segment, const Options& options)
    : m_segment(std::move(segment)), m_options(options),
      m_gates(m_segment, {.self = static_cast<std::size_t>(options.rank),
                          .numbers =
                              [&] {
                                  std::vector<int> numbers(static_cast<std::size_t>(options.worldSize));
                                  std::iota(numbers.begin(), numbers.end(), 0);
                                  return numbers;
                              }(),
                          .abort = options.abort,
                          .waitSeconds = std::chrono::duration<double>(options.timeout).count(),
                          .what = "what the ranks tell one another"}) {}

std::byte* SharedMailbox::slot(int rank) const {
    auto* const first = reinterpret_cast<std::byte*>(m_segment->gradients(static_cast<std::size_t>(rank)));
    return first + (m_count % 2 == 0 ? 0 : kSlotBytes);
}

void SharedMailbox::tell(std::size_t offset, std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(slot(m_options.rank) + offset, bytes.data(), bytes.size());
}

// The slot just written becomes readable; the next exchange uses the other one.
void SharedMailbox::waitForAll() {
    m_gates.pass(Gate::Entered, m_count + 1);
    m_gates.waitForAll(Gate::Entered, m_count + 1);
}

std::vector<std::string> SharedMailbox::gather(std::span<const std::byte> mine) {
    constexpr std::size_t kHead = sizeof(std::uint64_t); // the whole number of bytes stands before the first part
    const auto world = static_cast<std::size_t>(m_options.worldSize);
    std::vector<std::string> all(world);
    std::vector<std::size_t> sizes(world, 0);
    std::size_t longest = 1;
    for (std::size_t done = 0; done < longest; ++m_count) {
        const std::size_t head = done == 0 ? kHead : 0, room = kSlotBytes - head;
        const std::uint64_t size = mine.size();
        if (head > 0) tell(0, std::as_bytes(std::span(&size, 1)));
        if (done < mine.size()) tell(head, mine.subspan(done, std::min(room, mine.size() - done)));
        waitForAll();
        for (std::size_t rank = 0; rank < world; ++rank) {
            const std::byte* from = slot(static_cast<int>(rank));
            if (head > 0) std::memcpy(&sizes[rank], from, kHead);
            longest = std::max(longest, sizes[rank]);
            if (done < sizes[rank])
                all[rank].append(reinterpret_cast<const char*>(from + head), std::min(room, sizes[rank] - done));
        }
        done += room;
    }
    return all;
}

void SharedMailbox::gatherParts(std::span<const std::byte> mine, const Part& onPart) {
    std::vector<std::span<const std::byte>> parts(static_cast<std::size_t>(m_options.worldSize));
    for (std::size_t done = 0; done < mine.size(); done += kSlotBytes, ++m_count) {
        const std::size_t count = std::min(kSlotBytes, mine.size() - done);
        tell(0, mine.subspan(done, count));
        waitForAll();
        for (int rank = 0; rank < m_options.worldSize; ++rank)
            parts[static_cast<std::size_t>(rank)] = {slot(rank), count};
        onPart(done, parts);
    }
}

void SharedMailbox::broadcast(std::span<std::byte> bytes, int root) {
    for (std::size_t done = 0; done < bytes.size(); done += kSlotBytes, ++m_count) {
        const auto part = bytes.subspan(done, std::min(kSlotBytes, bytes.size() - done));
        if (m_options.rank == root) tell(0, part);
        waitForAll();
        if (m_options.rank != root) std::memcpy(part.data(), slot(root), part.size());
    }
}

double* SharedMailbox::postOf(int rank) const {
    auto* const first = reinterpret_cast<std::byte*>(m_segment->gradients(static_cast<std::size_t>(rank)));
    return reinterpret_cast<double*>(first + 2 * kSlotBytes + (m_posts % 2 == 0 ? 0 : kPostBytes));
}

void SharedMailbox::post(std::span<const double> numbers) {
    ++m_posts;
    m_posted = std::min(numbers.size(), kMostPosted);
    std::copy_n(numbers.data(), m_posted, postOf(m_options.rank));
}

std::span<const double> SharedMailbox::posted(int rank) const { return {postOf(rank), m_posted}; }

} // namespace trainyard::train
