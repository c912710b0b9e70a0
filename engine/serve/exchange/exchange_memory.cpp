// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/exchange/exchange_memory.h"

#include "engine/serve/exchange/replica_rings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <new>
#include <utility>

namespace trainyard::serve {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kWorthShrinking = 256 << 10; // bytes of a slot

constexpr std::uint64_t pages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }
constexpr std::uint64_t ringBytes() { return pages(sizeof(ReplicaRings)); }
constexpr std::uint64_t headBytes() { return pages(sizeof(SlotHead)); }

// Places in the memory: a page for the flag, the rings, then slot by slot head, input and output.
std::uint64_t slotBytes(const ExchangeLayout& layout) {
    return headBytes() + pages(layout.inputBytes) + pages(layout.outputBytes);
}

std::uint64_t slotAt(const ExchangeLayout& layout, std::uint32_t slot) {
    return kPage + layout.replicas * ringBytes() + slot * slotBytes(layout);
}

Result<std::byte*> mapped(int fd, const ExchangeLayout& layout) {
    void* base = ::mmap(nullptr, layout.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return systemError("the memory of a model's requests cannot be mapped", "exchange");
    return static_cast<std::byte*>(base);
}

} // namespace

std::uint64_t ExchangeLayout::bytes() const { return slotAt(*this, slots); }

Result<ExchangeMemory> ExchangeMemory::make(const ExchangeLayout& layout) {
    UniqueFd fd(::memfd_create("trainyard-requests", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(layout.bytes())) != 0)
        return systemError("the memory of a model's requests cannot be made", "exchange", limitRemedy(errno));
    // A replica that could shorten it would end the server with SIGBUS.
    if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return systemError("the memory of a model's requests cannot be sealed", "exchange");
    TY_ASSIGN(std::byte* const base, mapped(fd.get(), layout));
    ExchangeMemory made(std::move(fd), base, layout);
    new (base) std::atomic<std::uint32_t>(0);
    for (std::uint32_t i = 0; i < layout.replicas; ++i) new (&made.rings(i)) ReplicaRings;
    return made;
}

Result<ExchangeMemory> ExchangeMemory::map(UniqueFd fd, const ExchangeLayout& layout) {
    struct stat file{};
    if (::fstat(fd.get(), &file) != 0 || static_cast<std::uint64_t>(file.st_size) < layout.bytes())
        return inputError("is smaller than it is said to be", "exchange");
    TY_ASSIGN(std::byte* const base, mapped(fd.get(), layout));
    return ExchangeMemory(std::move(fd), base, layout);
}

ExchangeMemory::ExchangeMemory(ExchangeMemory&& other) noexcept
    : m_fd(std::move(other.m_fd)), m_base(std::exchange(other.m_base, nullptr)), m_layout(other.m_layout) {}

ExchangeMemory& ExchangeMemory::operator=(ExchangeMemory&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    std::swap(m_base, other.m_base);
    std::swap(m_layout, other.m_layout);
    return *this;
}

ExchangeMemory::~ExchangeMemory() {
    if (m_base != nullptr) ::munmap(m_base, m_layout.bytes());
}

SlotHead& ExchangeMemory::head(std::uint32_t slot) const {
    return *reinterpret_cast<SlotHead*>(m_base + slotAt(m_layout, slot));
}

std::span<std::byte> ExchangeMemory::input(std::uint32_t slot) const {
    return {m_base + slotAt(m_layout, slot) + headBytes(), m_layout.inputBytes};
}

std::span<std::byte> ExchangeMemory::output(std::uint32_t slot) const {
    return {m_base + slotAt(m_layout, slot) + headBytes() + pages(m_layout.inputBytes), m_layout.outputBytes};
}

ReplicaRings& ExchangeMemory::rings(std::uint32_t replica) const {
    return *reinterpret_cast<ReplicaRings*>(m_base + kPage + replica * ringBytes());
}

std::atomic<std::uint32_t>& ExchangeMemory::serverSleeps() const {
    return *reinterpret_cast<std::atomic<std::uint32_t>*>(m_base);
}

void ExchangeMemory::shrink(std::uint32_t slot) const {
    const SlotHead& at = head(slot);
    const auto drop = [&](std::span<std::byte> bytes, std::uint64_t used) {
        if (used < kWorthShrinking) return;
        (void)::fallocate(m_fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, bytes.data() - m_base,
                          static_cast<off_t>(bytes.size()));
    };
    drop(input(slot), at.inputBytes);
    drop(output(slot), at.outputBytes);
}

} // namespace trainyard::serve
