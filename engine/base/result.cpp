// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include <cerrno>
#include <cstring>

namespace trainyard {

std::string Error::text() const {
    std::string line = where.empty() ? message : where + ": " + message;
    if (!remedy.empty()) line += " (" + remedy + ")";
    return line;
}

Error systemError(const std::string& what, std::string where, std::string remedy) {
    const int code = errno;
    return environmentError(what + ": " + std::strerror(code), std::move(where), std::move(remedy))
        .withCode(errorCodeOfErrno(code));
}

std::string limitRemedy(int code) {
    switch (code) {
    case EAGAIN: return "there are too many processes: raise the limit (ulimit -u), end others, or use fewer workers";
    case EMFILE: return "this program has too many open files: raise the limit (ulimit -n), or use fewer workers";
    case ENFILE: return "the computer has too many open files: close other programs";
    case ENOMEM: return "the memory is used up: close other programs, or use fewer workers";
    default: return {};
    }
}

int exitCode(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Run: return 1;
    case ErrorKind::Input: return 2;
    case ErrorKind::Environment: return 3;
    case ErrorKind::Stopped: return 130;
    }
    return 1;
}

const char* toString(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Run: return "run";
    case ErrorKind::Input: return "input";
    case ErrorKind::Environment: return "environment";
    case ErrorKind::Stopped: return "stopped";
    }
    return "run";
}

ErrorKind errorKindFromString(const std::string& word) {
    if (word == "input") return ErrorKind::Input;
    if (word == "environment") return ErrorKind::Environment;
    if (word == "stopped") return ErrorKind::Stopped;
    return ErrorKind::Run;
}

} // namespace trainyard
