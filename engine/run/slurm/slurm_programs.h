// SPDX-License-Identifier: GPL-3.0-or-later
// Asking Slurm's own programs.
#pragma once

#include "engine/run/launch/capture.h"

#include <string>
#include <vector>

namespace trainyard::run {

// What a program of Slurm printed, found as a shell finds it; variables may come before it ("NAME=value"). Environment
// when it is not there (with code FileMissing) or does not end within a minute.
Result<Captured> askSlurmProgram(const std::vector<std::string>& words);
// What it said of its failure, for people.
std::string complaintOf(const Captured& captured);

} // namespace trainyard::run
