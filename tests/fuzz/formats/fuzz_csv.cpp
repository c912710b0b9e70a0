// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"
#include "engine/formats/tokens/text.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/formats/same_table.h"
#include "tests/fuzz/target.h"

#include <cmath>

using namespace trainyard::formats;

namespace {

// Read in pieces it is the same table.
void readInPieces(const std::filesystem::path& file, const TableOptions& options, const Table& whole) {
    const auto outline = outlineTable(file, options);
    require(outline.ok() && outline->rows == whole.rows() && outline->table.leftOut == whole.leftOut,
            "a table has an outline");
    std::size_t row = 0;
    const auto read = eachPiece(file, options, *outline, 3, [&](const Table& piece) -> trainyard::Result<void> {
        for (std::size_t i = 0; i < whole.columns.size(); ++i) {
            const Column &one = whole.columns[i], &part = piece.columns[i];
            if (!one.isRead) continue;
            require(part.isWords == one.isWords && part.isDates == one.isDates, "a column stays what it is");
            require(part.numbers.size() + part.words.size() == piece.lines.size(), "columns of a piece are full");
            for (std::size_t k = 0; k < piece.lines.size(); ++k) {
                if (!one.isWords) {
                    require(part.numbers[k] == one.numbers[row + k] ||
                                (std::isnan(part.numbers[k]) && std::isnan(one.numbers[row + k])),
                            "numbers are the same");
                    continue;
                }
                const std::int32_t word = part.words[k], other = one.words[row + k];
                require((word < 0) == (other < 0), "the same words are missing");
                require(word < 0 || part.vocabulary[static_cast<std::size_t>(word)] ==
                                        one.vocabulary[static_cast<std::size_t>(other)],
                        "words are the same");
            }
        }
        row += piece.lines.size();
        return {};
    });
    require(read.ok() && row == static_cast<std::size_t>(whole.rows()), "all rows come in pieces");
}

// Its first rows over and over, and then the others: read many at a time it is the same table, or the same fault.
void readManyAtOnce(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMost = 2048, kLinesLookedAt = 260;
    const std::string_view text(reinterpret_cast<const char*>(data), std::min(size, kMost));
    const std::size_t head = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::size_t row = std::min(text.find('\n', head), text.size() - 1) + 1;
    std::string many(text.substr(0, head));
    for (std::size_t i = 0; i < kLinesLookedAt && row > head; ++i) many += text.substr(head, row - head);
    many += text.substr(head);
    const FileOf file(reinterpret_cast<const std::uint8_t*>(many.data()), many.size());
    for (const Missing missing : {Missing::Refuse, Missing::Drop, Missing::Keep}) {
        TableOptions options{.header = Header::Yes, .missing = missing, .atOnce = 0};
        const auto one = readTable(file.path(), options);
        for (const std::size_t atOnce : {std::size_t{100}, std::size_t{1} << 20}) {
            options.atOnce = atOnce;
            const std::string difference = differenceOf(one, readTable(file.path(), options));
            require(difference.empty(), difference.c_str());
        }
    }
}

} // namespace

// As a table with each way of finding the header, whole and in pieces, with and without missing cells, many rows at a
// time, and as a text.
TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    if (size > 0) readManyAtOnce(data, size);
    for (const Header header : {Header::Auto, Header::Yes, Header::No}) {
        const auto table = readTable(file.path(), {.header = header});
        if (!table.ok()) {
            require(!table.error().message.empty() && !table.error().where.empty(),
                    "an error has a place and a message");
            continue;
        }
        readInPieces(file.path(), {.header = header}, *table);
        for (const Column& column : table->columns) {
            if (!column.isRead) continue;
            require(column.numbers.size() + column.words.size() == static_cast<std::size_t>(table->rows()),
                    "columns are full");
            for (const double number : column.numbers)
                require(std::isfinite(static_cast<float>(number)), "numbers are finite");
            for (const std::int32_t word : column.words)
                require(word >= 0 && static_cast<std::size_t>(word) < column.vocabulary.size(), "words are known");
        }
    }
    const TableOptions keeps{.missing = Missing::Keep};
    if (const auto table = readTable(file.path(), keeps); table.ok()) readInPieces(file.path(), keeps, *table);
    const auto text = readCharacters(file.path());
    if (!text.ok()) return 0;
    for (const std::int32_t token : text->tokens)
        require(token >= 0 && static_cast<std::size_t>(token) < text->vocabulary.size(), "tokens are known");
    for (const std::string& character : text->vocabulary) require(isUtf8(character), "characters are UTF-8");
    return 0;
}
