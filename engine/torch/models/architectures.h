// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/models/model.h"

namespace trainyard::models {

// One function per file of this folder; modelEntries() puts them in a row.
ModelEntry softmaxEntry();
ModelEntry mlpEntry();
ModelEntry convNetEntry();
ModelEntry resNet18Entry();
ModelEntry resNet34Entry();
ModelEntry resNet50Entry();
ModelEntry vgg11Entry();
ModelEntry mobileNetEntry();
ModelEntry vitEntry();
ModelEntry gptEntry();
ModelEntry lstmEntry();
ModelEntry scriptEntry(); // engine/torch/script/module.cpp
ModelEntry pluginEntry(); // engine/torch/script/plugin.cpp

} // namespace trainyard::models
