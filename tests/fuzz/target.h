// SPDX-License-Identifier: GPL-3.0-or-later
// What a fuzzer calls with its bytes, instead of LLVMFuzzerTestOneInput:
//   TRAINYARD_FUZZ_TARGET(data, size) { … return 0; }
// For libFuzzer it is the program's entry point; among the tests, one of many targets of one program, which is found by
// the name of its file (test_main.h) and fed by replay().
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef TRAINYARD_LIBFUZZER

#define TRAINYARD_FUZZ_TARGET(Data, Size)                                                                              \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* Data, std::size_t Size)

#else

#include "tests/fuzz/replay.h"
#include "tests/test_main.h"

// Numbered, as a unity build compiles several targets as one file.
#define TRAINYARD_FUZZ_TARGET(Data, Size) TRAINYARD_FUZZ_TARGET_COUNTED(Data, Size, __COUNTER__)
#define TRAINYARD_FUZZ_TARGET_COUNTED(Data, Size, Number) TRAINYARD_FUZZ_TARGET_NUMBERED(Data, Size, Number)
#define TRAINYARD_FUZZ_TARGET_NUMBERED(Data, Size, Number)                                                             \
    static int trainyardFuzzTarget##Number(const std::uint8_t*, std::size_t);                                          \
    static const trainyard::test::RegisteredMain trainyardRegisteredTarget##Number(                                    \
        __FILE__,                                                                                                      \
        [](int argc, char** argv) { return trainyard::test::replay(argc, argv, trainyardFuzzTarget##Number); });       \
    static int trainyardFuzzTarget##Number(const std::uint8_t* Data, std::size_t Size)

#endif
