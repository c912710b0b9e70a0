// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainyard::test {

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

// The main function of a fuzz target without libFuzzer: runs it with every file of the folder argv[1], then with
// changed copies of them from a fixed seed, for at most a second. It crashes, like libFuzzer, when the target does.
// Returns the exit status: 2 where there is no folder or no file in it.
int replay(int argc, char** argv, FuzzTarget target);

} // namespace trainyard::test
