// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/ids.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>

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
    static Mutex mutex;
    static std::uint64_t last TY_GUARDED_BY(mutex) = 0;
    const MutexLock lock(mutex);
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

} // namespace trainyard
