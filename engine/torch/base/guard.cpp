// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/guard.h"

#include <torch/torch.h>

#include <new>

namespace trainyard::train {

Error errorFrom(const std::exception& exception, const std::string& where) {
    const auto* fromTorch = dynamic_cast<const c10::Error*>(&exception);
    std::string message = fromTorch ? fromTorch->what_without_backtrace() : exception.what();
    // Texts of TorchScript and of operators carry more lines than a sentence; the first says it.
    if (const auto end = message.find("\nException raised from"); end != std::string::npos) message.resize(end);
    const bool said = message.starts_with("not enough memory");
    const bool memory = said || dynamic_cast<const std::bad_alloc*>(&exception) != nullptr ||
                        message.find("can't allocate memory") != std::string::npos ||
                        message.find("not enough memory") != std::string::npos ||
                        message.find("out of memory") != std::string::npos;
    if (memory)
        return environmentError(said ? message : "not enough memory: " + message, where,
                                "use a smaller batch, model or data set");
    return runError(std::move(message), where);
}

} // namespace trainyard::train
