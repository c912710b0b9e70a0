// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of CPU tensors. The activations of a step come and go with each step. By default glibc gives large blocks back
// to the kernel each time (24 000 page faults a step of ResNet-18); with its limits raised it keeps them, but finds
// aligned blocks only after some steps, and for some patterns never: slivers that it cuts off at both ends stay in a
// thread's cache and keep the blocks apart. Here a freed block waits for the next tensor of its size class, and large
// ones lie on huge pages where the kernel has them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainyard::kernels {

// From now on CPU tensors of this process take their memory from the pool; earlier ones keep theirs. Call once, before
// other threads make tensors. A process that was forked afterwards goes on with it.
void useMemoryPool();

// Gives the system back what waits for a tensor.
void trimMemoryPool();

struct PoolStats {
    std::size_t usedBytes = 0, waitingBytes = 0; // by tensors; in blocks that wait for one
    std::uint64_t fromSystem = 0;                // blocks that had to be asked for, ever
};
PoolStats poolStats();

} // namespace trainyard::kernels
