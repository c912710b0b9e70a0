// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/programs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

RankProgram keeperProgram() { return {relayProgram().string(), {"rank"}, {}}; }

bool isKeeper(const std::filesystem::path& program) { return program.filename() == relayProgram().filename(); }

std::filesystem::path pythonModuleFolder() {
    std::error_code ignored;
    for (const auto& folder : {programFolder() / ".." / "share" / "trainyard" / "python", programFolder() / kModules})
        if (std::filesystem::is_regular_file(folder / "trainyard.py", ignored)) return folder.lexically_normal();
    return {};
}

std::filesystem::path rankProgram(const RunFolder& folder) {
    const auto record = readLaunchRecord(folder);
    return record && record->program ? std::filesystem::path(record->program->path) : workerProgram();
}

ProgramFile::ProgramFile(std::filesystem::path path)
    : m_path(std::move(path)), m_file(::open(m_path.c_str(), O_PATH | O_CLOEXEC)) {}

bool ProgramFile::replaced() const {
    struct stat opened{}, now{};
    if (!m_file || ::fstat(m_file.get(), &opened) != 0) return false;
    return ::stat(m_path.c_str(), &now) != 0 || now.st_dev != opened.st_dev || now.st_ino != opened.st_ino;
}

std::filesystem::path ProgramFile::source() const {
    if (!replaced()) return m_path;
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_file.get());
}

} // namespace trainyard::run
