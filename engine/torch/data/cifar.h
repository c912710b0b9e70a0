// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// CIFAR-10 and CIFAR-100 in their binary version.
DatasetEntry cifar10Entry();
DatasetEntry cifar100Entry();

} // namespace trainyard::data
