// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the programs of Trainyard.
#pragma once

#include "engine/run/record/run_folder.h"

#include <filesystem>

namespace trainyard::run {

// The folder of trainyardctl and the other programs: $TRAINYARD_BIN, else the one set below, else that of the running
// program.
std::filesystem::path programFolder();
// For programs on the library, which lie elsewhere. Ignored unless trainyardctl is in the folder.
void setProgramFolder(const std::filesystem::path& folder);
// trainyard-worker in that folder.
std::filesystem::path workerProgram();
// trainyard-relay there, which starts ranks on other hosts (relay.h).
std::filesystem::path relayProgram();
// The program of each rank of the folder's run: the worker program, unless its launch record names one.
std::filesystem::path rankProgram(const RunFolder& folder);

} // namespace trainyard::run
