// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/exchange/exchange_memory.h"
#include "engine/torch/worker/sample_reader.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trainyard::train {

// Answers what lies in slots of a service's memory, a batch at a time.
class SlotDesk {
public:
    // `alone`: every sample is computed by itself, so that its neighbours change no bit.
    SlotDesk(const TrainedModel& trained, const serve::ExchangeMemory& memory, bool alone);

    // Decodes, computes and writes outputs and states of all these slots. One that is bad costs the others nothing.
    // Throws nothing but what ends the process anyway.
    void answer(std::span<const std::uint32_t> slots);

private:
    // One slot while it is computed.
    struct Work {
        std::uint32_t slot = 0;
        serve::SlotHead head;              // a copy: the server may write, too
        std::vector<Sample> samples;       // of all but tensors
        std::vector<torch::Tensor> inputs; // of one row each, or the tensor of all rows
        std::vector<torch::Tensor> outputs;
        bool isWhole = false; // inputs holds one tensor of all rows
    };

    Result<void> read(Work& work) const;
    Result<void> readTensor(Work& work) const;
    Result<void> readElements(Work& work) const;
    Result<void> compute(std::span<Work> works) const;
    Result<void> computeTogether(std::span<Work> works, const std::vector<torch::Tensor>& inputs) const;
    Result<void> write(const Work& work, double us, std::uint32_t rows) const;
    Result<void> writeTensors(const Work& work) const;
    Result<void> writeText(const Work& work, const std::string& text) const;
    void refuse(std::uint32_t slot, const Error& error) const;

    const TrainedModel& m_trained;
    const serve::ExchangeMemory& m_memory;
    const bool m_alone;
    KeptDataset m_datasets; // never asked: no element names a dataset
};

} // namespace trainyard::train
