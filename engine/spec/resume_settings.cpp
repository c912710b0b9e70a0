// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/resume_settings.h"

#include "engine/base/ids.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace trainyard::spec {
namespace {

// Fields, and all that is in them.
constexpr std::array<std::string_view, 13> kComputedHow = {
    "hosts",
    "spareHosts",
    "failure",
    "checkpoint",
    "tensorBoard",
    "tuning",
    "scaling.device",
    "scaling.backend",
    "scaling.averaging",
    "scaling.elastic",
    // What follows for the samples is compared with what the checkpoint was trained on.
    "data.onError",
    "data.maxBad",
    "data.changed",
};

bool isIn(std::string_view path, std::string_view field) {
    return path == field || (path.starts_with(field) && path[field.size()] == '.');
}

// The samples of a step and the learning rate stay the same with another number of workers.
bool leavesBatch(const RunSpec& before) { return before.batch.global && before.scaling.lrRule == "none"; }

Error refusal(const std::string& path, const std::string& change, const std::string& run) {
    const std::string name = printable(path, 60), of = printable(run, 60);
    if (path == "epochs")
        return inputError("a run is resumed to the end that it was planned for, not with other epochs", "--set",
                          "add epochs with: trainyardctl continue " + of + " 5");
    if (path == "scaling.place")
        return inputError("a run is resumed where it was placed", "--set",
                          "name other hosts: trainyardctl resume " + of + " --set 'hosts=[\"HOST\"]'");
    const std::string why =
        path == "scaling.workers" ? "the samples of a step or the learning rate" : "what is trained";
    return inputError("a run keeps its " + name + " when it is resumed: another one would change " + why, "--set",
                      "start a run with it from the checkpoint: trainyardctl fork " + of + " --set " +
                          printable(change, 120));
}

} // namespace

bool mayResumeWith(const RunSpec& before, std::string_view path) {
    const auto among = [&](std::string_view field) { return isIn(path, field); };
    return std::any_of(kComputedHow.begin(), kComputedHow.end(), among) || path == "scaling.threadsPerWorker" ||
           path == "scaling.memoryMb" || (path == "scaling.workers" && leavesBatch(before));
}

Result<void> mayResumeWith(const RunSpec& before, const std::vector<std::string>& changes, const std::string& run) {
    for (const auto& change : changes) {
        const auto path = change.substr(0, change.find('='));
        if (!mayResumeWith(before, path)) return refusal(path, change, run);
    }
    return {};
}

} // namespace trainyard::spec
