// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/tokenizer_file.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard::formats;

// As a tokenizer, and as a text that is encoded and comes back.
TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const auto read = readTokenizer(file.path());
    require(read.ok() || (!read.error().message.empty() && !read.error().where.empty()),
            "an error has a place and a message");
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    BpeTrainer trainer;
    trainer.add(text);
    const auto learned = Bpe::make(trainer.train(300, true));
    require(learned.ok(), "what was learned is a tokenizer");
    for (const Bpe* bpe : {&*learned, read.ok() ? &*read : nullptr}) {
        if (!bpe) continue;
        std::vector<std::int32_t> tokens;
        BpeEncoder(*bpe).encode(text, tokens);
        std::string back;
        for (const std::int32_t token : tokens) back += bpe->text(token);
        require(back == text, "the text comes back");
    }
    return 0;
}
