// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of programs that are started from here.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace trainyard::run {

// What every rank's has besides, as libraries read it while they are loaded, unless this process's own has it: how long
// threads of OpenMP look for one another.
std::map<std::string, std::string> openMpVariables();
// That, and for trainyard-worker alone: malloc() asks for huge pages, because loading LibTorch fills 9,000 small ones.
std::map<std::string, std::string> workerVariables();

// This process's environment plus `added`, as "NAME=value".
std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added);

} // namespace trainyard::run
