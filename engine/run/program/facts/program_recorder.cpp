// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/facts/program_recorder.h"

#include "engine/base/clock.h"
#include "engine/base/math/sha256.h"
#include "engine/run/program/facts/program_record.h"

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <limits>
#include <span>

namespace trainyard::run {
namespace {

constexpr double kLastSeconds = 1; // after the end
constexpr std::chrono::milliseconds kLook{20};
constexpr int kNiceness = 10;

std::filesystem::path sharedBy(const std::filesystem::path& sweepFolder, const spec::Program& program) {
    if (sweepFolder.empty()) return {};
    const auto name = sha256Hex(std::as_bytes(std::span(program.interpreter)));
    return sweepFolder / ("record-" + name.substr(0, 12));
}

bool linkOrCopy(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code failure;
    std::filesystem::create_hard_link(from, to, failure);
    if (failure && failure != std::errc::file_exists) {
        failure.clear();
        std::filesystem::copy_file(from, to, failure);
    }
    return !failure || failure == std::errc::file_exists;
}

// Two files: the record comes last, and says that the patch is there.
bool give(const std::filesystem::path& record, const std::filesystem::path& patch,
          const std::filesystem::path& toRecord, const std::filesystem::path& toPatch) {
    std::error_code ignored;
    if (!std::filesystem::exists(record, ignored)) return false;
    if (std::filesystem::exists(patch, ignored) && !linkOrCopy(patch, toPatch)) return false;
    return linkOrCopy(record, toRecord);
}

} // namespace

ProgramRecorder::ProgramRecorder(const RunFolder& folder, const spec::RunSpec& spec, const LaunchRecord& launch,
                                 const std::filesystem::path& sweepFolder)
    : m_shared(spec.program ? sharedBy(sweepFolder, *spec.program) : std::filesystem::path()),
      m_until(std::numeric_limits<double>::infinity()) {
    std::error_code ignored;
    if (!spec.program || std::filesystem::exists(recordFile(folder), ignored)) return;
    std::filesystem::create_directories(recordFile(folder).parent_path(), ignored);
    if (!m_shared.empty() &&
        give(m_shared.string() + ".json", m_shared.string() + ".patch", recordFile(folder), patchFile(folder)))
        return;
    m_thread =
        std::thread([this, folder, code = launch.code, isHere = spec.hosts.empty()] { record(folder, code, isHere); });
}

ProgramRecorder::~ProgramRecorder() {
    m_until = monotonicSeconds() + kLastSeconds;
    if (m_thread.joinable()) m_thread.join();
}

bool ProgramRecorder::goesOn() const { return monotonicSeconds() < m_until; }

void ProgramRecorder::record(const RunFolder& folder, const std::optional<RunCode>& code, bool isHere) {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness); // of this thread, and of what it starts
    std::optional<StartedProgram> started;
    while (isHere && !(started = readStarted(startedFile(folder))) && m_until > 1e300)
        std::this_thread::sleep_for(kLook);
    std::optional<PythonFacts> python;
    if (started && !started->interpreter.empty())
        if (auto facts = pythonFacts(started->interpreter)) python = std::move(*facts);
    std::optional<GitFacts> git;
    const auto project = code ? code->project : started ? started->folder : std::string();
    if (!project.empty() && goesOn()) git = gitFacts(project, [this] { return goesOn(); });
    if (git && !git->patch.empty()) (void)writeFileAtomic(patchFile(folder), git->patch, Outlives::Process);
    const auto json = recordOf(code ? &*code : nullptr, git ? &*git : nullptr, python, cudaDriver());
    (void)writeFileAtomic(recordFile(folder), jsonFile(json), Outlives::Process); // a full disk is told by the run
    if (!m_shared.empty() && python && goesOn())                                  // nothing was left out
        give(recordFile(folder), patchFile(folder), m_shared.string() + ".json", m_shared.string() + ".patch");
}

} // namespace trainyard::run
