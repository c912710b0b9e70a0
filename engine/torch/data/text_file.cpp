// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/kept_file.h"
#include "engine/base/json_text.h"
#include "engine/base/machine/cores.h"
#include "engine/base/math/sha256.h"
#include "engine/formats/tokens/encode.h"
#include "engine/formats/tokens/text.h"
#include "engine/formats/tokens/tokenizer_file.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/kept/kept_tokens.h"
#include "engine/torch/data/split.h"
#include "engine/torch/data/token_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

namespace trainyard::data {

using formats::DocumentFiles;
using spec::ParamType;

namespace {

constexpr int kMostThreads = 4;                       // of one worker; the others encode at the same time
constexpr std::int64_t kMostShuffled = 4'000'000'000; // bytes of a file of tokens; more are read in blocks

spec::Entry info() {
    const auto path = [](const char* name, const char* title, const char* help) {
        return spec::ParamInfo{
            .name = name, .title = title, .type = ParamType::Path, .defaultValue = std::string(), .help = help};
    };
    const auto whole = [](const char* name, const char* title, std::int64_t usual, double min, double max,
                          const char* help) {
        return spec::ParamInfo{.name = name,
                               .title = title,
                               .type = ParamType::Integer,
                               .defaultValue = usual,
                               .min = min,
                               .max = max,
                               .unit = Engine::tr("tokens"),
                               .help = help};
    };
    spec::Entry entry;
    entry.name = "text";
    entry.title = Engine::tr("Text");
    entry.help = Engine::tr("Texts in UTF-8; the task is language: the next character, byte or part of a word.");
    entry.params = {
        path("file", Engine::tr("File"), Engine::tr("The text, or JSON lines with a text each; plain or gzip.")),
        path("folder", Engine::tr("Folder"),
             Engine::tr("Instead of a file: a folder of texts (.txt, .md, .jsonl, also with .gz), with an end token "
                        "between two of them.")),
        {.name = "tokens",
         .title = Engine::tr("Tokens"),
         .type = ParamType::Option,
         .defaultValue = std::string("characters"),
         .options = {"characters", "bytes", "bpe"},
         .help = Engine::tr("What is predicted: characters, bytes, or parts of words (byte-level BPE, as in GPT-2).")},
        whole("vocabulary", Engine::tr("Vocabulary"), 4096, 257.0, 1e6,
              Engine::tr("Number of BPE tokens to learn from the text; without effect with a tokenizer.")),
        path("tokenizer", Engine::tr("Tokenizer"),
             Engine::tr("A tokenizer to use for BPE: tokenizer.json, or vocab.json with merges.txt beside it. Empty: "
                        "one is learned from the text.")),
        {.name = "field",
         .title = Engine::tr("Field"),
         .type = ParamType::Text,
         .defaultValue = std::string("text"),
         .help = Engine::tr("The member of JSON lines that holds the text.")},
        whole("sequenceLength", Engine::tr("Sequence length"), 128, 2.0, 65536.0, Engine::tr("Tokens per sample.")),
        whole("stride", Engine::tr("Stride"), 0, 0.0, 65536.0,
              Engine::tr("Tokens from the start of one sample to the start of the next; 0: the sequence length.")),
        validationInfo(10.0, 0.0, Engine::tr("Share of the text, at its end, kept for validation.")),
        testInfo(),
        placementInfo()};
    for (spec::ParamInfo& param : entry.params) param.logScale = param.name == "sequenceLength";
    entry.facts = {{"task", "language"}};
    return entry;
}

// A text as it is trained on.
struct TokenText {
    std::vector<std::int32_t> tokens;
    std::vector<std::string> names;
    train::TokenLayout layout;
    std::string note; // for people; empty: nothing to say
};

Result<TokenText> charactersOf(const DocumentFiles& documents, const std::string& field) {
    formats::CharacterTokens tokens;
    const bool several = documents.several();
    bool begins = true, any = false;
    TY_TRY(formats::eachDocument(documents, field, false, [&](const formats::DocumentPart& part) {
        if (several && begins && any) tokens.addEnd();
        begins = part.isLast;
        any = true;
        return tokens.add(part);
    }));
    formats::CharacterText text = tokens.finish();
    TokenText result{std::move(text.tokens), std::move(text.vocabulary), {}, {}};
    if (!several) return result;
    result.layout.end = static_cast<std::int64_t>(result.names.size());
    result.layout.special = {result.layout.end};
    result.names.emplace_back(formats::kEndOfText);
    return result;
}

// The tokenizer of the run file, or one that is learned.
Result<formats::BpeTable> tableOf(const DocumentFiles& documents, const train::Arguments& arguments) {
    if (arguments.text("tokens") == "bytes") return formats::byteTable(documents.several());
    const std::string file = arguments.text("tokenizer");
    if (file.empty())
        return formats::trainBpe(documents, arguments.text("field"),
                                 static_cast<std::int32_t>(arguments.integer("vocabulary")));
    TY_ASSIGN(const formats::Bpe known, formats::readTokenizer(file));
    formats::BpeTable table = known.table();
    if (documents.several() && table.end < 0) {
        table.end = static_cast<std::int32_t>(table.names.size());
        table.special.push_back(table.end);
        table.names.emplace_back(formats::kEndOfText);
    }
    return table;
}

// All but the tokens.
TokenText withoutTokens(const formats::Bpe& bpe, const train::Arguments& arguments) {
    TokenText text;
    text.names = bpe.table().names;
    text.layout = layoutOfTokens(bpe.table());
    const std::int64_t wanted = arguments.integer("vocabulary");
    const bool learned = arguments.text("tokens") == "bpe" && arguments.text("tokenizer").empty();
    if (learned && bpe.size() < wanted)
        text.note = "the text gives " + std::to_string(bpe.size()) + " tokens, and not " + std::to_string(wanted);
    return text;
}

Result<TokenText> bytesOf(const DocumentFiles& documents, const train::Arguments& arguments) {
    TY_ASSIGN(formats::BpeTable table, tableOf(documents, arguments));
    TY_ASSIGN(const formats::Bpe bpe, formats::Bpe::make(std::move(table)));
    TokenText text = withoutTokens(bpe, arguments);
    TY_ASSIGN(text.tokens,
              formats::encodeDocuments(documents, arguments.text("field"), arguments.text("tokens") == "bytes", bpe,
                                       std::min(kMostThreads, availableCores())));
    return text;
}

Result<DocumentFiles> documentsOf(const train::Arguments& arguments) {
    const std::string file = arguments.text("file"), folder = arguments.text("folder");
    if (file.empty() && folder.empty())
        return missingPath("file", "set it to a text file, or folder to a folder of texts");
    if (!file.empty() && !folder.empty())
        return inputError("is given beside dataset.params.file", "dataset.params.folder", "set one of them to \"\"");
    if (arguments.text("tokens") != "bpe" && !arguments.text("tokenizer").empty())
        return inputError("is of BPE, and the tokens are " + arguments.text("tokens"), "dataset.params.tokenizer",
                          "set dataset.params.tokens to \"bpe\", or this to \"\"");
    return file.empty() ? formats::documentsBelow(folder) : formats::oneDocumentFile(file);
}

// Writes the tokens as they come, in memory of a bounded size; SHA-256 of them.
class TokenStream {
public:
    explicit TokenStream(TokenWriter& writer) : m_writer(writer) {}
    Result<void> add(std::span<const std::int32_t> tokens) {
        m_hash.add(tokens.data(), tokens.size_bytes());
        return m_writer.add(tokens);
    }
    std::string hex() { return m_hash.hex(); }

private:
    TokenWriter& m_writer;
    Sha256 m_hash;
};

Result<TokenText> streamCharacters(const DocumentFiles& documents, const std::string& field, TokenStream& stream) {
    formats::CharacterTokens characters(/*keeps=*/false);
    TY_TRY(formats::eachDocument(documents, field, false,
                                 [&](const formats::DocumentPart& part) { return characters.add(part); }));
    TokenText text{{}, characters.finish().vocabulary, {}, {}};
    if (documents.several()) {
        text.layout.end = static_cast<std::int64_t>(text.names.size());
        text.layout.special = {text.layout.end};
        text.names.emplace_back(formats::kEndOfText);
    }
    bool begins = true, any = false;
    std::vector<std::int32_t> tokens;
    const auto encode = [&](const formats::DocumentPart& part) -> Result<void> {
        tokens.clear();
        if (documents.several() && begins && any) tokens.push_back(static_cast<std::int32_t>(text.layout.end));
        begins = part.isLast;
        any = true;
        TY_TRY(characters.encode(part, tokens));
        return stream.add(tokens);
    };
    TY_TRY(formats::eachDocument(documents, field, false, encode));
    return text;
}

Result<TokenText> streamBytes(const DocumentFiles& documents, const train::Arguments& arguments, TokenStream& stream) {
    TY_ASSIGN(formats::BpeTable table, tableOf(documents, arguments));
    TY_ASSIGN(const formats::Bpe bpe, formats::Bpe::make(std::move(table)));
    TY_TRY(formats::encodeDocuments(documents, arguments.text("field"), arguments.text("tokens") == "bytes", bpe,
                                    std::min(kMostThreads, availableCores()),
                                    [&](std::span<const std::int32_t> tokens) { return stream.add(tokens); }));
    return withoutTokens(bpe, arguments);
}

// Of the files as they are now, and of all that decides about the tokens.
std::string digestOfTexts(const DocumentFiles& documents, const train::Arguments& arguments) {
    Sha256 hash;
    const auto add = [&](const std::string& text) { hash.add(text.c_str(), text.size() + 1); };
    add("tokens 1");
    for (const std::filesystem::path& file : documents.files) add(stampOfFile(file));
    for (const char* name : {"tokens", "field"}) add(arguments.text(name));
    const std::string tokenizer = arguments.text("tokenizer");
    add(tokenizer.empty() ? std::to_string(arguments.integer("vocabulary")) : stampOfFile(tokenizer));
    const auto merges = std::filesystem::path(tokenizer).parent_path() / "merges.txt";
    add(tokenizer.empty() ? "" : stampOfFile(merges));
    return hash.hex();
}

struct StreamedText {
    std::shared_ptr<const KeptTokens> kept;
    TokenText text; // without the tokens
    std::string digest;
};

Result<StreamedText> streamedText(const DocumentFiles& documents, const train::Arguments& arguments) {
    const std::string key = digestOfTexts(documents, arguments);
    const auto write = [&](TokenWriter& writer) -> Result<void> {
        TokenStream stream(writer);
        TokenText text;
        if (arguments.text("tokens") == "characters") {
            TY_ASSIGN(text, streamCharacters(documents, arguments.text("field"), stream));
        } else {
            TY_ASSIGN(text, streamBytes(documents, arguments, stream));
        }
        std::string digest = stream.hex(); // of files of any names
        if (!documents.several()) { TY_ASSIGN(digest, sha256HexOf(documents.files.front())); }
        return writer.finish(key,
                             jsonText(nlohmann::json{{"names", text.names},
                                                     {"bytes", text.layout.kind == train::TokenLayout::Kind::Bytes},
                                                     {"merges", text.layout.merges},
                                                     {"end", text.layout.end},
                                                     {"special", text.layout.special},
                                                     {"note", text.note},
                                                     {"sha256", digest}}));
    };
    StreamedText result;
    TY_ASSIGN(result.kept,
              KeptTokens::make(key, usualStore("tokens"), static_cast<std::int64_t>(4 * documents.bytes), write));
    const nlohmann::json facts = parseJson(result.kept->facts()); // which its checksum vouches for
    result.text.names = facts["names"].get<std::vector<std::string>>();
    using Kind = train::TokenLayout::Kind;
    result.text.layout = {.kind = facts["bytes"].get<bool>() ? Kind::Bytes : Kind::Characters,
                          .merges = facts["merges"].get<std::vector<std::int64_t>>(),
                          .end = facts["end"].get<std::int64_t>(),
                          .special = facts["special"].get<std::vector<std::int64_t>>()};
    result.text.note = facts["note"].get<std::string>();
    result.digest = facts["sha256"].get<std::string>();
    return result;
}

// Rule: whether a text is read from a file of tokens: where data.loading asks for it, or with auto where its tokens
// would not fit into memory. `bytes`: what they need there.
bool streamsText(double bytes, const spec::DataRules& rules) {
    constexpr double kLeast = 64e6; // not worth asking
    if (rules.loading != "auto" || bytes < kLeast) return rules.loading == "stream";
    const train::RanksOfHost ranks = train::ranksOfHost();
    const double free = ranks.leastOfRun > 0 ? ranks.leastOfRun : train::availableMemory();
    return bytes * ranks.count > free;
}

void describe(Dataset& dataset, const DocumentFiles& documents, const TokenText& text, std::size_t tokens) {
    std::string size = std::to_string(tokens) + " tokens of " + std::to_string(text.names.size());
    if (documents.files.size() > 1) size += ", from " + std::to_string(documents.files.size()) + " files";
    if (documents.passedOver > 0) size += "; passed over " + std::to_string(documents.passedOver) + " other files";
    dataset.notes.push_back(std::move(size));
    if (!text.note.empty()) dataset.notes.push_back(text.note);
}

Result<Dataset> load(const spec::Choice& choice, std::int64_t, train::TaskKind, const spec::DataRules& rules) {
    const spec::Entry entry = info();
    const train::Arguments arguments(choice, entry, "dataset");
    TY_ASSIGN(const DocumentFiles documents, documentsOf(arguments));
    const bool characters = arguments.text("tokens") == "characters";
    const bool bytes = arguments.text("tokens") == "bytes";
    const std::string source = arguments.text(arguments.text("file").empty() ? "folder" : "file");
    // 4 bytes a token, twice while the list grows; a BPE token is three bytes of text or more.
    const double needed = (characters || bytes ? 8.0 : 3.0) * static_cast<double>(documents.bytes);
    Dataset dataset;
    dataset.streams = streamsText(needed, rules);
    StreamedText streamed;
    if (dataset.streams) {
        TY_ASSIGN(streamed, streamedText(documents, arguments));
    } else {
        TY_TRY(checkMemoryFor(needed, source));
        if (characters) {
            TY_ASSIGN(streamed.text, charactersOf(documents, arguments.text("field")));
        } else {
            TY_ASSIGN(streamed.text, bytesOf(documents, arguments));
        }
    }
    TokenText& text = streamed.text;
    dataset.classes = static_cast<std::int64_t>(text.names.size());
    if (dataset.classes < 2)
        return inputError("has only one different character", source, "choose a text of more than one character");
    const auto own = std::make_shared<std::vector<std::int32_t>>(std::move(text.tokens));
    const auto count = streamed.kept ? streamed.kept->count() : static_cast<std::int64_t>(own->size());
    auto* const first = streamed.kept ? const_cast<std::int32_t*>(streamed.kept->tokens()) : own->data();
    const torch::Tensor tokens =
        torch::from_blob(first, {count}, [own, kept = streamed.kept](void*) {}, torch::TensorOptions(torch::kInt32));
    TY_TRY(windowsOf(dataset, tokens,
                     {.length = arguments.integer("sequenceLength"),
                      .stride = arguments.integer("stride"),
                      .shares = {arguments.number("validation"), arguments.number("test")}}));
    if (!characters || documents.several()) describe(dataset, documents, text, static_cast<std::size_t>(count));
    dataset.digest = streamed.digest;
    if (streamed.kept) {
        dataset.inBlocks = 4 * count > kMostShuffled;
        dataset.notes.push_back(std::to_string(count) + " tokens are read from " + streamed.kept->file().string());
    } else if (documents.several()) {
        dataset.digest = sha256Hex(std::as_bytes(std::span(first, static_cast<std::size_t>(count)))); // of any names
    }
    dataset.classNames = std::move(text.names);
    dataset.tokens = std::move(text.layout);
    dataset.source = source;
    return dataset;
}

} // namespace

DatasetEntry textFileEntry() {
    return {.info = info(), .load = load, .tasks = {train::TaskKind::Language}, .streams = true};
}

} // namespace trainyard::data
