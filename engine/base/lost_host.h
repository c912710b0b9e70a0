// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error_code.h"

namespace trainyard {

// The network or the host is gone, and may be back: nothing is wrong with what was asked for.
inline bool isLostHost(ErrorCode code) {
    return code == ErrorCode::HostUnreachable || code == ErrorCode::ConnectionLost;
}

} // namespace trainyard
