// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/disk_forecast.h"

#include "engine/base/text/amounts.h"
#include "engine/wire/messages.h"

#include <algorithm>
#include <filesystem>

namespace trainyard::run {
namespace {

constexpr std::int64_t kMegabyte = 1'000'000; // of checkpoint.budgetMb
constexpr const char* kFreeRemedy = "prune checkpoints or delete archived runs";

// All that CheckpointBook::prune() keeps, when each new one is as large as the latest, and the one being written.
std::int64_t mostBytes(const DiskFacts& facts, std::int64_t each) {
    const auto& policy = facts.policy;
    std::int64_t pinned = 0;
    for (const auto& row : facts.checkpoints)
        if (row.pinned) pinned += row.bytes;
    const std::int64_t kept = std::max<std::int64_t>(2, std::int64_t{std::max(1, policy.keep)} + 1) * each;
    const std::int64_t allowed = policy.budgetMb > 0 ? std::max(policy.budgetMb * kMegabyte, 2 * each) : kept;
    return std::min(kept, allowed) + pinned + each;
}

double secondsBetween(const DiskFacts& facts) {
    const auto& rows = facts.checkpoints;
    const std::int64_t last = rows.back().wallMs;
    const std::int64_t before = rows.size() > 1 ? rows[rows.size() - 2].wallMs : facts.startedMs;
    return before > 0 && last > before ? static_cast<double>(last - before) / 1000 : 0;
}

} // namespace

DiskForecast forecastDisk(const DiskFacts& facts) {
    DiskForecast forecast;
    forecast.freeBytes = facts.freeBytes;
    for (const auto& row : facts.checkpoints) forecast.bytes += row.bytes;
    forecast.mostBytes = forecast.bytes;
    if (facts.checkpoints.empty() || !facts.active) return forecast;
    forecast.eachBytes = std::max<std::int64_t>(1, facts.checkpoints.back().bytes);
    forecast.mostBytes = std::max(forecast.bytes, mostBytes(facts, forecast.eachBytes));
    forecast.secondsBetween = secondsBetween(facts);
    if (facts.freeBytes >= forecast.mostBytes - forecast.bytes) return forecast;
    const std::int64_t saves = std::max<std::int64_t>(0, facts.freeBytes) / forecast.eachBytes;
    forecast.savesToFull = static_cast<int>(std::min<std::int64_t>(saves, 1'000'000));
    if (saves == 0) {
        forecast.level = DiskForecast::Level::Full;
        forecast.secondsToFull = 0;
        return forecast;
    }
    if (forecast.secondsBetween > 0) forecast.secondsToFull = static_cast<double>(saves) * forecast.secondsBetween;
    const bool endsBefore =
        facts.secondsLeft >= 0 && forecast.secondsToFull >= 0 && forecast.secondsToFull > facts.secondsLeft;
    if (!endsBefore) forecast.level = DiskForecast::Level::Low;
    return forecast;
}

Result<DiskForecast> forecastDisk(const store::RunRow& run, std::vector<store::CheckpointRow> checkpoints,
                                  double secondsLeft) {
    TY_ASSIGN(const auto spec, spec::parseRunSpec(run.specJson, "run " + run.name));
    std::error_code failure;
    const auto space = std::filesystem::space(run.folder, failure);
    DiskFacts facts;
    facts.checkpoints = std::move(checkpoints);
    facts.policy = spec.checkpoint;
    facts.freeBytes = failure ? 0 : static_cast<std::int64_t>(space.available);
    facts.startedMs = run.startedMs;
    facts.secondsLeft = secondsLeft;
    facts.active = !failure && wire::isActive(run.status);
    return forecastDisk(facts);
}

double secondsLeft(const store::RunRow& run) {
    if (run.step <= 0 || run.totalSteps < run.step || run.trainSeconds <= 0) return -1;
    return run.trainSeconds * static_cast<double>(run.totalSteps - run.step) / static_cast<double>(run.step);
}

Sentence describe(const DiskForecast& forecast) {
    const std::string now = bytesText(forecast.bytes), free = bytesText(forecast.freeBytes);
    if (forecast.mostBytes <= forecast.bytes) return {Engine::tr("checkpoints take %1; %2 are free"), {now, free}};
    return {Engine::tr("checkpoints take %1, at most %2; %3 are free"), {now, bytesText(forecast.mostBytes), free}};
}

std::string diskWarning(const DiskForecast& forecast) {
    const std::string free = bytesText(forecast.freeBytes), each = bytesText(forecast.eachBytes);
    switch (forecast.level) {
    case DiskForecast::Level::Fine: return {};
    case DiskForecast::Level::Full:
        return "the disk has no room for another checkpoint: it takes " + each + ", and " + free + " are free; " +
               kFreeRemedy;
    case DiskForecast::Level::Low: break;
    }
    const std::string saves =
        std::to_string(forecast.savesToFull) + (forecast.savesToFull == 1 ? " more checkpoint" : " more checkpoints");
    return "the disk will be full after " + saves +
           (forecast.secondsToFull >= 0 ? ", in " + durationText(forecast.secondsToFull) : std::string()) +
           ": each takes " + each + ", and " + free + " are free; " + kFreeRemedy;
}

} // namespace trainyard::run
