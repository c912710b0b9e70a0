// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of a saved module that train() and eval() have no effect on, because a trace recorded the mode as a constant.
#pragma once

#include <torch/script.h>

#include <string>

namespace trainyard::script {

struct Frozen {
    int dropoutOff = 0, dropoutOn = 0; // calls with a probability above 0
    int normOff = 0, normOn = 0;       // calls of batch normalisation that have running statistics
    bool traced = false;               // by torch.jit.trace, as far as the code of PyTorch's own layers shows it

    // Empty: it follows its mode. Else what stays as it is in evaluation mode while it trains.
    std::string notice() const;
    // Empty: none. Else what goes on training in evaluation mode: validation and predictions would be wrong.
    std::string fault() const;
};
Frozen frozenIn(const torch::jit::Module& module); // looks at the code and runs none of it

} // namespace trainyard::script
