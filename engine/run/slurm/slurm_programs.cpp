// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/slurm_programs.h"

#include "engine/base/text/printable.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kAnswerSeconds = 60; // a busy controller takes its time

} // namespace

Result<Captured> askSlurmProgram(const std::vector<std::string>& words) {
    TY_ASSIGN(auto captured, capture("/usr/bin/env", words, kAnswerSeconds));
    if (captured.exitCode != 127) return captured;
    const auto isName = [](const std::string& word) { return word.find('=') == word.npos; };
    return environmentError("Slurm's program " + *std::ranges::find_if(words, isName) + " is not installed here",
                            "slurm", "use a computer from which jobs are submitted")
        .withCode(ErrorCode::FileMissing);
}

std::string complaintOf(const Captured& captured) {
    auto text = captured.errors.empty() ? captured.output : captured.errors;
    while (text.ends_with('\n')) text.pop_back();
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
    return printable(text, 600);
}

Error slurmIsSilent(const std::string& job, const Captured& captured) {
    return environmentError("Slurm does not know it: " + complaintOf(captured), "job " + job, kSilentRemedy);
}

} // namespace trainyard::run
