// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// MNIST and Fashion-MNIST: four IDX files in one folder.
DatasetEntry fashionMnistEntry();
DatasetEntry mnistEntry();

} // namespace trainyard::data
