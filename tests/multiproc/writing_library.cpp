// SPDX-License-Identifier: GPL-3.0-or-later
// A library that writes a file as soon as it is loaded, which a look at a plug-in must not let it do.
#include <cstdio>
#include <cstdlib>

namespace {

[[maybe_unused]] const bool kWritten = [] {
    const char* path = std::getenv("PLUGIN_WRITES");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    return file && std::fclose(file) == 0;
}();

} // namespace
