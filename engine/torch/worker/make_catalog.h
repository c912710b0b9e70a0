// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"

namespace trainyard::train {

// What this build on this machine offers: the tables of models, datasets, optimizers, schedules and losses, the
// devices that are there, and a check of the matrix product's speed. Takes well under a second; reads no dataset.
spec::Catalog makeCatalog();

} // namespace trainyard::train
