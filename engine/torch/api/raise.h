// SPDX-License-Identifier: GPL-3.0-or-later
// The edge of the public interface, which throws where the engine returns.
#pragma once

#include "engine/base/result.h"
#include "trainyard/config.h"

namespace trainyard::train {

[[noreturn]] inline void raise(const trainyard::Error& error) {
    if (error.kind == ErrorKind::Input) throw InputError(error.text());
    throw std::runtime_error(error.text());
}

template <class T>
T valueOrRaise(trainyard::Result<T> result) {
    if (!result) raise(result.error());
    if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

} // namespace trainyard::train
