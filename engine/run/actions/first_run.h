// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/catalog.h"
#include "engine/spec/run_spec.h"

namespace trainyard::run {

// A preset of the first run: Fashion-MNIST when it is installed, else the generated set, for two workers.
spec::RunSpec firstRun(const spec::Catalog& catalog, int cores);

// Its model and optimizer for a folder of images of one's own, which may be few.
void fitToOwnImages(spec::RunSpec& spec);

// Its length for a text of one's own: a page of it has a few steps in an epoch.
void fitToOwnText(spec::RunSpec& spec);

} // namespace trainyard::run
