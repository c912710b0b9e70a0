// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/kept/kept_table.h"
#include "engine/torch/data/kept/kept_tokens.h"
#include "tests/fuzz/made_folder.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace trainyard;
using namespace trainyard::data;

namespace {

const std::string kDigest(64, 'd');

const MadeFolder& keptFolder() {
    static const MadeFolder made;
    return made;
}

KeptStore keptStore() { return {keptFolder().path(), std::int64_t{1} << 30}; }

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// All that can be read of it: rows as they were written, or an error.
void readTable(const KeptTable& table, const std::string* rows) {
    std::vector<std::uint8_t> row(static_cast<std::size_t>(table.sampleBytes()));
    for (std::int64_t i = 0; i < table.count(); ++i) {
        const auto read = table.read(i, nullptr, row.data());
        require(read.ok() || !read.error().remedy.empty(), "an error has a remedy");
        if (!read.ok() || !rows) continue;
        require(rows->compare(static_cast<std::size_t>(i) * row.size(), row.size(),
                              reinterpret_cast<const char*>(row.data()), row.size()) == 0,
                "what is read is what was written");
    }
    (void)table.checkTargets();
}

} // namespace

// As a kept table and kept tokens; and, written as one of them, with some of its bytes changed.
TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string given(reinterpret_cast<const char*>(data), size);
    const auto tableFile = keptFolder().write(kDigest + kTableEnding, given),
               tokensFile = keptFolder().write(kDigest + kTokensEnding, given);
    if (const auto table = KeptTable::open(kDigest, keptStore())) readTable(*table, nullptr);
    if (const auto tokens = KeptTokens::open(kDigest, keptStore())) require(tokens->count() > 0, "there are tokens");
    std::filesystem::remove(tableFile);
    std::filesystem::remove(tokensFile);
    if (size < 16) return 0;
    const std::int64_t rowBytes = 1 + data[0] % 40, count = static_cast<std::int64_t>(size) / rowBytes;
    if (count == 0) return 0;
    const std::string rows = given.substr(0, static_cast<std::size_t>(count * rowBytes));
    {
        const auto made = KeptTable::make(kDigest, keptStore(), 0, [&](TableWriter& writer) -> Result<void> {
            TY_TRY(writer.begin({.rows = count, .rowBytes = rowBytes, .targets = 1}));
            TY_TRY(writer.add(std::as_bytes(std::span(rows)), std::vector<double>(static_cast<std::size_t>(count), 1.5),
                              {}));
            return writer.finish(kDigest, given.substr(0, size % 50));
        });
        require(made.ok() && (*made)->count() == count, "a table is kept");
        readTable(**made, &rows);
    }
    std::string bytes = bytesOf(tableFile);
    for (std::size_t i = 0; i + 4 < std::min<std::size_t>(size, 16); i += 4) {
        std::uint32_t at = 0;
        std::memcpy(&at, data + i, sizeof at);
        bytes[at % bytes.size()] = static_cast<char>(bytes[at % bytes.size()] ^ data[i]);
    }
    std::filesystem::remove(tableFile);
    keptFolder().write(tableFile.filename(), bytes);
    if (const auto table = KeptTable::open(kDigest, keptStore())) readTable(*table, &rows);
    std::filesystem::remove(tableFile);
    return 0;
}
