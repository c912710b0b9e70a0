// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/tensor_bytes.h"

#include <algorithm>
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

constexpr std::int64_t kPieceBytes = 64 << 10;

const char* typeNameOf(const std::string& name, const torch::Tensor& tensor) {
    const char* type = nullptr;
    for (const TypeName& known : kTypes)
        if (known.type == tensor.scalar_type()) type = known.name;
    TORCH_CHECK(type, "tensor ", name, " has type ", tensor.scalar_type(), ", which safetensors does not know");
    return type;
}

// An exponent of all ones. No branch in the loop, so that it becomes vector instructions.
template <class Word>
bool hasExponent(std::span<const std::byte> bytes, Word exponent) {
    bool found = false;
    for (std::size_t at = 0; at + sizeof(Word) <= bytes.size(); at += sizeof(Word)) {
        Word word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        found |= static_cast<Word>(word & exponent) == exponent;
    }
    return found;
}

// Weights of a convolution whose channels lie last, as they mostly are where images lie so.
bool isFloatsChannelsLast(const torch::Tensor& tensor) {
    if (tensor.dim() != 4 || tensor.scalar_type() != torch::kFloat) return false;
    const auto channels = tensor.size(1), row = channels * tensor.size(3);
    return tensor.stride(1) == 1 && tensor.stride(3) == channels && tensor.stride(2) == row &&
           tensor.stride(0) == row * tensor.size(2);
}

// Some rows of the first dimension, to row-major order.
void copyRows(const torch::Tensor& rows, torch::Tensor& out) {
    if (!isFloatsChannelsLast(rows)) {
        out.copy_(rows);
        return;
    }
    const auto channels = rows.size(1), places = rows.size(2) * rows.size(3);
    const float* from = rows.data_ptr<float>();
    float* to = out.data_ptr<float>();
    for (std::int64_t n = 0; n < rows.size(0); ++n, to += channels * places)
        for (std::int64_t place = 0; place < places; ++place, from += channels)
            for (std::int64_t channel = 0; channel < channels; ++channel) to[channel * places + place] = from[channel];
}

Result<void> handOverPlain(const torch::Tensor& tensor, const ByteSink& sink) {
    std::span bytes(static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes());
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), kPieceBytes));
        TY_TRY(sink(piece));
        bytes = bytes.subspan(piece.size());
    }
    return {};
}

} // namespace

Result<void> handOver(const torch::Tensor& given, const ByteSink& sink) {
    const torch::NoGradGuard noGrad;
    const torch::Tensor tensor = given.detach().to(torch::kCPU);
    if (tensor.numel() == 0) return {};
    if (tensor.is_contiguous()) return handOverPlain(tensor, sink);
    const auto rows = tensor.size(0);
    const auto rowBytes = tensor.numel() / rows * static_cast<std::int64_t>(tensor.element_size());
    const auto atOnce = std::clamp<std::int64_t>(kPieceBytes / rowBytes, 1, rows);
    auto shape = tensor.sizes().vec();
    shape[0] = atOnce;
    const torch::Tensor buffer = torch::empty(shape, tensor.options());
    for (std::int64_t row = 0; row < rows; row += atOnce) {
        const auto count = std::min(atOnce, rows - row);
        torch::Tensor piece = buffer.narrow(0, 0, count);
        copyRows(tensor.narrow(0, row, count), piece);
        TY_TRY(handOverPlain(piece, sink));
    }
    return {};
}

bool allFinite(torch::ScalarType type, std::span<const std::byte> bytes) {
    switch (type) {
    case torch::kFloat32: return !hasExponent<std::uint32_t>(bytes, 0x7f800000u);
    case torch::kFloat64: return !hasExponent<std::uint64_t>(bytes, 0x7ff0000000000000u);
    case torch::kFloat16: return !hasExponent<std::uint16_t>(bytes, 0x7c00u);
    case torch::kBFloat16: return !hasExponent<std::uint16_t>(bytes, 0x7f80u);
    default: return true;
    }
}

store::TensorSource sourceOf(const std::string& name, const torch::Tensor& tensor) {
    return {name, typeNameOf(name, tensor), tensor.sizes().vec(),
            [tensor](const ByteSink& sink) { return handOver(tensor, sink); }};
}

void PackedTensors::add(const std::string& name, const torch::Tensor& tensor) {
    const char* type = typeNameOf(name, tensor);
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
