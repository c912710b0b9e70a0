// SPDX-License-Identifier: GPL-3.0-or-later
// Between tensors and the bytes of a safetensors file.
#pragma once

#include "engine/store/files/safetensors.h"

#include <torch/torch.h>

#include <string>
#include <vector>

namespace trainyard::train {

// Tensors ready to be written: on the CPU, contiguous, and kept alive as long as this.
class PackedTensors {
public:
    // Copies only when it must. Throws on a type that safetensors does not know.
    void add(const std::string& name, const torch::Tensor& tensor);
    const std::vector<store::TensorBytes>& list() const { return m_list; }

private:
    std::vector<torch::Tensor> m_tensors;
    std::vector<store::TensorBytes> m_list;
};

// The elements in row-major order as bytes, in pieces that stay in a core's cache; no memory but for one of them.
Result<void> handOver(const torch::Tensor& tensor, const ByteSink& sink);
// Throws on a type that safetensors does not know.
store::TensorSource sourceOf(const std::string& name, const torch::Tensor& tensor);
// Whether no element is NaN or infinite. `bytes`: whole elements of `type`; true for whole numbers.
bool allFinite(torch::ScalarType type, std::span<const std::byte> bytes);

// A tensor of its own memory from one of a file.
Result<torch::Tensor> unpack(const store::TensorInfo& info, std::span<const std::byte> bytes, const std::string& where);

} // namespace trainyard::train
