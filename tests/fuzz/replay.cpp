// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/replay.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace trainyard::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kRounds = 50'000;
constexpr auto kLimit = std::chrono::seconds(1);

std::vector<Bytes> readCorpus(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Bytes> corpus;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return corpus;
}

class Mutator {
public:
    explicit Mutator(const std::vector<Bytes>& corpus) : m_corpus(corpus) {}

    Bytes next() {
        Bytes bytes = m_corpus[below(m_corpus.size())];
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(m_random() % limit); }
    std::uint8_t byte() { return static_cast<std::uint8_t>(m_random()); }
    auto at(Bytes& bytes, std::size_t index) { return bytes.begin() + static_cast<std::ptrdiff_t>(index); }

    void change(Bytes& bytes) {
        if (bytes.empty()) bytes.push_back(byte());
        const std::size_t from = below(bytes.size()),
                          length = 1 + below(std::min<std::size_t>(32, bytes.size() - from));
        switch (below(7)) {
        case 0: bytes[from] = static_cast<std::uint8_t>(bytes[from] ^ (1u << below(8))); break;
        case 1: bytes[from] = byte(); break;
        case 2: bytes.erase(at(bytes, from), at(bytes, from + length)); break;
        case 3: bytes.resize(from); break;
        case 4: {
            const Bytes piece(at(bytes, from), at(bytes, from + length));
            bytes.insert(at(bytes, below(bytes.size())), piece.begin(), piece.end());
            break;
        }
        case 5: { // the rest of another input
            const Bytes& other = m_corpus[below(m_corpus.size())];
            bytes.resize(from);
            bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size())), other.end());
            break;
        }
        default: { // numbers at which code tends to break
            static constexpr std::array<std::uint8_t, 6> kEdges{0x00, 0x7f, 0x80, 0xff, '9', '-'};
            std::fill(at(bytes, from), at(bytes, from + length), kEdges[below(kEdges.size())]);
        }
        }
    }

    const std::vector<Bytes>& m_corpus;
    std::mt19937_64 m_random{20261120};
};

} // namespace

int replay(int argc, char** argv, FuzzTarget target) {
    const std::vector<Bytes> corpus = argc == 2 ? readCorpus(argv[1]) : std::vector<Bytes>{};
    if (corpus.empty()) {
        std::fprintf(stderr, "usage: %s CORPUS-FOLDER, with at least one file in it\n", argv[0]);
        return 2;
    }
    for (const Bytes& bytes : corpus) target(bytes.data(), bytes.size());
    const auto deadline = std::chrono::steady_clock::now() + kLimit;
    Mutator mutator(corpus);
    int rounds = 0;
    for (; rounds < kRounds && std::chrono::steady_clock::now() < deadline; ++rounds) {
        const Bytes bytes = mutator.next();
        target(bytes.data(), bytes.size());
    }
    std::printf("%zu files and %d changed copies\n", corpus.size(), rounds);
    return 0;
}

} // namespace trainyard::test
