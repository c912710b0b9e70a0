// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/flat_layout.h"

#include "engine/torch/averaging/gradient_norm.h"

#include <algorithm>

namespace trainyard::train {
namespace {

std::size_t roundUp(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

// Cuts a block where a part of the ring ends. `inBucket` is the block's first element in the bucket as Gloo would send
// it, without padding.
void addPieces(FlatLayout& layout, FlatBlock& block, std::size_t inBucket, const std::vector<std::size_t>& parts) {
    block.firstPiece = layout.pieces.size();
    std::size_t done = 0;
    for (std::size_t part = 0; part + 1 < parts.size() && done < block.count; ++part) {
        const std::size_t end = parts[part + 1];
        if (end <= inBucket + done) continue;
        const std::size_t count = std::min(block.count - done, end - inBucket - done);
        layout.pieces.push_back({block.offset + done, count, part});
        done += count;
    }
    block.pieces = layout.pieces.size() - block.firstPiece;
}

} // namespace

// gloo/allreduce.cc, ring(): segments of at most 1 MiB, as many for each rank as for any other, two at least.
std::vector<std::size_t> ringParts(std::size_t elements, std::size_t ranks) {
    constexpr std::size_t kSegment = 1 << 20, kElement = sizeof(float);
    if (ranks < 2) return {0, elements};
    const std::size_t bytes = elements * kElement;
    const std::size_t segments = roundUp(std::max((bytes + kSegment - 1) / kSegment, ranks * 2), ranks);
    const std::size_t segmentBytes = roundUp((bytes + segments - 1) / segments, kElement);
    std::vector<std::size_t> parts;
    for (std::size_t part = 0; part < ranks; ++part)
        parts.push_back(std::min(elements, part * (segments / ranks) * segmentBytes / kElement));
    parts.push_back(elements);
    return parts;
}

FlatLayout planLayout(const std::vector<torch::Tensor>& parameters,
                      const std::vector<std::vector<std::size_t>>& buckets, std::size_t ranks) {
    FlatLayout layout;
    layout.offsets.resize(parameters.size());
    layout.bucketOf.resize(parameters.size());
    std::vector<std::size_t> inBucket(parameters.size());
    std::vector<std::vector<std::size_t>> parts;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        std::size_t elements = 0;
        const std::size_t begin = layout.floats;
        for (const auto index : buckets[b]) {
            layout.offsets[index] = layout.floats;
            inBucket[index] = elements;
            layout.bucketOf[index] = b;
            const auto count = static_cast<std::size_t>(parameters[index].numel());
            layout.floats += roundUp(count, 16);
            elements += count;
        }
        parts.push_back(ringParts(elements, ranks));
        layout.buckets.push_back({begin, layout.floats - begin, buckets[b].size(), {}});
    }
    for (std::size_t index = 0; index < parameters.size(); ++index) {
        const auto count = static_cast<std::size_t>(parameters[index].numel());
        for (std::size_t begin = 0; begin < count; begin += kNormBlock) {
            FlatBlock block{index, layout.offsets[index] + begin, std::min(kNormBlock, count - begin), 0, 0};
            addPieces(layout, block, inBucket[index] + begin, parts[layout.bucketOf[index]]);
            layout.buckets[layout.bucketOf[index]].blocks.push_back(layout.blocks.size());
            layout.blocks.push_back(block);
        }
    }
    return layout;
}

torch::Tensor viewFor(const torch::Tensor& flat, const torch::Tensor& parameter, std::int64_t offset) {
    if (parameter.is_non_overlapping_and_dense())
        return flat.as_strided(parameter.sizes(), parameter.strides(), offset);
    return flat.narrow(0, offset, parameter.numel()).view(parameter.sizes());
}

} // namespace trainyard::train
