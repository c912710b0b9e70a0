// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard::run {

// Checkpoints of a run that could not be saved, and their effect on its end status. Training continues, since a later
// save may succeed; a run without its last checkpoint has lost its training since the newest saved one.
class UnsavedCheckpoints {
public:
    void failed(std::int64_t step, Error cause);
    void saved() { m_last.reset(); }
    // Why the checkpoint of `step` was not saved, if it is the newest one due; empty: it was saved, or another is
    // newer.
    std::string why(std::int64_t step) const;

    // Of a run that ends at `step` and was to save it: Environment, with the cause and what is left; nothing when the
    // newest checkpoint is there. `newest`: step of the newest one that is saved. `ending`: "trained" or "stopped".
    std::optional<Error> atTheEnd(const std::string& ending, std::int64_t step,
                                  std::optional<std::int64_t> newest) const;
    // The notice for a run whose last checkpoint was saved; empty: all were.
    std::string notice() const;

private:
    struct Failed {
        std::int64_t step = 0;
        Error cause;
    };
    std::optional<Failed> m_last;   // no other was saved since
    std::optional<Failed> m_newest; // whatever was saved since
    int m_count = 0;
};

// "the checkpoint of step 300 was not saved: the disk is full (free some space)"
std::string notSavedText(std::int64_t step, const Error& cause);

} // namespace trainyard::run
