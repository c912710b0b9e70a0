// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/ids.h"

#include "engine/base/clock.h"
#include "engine/base/sha256.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <random>
#include <vector>

namespace trainyard {
namespace {

std::uint64_t randomBits() {
    static thread_local std::mt19937_64 engine = [] {
        std::random_device device;
        std::seed_seq seed{device(), device(), device(), device()};
        return std::mt19937_64(seed);
    }();
    return engine();
}

// The next number that is later than every one this process gave out: milliseconds, then 14 random bits.
std::uint64_t nextStamp() {
    static std::mutex mutex;
    static std::uint64_t last = 0;
    const std::lock_guard lock(mutex);
    const std::uint64_t now = (static_cast<std::uint64_t>(wallClockMs()) << 14) | (randomBits() & 0x3FFF);
    last = std::max(last + 1, now);
    return last;
}

constexpr std::array kAdjectives = {
    "amber",  "bold",   "brave",  "bright", "brisk",   "calm",   "clear", "clever", "cosmic", "crisp",
    "eager",  "early",  "fair",   "fleet",  "fond",    "gentle", "glad",  "golden", "grand",  "happy",
    "hardy",  "honest", "jolly",  "keen",   "kind",    "lively", "lucid", "lucky",  "mellow", "merry",
    "mighty", "neat",   "nimble", "noble",  "patient", "placid", "proud", "quick",  "quiet",  "rapid",
    "ready",  "silver", "smooth", "steady", "sunny",   "swift",  "tidy",  "vivid",  "warm",   "wise"};
constexpr std::array kAnimals = {
    "badger", "beaver", "bison",  "bobcat",  "condor", "cougar", "crane",  "dingo",   "dolphin", "eagle",
    "egret",  "falcon", "ferret", "finch",   "fox",    "gecko",  "gibbon", "hare",    "heron",   "ibex",
    "ibis",   "jackal", "jaguar", "kestrel", "koala",  "lark",   "lemur",  "lynx",    "marmot",  "marten",
    "moose",  "newt",   "ocelot", "osprey",  "otter",  "owl",    "panda",  "pelican", "puffin",  "quail",
    "raven",  "robin",  "seal",   "sparrow", "stork",  "swan",   "tapir",  "toucan",  "walrus",  "wren"};

// The code point that starts at text[at] and its length in bytes; length 0 when the bytes are not valid UTF-8.
std::pair<char32_t, std::size_t> codePoint(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                                                             : 0;
    if (length == 0 || at + length > text.size()) return {0, 0};
    char32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return {0, 0};
        code = (code << 6) | (byte(at + i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {0, 0};
    return {code, length};
}

constexpr std::size_t kMaxNameCharacters = 100;

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// Characters that a terminal or a label obeys instead of showing.
bool isCommand(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

std::string escaped(char32_t c) {
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    if (c == '\r') return "\\r";
    std::array<char, 16> text{};
    const int length =
        std::snprintf(text.data(), text.size(), c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
    return {text.data(), static_cast<std::size_t>(length)};
}

} // namespace

std::string newId() {
    const std::uint64_t stamp = nextStamp();
    const std::uint64_t ms = stamp >> 14;
    const std::time_t second = static_cast<std::time_t>(ms / 1000);
    const auto suffix = static_cast<unsigned>(((ms % 1000) << 14) | (stamp & 0x3FFF));
    std::tm parts{};
    ::gmtime_r(&second, &parts);
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &parts);
    std::array<char, 16> tail{};
    std::snprintf(tail.data(), tail.size(), "-%06x", suffix);
    return std::string(text.data(), length) + tail.data();
}

std::string idOfKey(std::string_view key) { return "key-" + toHex(sha256Raw(key)).substr(0, 20); }

std::string newRunName() {
    const std::uint64_t bits = randomBits();
    return std::string(kAdjectives[(bits >> 32) % kAdjectives.size()]) + "-" +
           kAnimals[(bits & 0xFFFFFFFFu) % kAnimals.size()];
}

std::string printable(std::string_view text, std::size_t maxLength) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, length] = codePoint(text, at);
        std::string piece;
        if (length == 0) piece = escaped(static_cast<unsigned char>(text[at]));
        else if (isCommand(code)) piece = escaped(code);
        else piece = std::string(text.substr(at, length));
        if (out.size() + piece.size() > maxLength) return out + "…";
        out += piece;
        at += length == 0 ? 1 : length;
    }
    return out;
}

std::string lineProblem(std::string_view text, std::size_t maxCharacters) {
    if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), startsCharacter)) > maxCharacters)
        return "must be at most " + std::to_string(maxCharacters) + " characters";
    if (printable(text, text.size()) != text)
        return "must not hold control characters or characters that change the direction of writing";
    return {};
}

std::string nameProblem(std::string_view name) {
    if (auto problem = lineProblem(name, kMaxNameCharacters); !problem.empty()) return problem;
    if (name.find_first_of("/\\") != name.npos) return "must not hold / or \\";
    if (name.find_first_not_of(' ') == name.npos) return "must not be blank";
    if (name.front() == '-' || name.front() == '.') return "must not begin with - or .";
    return {};
}

std::string forkName(std::string_view name) {
    constexpr std::string_view kEnding = "-fork";
    std::size_t characters = 0, end = 0;
    for (; end < name.size(); ++end)
        if (startsCharacter(name[end]) && ++characters > kMaxNameCharacters - kEnding.size()) break;
    return std::string(name.substr(0, end)) + std::string(kEnding);
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    // Words that differ this much in length are not misspellings of one another; the table would only cost time.
    constexpr std::size_t kLongest = 64;
    if (a.size() > kLongest || b.size() > kLongest) return a == b ? 0 : std::max(a.size(), b.size());
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t swap = a[i - 1] == b[j - 1] ? 0 : 1;
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + swap});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = std::min(next[j], before[j - 2] + 1); // two letters swapped: one slip, not two
        }
        std::swap(before, row);
        std::swap(row, next);
    }
    return row[b.size()];
}

} // namespace trainyard
