// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded: frames with points of series are written a third of a second later, as on a machine that has no time for
// the thread that writes them.
#include <unistd.h>

#include <cstring>
#include <dlfcn.h>

extern "C" ssize_t write(int file, const void* bytes, std::size_t size) {
    using Write = ssize_t (*)(int, const void*, std::size_t);
    static const auto real = reinterpret_cast<Write>(::dlsym(RTLD_NEXT, "write"));
    static constexpr char kMetrics[] = {'T', 'Y', 1, 4}; // engine/wire/FORMAT.md
    if (size > 12 && std::memcmp(bytes, kMetrics, sizeof kMetrics) == 0) ::usleep(333'000);
    return real(file, bytes, size);
}
