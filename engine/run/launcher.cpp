// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launcher.h"

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace trainyard::run {

std::string ExitStatus::text() const {
    if (!signalled && code < 0) return "ended, nobody knows how";
    if (!signalled) return "exited with " + std::to_string(code);
    const char* name = ::sigabbrev_np(code);
    return "was killed by " + (name ? "SIG" + std::string(name) : "signal " + std::to_string(code));
}

std::filesystem::path programFolder() {
    if (const char* given = std::getenv("TRAINYARD_BIN"); given && *given) return given;
    std::error_code ignored;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return self.empty() ? std::filesystem::path("/usr/bin") : self.parent_path();
}

} // namespace trainyard::run
