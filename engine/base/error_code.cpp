// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error_code.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace trainyard {
namespace {

// In the order of the enumeration.
constexpr std::array kWords = {
    "general",         "out-of-memory",   "loss-not-finite",  "peer-lost",         "worker-exited",
    "worker-killed",   "worker-silent",   "replicas-differ",  "supervisor-lost",   "checkpoint-not-saved",
    "disk-full",       "field-invalid",   "file-missing",     "dataset-missing",   "run-unknown",
    "already-running", "not-running",     "host-unreachable", "host-key-unknown",  "host-key-changed",
    "sign-in-refused", "connection-lost", "not-queued",       "not-trained-here",  "host-unsuitable",
    "newer-version",   "data-unreadable", "data-changed",     "checkpoint-misfit", "stopped"};
static_assert(kWords.size() == kErrorCodes);

} // namespace

const char* toString(ErrorCode code) { return kWords[static_cast<std::size_t>(code)]; }

ErrorCode errorCodeFromString(std::string_view word) {
    const auto found = std::find(kWords.begin(), kWords.end(), word);
    return found == kWords.end() ? ErrorCode::General : static_cast<ErrorCode>(found - kWords.begin());
}

ErrorCode errorCodeOfErrno(int code) {
    switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return ErrorCode::DiskFull;
    case ENOMEM: return ErrorCode::OutOfMemory;
    default: return ErrorCode::General;
    }
}

} // namespace trainyard
