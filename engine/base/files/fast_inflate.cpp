// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/fast_inflate.h"

#include <dlfcn.h>

namespace trainyard {
namespace {

// As libdeflate.h declares them, since its version 1.0; no header is needed to build.
struct Libdeflate {
    void* (*make)() = nullptr;
    void (*free)(void*) = nullptr;
    int (*gunzip)(void* decompressor, const void* in, std::size_t inBytes, void* out, std::size_t outBytes,
                  std::size_t* inDone, std::size_t* outDone) = nullptr;
    bool whole = false;
};

template <class Function>
bool findIn(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

Libdeflate loadLibdeflate() {
    Libdeflate loaded;
    void* const library = ::dlopen("libdeflate.so.0", RTLD_NOW | RTLD_LOCAL);
    loaded.whole = library && findIn(library, "libdeflate_alloc_decompressor", loaded.make) &&
                   findIn(library, "libdeflate_free_decompressor", loaded.free) &&
                   findIn(library, "libdeflate_gzip_decompress_ex", loaded.gunzip);
    return loaded;
}

} // namespace

bool inflateWhole(std::span<const std::byte> packed, std::span<std::byte> out) {
    static const Libdeflate library = loadLibdeflate();
    void* const decompressor = library.whole ? library.make() : nullptr;
    if (!decompressor) return false;
    std::size_t used = 0, made = 0;
    const int problem =
        library.gunzip(decompressor, packed.data(), packed.size(), out.data(), out.size(), &used, &made);
    library.free(decompressor);
    return problem == 0 && used == packed.size() && made == out.size();
}

} // namespace trainyard
