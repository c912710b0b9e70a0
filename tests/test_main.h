// SPDX-License-Identifier: GPL-3.0-or-later
// Many classes of tests in one program: each has a main function of its own, which is called when the program is
// started by the name of its file (a link to the program).
#pragma once

namespace trainyard::test {

using Main = int (*)(int argc, char** argv);

// One of the tests of this program; `source` is its file, whose name without the ending is the test's.
struct RegisteredMain {
    RegisteredMain(const char* source, Main main);
};

} // namespace trainyard::test

// Instead of main: TRAINYARD_TEST_MAIN(int argc, char** argv) { … }
// Numbered, as a unity build compiles several tests as one file.
#define TRAINYARD_TEST_MAIN TRAINYARD_TEST_MAIN_COUNTED(__COUNTER__)
#define TRAINYARD_TEST_MAIN_COUNTED(Number) TRAINYARD_TEST_MAIN_NUMBERED(Number)
#define TRAINYARD_TEST_MAIN_NUMBERED(Number)                                                                           \
    static int trainyardTestMain##Number(int argc, char** argv);                                                       \
    static const trainyard::test::RegisteredMain trainyardRegisteredMain##Number(__FILE__, trainyardTestMain##Number); \
    static int trainyardTestMain##Number
