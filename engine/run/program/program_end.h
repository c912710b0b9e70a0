// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace trainyard::run {

// What is known of a program that has ended by itself with an exit code other than 0.
struct ProgramEnd {
    int exitCode = 1;
    std::string_view printed;      // the last of what it printed
    std::filesystem::path project; // the user's own files are below it
    std::string interpreter;       // its file; empty: no Python
    bool hasPeers = false;         // there are other ranks, which may be lost
};

// Rule: what a program has failed of.
// From what it printed last: the exception of its last traceback, with the user's own line as the place; what argparse
// says; else its last line. Input where the same words cannot end otherwise (a missing module, a syntax error, an
// unknown argument); the codes out-of-memory, disk-full, and peer-lost for a rank that only tells of another one's end.
Error errorOf(const ProgramEnd& end);

// A program that has stood still for so long and was sent SIGABRT: Python's faulthandler has printed where it stood,
// and the user's own line is the place. Worker-silent.
Error hangOf(const ProgramEnd& end, double seconds);

} // namespace trainyard::run
