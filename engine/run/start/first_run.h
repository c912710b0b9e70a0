// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

namespace trainyard::run {

// A preset of the first run: Fashion-MNIST when it is installed, else the generated set, for two workers.
spec::RunSpec firstRun(const spec::Catalog& catalog, int cores);

// Its model and optimizer for a folder of images of one's own, which may be few.
void fitToOwnImages(spec::RunSpec& spec);

// Batch and length as they are usual for its dataset: data of one's own may be few, and a page of text has a few steps
// in an epoch.
void fitLengthToData(spec::RunSpec& spec, const spec::Catalog& catalog);
// Whether they are what is usual for some dataset, so that they are nobody's choice.
bool hasUsualLength(const spec::RunSpec& spec, const spec::Catalog& catalog);

} // namespace trainyard::run
