// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard {

// The exact failure, for code that branches on it: the window's fixes, the supervisor, scripts that read --json.
// ERRORS.md has a row for each. The words are part of the file formats: they are never changed or reused.
enum class ErrorCode {
    General, // none of the others
    OutOfMemory,
    LossNotFinite,
    PeerLost,
    WorkerExited,
    WorkerKilled,
    WorkerSilent,
    ReplicasDiffer,
    SupervisorLost,
    CheckpointNotSaved,
    DiskFull,
    FieldInvalid,
    FileMissing,
    DatasetMissing,
    RunUnknown,
    AlreadyRunning,
    NotRunning,
    HostUnreachable,
    HostKeyUnknown,
    HostKeyChanged,
    SignInRefused,
    ConnectionLost,
    NotQueued,
    NotTrainedHere,
    HostUnsuitable,
    NewerVersion,
    DataUnreadable,
    DataChanged,
    CheckpointMisfit,
    Stopped, // the last one
};
inline constexpr int kErrorCodes = static_cast<int>(ErrorCode::Stopped) + 1;

// "out-of-memory": the word in JSON, messages and the database.
const char* toString(ErrorCode code);
ErrorCode errorCodeFromString(std::string_view word); // General when unknown, such as one of a newer program
// Of a failed system call: DiskFull, OutOfMemory or General.
ErrorCode errorCodeOfErrno(int code);

// The network or the host is gone, and may be back: nothing is wrong with what was asked for.
inline bool isLostHost(ErrorCode code) {
    return code == ErrorCode::HostUnreachable || code == ErrorCode::ConnectionLost;
}

} // namespace trainyard
