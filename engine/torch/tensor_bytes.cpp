// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/tensor_bytes.h"

#include <cstring>
#include <iterator>

namespace trainyard::train {

namespace {

struct TypeName {
    torch::ScalarType type;
    const char* name;
};
constexpr TypeName kTypes[] = {
    {torch::kFloat32, "F32"}, {torch::kFloat64, "F64"}, {torch::kFloat16, "F16"}, {torch::kBFloat16, "BF16"},
    {torch::kInt64, "I64"},   {torch::kInt32, "I32"},   {torch::kInt16, "I16"},   {torch::kInt8, "I8"},
    {torch::kUInt8, "U8"},    {torch::kBool, "BOOL"},
};

} // namespace

void PackedTensors::add(const std::string& name, const torch::Tensor& tensor) {
    const char* type = nullptr;
    for (const TypeName& known : kTypes)
        if (known.type == tensor.scalar_type()) type = known.name;
    TORCH_CHECK(type, "tensor ", name, " has type ", tensor.scalar_type(), ", which safetensors does not know");
    const torch::Tensor& kept = m_tensors.emplace_back(tensor.detach().to(torch::kCPU).contiguous());
    const std::span bytes(static_cast<const std::byte*>(kept.data_ptr()), kept.nbytes());
    m_list.push_back({name, type, kept.sizes().vec(), bytes});
}

Result<torch::Tensor> unpack(const store::TensorInfo& info, std::span<const std::byte> bytes,
                             const std::string& where) {
    for (const TypeName& known : kTypes) {
        if (info.dtype != known.name) continue;
        torch::Tensor tensor = torch::empty(info.shape, known.type);
        if (tensor.nbytes() != bytes.size())
            return inputError("tensor \"" + info.name + "\" has not the bytes that its shape needs", where);
        if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
        return tensor;
    }
    return inputError("tensor \"" + info.name + "\" has the unknown type " + info.dtype, where);
}

} // namespace trainyard::train
