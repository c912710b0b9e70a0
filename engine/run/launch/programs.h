// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the programs of Trainyard.
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/record/run_folder.h"

#include <filesystem>

namespace trainyard::run {

// The folder of trainyardctl and the other programs: $TRAINYARD_BIN, else the one set below, else that of the running
// program.
std::filesystem::path programFolder();
// For programs on the library, which lie elsewhere. Ignored unless trainyardctl is in the folder.
void setProgramFolder(const std::filesystem::path& folder);
// trainyard-worker in that folder.
std::filesystem::path workerProgram();
// trainyard-relay there, which starts ranks on other hosts (relay.h).
std::filesystem::path relayProgram();
// What runs as each rank of a run of a user's program: the relay, which keeps it (engine/run/program).
RankProgram keeperProgram();
// Whether this program of a run's ranks is the one above, wherever it was copied to.
bool isKeeper(const std::filesystem::path& program);
// The folder of trainyard.py, which scripts of Python may import: ../share/trainyard/python there, installed and in the
// build folder; on a host that the relay was copied to, kModules beside it. Empty: it is missing.
std::filesystem::path pythonModuleFolder();
inline constexpr const char* kModules = "python";
// The program of each rank of the folder's run: the worker program, unless its launch record names one.
std::filesystem::path rankProgram(const RunFolder& folder);

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
