// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"
#include "engine/formats/tokens/text.h"
#include "tests/fuzz/file_of.h"

#include <cmath>

using namespace trainyard::formats;

// As a table with each way of finding the header, and as a text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FileOf file(data, size);
    for (const Header header : {Header::Auto, Header::Yes, Header::No}) {
        const auto table = readTable(file.path(), {.header = header});
        if (!table.ok()) {
            require(!table.error().message.empty() && !table.error().where.empty(),
                    "an error has a place and a message");
            continue;
        }
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
    const auto text = readCharacters(file.path());
    if (!text.ok()) return 0;
    for (const std::int32_t token : text->tokens)
        require(token >= 0 && static_cast<std::size_t>(token) < text->vocabulary.size(), "tokens are known");
    for (const std::string& character : text->vocabulary) require(isUtf8(character), "characters are UTF-8");
    return 0;
}
