// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/imports/imported_run.h"

namespace trainyard::run {

// Rule: which series an imported run is judged by.
// That of an accuracy in validation, else of another measure there, else of the loss, by the words of its name
// ("val_acc", "eval/loss", "metrics/mAP50(B)"); one in a test where none is of a validation. Empty: there is neither.
std::string importedScore(const imports::ImportedRun& run);

} // namespace trainyard::run
