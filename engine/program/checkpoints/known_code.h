// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::program {

// Rule: which names in a pickle are data.
// PyTorch's own functions that put tensors together, its types, and containers of Python and NumPy: what
// torch.load(weights_only=True) would call. Everything else in a pickle is a program's code, which loading it without
// that option runs.
bool isKnownCode(std::string_view name);

// Of "torch.FloatStorage" or "torch.float32" the type of its values by safetensors' name, "F32"; by PyTorch's own where
// that has none: "complex128". Empty: it is none.
std::string_view dtypeNamed(std::string_view code);

} // namespace trainyard::program
