// SPDX-License-Identifier: GPL-3.0-or-later
// Where the programs of Trainyard are.
#pragma once

#include "engine/run/record/run_folder.h"

#include <filesystem>

namespace trainyard::run {

// Where trainyardctl and the other programs are: $TRAINYARD_BIN, else the folder told below, else that of the running
// program.
std::filesystem::path programFolder();
// A program on the library is somewhere else than the programs it needs. Takes the folder only if trainyardctl is
// there.
void setProgramFolder(const std::filesystem::path& folder);
// trainyard-worker in that folder.
std::filesystem::path workerProgram();
// trainyard-relay there: what starts ranks on other hosts (relay.h).
std::filesystem::path relayProgram();
// The program that the run of the folder starts as each rank: the worker program, unless its launch record names one.
std::filesystem::path rankProgram(const RunFolder& folder);

} // namespace trainyard::run
