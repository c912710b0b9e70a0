// SPDX-License-Identifier: GPL-3.0-or-later
// The models that a run file can name, in the order in which they are listed. A row here and the function it names, in
// a file of this folder, are all that a new one takes.
#pragma once

#include "engine/torch/models/model.h"

// clang-format off
#define TRAINYARD_MODELS(ROW) \
    ROW(softmaxEntry)         \
    ROW(mlpEntry)             \
    ROW(convNetEntry)         \
    ROW(resNet18Entry)        \
    ROW(resNet34Entry)        \
    ROW(resNet50Entry)        \
    ROW(vgg11Entry)           \
    ROW(mobileNetEntry)       \
    ROW(efficientNetEntry)    \
    ROW(convNextEntry)        \
    ROW(vitEntry)             \
    ROW(gptEntry)             \
    ROW(lstmEntry)            \
    ROW(scriptEntry)          \
    ROW(pluginEntry)
// clang-format on

namespace trainyard::models {

#define TRAINYARD_DECLARE(entry) ModelEntry entry();
TRAINYARD_MODELS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

} // namespace trainyard::models
