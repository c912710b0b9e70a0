// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::weights {

// How a file of weights fits a model.
struct WeightsReport {
    struct Tensor {
        std::string name, why;
    };
    enum class Head { New, Kept, Rows, None }; // Rows: those of the classes that both know; None: it is not apart

    std::string file, sha256, format; // "torch", "legacy torch", "safetensors"
    std::string dictionary;           // "state_dict"; empty: the file itself
    std::string convention;           // whose names: "timm"; empty: the model's own
    // Of the body, the model without its head: how many are taken over, of how many.
    std::int64_t tensors = 0, tensorsOfModel = 0, numbers = 0, numbersOfModel = 0;
    Head head = Head::None;
    std::int64_t headRows = 0, headRowsOfFile = 0, headRowsOfModel = 0; // outputs: kept, and there
    std::vector<Tensor> adapted;                                        // that were made to fit
    std::vector<Tensor> missing;                                        // of the body, that stay as they were made
    std::vector<std::string> unused;                                    // of the file

    double share() const; // of the body's numbers, 0 to 1
};

const char* toString(WeightsReport::Head head); // "new", "kept", "rows", "none"

// "weights r18.pth (torch, state_dict): 120 of 120 tensors and 11,176,512 of 11,176,512 numbers fit; the head is new
// (1,000 outputs in the file, 12 here)", and what was made to fit or stays new: a line each, ten at most.
std::vector<std::string> linesOf(const WeightsReport& report);
// An object with the members of WEIGHTS.md.
std::string jsonOf(const WeightsReport& report);

} // namespace trainyard::weights
