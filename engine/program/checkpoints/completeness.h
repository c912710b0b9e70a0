// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace trainyard::program {

// What the bytes of a checkpoint say of whether all of it is there.
enum class Structure {
    Whole,   // directory, header, index or list of files: all that they name is there
    Cut,     // something that they name is missing
    Unknown, // nothing in it tells
};

// What is known of a checkpoint that may still be being written.
struct CompletenessFacts {
    Structure structure = Structure::Unknown;
    bool openForWriting = false; // by a process of the run
    double quietSeconds = 0;     // since size, time or set of its files were last seen to change
};

inline constexpr double kQuietSeconds = 1, kQuietSecondsUntold = 15;

// Rule: when a program's checkpoint is complete.
// Its structure is whole, no process of the run can still write to it, and it has been quiet for a second; where the
// structure says nothing, for 15 s.
bool isComplete(const CompletenessFacts& facts);

} // namespace trainyard::program
