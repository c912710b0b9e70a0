// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <filesystem>

namespace trainyard::run {

// A program's file as it was when this object was made. An upgrade may replace it while runs train; ranks that a
// supervisor starts later must still be the same program as the others.
class ProgramFile {
public:
    // A missing file is opened when it appears.
    explicit ProgramFile(std::filesystem::path path);

    // What it is called.
    const std::filesystem::path& path() const { return m_path; }
    // The file to execute or copy: the path while the opened file is there, else a name in /proc that this process and
    // its children can use while this process lives.
    std::filesystem::path source() const;
    // The path now has another file, or none.
    bool replaced() const;

private:
    std::filesystem::path m_path;
    UniqueFd m_file; // keeps the file on the disk after its name is gone
};

} // namespace trainyard::run
