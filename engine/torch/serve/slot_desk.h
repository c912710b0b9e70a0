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
    // `fixedRows`: every batch has so many rows, zeros where there are fewer, so that neighbours change no bit
    // (fixedBatch); 0: as many as come.
    SlotDesk(const TrainedModel& trained, const serve::ExchangeMemory& memory, int fixedRows);

    // Decodes, computes and writes outputs and states of all these slots. One that is bad costs the others nothing.
    // Throws nothing but what ends the process anyway.
    void answer(std::span<const std::uint32_t> slots);

private:
    // One slot while it is computed.
    struct Work {
        std::uint32_t slot = 0;
        serve::SlotHead head;        // a copy: the server may write, too
        torch::Tensor tensor;        // of all rows, in the slot's memory; undefined: `samples` has the rows
        std::vector<Sample> samples; // of all but tensors
        torch::Tensor output;        // of all rows; undefined: rows differ in shape, and `outputs` has them
        std::vector<torch::Tensor> outputs;

        std::int64_t rows() const { return tensor.defined() ? tensor.size(0) : std::ssize(samples); }
        torch::Tensor row(std::int64_t index) const; // of the input
        torch::Tensor answer(std::int64_t index) const { return output.defined() ? output[index] : outputs[index]; }
    };

    Result<void> read(Work& work) const;
    Result<void> readTensor(Work& work) const;
    Result<void> readElements(Work& work) const;
    Result<void> compute(std::span<Work> works) const;
    void computeAlone(std::span<Work> works) const;
    torch::Tensor together(std::span<const Work> works) const;
    torch::Tensor computeFixed(const torch::Tensor& input) const;
    Result<void> write(const Work& work, double us, std::uint32_t rows) const;
    Result<void> writeTensors(const Work& work) const;
    Result<void> writeAnswers(const Work& work) const;
    Result<void> writeText(const Work& work, const std::string& text) const;
    void refuse(std::uint32_t slot, const Error& error) const;

    const TrainedModel& m_trained;
    const serve::ExchangeMemory& m_memory;
    const int m_fixedRows;
    KeptDataset m_datasets; // never asked: no element names a dataset
};

} // namespace trainyard::train
