// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/takeover.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/spawn.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace trainyard::sweep {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr int kMostInAnHour = 3;

std::filesystem::path takeoverFile(const std::filesystem::path& folder) { return folder / "takeovers.json"; }

int mostInAnHour() {
    const char* const given = std::getenv("TRAINYARD_SWEEP_RESTARTS");
    int most = kMostInAnHour;
    if (given != nullptr) std::from_chars(given, given + std::strlen(given), most);
    return most;
}

Result<std::vector<std::int64_t>> earlierTakeovers(const std::filesystem::path& folder) {
    TY_ASSIGN(const std::string text, readFile(takeoverFile(folder), 1u << 20));
    std::vector<std::int64_t> times;
    const auto json = parseSortedJson(text);
    if (json.is_array())
        for (const auto& time : json)
            if (time.is_number_integer()) times.push_back(time.get<std::int64_t>());
    return times;
}

// Those of the last hour are what counts.
Result<void> writeTakeovers(const std::filesystem::path& folder, std::vector<std::int64_t> times, std::int64_t nowMs) {
    std::erase_if(times, [&](std::int64_t time) { return nowMs - time >= kHourMs; });
    return writeFileAtomic(takeoverFile(folder), jsonText(nlohmann::json(times)) + "\n", Outlives::Process);
}

} // namespace

bool mayTakeOver(const std::vector<std::int64_t>& earlierMs, std::int64_t nowMs, int most) {
    return std::count_if(earlierMs.begin(), earlierMs.end(),
                         [&](std::int64_t earlier) { return nowMs - earlier < kHourMs; }) < most;
}

Result<void> allowTakeover(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::exists(takeoverFile(folder), ignored)) return {};
    return writeTakeovers(folder, {}, wallClockMs());
}

void forbidTakeover(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::remove(takeoverFile(folder), ignored);
}

Result<bool> takeOver(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (!std::filesystem::exists(takeoverFile(folder), ignored)) return false;
    const auto lock = store::RunLock::acquire(folder);
    if (!lock && lock.error().code == ErrorCode::AlreadyRunning) return false;
    if (!lock) return lock.error();
    auto times = earlierTakeovers(folder); // as whoever had the lock before has left it
    const std::int64_t now = wallClockMs();
    if (!times || !mayTakeOver(*times, now, mostInAnHour())) return false;
    times->push_back(now);
    TY_TRY(writeTakeovers(folder, std::move(*times), now));
    TY_ASSIGN([[maybe_unused]] const auto pid,
              run::spawnSupervisor("supervise-sweep", folder, run::Detachment::Full, &*lock));
    return true;
}

} // namespace trainyard::sweep
