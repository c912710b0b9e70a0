// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/memory_pool.h"

#include "engine/base/machine/mutex.h"
#include "engine/base/text/amounts.h"
#include "engine/torch/base/out_of_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace trainyard::kernels {
namespace {

constexpr std::size_t kHeader = 64; // before the data, which stays aligned as LibTorch wants it
constexpr std::size_t kHugePage = 2u << 20, kHugeFrom = 4u << 20;
constexpr std::size_t kAlwaysKept = 64u << 20;

struct Header {
    std::size_t size = 0; // of the block, this header included
    bool mapped = false;
};
static_assert(sizeof(Header) <= kHeader);

// Eight classes for each power of two: at most an eighth is wasted.
std::size_t sizeClass(std::size_t bytes) {
    constexpr std::size_t kLeast = 512;
    if (bytes <= kLeast) return kLeast;
    const std::size_t step = std::bit_floor(bytes - 1) / 8;
    const std::size_t size = (bytes + step - 1) / step * step;
    return size < kHugeFrom ? size : (size + kHugePage - 1) / kHugePage * kHugePage;
}

void* mapHuge(std::size_t size) {
    void* const area = ::mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) return nullptr;
    // Cut so that it begins and ends with a huge page.
    auto* const from = static_cast<std::byte*>(area);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(area) % kHugePage) % kHugePage;
    if (before > 0) ::munmap(from, before);
    ::munmap(from + before + size, kHugePage - before);
    (void)::madvise(from + before, size, MADV_HUGEPAGE); // where the kernel has none, small ones do
    return from + before;
}

class Pool {
public:
    void* allocate(std::size_t bytes) {
        const std::size_t size = sizeClass(bytes + kHeader);
        {
            const MutexLock lock(m_mutex);
            m_used += size;
            auto& waiting = m_waiting[size];
            if (!waiting.empty()) {
                Header* const block = waiting.back();
                waiting.pop_back();
                m_waitingBytes -= size;
                return dataOf(block);
            }
            // A run whose sizes change (sequences of many lengths) must not keep a block for each of them.
            if (m_waitingBytes > kAlwaysKept && m_waitingBytes > m_used) releaseAll();
            ++m_fromSystem;
        }
        return dataOf(fromSystem(size));
    }

    void giveBack(void* data) {
        Header* const block = headerOf(data);
        const MutexLock lock(m_mutex);
        m_used -= block->size;
        m_waitingBytes += block->size;
        m_waiting[block->size].push_back(block);
    }

    void trim() {
        const MutexLock lock(m_mutex);
        releaseAll();
    }

    PoolStats stats() {
        const MutexLock lock(m_mutex);
        return {m_used, m_waitingBytes, m_fromSystem};
    }

private:
    static void* dataOf(Header* block) { return reinterpret_cast<std::byte*>(block) + kHeader; }
    static Header* headerOf(void* data) { return reinterpret_cast<Header*>(static_cast<std::byte*>(data) - kHeader); }

    Header* fromSystem(std::size_t size) {
        for (int attempt = 0; attempt < 2; ++attempt) {
            void* block = nullptr;
            const bool mapped = size >= kHugeFrom;
            if (mapped) block = mapHuge(size);
            else if (::posix_memalign(&block, kHeader, size) != 0) block = nullptr;
            if (block) return new (block) Header{size, mapped};
            const MutexLock lock(m_mutex);
            releaseAll(); // what waits for others may be enough
        }
        const MutexLock lock(m_mutex);
        m_used -= size;
        throw train::OutOfMemory("a tensor of " + bytesText(static_cast<std::int64_t>(size)));
    }

    void releaseAll() TY_REQUIRES(m_mutex) {
        for (auto& [size, blocks] : m_waiting) {
            for (Header* block : blocks)
                if (block->mapped) ::munmap(block, size);
                else std::free(block);
            blocks.clear();
        }
        m_waitingBytes = 0;
    }

    Mutex m_mutex;
    std::map<std::size_t, std::vector<Header*>> m_waiting TY_GUARDED_BY(m_mutex); // by size
    std::size_t m_used TY_GUARDED_BY(m_mutex) = 0;
    std::size_t m_waitingBytes TY_GUARDED_BY(m_mutex) = 0;
    std::uint64_t m_fromSystem TY_GUARDED_BY(m_mutex) = 0;
};

Pool& pool() {
    static Pool* const all = new Pool; // tensors of static objects come back after main()
    return *all;
}

void giveBack(void* data) {
    if (data) pool().giveBack(data);
}

class PoolAllocator final : public c10::Allocator {
    c10::DataPtr make(std::size_t bytes) const {
        void* const data = bytes == 0 ? nullptr : pool().allocate(bytes);
        return {data, data, &giveBack, c10::Device(c10::DeviceType::CPU)};
    }

public:
    // The first up to LibTorch 2.2, the second from then on; copy_data came in between. Each overrides where it can.
    c10::DataPtr allocate(std::size_t bytes) const { return make(bytes); }
    c10::DataPtr allocate(std::size_t bytes) { return make(bytes); }
    void copy_data(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
    c10::DeleterFnPtr raw_deleter() const override { return &giveBack; }
};

} // namespace

void useMemoryPool() {
    static PoolAllocator* const allocator = new PoolAllocator;
    constexpr std::uint8_t kOverDefault = 1;
    c10::SetCPUAllocator(allocator, kOverDefault);
}

void trimMemoryPool() { pool().trim(); }

PoolStats poolStats() { return pool().stats(); }

} // namespace trainyard::kernels
