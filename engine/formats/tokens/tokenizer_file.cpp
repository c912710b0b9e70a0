// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/tokenizer_file.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace trainyard::formats {

using nlohmann::json;

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;
constexpr std::size_t kMostTokens = 1'000'000;
const char* const kWhatIsRead =
    "use a byte-level BPE tokenizer, such as GPT-2's, or set dataset.params.tokenizer to \"\" "
    "to train one";

Error notRead(const std::filesystem::path& file, const std::string& why) {
    return inputError(why, file.string(), kWhatIsRead);
}

Result<std::string> wholeOf(const std::filesystem::path& file) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    std::string text;
    std::array<char, 1 << 16> block{};
    for (std::int64_t got = 1; got > 0;) {
        TY_ASSIGN(got, reader.readSome(block.data(), static_cast<std::int64_t>(block.size())));
        text.append(block.data(), static_cast<std::size_t>(got));
        if (static_cast<std::int64_t>(text.size()) > kMostBytes)
            return inputError("is longer than " + std::to_string(kMostBytes >> 20) + " MiB", file.string(),
                              "choose the tokenizer's file");
    }
    return text;
}

// The names of a vocabulary, by number.
Result<std::vector<std::string>> namesOf(const json& vocabulary, const json& added, const std::filesystem::path& file) {
    std::vector<std::optional<std::string>> names;
    const auto put = [&](const std::string& name, const json& number) -> Result<void> {
        if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= kMostTokens)
            return notRead(file, "the token \"" + printable(name, 40) + "\" has no number from 0 to " +
                                     std::to_string(kMostTokens - 1));
        const auto at = number.get<std::size_t>();
        if (at >= names.size()) names.resize(at + 1);
        if (names[at] && *names[at] != name)
            return notRead(file, "the number " + std::to_string(at) + " stands for two tokens");
        names[at] = name;
        return {};
    };
    for (const auto& [name, number] : vocabulary.items()) TY_TRY(put(name, number));
    for (const json& each : added)
        if (each.is_object() && each.contains("content") && each["content"].is_string())
            TY_TRY(put(each["content"].get<std::string>(), each.value("id", json())));
    std::vector<std::string> all;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!names[i]) return notRead(file, "no token has the number " + std::to_string(i));
        all.push_back(*names[i]);
    }
    return all;
}

using Numbers = std::unordered_map<std::string, std::int32_t>;

Result<void> addMerge(BpeTable& table, const Numbers& numbers, const std::string& left, const std::string& right,
                      const std::string& place) {
    Merge merge;
    for (auto [name, at] : {std::pair{left, &merge.left}, {right, &merge.right}, {left + right, &merge.into}}) {
        const auto found = numbers.find(name);
        if (found == numbers.end())
            return inputError("the vocabulary has no token \"" + printable(name, 60) +
                                  "\", so the merges are of another",
                              place, "use the two files of one tokenizer");
        *at = found->second;
    }
    table.merges.push_back(merge);
    return {};
}

Result<void> addMergeLine(BpeTable& table, const Numbers& numbers, const std::string& line, const std::string& place) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string::npos)
        return inputError("is not two tokens with a space between them", place, "use the tokenizer's file as it came");
    return addMerge(table, numbers, line.substr(0, space), line.substr(space + 1), place);
}

Numbers numbersOf(const BpeTable& table) {
    Numbers numbers;
    for (std::size_t i = 0; i < table.names.size(); ++i) numbers.emplace(table.names[i], static_cast<std::int32_t>(i));
    return numbers;
}

// The tokens that are not written in bytes' characters, and that which ends a document.
void markSpecial(BpeTable& table, const Numbers& numbers, const json& added) {
    const auto mark = [&](const std::string& name) {
        const auto found = numbers.find(name);
        if (found == numbers.end()) return false;
        if (std::find(table.special.begin(), table.special.end(), found->second) == table.special.end())
            table.special.push_back(found->second);
        return true;
    };
    for (const json& each : added)
        if (each.is_object() && each.contains("content") && each["content"].is_string())
            mark(each["content"].get<std::string>());
    for (const char* end : {kEndOfText, "<|end_of_text|>", "</s>"})
        if (table.end < 0 && mark(end)) table.end = numbers.at(end);
}

Result<Bpe> made(BpeTable table, const std::filesystem::path& file) {
    auto bpe = Bpe::make(std::move(table));
    if (bpe) return bpe;
    Error wrong = bpe.error();
    wrong.where = file.string();
    return wrong;
}

bool isByteLevel(const json& part) {
    return part.is_object() && part.value("type", json()) == "ByteLevel" &&
           part.value("add_prefix_space", json(false)) == false && part.value("use_regex", json(true)) == true;
}

// What the tokenizer does besides; empty: nothing.
std::string otherThanBytes(const json& whole, const json& model) {
    const auto isSet = [](const json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && !found->is_null() && *found != false && *found != "" && *found != 0.0;
    };
    if (model.contains("type") && model["type"] != "BPE")
        return "is of the kind " + printable(jsonText(model["type"]), 40) + ", and not BPE";
    if (isSet(whole, "normalizer")) return "changes the text before it is cut (normalizer)";
    const json& pieces = whole.value("pre_tokenizer", json());
    if (!isByteLevel(pieces)) return "does not cut texts as GPT-2 does (pre_tokenizer)";
    for (const char* key :
         {"byte_fallback", "continuing_subword_prefix", "end_of_word_suffix", "dropout", "ignore_merges"})
        if (isSet(model, key)) return std::string("is not plain byte-level BPE (") + key + ")";
    return {};
}

Result<Bpe> fromTokenizerJson(const json& whole, const std::filesystem::path& file) {
    const json& model = whole["model"];
    if (const std::string other = otherThanBytes(whole, model); !other.empty()) return notRead(file, other);
    const json vocabulary = model.value("vocab", json()), merges = model.value("merges", json());
    if (!vocabulary.is_object() || !merges.is_array()) return notRead(file, "has no vocabulary or no merges");
    const json added = whole.value("added_tokens", json::array());
    BpeTable table;
    TY_ASSIGN(table.names, namesOf(vocabulary, added, file));
    const Numbers numbers = numbersOf(table);
    for (const json& merge : merges) {
        const std::string place = file.string() + ", merge " + std::to_string(table.merges.size() + 1);
        if (merge.is_string()) {
            TY_TRY(addMergeLine(table, numbers, merge.get<std::string>(), place));
        } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            TY_TRY(addMerge(table, numbers, merge[0].get<std::string>(), merge[1].get<std::string>(), place));
        } else {
            return inputError("is not two tokens", place, "use the tokenizer's file as it came");
        }
    }
    markSpecial(table, numbers, added);
    return made(std::move(table), file);
}

Result<Bpe> fromVocabulary(const json& vocabulary, const std::filesystem::path& file) {
    const std::filesystem::path mergesFile = file.parent_path() / "merges.txt";
    BpeTable table;
    TY_ASSIGN(table.names, namesOf(vocabulary, json::array(), file));
    const Numbers numbers = numbersOf(table);
    TY_ASSIGN(const std::string text, wholeOf(mergesFile));
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
        TY_TRY(addMergeLine(table, numbers, line, mergesFile.string() + ", line " + std::to_string(number)));
    }
    markSpecial(table, numbers, json::array());
    return made(std::move(table), file);
}

} // namespace

Result<Bpe> readTokenizer(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, wholeOf(file));
    const json whole = parseSortedJson(text);
    if (whole.is_discarded() || !whole.is_object())
        return notRead(file, "is no tokenizer: neither tokenizer.json nor vocab.json");
    if (whole.contains("model") && whole["model"].is_object()) return fromTokenizerJson(whole, file);
    return fromVocabulary(whole, file);
}

} // namespace trainyard::formats
