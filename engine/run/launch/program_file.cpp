// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/program_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trainyard::run {

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
