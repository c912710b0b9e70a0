// SPDX-License-Identifier: GPL-3.0-or-later
// Distributed training of a LibTorch program: everything that a program on the library includes.
#pragma once

#include "trainyard/checkpoint.h"
#include "trainyard/config.h"
#include "trainyard/context.h"
#include "trainyard/creator.h"
#include "trainyard/data.h"
#include "trainyard/network.h"
#include "trainyard/run.h"
#include "trainyard/trainer.h"
#include "trainyard/tune.h"

#ifdef TRAINYARD_PROGRAM_FOLDER // set by the CMake package: where trainyardctl was installed
namespace trainyard::train::detail {
bool tellProgramFolder(const char* folder);
inline const bool kProgramFolderTold = tellProgramFolder(TRAINYARD_PROGRAM_FOLDER);
} // namespace trainyard::train::detail
#endif
