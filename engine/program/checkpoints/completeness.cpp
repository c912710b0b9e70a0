// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/completeness.h"

namespace trainyard::program {

bool isComplete(const CompletenessFacts& facts) {
    if (facts.structure == Structure::Cut || facts.openForWriting) return false;
    return facts.quietSeconds >= (facts.structure == Structure::Whole ? kQuietSeconds : kQuietSecondsUntold);
}

} // namespace trainyard::program
