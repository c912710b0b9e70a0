// SPDX-License-Identifier: GPL-3.0-or-later
// What every program of Trainyard does first and last, and how it ends where nothing else is left to do.
#pragma once

#include "engine/base/result.h"

namespace trainyard {

// At the beginning of main(). From then on a limit of file sizes (ulimit -f) is an error of the write that meets it; no
// file that is opened takes the place of a standard stream that was closed; a relative $TRAINYARD_BIN is absolute; an
// exception that nothing catches ends the program with a sentence: memory that is refused with exit code 3, another one
// by abort(). `name` is said before it and outlives the program.
void beginProgram(const char* name);

// At the end of main(): the exit code, which becomes 3 where it was 0 and standard output has not taken all that was
// printed; says so on stderr. A reader that is gone, as behind a pipe to head(1), is no error.
int endProgram(int code);

// Memory was refused: Environment with the code out-of-memory. Says what this process may still have, as its own limit
// or the computer allows, and what to do.
Error outOfMemoryError();

} // namespace trainyard
