// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/files/safetensors.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard::run {

// The tensors that an export takes from a checkpoint, averaged where the run kept an average. `file` outlives it;
// `where` names it in errors.
class ExportedTensors {
public:
    ExportedTensors(const store::SafetensorsFile& file, std::string where) : m_file(file), m_where(std::move(where)) {}

    static bool isOfModel(const store::TensorInfo& tensor);
    static std::string nameOf(const store::TensorInfo& tensor); // its own; of those of the model
    // Of the tensor of that own name; empty where there is none.
    std::span<const std::byte> bytesOf(const std::string& name) const;
    // With the product of its low-rank matrices (finetune.lora); nothing where the tensor has none. Input: they do not
    // fit it.
    Result<std::optional<std::vector<float>>> merged(const store::TensorInfo& tensor) const;

private:
    const store::TensorInfo* find(const std::string& name) const;
    std::vector<float> numbersOf(const std::string& name) const;
    double alpha() const;

    const store::SafetensorsFile& m_file;
    std::string m_where;
};

} // namespace trainyard::run
