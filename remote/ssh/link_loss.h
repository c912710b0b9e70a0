// SPDX-License-Identifier: GPL-3.0-or-later
// How the loss of a connection to a host is told, whichever program speaks SSH.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace trainyard::remote {

inline constexpr const char* kHostIsSilent = "the host does not answer any more (link cut or host off)";
inline constexpr const char* kHostReset = "the host reset the connection";
inline constexpr const char* kHostClosed = "the host closed the connection";

inline Error connectionLost(const std::string& reason, const std::string& where) {
    return environmentError("the connection was lost: " + reason, where).withCode(ErrorCode::ConnectionLost);
}

} // namespace trainyard::remote
