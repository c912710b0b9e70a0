// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/compressed_sum.h"

namespace trainyard::train {

Result<std::optional<torch::ScalarType>> compressionType(const std::string& name) {
    using Type = std::optional<torch::ScalarType>;
    if (name == "none") return Type{};
    if (name == "fp16") return Type{torch::kHalf};
    if (name == "bf16") return Type{torch::kBFloat16};
    return inputError("\"" + name + "\" is not a compression", "scaling.compression", "choose none, fp16 or bf16");
}

void compressedSum(const ProcessGroup& group, torch::Tensor& flat, torch::ScalarType type) {
    if (group.worldSize() == 1) return;
    const torch::NoGradGuard noGrad;
    const std::int64_t world = group.worldSize(), count = flat.numel(), part = (count + world - 1) / world;
    const auto options = flat.options().dtype(type);
    auto mine = torch::zeros({world * part}, options);
    mine.narrow(0, 0, count).copy_(flat);
    auto others = torch::empty_like(mine); // part `rank` of each rank, in the order of ranks
    auto inputBytes = mine.view(torch::kByte), outputBytes = others.view(torch::kByte);
    group.wait(*compat::startExchange(*group.c10d(), outputBytes, inputBytes));

    auto sum = others.narrow(0, 0, part).to(torch::kFloat);
    for (std::int64_t rank = 1; rank < world; ++rank) sum += others.narrow(0, rank * part, part).to(torch::kFloat);
    std::vector<torch::Tensor> inputs{sum.to(type).view(torch::kByte)};
    std::vector<std::vector<torch::Tensor>> outputs(1);
    for (std::int64_t rank = 0; rank < world; ++rank)
        outputs[0].push_back(mine.narrow(0, rank * part, part).view(torch::kByte));
    group.wait(*group.c10d()->allgather(outputs, inputs));
    flat.copy_(mine.narrow(0, 0, count));
}

} // namespace trainyard::train
