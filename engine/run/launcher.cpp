// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launcher.h"

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace trainyard::run {
namespace {

std::filesystem::path& toldFolder() { // set before main() by programs on the library
    static std::filesystem::path folder;
    return folder;
}

} // namespace

std::string ExitStatus::text() const {
    if (!signalled && code < 0) return "ended, nobody knows how";
    if (!signalled) return "exited with " + std::to_string(code);
    const char* name = ::sigabbrev_np(code);
    return "was killed by " + (name ? "SIG" + std::string(name) : "signal " + std::to_string(code));
}

std::filesystem::path programFolder() {
    if (const char* given = std::getenv("TRAINYARD_BIN"); given && *given) return given;
    if (!toldFolder().empty()) return toldFolder();
    std::error_code ignored;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return self.empty() ? std::filesystem::path("/usr/bin") : self.parent_path();
}

void setProgramFolder(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / "trainyardctl", ignored)) toldFolder() = folder;
}

} // namespace trainyard::run
