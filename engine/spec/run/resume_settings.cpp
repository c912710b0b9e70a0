// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/resume_settings.h"

#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"

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

// Weights fit their model, and what an optimizer keeps fits it alone.
bool needsFresh(std::string_view path) {
    return isIn(path, "model") || path == "optimizer" || path == "optimizer.name";
}

// Another name leaves the parameters of the old one: the whole is set.
std::string wholeOf(const std::string& path, const std::string& change) {
    static constexpr std::string_view kName = ".name";
    const bool named = path.ends_with(kName);
    return named ? path.substr(0, path.size() - kName.size()) + change.substr(path.size()) : change;
}

Error refusal(const std::string& path, const std::string& change, const std::string& run) {
    const std::string name = printable(path, 60), of = printable(shellArgument(run), 400);
    if (path == "epochs")
        return inputError("a run is resumed to the end that it was planned for, not with other epochs", "--set",
                          "add epochs with: trainyardctl continue " + of + " 5");
    if (path == "scaling.place")
        return inputError("a run is resumed where it was placed", "--set",
                          "name other hosts: trainyardctl resume " + of + " --set 'hosts=[\"HOST\"]'");
    const std::string why =
        path == "scaling.workers" ? "the samples of a step or the learning rate" : "what is trained";
    const bool fresh = needsFresh(path);
    return inputError("a run keeps its " + name + " when it is resumed: another one would change " + why, "--set",
                      (fresh ? "start a run with it from fresh weights: trainyardctl fork "
                             : "start a run with it from the checkpoint: trainyardctl fork ") +
                          of + (fresh ? " --fresh" : "") + " --set " +
                          printable(shellArgument(wholeOf(path, change)), 400));
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
