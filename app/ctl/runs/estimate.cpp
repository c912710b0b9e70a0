// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/runs/estimate.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/math/crc32c.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <span>

namespace trainyard::ctl {
namespace {

namespace fs = std::filesystem;

fs::path fileOf(const fs::path& root, spec::RunSpec spec) {
    spec.name.clear();
    const std::string text = spec::toJson(spec);
    char name[48];
    std::snprintf(name, sizeof name, "%08x-%zu.json", crc32c(std::as_bytes(std::span(text.data(), text.size()))),
                  text.size());
    return root / "estimates" / name;
}

double numberOf(const Json& object, const char* key) {
    return object.contains(key) && object[key].is_number() ? object[key].get<double>() : 0.0;
}

Json beside(const Json& estimate, const char* key, double happened) {
    return {{"estimated", numberOf(estimate, key)}, {"happened", happened > 0 ? Json(happened) : Json(nullptr)}};
}

} // namespace

Json estimateJson(const run::BriefTimes& times, std::int64_t calculatedBytes) {
    return {{"workers", times.workers},
            {"steps", times.totalSteps},
            {"step_s", times.stepSeconds},
            {"samples_per_s", times.samplesPerSecond},
            {"launch_to_first_step_s", times.launchSeconds},
            {"train_s", times.stepSeconds * static_cast<double>(times.totalSteps)},
            {"memory_bytes", std::max(times.residentBytes, calculatedBytes)},
            {"memory_measured_bytes", times.residentBytes},
            {"memory_calculated_bytes", calculatedBytes}};
}

Result<void> keepEstimate(const store::Workspace& workspace, const spec::RunSpec& validated, const Json& estimate) {
    const fs::path file = fileOf(workspace.root, validated);
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    return writeFileAtomic(file, jsonText(estimate, 1));
}

Json comparedEstimate(const store::RunRow& row, const std::vector<wire::WorkerState>& workers) {
    auto spec = spec::parseRunSpec(row.specJson);
    if (!spec || row.folder.empty()) return nullptr;
    const auto text = readFile(fileOf(fs::path(row.folder).parent_path().parent_path(), std::move(*spec)), 1u << 20);
    const Json estimate = text ? parseJson(*text) : Json();
    if (!estimate.is_object()) return nullptr;
    std::int64_t memory = 0;
    for (const auto& worker : workers) memory = std::max(memory, worker.beat.residentBytes);
    // Half a run has taken half the time: compared for the steps that were made.
    const double done = row.totalSteps > 0 ? static_cast<double>(row.step) / static_cast<double>(row.totalSteps) : 0;
    Json compared{{"memory_bytes", beside(estimate, "memory_bytes", static_cast<double>(memory))},
                  {"samples_per_s", beside(estimate, "samples_per_s", row.samplesPerSecond)},
                  {"launch_to_first_step_s", beside(estimate, "launch_to_first_step_s", row.launchToFirstStep)},
                  {"train_s", beside(estimate, "train_s", row.trainSeconds)}};
    compared["train_s"]["estimated_so_far"] = numberOf(estimate, "train_s") * done;
    return compared;
}

} // namespace trainyard::ctl
