// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <exception>
#include <stdexcept>
#include <type_traits>

namespace trainyard::train {

// An error on its way through code that throws: errorFrom() gives it back as it was.
class Raised : public std::runtime_error {
public:
    explicit Raised(Error raised) : std::runtime_error(raised.text()), error(std::move(raised)) {}
    const Error error;
};

// What an exception means to the user: out of memory is Environment with that code, what a module of TorchScript raises
// itself is Input, all else Run. LibTorch's backtrace is cut off.
Error errorFrom(const std::exception& exception, const std::string& where);

// The text of an exception as one line: of TorchScript's interpreter, which quotes the code of every call, the line
// that says what happened, with its place: "RuntimeError: not for inference (net.py, line 6, in forward)".
std::string inOneLine(const std::string& message);

// Calls `work` (which returns a Result) and turns an exception into its error: LibTorch throws, this library's edges
// do not.
template <class Work>
std::invoke_result_t<Work> guarded(const std::string& where, Work&& work) {
    try {
        return work();
    } catch (const std::exception& exception) { return errorFrom(exception, where); }
}

} // namespace trainyard::train
