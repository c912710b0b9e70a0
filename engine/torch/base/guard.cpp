// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/guard.h"

#include "engine/base/text/amounts.h"
#include "engine/torch/base/out_of_memory.h"

#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <string_view>

namespace trainyard::train {
namespace {

// LibTorch's own allocator and TorchScript's interpreter, which throws whatever it meets anew, have no type for it.
constexpr std::array kWantOfMemory{"can't allocate memory", "not enough memory", "out of memory", "std::bad_alloc"};

bool isOutOfMemory(const std::exception& exception, const std::string& message) {
    return dynamic_cast<const std::bad_alloc*>(&exception) || dynamic_cast<const c10::OutOfMemoryError*>(&exception) ||
           std::any_of(kWantOfMemory.begin(), kWantOfMemory.end(),
                       [&](const char* words) { return message.find(words) != std::string::npos; });
}

// What was asked for and what is left. LibTorch's allocator for the CPU tells the first alone; that of a device both.
std::string needAndHave(const std::string& message) {
    static constexpr std::string_view kOurs = "not enough memory for ", kTried = "you tried to allocate ";
    if (const auto at = message.find(kOurs); at != std::string::npos) return message.substr(at);
    if (message.find("CUDA") != std::string::npos) return "not enough memory: " + message;
    const auto at = message.find(kTried);
    std::int64_t bytes = 0;
    if (at != std::string::npos)
        std::from_chars(message.data() + at + kTried.size(), message.data() + message.size(), bytes);
    return OutOfMemory(bytes > 0 ? "a tensor of " + bytesText(bytes) : "what the run does").what();
}

// TorchScript's interpreter quotes the code of each call on the way, and the last line says what happened.
bool isOfInterpreter(std::string_view message) {
    return message.find("failed in the TorchScript interpreter") != std::string_view::npos;
}

std::string lastLine(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    if (const auto at = text.rfind('\n'); at != std::string_view::npos) text.remove_prefix(at + 1);
    static constexpr std::string_view kBuiltins = "builtins.",
                                      kRuntime = "RuntimeError: ", kAssertion = "AssertionError";
    if (text.starts_with(kBuiltins)) text.remove_prefix(kBuiltins.size());
    if (text.starts_with(kRuntime) && text.substr(kRuntime.size()).starts_with(kAssertion))
        text.remove_prefix(kRuntime.size());
    return std::string(text);
}

// "net.py, line 6, in forward": the innermost place in code of the user's own; empty when the file does not say.
std::string placeIn(std::string_view text) {
    static constexpr std::string_view kOriginal = "original code", kFile = "  File \"";
    if (const auto at = text.rfind(kOriginal); at != std::string_view::npos) text.remove_prefix(at);
    std::string place;
    for (auto at = text.find(kFile); at != std::string_view::npos; at = text.find(kFile, at + 1)) {
        const auto begin = at + kFile.size();
        const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
        const auto quote = line.find('"');
        if (quote == std::string_view::npos) continue;
        const std::string_view file = line.substr(0, quote);
        const bool isLibrary = file.find("/torch/") != std::string_view::npos;
        if (!isLibrary || place.empty())
            place = std::string(file.substr(file.rfind('/') + 1)) + std::string(line.substr(quote + 1));
    }
    return place;
}

} // namespace

std::string inOneLine(const std::string& message) {
    if (!isOfInterpreter(message)) return message;
    const std::string place = placeIn(message);
    return lastLine(message) + (place.empty() ? "" : " (" + place + ")");
}

Error errorFrom(const std::exception& exception, const std::string& where) {
    if (const auto* raised = dynamic_cast<const Raised*>(&exception)) return raised->error;
    const auto* fromTorch = dynamic_cast<const c10::Error*>(&exception);
    std::string message = fromTorch ? fromTorch->what_without_backtrace() : exception.what();
    // Texts of TorchScript and of operators carry more lines than a sentence; the first says it.
    if (const auto end = message.find("\nException raised from"); end != std::string::npos) message.resize(end);
    message = inOneLine(message);
    if (isOutOfMemory(exception, message))
        return environmentError(needAndHave(message), where, "use a smaller batch, model or dataset")
            .withCode(ErrorCode::OutOfMemory);
    if (dynamic_cast<const torch::jit::JITException*>(&exception))
        return inputError("the module raises " + message, where,
                          "change the module there, or the data: with the same data it raises it again");
    return runError(std::move(message), where);
}

} // namespace trainyard::train
