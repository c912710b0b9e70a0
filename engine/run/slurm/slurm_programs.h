// SPDX-License-Identifier: GPL-3.0-or-later
// Asking Slurm's own programs.
#pragma once

#include "engine/run/launch/capture.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::run {

// What a program of Slurm printed, found as a shell finds it; variables may come before it ("NAME=value"). Environment
// when it is not there (with code FileMissing) or does not end within a minute.
Result<Captured> askSlurmProgram(const std::vector<std::string>& words);
// The number that a job, or a task of it, has written into its folder when it began: Slurm may have forgotten the job
// since. Empty: none.
std::string numberInFolder(const std::filesystem::path& folder);
inline constexpr const char* kSilentRemedy = "ask again when the controller answers: scontrol ping";
// What it said of its failure, for people, in one line.
std::string complaintOf(const Captured& captured);
// Environment: the controller answers neither this question about the job nor others.
Error slurmIsSilent(const std::string& job, const Captured& captured);

} // namespace trainyard::run
