// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs whose submission was cut short: what is recorded of them has no number.
#include "engine/base/files/atomic_file.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/run/slurm/slurm_programs.h"

#include <chrono>
#include <sstream>

namespace fs = std::filesystem;

namespace trainyard::run {
namespace {

constexpr std::chrono::seconds kSubmissionTime{120}; // that sbatch takes at most, and then some

// Of the person's jobs the one that works in this folder, whose name no other one has.
Result<std::string> numberInSlurm(const fs::path& folder) {
    TY_ASSIGN(const auto all, askSlurmProgram({"squeue", "--me", "--states=all", "--noheader", "--format=%F %Z"}));
    if (all.exitCode != 0)
        return environmentError("Slurm does not say which jobs there are: " + complaintOf(all), "squeue",
                                kSilentRemedy);
    std::istringstream lines(all.output);
    for (std::string line; std::getline(lines, line);) {
        const auto space = line.find(' ');
        const auto number = line.substr(0, space);
        if (space != line.npos && isJobNumber(number) &&
            fs::path(line.substr(space + 1)).filename() == folder.filename())
            return number;
    }
    return std::string();
}

} // namespace

std::string numberInFolder(const fs::path& folder) {
    auto text = readFile(folder / "number", 64).valueOr("");
    while (text.ends_with('\n')) text.pop_back();
    return isJobNumber(text) ? text : std::string();
}

Result<bool> findJobNumber(SlurmJob& job) {
    if (!job.job.empty()) return true;
    job.job = numberInFolder(job.folder);
    if (job.job.empty()) { TY_ASSIGN(job.job, numberInSlurm(job.folder)); }
    if (job.job.empty()) return false;
    (void)recordSlurmJob(job); // else it is looked for again
    return true;
}

Allocation whileUnsubmitted(const SlurmJob& job) {
    std::error_code failure;
    const auto since = fs::file_time_type::clock::now() - fs::last_write_time(job.folder / "job.sh", failure);
    if (!failure && since < kSubmissionTime) return Pending{"being submitted"};
    return Ended{EndReason::Cancelled, 0};
}

} // namespace trainyard::run
