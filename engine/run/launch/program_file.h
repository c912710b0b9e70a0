// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <filesystem>

namespace trainyard::run {

// A program as its file was when this object was made. An upgrade replaces the file while runs train; what a supervisor
// starts later must still be the program that its other ranks are.
class ProgramFile {
public:
    // A file that is not there yet is taken as it is found later.
    explicit ProgramFile(std::filesystem::path path);

    // What it is called.
    const std::filesystem::path& path() const { return m_path; }
    // What to execute or to copy: the path, as long as the file that was opened is there; after that a name in /proc by
    // which this process and its children reach it, while this process lives.
    std::filesystem::path source() const;
    // Another file, or none, has the path now.
    bool replaced() const;

private:
    std::filesystem::path m_path;
    UniqueFd m_file; // keeps the file on the disk after its name is gone
};

} // namespace trainyard::run
