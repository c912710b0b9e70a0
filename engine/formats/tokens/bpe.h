// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-level byte pair encoding, as of GPT-2 (Sennrich and others, Neural Machine Translation of Rare Words with
// Subword Units, 2016, arXiv:1508.07909; Radford and others, 2019): the bytes of a piece of text are joined, the pair
// that was learned first before all others, until no pair is left that was learned.
#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trainyard::formats {

// Two tokens that become one.
struct Merge {
    std::int32_t left = 0, right = 0, into = 0;
};

// What a tokenizer knows: its tokens, by number, as they are written in files (tokenName()), and the merges in the
// order in which they were learned.
struct BpeTable {
    std::vector<std::string> names{};
    std::vector<Merge> merges{};
    std::int32_t end = -1;               // the token between documents; -1: there is none
    std::vector<std::int32_t> special{}; // tokens whose name is their text, as it is: no text is encoded as one
};

// Bytes as vocab.json writes them, each a printable character: "Ġthe" is " the".
std::string tokenName(std::string_view bytes);
// And back. Input: a character that stands for no byte.
Result<std::string> tokenBytes(std::string_view name);

// Each byte a token, without merges; with an end token 256.
BpeTable byteTable(bool withEnd);
inline constexpr const char* kEndOfText = "<|endoftext|>";

// Turns texts into tokens and back. May be used by several threads, each with an encoder of its own.
class Bpe {
public:
    // Input: a byte without a token, a token twice, a merge of tokens that there are not, or that gives another text.
    static Result<Bpe> make(BpeTable table);

    std::int32_t size() const { return static_cast<std::int32_t>(m_table.names.size()); }
    const BpeTable& table() const { return m_table; }
    // The bytes of a token, or the text of a special one.
    const std::string& text(std::int32_t token) const { return m_texts[static_cast<std::size_t>(token)]; }

private:
    friend class BpeEncoder;
    struct Joined {
        std::int32_t rank = 0, into = 0;
    };
    struct PairHash {
        std::size_t operator()(std::uint64_t pair) const;
    };
    const Joined* joined(std::int32_t left, std::int32_t right) const;

    BpeTable m_table;
    std::vector<std::string> m_texts; // of the tokens
    std::array<std::int32_t, 256> m_ofByte{};
    std::unordered_map<std::uint64_t, Joined, PairHash> m_joined;
};

// Encodes texts; keeps what it has encoded before, as words come again.
class BpeEncoder {
public:
    explicit BpeEncoder(const Bpe& bpe) : m_bpe(bpe) {}

    // Appends the tokens of a text. Time: linear in its length, but for a piece (a word) n log n.
    void encode(std::string_view text, std::vector<std::int32_t>& tokens);

private:
    struct Known {
        std::uint32_t begin = 0, size = 0; // in m_store
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    void join(std::string_view piece);
    void joinShort();
    void joinLong();

    const Bpe& m_bpe;
    std::unordered_map<std::string, Known, TextHash, std::equal_to<>> m_known;
    std::vector<std::int32_t> m_store, m_tokens;
};

// Learns merges from a text until there are `size` tokens, end token among them, or no pair comes twice. The same text
// gives the same table. Of pairs that come equally often the one of the lower tokens is first.
class BpeTrainer {
public:
    BpeTrainer();
    ~BpeTrainer();
    // Counts the words of a text. More than kMostTrained bytes in all are passed over: false.
    bool add(std::string_view text);
    BpeTable train(std::int32_t size, bool withEnd);

private:
    struct Private;
    std::unique_ptr<Private> m_;
};
inline constexpr std::size_t kMostTrained = std::size_t{128} << 20;

} // namespace trainyard::formats
