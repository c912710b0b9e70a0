// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/cifar.h"

#include <array>

namespace trainyard::formats {

Result<std::int64_t> countCifar(const std::filesystem::path& file, const CifarLayout& layout) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    std::array<char, 1 << 16> piece{};
    std::int64_t bytes = reader.plainSize();
    if (bytes < 0) { // packed: its length is only known at its end
        for (std::int64_t got = 1; got > 0;) {
            TY_ASSIGN(got, reader.readSome(piece.data(), static_cast<std::int64_t>(piece.size())));
        }
        bytes = reader.offset();
    }
    if (bytes == 0) return inputError("is empty", file.string() + ", byte 0", kFetchAgain);
    if (bytes % layout.recordBytes() != 0)
        return inputError("has " + std::to_string(bytes) + " bytes, which is not a multiple of a record's " +
                              std::to_string(layout.recordBytes()),
                          file.string() + ", byte " + std::to_string(bytes - bytes % layout.recordBytes()),
                          kFetchAgain);
    return bytes / layout.recordBytes();
}

Result<void> readCifar(const std::filesystem::path& file, const CifarLayout& layout, std::int64_t records,
                       std::size_t label, std::uint8_t* images, std::uint8_t* labels) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    for (std::int64_t i = 0; i < records; ++i) {
        for (std::size_t k = 0; k < layout.labelClasses.size(); ++k) {
            std::uint8_t found = 0;
            TY_TRY(reader.read(&found, 1));
            if (found >= layout.labelClasses[k])
                return inputError("label " + std::to_string(found) + " is not one of the " +
                                      std::to_string(layout.labelClasses[k]) + " classes",
                                  file.string() + ", byte " + std::to_string(reader.offset() - 1), kFetchAgain);
            if (k == label) labels[i] = found;
        }
        TY_TRY(reader.read(images + i * kCifarImageBytes, kCifarImageBytes));
    }
    return reader.expectEnd("grew while it was read");
}

} // namespace trainyard::formats
