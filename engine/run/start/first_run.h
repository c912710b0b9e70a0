// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

namespace trainyard::run {

// A preset of the first run: Fashion-MNIST when it is installed, else the generated set, for two workers.
spec::RunSpec firstRun(const spec::Catalog& catalog, int cores);

// Its model and optimizer for a folder of images of one's own, which may be few.
void fitToOwnImages(spec::RunSpec& spec);

// The usual batch and length for its dataset: a person's own data may be small, and a page of text has few steps in an
// epoch.
void fitLengthToData(spec::RunSpec& spec, const spec::Catalog& catalog);
// Whether they are the usual ones of some dataset, and so not a choice of the user.
bool hasUsualLength(const spec::RunSpec& spec, const spec::Catalog& catalog);

} // namespace trainyard::run
