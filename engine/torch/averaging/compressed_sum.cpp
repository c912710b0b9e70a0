// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/compressed_sum.h"

#include "engine/torch/averaging/low_rank_sums.h"

namespace trainyard::train {
namespace {

// A world of one.
class NoSums final : public CompressedSums {
public:
    void start(std::size_t) override {}
    void wait(std::size_t) override {}
};

} // namespace

Result<Compression> compressionFromString(const std::string& word) {
    if (word == "none") return Compression::None;
    if (word == "fp16") return Compression::Fp16;
    if (word == "bf16") return Compression::Bf16;
    if (word == "powersgd") return Compression::PowerSgd;
    return inputError("\"" + word + "\" is not a compression", "scaling.compression",
                      "choose none, fp16, bf16 or powersgd");
}

Result<std::unique_ptr<CompressedSums>>
CompressedSums::make(const ProcessGroup& group, const CompressionOptions& options, const std::vector<Flat>& flats) {
    using Made = std::unique_ptr<CompressedSums>;
    TY_ASSIGN(const auto kind, compressionFromString(options.kind));
    if (kind == Compression::None) return Made();
    if (group.worldSize() == 1 || flats.empty()) return Made(std::make_unique<NoSums>());
    if (kind == Compression::PowerSgd) return makeLowRankSums(group, options, flats);
    return makeSixteenBitSums(group, kind == Compression::Fp16 ? torch::kHalf : torch::kBFloat16, flats);
}

} // namespace trainyard::train
