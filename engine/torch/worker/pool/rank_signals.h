// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/rank_progress.h"

namespace trainyard::train {

class RankChannel;

// std::terminate for want of memory ends the process with run::kOutOfMemoryExit and a line that says so; for other
// exceptions the line names them. For the whole life of a rank's process.
void endTellingOfMemory();

// SIGTERM becomes "save and stop"; SIGPIPE and SIGXFSZ are ignored; SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and
// std::terminate write one line with rank and step to stderr before the process dies of them. Both arguments must live
// until forgetRankSignals().
void installRankSignals(RankChannel& channel, const Progress& progress);
void forgetRankSignals();
bool wasTerminated(); // there was a SIGTERM, ever
void setRankForSignals(int rank);

} // namespace trainyard::train
