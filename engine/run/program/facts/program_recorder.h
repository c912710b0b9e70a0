// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"

#include <atomic>
#include <filesystem>
#include <thread>

namespace trainyard::run {

// Writes the record of a program's run (program_record.h) beside it, once: on a thread that waits for the program to
// have been started, and gets out of the way of it. At the end it has one more second, and what takes longer is left
// out. Trials of a sweep with the same interpreter are made of the same: they get the record that the first of them has
// left in the sweep's folder. Nothing for other runs.
class ProgramRecorder {
public:
    // `sweepFolder`: of a trial; else empty.
    ProgramRecorder(const RunFolder& folder, const spec::RunSpec& spec, const LaunchRecord& launch,
                    const std::filesystem::path& sweepFolder);
    ~ProgramRecorder();
    ProgramRecorder(const ProgramRecorder&) = delete;
    ProgramRecorder& operator=(const ProgramRecorder&) = delete;

private:
    void record(const RunFolder& folder, const std::optional<RunCode>& code, bool isHere);
    bool goesOn() const;

    std::filesystem::path m_shared; // without an ending; empty: it is no trial
    std::atomic<double> m_until;
    std::thread m_thread;
};

} // namespace trainyard::run
