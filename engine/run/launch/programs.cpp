// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/programs.h"

#include <cstdlib>

namespace trainyard::run {
namespace {

std::filesystem::path& toldFolder() { // set before main() by programs on the library
    static std::filesystem::path folder;
    return folder;
}

} // namespace

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

std::filesystem::path workerProgram() { return programFolder() / "trainyard-worker"; }

std::filesystem::path relayProgram() { return programFolder() / "trainyard-relay"; }

std::filesystem::path rankProgram(const RunFolder& folder) {
    const auto record = readLaunchRecord(folder);
    return record && record->program ? std::filesystem::path(record->program->path) : workerProgram();
}

} // namespace trainyard::run
