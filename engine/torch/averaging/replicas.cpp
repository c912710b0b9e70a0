// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/replicas.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>

namespace trainyard::train {
namespace {

std::string layoutText(const optim::NamedTensors& tensors, const std::string& extra) {
    std::ostringstream text;
    for (const auto& [name, tensor] : tensors)
        text << name << ": " << tensor.scalar_type() << ' ' << tensor.sizes() << '\n';
    text << extra;
    return text.str();
}

// The first line that differs, as "x on one, y on the other".
std::string firstDifference(const std::string& mine, const std::string& reference) {
    std::istringstream a(mine), b(reference);
    std::string lineA, lineB;
    while (true) {
        const bool hasA = static_cast<bool>(std::getline(a, lineA)), hasB = static_cast<bool>(std::getline(b, lineB));
        if (!hasA && !hasB) return "nothing differs";
        if (!hasA) return "it lacks " + lineB;
        if (!hasB) return "it has " + lineA + ", which rank 0 lacks";
        if (lineA != lineB) return "it has " + lineA + ", rank 0 has " + lineB;
    }
}

void broadcastFlat(const ProcessGroup& group, std::vector<torch::Tensor>& tensors,
                   const std::function<void()>& beforePart) {
    std::vector<torch::Tensor> parts;
    for (const auto& tensor : tensors) parts.push_back(tensor.reshape({-1}));
    const auto flat = torch::cat(parts);
    const std::int64_t length = ProcessGroup::kPartBytes / static_cast<std::int64_t>(flat.element_size());
    std::int64_t offset = 0;
    for (; offset < flat.numel(); offset += length) {
        beforePart();
        auto part = flat.narrow(0, offset, std::min(length, flat.numel() - offset));
        group.broadcast(part);
    }
    offset = 0;
    for (auto& tensor : tensors) {
        tensor.copy_(flat.narrow(0, offset, tensor.numel()).view(tensor.sizes()));
        offset += tensor.numel();
    }
}

// FNV-1a over 64-bit words with a final mix (splitmix64's): no defence against an adversary, none is needed.
class Hash {
public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        addInLanes(bytes, size);
        for (; size >= 8; bytes += 8, size -= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            mixIn(word);
        }
        std::uint64_t tail = size;
        for (std::size_t i = 0; i < size; ++i) tail = tail << 8 | bytes[i];
        mixIn(tail);
    }
    std::uint64_t value() const {
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    static void mix(std::uint64_t& state, std::uint64_t word) {
        state = (state ^ word) * 0x100000001b3u;
        state ^= state >> 29;
    }
    void mixIn(std::uint64_t word) { mix(m_state, word); }
    // Large tensors: one multiplication need not wait for the one before.
    void addInLanes(const unsigned char*& bytes, std::size_t& size) {
        if (size < 4096) return;
        std::array<std::uint64_t, 4> lanes{1, 2, 3, 4}, words{};
        for (; size >= sizeof words; bytes += sizeof words, size -= sizeof words) {
            std::memcpy(words.data(), bytes, sizeof words);
            for (std::size_t lane = 0; lane < lanes.size(); ++lane) mix(lanes[lane], words[lane]);
        }
        for (const auto lane : lanes) mixIn(lane);
    }
    std::uint64_t m_state = 0xcbf29ce484222325u;
};

} // namespace

Result<void> agreeOnModel(const ProcessGroup& group, const optim::NamedTensors& tensors, const std::string& extra,
                          const std::function<void(int)>& onPart) {
    if (group.worldSize() == 1) return {};
    // On another device the values are sooner sent than read.
    const bool onCpu =
        std::all_of(tensors.begin(), tensors.end(), [](const auto& each) { return each.second.is_cpu(); });
    const std::string values = onCpu ? digest(tensors) : "on other devices";
    if (onPart) onPart(0);
    auto texts = group.gatherText(values + layoutText(tensors, extra));
    bool sameValues = onCpu;
    for (auto& text : texts) {
        sameValues = sameValues && text.starts_with(values);
        text.erase(0, values.size());
    }
    for (std::size_t r = 1; r < texts.size(); ++r)
        if (texts[r] != texts[0])
            return inputError("rank " + std::to_string(r) +
                                  " trains something else than rank 0: " + firstDifference(texts[r], texts[0]),
                              "rank " + std::to_string(r),
                              "give every host the same run file, data and program version");
    if (!sameValues)
        broadcastTensors(group, tensors, [&](int part) {
            if (onPart) onPart(1 + part);
        });
    return {};
}

void broadcastTensors(const ProcessGroup& group, const optim::NamedTensors& tensors,
                      const std::function<void(int)>& onPart) {
    if (group.worldSize() == 1) return;
    const torch::NoGradGuard noGrad;
    std::map<torch::ScalarType, std::vector<torch::Tensor>> byType;
    for (const auto& [name, tensor] : tensors)
        if (tensor.numel() > 0) byType[tensor.scalar_type()].push_back(tensor);
    int part = 0;
    for (auto& [type, sameType] : byType)
        broadcastFlat(group, sameType, [&] {
            if (onPart) onPart(part++);
        });
}

std::string digest(const optim::NamedTensors& tensors) {
    Hash hash;
    for (const auto& [name, tensor] : tensors) {
        hash.add(name.data(), name.size());
        const auto bytes = tensor.detach().cpu().contiguous();
        hash.add(bytes.data_ptr(), bytes.nbytes());
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, hash.value());
    return text;
}

} // namespace trainyard::train
