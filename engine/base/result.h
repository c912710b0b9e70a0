// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>: a value or an Error. The way failures cross every module edge; exceptions stay inside engine/torch.
#pragma once

#include "engine/base/error_code.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace trainyard {

// Who has to act on an error; what exactly went wrong is its code. The exit code of every program follows from it
// (exitCode below).
enum class ErrorKind {
    Run,         // the training itself failed: 1
    Input,       // a file, field or argument is wrong: 2
    Environment, // host, device, disk, permission: 3
    Stopped,     // the user asked for it: 130
};

// What went wrong: the kind says who has to act, the other fields say what failed, where, and what to do about it.
struct Error {
    ErrorKind kind = ErrorKind::Run;
    std::string message; // plain cause, one sentence, with the value that was found
    std::string where;   // file and offset, field path, or rank and host; empty when the message says it all
    std::string remedy;  // what the user can do; empty when there is nothing to suggest
    ErrorCode code = ErrorCode::General;

    // "where: message (remedy)" on one line.
    std::string text() const;
    // The same error with a code: return runError(…).withCode(ErrorCode::PeerLost).
    Error withCode(ErrorCode is) && {
        code = is;
        return std::move(*this);
    }
    bool operator==(const Error&) const = default;
};

inline Error inputError(std::string message, std::string where = {}, std::string remedy = {}) {
    return {ErrorKind::Input, std::move(message), std::move(where), std::move(remedy)};
}
inline Error environmentError(std::string message, std::string where = {}, std::string remedy = {}) {
    return {ErrorKind::Environment, std::move(message), std::move(where), std::move(remedy)};
}
inline Error runError(std::string message, std::string where = {}, std::string remedy = {}) {
    return {ErrorKind::Run, std::move(message), std::move(where), std::move(remedy)};
}
inline Error stoppedError(std::string message) {
    return {ErrorKind::Stopped, std::move(message), {}, {}, ErrorCode::Stopped};
}
// An Environment error that ends in the text of errno, read before anything else can change it, with the code of errno.
Error systemError(const std::string& what, std::string where = {}, std::string remedy = {});
// What to do when errno says that there are too many processes, open files or too little memory; else empty.
std::string limitRemedy(int code);

// 1, 2, 3 or 130: the terminal contract.
int exitCode(ErrorKind kind);
// "run", "input", "environment", "stopped": the word used in JSON.
const char* toString(ErrorKind kind);
ErrorKind errorKindFromString(const std::string& word); // Run when unknown

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & {
        assert(ok());
        return std::get<0>(m_state);
    }
    const T& value() const& {
        assert(ok());
        return std::get<0>(m_state);
    }
    T&& value() && {
        assert(ok());
        return std::get<0>(std::move(m_state));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T valueOr(T other) const { return ok() ? value() : std::move(other); }

    const Error& error() const& {
        assert(!ok());
        return std::get<1>(m_state);
    }
    Error&& error() && {
        assert(!ok());
        return std::get<1>(std::move(m_state));
    }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error& error() const& {
        assert(!m_ok);
        return m_error;
    }
    Error&& error() && {
        assert(!m_ok);
        return std::move(m_error);
    }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace trainyard

#define TRAINYARD_JOIN2(a, b) a##b
#define TRAINYARD_JOIN(a, b) TRAINYARD_JOIN2(a, b)
// TY_TRY(expression): returns its error from the calling function.
#define TY_TRY(expression)                                                                                             \
    do {                                                                                                               \
        if (auto tyResult = (expression); !tyResult.ok()) return std::move(tyResult).error();                          \
    } while (false)
// TY_ASSIGN(auto x, expression): x becomes the value, or the error is returned.
#define TY_ASSIGN(declaration, expression)                                                                             \
    auto TRAINYARD_JOIN(tyResult, __LINE__) = (expression);                                                            \
    if (!TRAINYARD_JOIN(tyResult, __LINE__).ok()) return std::move(TRAINYARD_JOIN(tyResult, __LINE__)).error();        \
    declaration = std::move(TRAINYARD_JOIN(tyResult, __LINE__)).value()
