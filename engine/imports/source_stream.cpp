// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/source_stream.h"

#include "engine/base/files/file_reader.h"

#include <string>

namespace trainyard::imports {
namespace {

constexpr std::size_t kStreamBlock = 1u << 18;

} // namespace

Result<void> readWhole(const std::filesystem::path& path, SourceStream& stream) {
    TY_ASSIGN(auto file, FileReader::open(path));
    for (std::string block(kStreamBlock, '\0');;) {
        TY_ASSIGN(const auto got, file.readSome(block.data(), std::ssize(block)));
        if (got == 0) return stream.end();
        TY_TRY(stream.add(std::string_view(block).substr(0, static_cast<std::size_t>(got))));
    }
}

} // namespace trainyard::imports
