// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/bpe.h"
#include "engine/formats/tokens/pieces.h"

#include <queue>

#include <algorithm>

namespace trainyard::formats {

namespace {

constexpr std::size_t kLongestWord = 256; // bytes; longer ones teach nothing

struct TrainedWord {
    std::vector<std::int32_t> tokens;
    std::int64_t count = 0;
};

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

// Pairs by how often they come, and the words that they are in.
class PairCounts {
public:
    using Pair = std::pair<std::int32_t, std::int32_t>;

    void add(Pair pair, std::int64_t count, std::size_t word) {
        Entry& entry = m_entries[key(pair)];
        entry.count += count;
        if (count <= 0) return;
        if (entry.words.empty() || entry.words.back() != word) entry.words.push_back(word);
        m_changed.push_back(pair);
    }
    // Offers what was added since the last time.
    void settle() {
        std::sort(m_changed.begin(), m_changed.end());
        m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
        for (const Pair& pair : m_changed) offer(pair, m_entries[key(pair)].count);
        m_changed.clear();
    }
    // The most frequent pair with its words; taken out. Count 0: none is left.
    std::int64_t takeBest(Pair& pair, std::vector<std::size_t>& words) {
        while (!m_queue.empty()) {
            const Offer best = m_queue.top();
            m_queue.pop();
            const auto found = m_entries.find(key(best.pair));
            if (found == m_entries.end() || found->second.count <= 0) continue;
            if (found->second.count != best.count) { // it comes less often by now
                if (found->second.count < best.count) offer(best.pair, found->second.count);
                continue;
            }
            pair = best.pair;
            words = std::move(found->second.words);
            m_entries.erase(found);
            return best.count;
        }
        return 0;
    }

private:
    struct Entry {
        std::int64_t count = 0;
        std::vector<std::size_t> words{};
    };
    struct Offer {
        std::int64_t count = 0;
        Pair pair;
        bool operator<(const Offer& other) const {
            return count != other.count ? count < other.count : pair > other.pair;
        }
    };
    static std::uint64_t key(Pair pair) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.first)) << 32 |
               static_cast<std::uint32_t>(pair.second);
    }
    void offer(Pair pair, std::int64_t count) {
        if (count > 1) m_queue.push({count, pair});
    }

    std::unordered_map<std::uint64_t, Entry> m_entries;
    std::priority_queue<Offer> m_queue;
    std::vector<Pair> m_changed;
};

// Joins the pair wherever it stands in a word, and counts its neighbours anew.
void joinIn(TrainedWord& word, std::size_t index, PairCounts::Pair pair, std::int32_t into, PairCounts& counts) {
    auto& tokens = word.tokens;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i] != pair.first || tokens[i + 1] != pair.second) continue;
        if (i > 0) counts.add({tokens[i - 1], pair.first}, -word.count, index);
        if (i + 2 < tokens.size()) counts.add({pair.second, tokens[i + 2]}, -word.count, index);
        tokens[i] = into;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        if (i > 0) counts.add({tokens[i - 1], into}, word.count, index);
        if (i + 1 < tokens.size()) counts.add({into, tokens[i + 1]}, word.count, index);
    }
}

} // namespace

struct BpeTrainer::Private {
    std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> counts;
    std::size_t bytes = 0;
};

BpeTrainer::BpeTrainer() : m_(std::make_unique<Private>()) {}
BpeTrainer::~BpeTrainer() = default;

bool BpeTrainer::add(std::string_view text) {
    for (std::size_t at = 0; at < text.size() && m_->bytes < kMostTrained;) {
        const std::size_t length = pieceAt(text, at);
        m_->bytes += length;
        const std::string_view piece = text.substr(at, length);
        at += length;
        if (length < 2 || length > kLongestWord) continue;
        const auto found = m_->counts.find(piece);
        if (found != m_->counts.end()) ++found->second;
        else m_->counts.emplace(piece, 1);
    }
    return m_->bytes < kMostTrained;
}

BpeTable BpeTrainer::train(std::int32_t size, bool withEnd) {
    BpeTable table = byteTable(false);
    std::vector<std::pair<std::string, std::int64_t>> sorted(m_->counts.begin(), m_->counts.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<TrainedWord> words;
    PairCounts counts;
    for (const auto& [text, count] : sorted) {
        TrainedWord word{.tokens = {}, .count = count};
        for (const char byte : text) word.tokens.push_back(static_cast<unsigned char>(byte));
        for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i)
            counts.add({word.tokens[i], word.tokens[i + 1]}, count, words.size());
        words.push_back(std::move(word));
    }
    counts.settle();
    std::vector<std::string> texts;
    for (int byte = 0; byte < 256; ++byte) texts.emplace_back(1, static_cast<char>(byte));
    std::unordered_map<std::string, std::int32_t> known; // two pairs may give the same text: one token
    PairCounts::Pair pair;
    std::vector<std::size_t> where;
    const std::size_t wanted = static_cast<std::size_t>(size) - (withEnd ? 1 : 0);
    while (texts.size() < wanted && counts.takeBest(pair, where) > 1) {
        const std::string text =
            texts[static_cast<std::size_t>(pair.first)] + texts[static_cast<std::size_t>(pair.second)];
        const auto [found, isNew] = known.emplace(text, static_cast<std::int32_t>(texts.size()));
        const std::int32_t into = found->second;
        if (isNew) {
            texts.push_back(text);
            table.names.push_back(tokenName(text));
        }
        table.merges.push_back({pair.first, pair.second, into});
        for (const std::size_t word : where) joinIn(words[word], word, pair, into, counts);
        counts.settle();
    }
    if (withEnd) {
        table.end = static_cast<std::int32_t>(table.names.size());
        table.special = {table.end};
        table.names.emplace_back(kEndOfText);
    }
    return table;
}

} // namespace trainyard::formats
