// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/encode.h"
#include "engine/formats/tokens/text.h"
#include "tests/fuzz/made_folder.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace trainyard;
using namespace trainyard::formats;

// As a text, as JSON lines and as any bytes: tokens that are kept and tokens that are given away are the same.
TRAINYARD_FUZZ_TARGET(data, size) {
    static const MadeFolder folder;
    static const Bpe bpe = *Bpe::make(byteTable(true));
    for (const bool lines : {false, true}) {
        const auto documents = oneDocumentFile(folder.write(lines ? "text.jsonl" : "text.txt", textOf(data, size)));
        require(documents.ok(), "a file is a file");
        for (const bool anyBytes : {false, true}) {
            const auto whole = encodeDocuments(*documents, "text", anyBytes, bpe, 1);
            require(whole.ok() || !whole.error().message.empty(), "an error has a message");
            std::vector<std::int32_t> pieces;
            const auto given =
                encodeDocuments(*documents, "text", anyBytes, bpe, 1, [&](std::span<const std::int32_t> tokens) {
                    pieces.insert(pieces.end(), tokens.begin(), tokens.end());
                    return Result<void>();
                });
            require(given.ok() == whole.ok() && (!whole.ok() || pieces == *whole), "pieces are the whole");
        }
        CharacterTokens kept, seen(/*keeps=*/false);
        const auto all =
            eachDocument(*documents, "text", false, [&](const DocumentPart& part) { return kept.add(part); });
        if (!all.ok()) continue;
        require(eachDocument(*documents, "text", false, [&](const DocumentPart& part) { return seen.add(part); }).ok(),
                "a text is a text");
        const CharacterText text = kept.finish(), table = seen.finish();
        require(table.vocabulary == text.vocabulary && table.tokens.empty(), "the characters are the same");
        std::vector<std::int32_t> tokens;
        const auto encoded = eachDocument(*documents, "text", false,
                                          [&](const DocumentPart& part) { return seen.encode(part, tokens); });
        require(encoded.ok() && tokens == text.tokens, "the tokens are the same");
    }
    return 0;
}
