// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/weight_values.h"

#include "engine/base/text/printable.h"

#include <array>

namespace trainyard::weights {
namespace {

std::optional<torch::ScalarType> scalarTypeOf(const std::string& dtype) {
    constexpr std::array<std::pair<std::string_view, torch::ScalarType>, 10> kTypes{{{"F64", torch::kDouble},
                                                                                     {"F32", torch::kFloat},
                                                                                     {"F16", torch::kHalf},
                                                                                     {"BF16", torch::kBFloat16},
                                                                                     {"I64", torch::kInt64},
                                                                                     {"I32", torch::kInt32},
                                                                                     {"I16", torch::kInt16},
                                                                                     {"I8", torch::kInt8},
                                                                                     {"U8", torch::kUInt8},
                                                                                     {"BOOL", torch::kBool}}};
    for (const auto& [name, type] : kTypes)
        if (name == dtype) return type;
    return std::nullopt;
}

} // namespace

Result<std::optional<torch::Tensor>> valuesIn(const program::TensorFile& file, std::size_t tensor,
                                              torch::ScalarType wanted) {
    const auto& place = file.tensors()[tensor];
    const auto type = scalarTypeOf(place.dtype);
    if (!type || !file.canRead(tensor)) return std::optional<torch::Tensor>();
    torch::Tensor values = torch::empty(place.shape, *type);
    TY_TRY(file.read(tensor, {static_cast<std::byte*>(values.data_ptr()), values.nbytes()}));
    values = values.to(wanted);
    if (values.is_floating_point() && !torch::isfinite(values).all().item<bool>())
        return inputError("holds NaN or infinity in " + printable(place.path, 200), file.name(),
                          "use weights of a run that did not fail");
    return std::optional(values);
}

std::string shapeText(at::IntArrayRef shape) {
    std::string text;
    for (const std::int64_t side : shape) text += (text.empty() ? "" : " x ") + std::to_string(side);
    return text.empty() ? "a single number" : text;
}

} // namespace trainyard::weights
