// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/guard.h"

#include "engine/torch/base/out_of_memory.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <new>

namespace trainyard::train {
namespace {

// LibTorch's own allocator and TorchScript's interpreter, which throws whatever it meets anew, have no type for it.
constexpr std::array kWantOfMemory{"can't allocate memory", "not enough memory", "out of memory"};

bool isOutOfMemory(const std::exception& exception, const std::string& message) {
    return dynamic_cast<const std::bad_alloc*>(&exception) || dynamic_cast<const c10::OutOfMemoryError*>(&exception) ||
           std::any_of(kWantOfMemory.begin(), kWantOfMemory.end(),
                       [&](const char* words) { return message.find(words) != std::string::npos; });
}

} // namespace

Error errorFrom(const std::exception& exception, const std::string& where) {
    const auto* fromTorch = dynamic_cast<const c10::Error*>(&exception);
    std::string message = fromTorch ? fromTorch->what_without_backtrace() : exception.what();
    // Texts of TorchScript and of operators carry more lines than a sentence; the first says it.
    if (const auto end = message.find("\nException raised from"); end != std::string::npos) message.resize(end);
    if (isOutOfMemory(exception, message)) {
        if (!dynamic_cast<const OutOfMemory*>(&exception)) message = "not enough memory: " + message;
        return environmentError(std::move(message), where, "use a smaller batch, model or dataset")
            .withCode(ErrorCode::OutOfMemory);
    }
    return runError(std::move(message), where);
}

} // namespace trainyard::train
