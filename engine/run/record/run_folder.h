// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/name_of.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::store {
struct CheckpointRow;
}

namespace trainyard::run {

inline constexpr const char* kSupersededPrefix = "pinned-"; // of a file in the folder of checkpoints

// The files of a run. A supervisor gets nothing but this folder.
struct RunFolder {
    std::filesystem::path root;

    std::filesystem::path runFile() const { return root / "run.json"; }
    std::filesystem::path evaluationFile() const {
        return root / "evaluation.json";
    } // of the newest validation, and of the test
    std::filesystem::path dataFile() const { return root / "data.json"; }               // what was trained on
    std::filesystem::path dataErrorsFile() const { return root / "data-errors.jsonl"; } // files that were left out
    std::filesystem::path launchFile() const { return root / "launch.json"; }
    std::filesystem::path checkpoints() const { return root / "checkpoints"; }
    // The new place of a pinned checkpoint when the run goes back to before it, as its name will be used again.
    std::filesystem::path superseded(const store::CheckpointRow& row) const;
    std::filesystem::path logs() const { return root / "logs"; }
    std::filesystem::path tensorBoard() const { return root / "tensorboard"; }
    std::filesystem::path rankLog(int rank) const { return logs() / ("rank" + std::to_string(rank) + ".log"); }
    // A fork's own copy of the checkpoint it begins from, as the other run may prune it.
    std::filesystem::path startCheckpoint() const { return root / "start.safetensors"; }
};

// Whether a new run has a folder for logs before a rank has printed something: one of very many runs has none.
enum class LogFolder { Now, WhenNeeded };
// Creates it with folders for checkpoints and logs. Environment: it exists, and so belongs to another run, or it
// cannot be created.
Result<void> makeRunFolder(const RunFolder& folder, LogFolder logs = LogFolder::Now);

// A program on the library that replaces trainyard-worker, started anew for every rank.
struct RankProgram {
    std::string path;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment; // besides what every rank is told
};

// The snapshot of a program's code that a run starts from (engine/program/code).
struct RunCode {
    std::string digest;  // names it in the workspace
    std::string project; // the folder that it is of
    bool operator==(const RunCode&) const = default;
};

// A supervisor's inputs besides the run file.
struct LaunchRecord {
    RunId run;
    std::string workspace;                // its root
    std::string resumeFrom;               // checkpoint file of a fork; empty: from scratch
    std::optional<RankProgram> program{}; // nothing: trainyard-worker
    // "model.path" -> where this computer has a file that the run file names by its path on another one.
    std::map<std::string, std::string> files{};
    // The CUDA devices that each host's ranks see, by number; the empty name is this computer. A missing host: all
    // devices.
    std::map<std::string, std::vector<int>> devices{};
    // The run file of a run that had finished and is being continued: what it keeps when that fails; else empty.
    std::string finishedAs{};
    std::optional<RunCode> code{}; // nothing: the program runs where its files are
};

Result<void> writeLaunchRecord(const RunFolder& folder, const LaunchRecord& record,
                               Outlives outlives = Outlives::PowerLoss);
Result<LaunchRecord> readLaunchRecord(const RunFolder& folder); // Input when it is not a run folder

// Rule: what becomes of a folder whose maker was killed.
// Removes it if nothing in it has changed for a minute, nobody holds its lock (store::RunLock), and under that lock
// `isRecorded` says that it is unknown. Best effort.
void removeAbandoned(const std::filesystem::path& folder, const std::function<bool()>& isRecorded);

} // namespace trainyard::run
