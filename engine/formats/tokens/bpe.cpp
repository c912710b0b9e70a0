// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/bpe.h"

#include "engine/base/text/printable.h"
#include "engine/base/text/utf8.h"
#include "engine/formats/tokens/pieces.h"

#include <queue>

#include <algorithm>
#include <limits>
#include <tuple>

namespace trainyard::formats {

namespace {

constexpr std::size_t kShort = 48;       // tokens of a piece that is searched, and not sorted, for its best pair
constexpr std::size_t kKnown = 1u << 18; // pieces that are kept
constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

// GPT-2's: printable bytes of Latin-1 stand for themselves, the others for what follows U+0100, in order.
std::array<char32_t, 256> codesOfBytes() {
    std::array<char32_t, 256> codes{};
    char32_t next = 256;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool prints = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
        codes[byte] = prints ? byte : next++;
    }
    return codes;
}

const std::array<char32_t, 256>& byteCodes() {
    static const std::array<char32_t, 256> codes = codesOfBytes();
    return codes;
}

std::uint64_t pairOf(std::int32_t left, std::int32_t right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

Error badTable(const std::string& message) { return inputError(message, {}, "use the tokenizer's files as they came"); }

} // namespace

std::string tokenName(std::string_view bytes) {
    std::string name;
    for (const char byte : bytes) {
        const char32_t code = byteCodes()[static_cast<unsigned char>(byte)];
        if (code < 128) {
            name += static_cast<char>(code);
            continue;
        }
        name += static_cast<char>(0xC0u | static_cast<unsigned>(code) >> 6);
        name += static_cast<char>(0x80u | (static_cast<unsigned>(code) & 0x3Fu));
    }
    return name;
}

Result<std::string> tokenBytes(std::string_view name) {
    static const auto bytes = [] {
        std::array<int, 512> back{};
        back.fill(-1);
        for (std::size_t byte = 0; byte < 256; ++byte) back[byteCodes()[byte]] = static_cast<int>(byte);
        return back;
    }();
    std::string text;
    for (std::size_t at = 0; at < name.size();) {
        const Utf8Character character = utf8At(name, at);
        const int byte = character.length > 0 && character.code < bytes.size() ? bytes[character.code] : -1;
        if (byte < 0) return badTable("the token \"" + printable(name, 60) + "\" is not of byte-level BPE");
        text += static_cast<char>(byte);
        at += character.length;
    }
    return text;
}

BpeTable byteTable(bool withEnd) {
    BpeTable table;
    for (int byte = 0; byte < 256; ++byte) table.names.push_back(tokenName(std::string(1, static_cast<char>(byte))));
    if (withEnd) {
        table.end = 256;
        table.special = {256};
        table.names.emplace_back(kEndOfText);
    }
    return table;
}

std::size_t Bpe::PairHash::operator()(std::uint64_t pair) const {
    pair ^= pair >> 32;
    pair *= 0xD6E8FEB86659FD93ULL;
    return pair ^ pair >> 32;
}

const Bpe::Joined* Bpe::joined(std::int32_t left, std::int32_t right) const {
    const auto found = m_joined.find(pairOf(left, right));
    return found == m_joined.end() ? nullptr : &found->second;
}

Result<Bpe> Bpe::make(BpeTable table) {
    Bpe bpe;
    bpe.m_table = std::move(table);
    const auto& names = bpe.m_table.names;
    bpe.m_ofByte.fill(-1);
    bpe.m_texts.resize(names.size());
    const auto inRange = [&](std::int32_t token) {
        return token >= 0 && static_cast<std::size_t>(token) < names.size();
    };
    std::vector<bool> special(names.size());
    for (const std::int32_t token : bpe.m_table.special) {
        if (!inRange(token)) return badTable("token " + std::to_string(token) + " is not one of the vocabulary");
        special[static_cast<std::size_t>(token)] = true;
    }
    if (bpe.m_table.end >= 0 && !inRange(bpe.m_table.end)) return badTable("the end token is not in the vocabulary");
    for (std::size_t token = 0; token < names.size(); ++token) {
        std::string& text = bpe.m_texts[token];
        if (special[token]) {
            text = names[token];
            continue;
        }
        TY_ASSIGN(text, tokenBytes(names[token]));
        if (text.size() == 1) bpe.m_ofByte[static_cast<unsigned char>(text[0])] = static_cast<std::int32_t>(token);
    }
    for (std::size_t byte = 0; byte < 256; ++byte)
        if (bpe.m_ofByte[byte] < 0)
            return badTable("the vocabulary has no token for byte " + std::to_string(byte) +
                            ", so it is not of byte-level BPE");
    bpe.m_joined.reserve(bpe.m_table.merges.size());
    std::int32_t rank = 0;
    for (const Merge& merge : bpe.m_table.merges) {
        if (!inRange(merge.left) || !inRange(merge.right) || !inRange(merge.into))
            return badTable("merge " + std::to_string(rank + 1) + " is of tokens that the vocabulary does not have");
        if (bpe.text(merge.into) != bpe.text(merge.left) + bpe.text(merge.right))
            return badTable("merge " + std::to_string(rank + 1) + " gives another text than its two tokens");
        bpe.m_joined.emplace(pairOf(merge.left, merge.right), Joined{rank, merge.into});
        ++rank;
    }
    return bpe;
}

void BpeEncoder::encode(std::string_view text, std::vector<std::int32_t>& tokens) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = pieceAt(text, at);
        const std::string_view piece = text.substr(at, length);
        at += length;
        const auto known = m_known.find(piece);
        if (known != m_known.end()) {
            const auto begin = m_store.begin() + known->second.begin;
            tokens.insert(tokens.end(), begin, begin + known->second.size);
            continue;
        }
        join(piece);
        tokens.insert(tokens.end(), m_tokens.begin(), m_tokens.end());
        if (piece.size() > kShort || m_known.size() >= kKnown) continue;
        m_known.emplace(piece,
                        Known{static_cast<std::uint32_t>(m_store.size()), static_cast<std::uint32_t>(m_tokens.size())});
        m_store.insert(m_store.end(), m_tokens.begin(), m_tokens.end());
    }
}

void BpeEncoder::join(std::string_view piece) {
    m_tokens.clear();
    for (const char byte : piece) m_tokens.push_back(m_bpe.m_ofByte[static_cast<unsigned char>(byte)]);
    if (m_tokens.size() <= kShort) joinShort();
    else joinLong();
}

void BpeEncoder::joinShort() {
    for (;;) {
        std::int32_t best = kNone, into = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
            const Bpe::Joined* joined = m_bpe.joined(m_tokens[i], m_tokens[i + 1]);
            if (!joined || joined->rank >= best) continue;
            best = joined->rank;
            into = joined->into;
            at = i;
        }
        if (best == kNone) return;
        m_tokens[at] = into;
        m_tokens.erase(m_tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

// The same by a queue of pairs over a linked list; a pair that was joined meanwhile is passed over.
void BpeEncoder::joinLong() {
    using Pair = std::tuple<std::int32_t, std::size_t, std::int32_t, std::int32_t>; // rank, place, tokens
    const std::size_t size = m_tokens.size();
    std::vector<std::size_t> before(size), behind(size); // `size`: none
    std::priority_queue<Pair, std::vector<Pair>, std::greater<>> queue;
    const auto offer = [&](std::size_t left) {
        const std::size_t right = behind[left];
        if (right == size) return;
        if (const Bpe::Joined* joined = m_bpe.joined(m_tokens[left], m_tokens[right]))
            queue.emplace(joined->rank, left, m_tokens[left], m_tokens[right]);
    };
    for (std::size_t i = 0; i < size; ++i) {
        before[i] = i == 0 ? size : i - 1;
        behind[i] = i + 1;
    }
    for (std::size_t i = 0; i < size; ++i) offer(i);
    while (!queue.empty()) {
        const auto [rank, left, first, second] = queue.top();
        queue.pop();
        const std::size_t right = behind[left];
        if (m_tokens[left] != first || right == size || m_tokens[right] != second) continue;
        m_tokens[left] = m_bpe.joined(first, second)->into;
        m_tokens[right] = -1;
        behind[left] = behind[right];
        if (behind[right] != size) before[behind[right]] = left;
        offer(left);
        if (before[left] != size) offer(before[left]);
    }
    std::erase(m_tokens, -1);
}

} // namespace trainyard::formats
