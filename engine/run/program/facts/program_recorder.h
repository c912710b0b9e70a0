// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"

#include <atomic>
#include <thread>

namespace trainyard::run {

// Writes the record of a program's run (program_record.h) beside it, once: on a thread that waits for the program to
// have been started, and gets out of the way of it. At the end it has one more second, and what takes longer is left
// out. Nothing for other runs, and of the trials of a sweep for all but the first, which are made of the same.
class ProgramRecorder {
public:
    ProgramRecorder(const RunFolder& folder, const spec::RunSpec& spec, const LaunchRecord& launch, int trial);
    ~ProgramRecorder();
    ProgramRecorder(const ProgramRecorder&) = delete;
    ProgramRecorder& operator=(const ProgramRecorder&) = delete;

private:
    void record(const RunFolder& folder, const std::optional<RunCode>& code, bool isHere);
    bool goesOn() const;

    std::atomic<double> m_until;
    std::thread m_thread;
};

} // namespace trainyard::run
