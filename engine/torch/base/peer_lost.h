// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace trainyard::train {

// A wait for another rank has ended without it: it is dead, its connection is, or it did not come in time. The text
// says which rank and which step.
class PeerLost : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace trainyard::train
