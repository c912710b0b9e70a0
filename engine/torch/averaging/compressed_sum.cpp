// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/compressed_sum.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace trainyard::train {
namespace {

// So many numbers at a time stay in the cache on their way from 16 bits to float32 and back.
constexpr std::int64_t kAtATime = 16'384;

// A world of one.
class NoSums final : public CompressedSums {
public:
    void start(std::size_t) override {}
    void wait(std::size_t) override {}
};

// Of two ranks each tells the other all that it has: as many bytes as in parts, but in one go, and not rounded again.
class SumsOfTwo final : public CompressedSums {
public:
    SumsOfTwo(const ProcessGroup& group, torch::ScalarType type, const std::vector<torch::Tensor>& flats)
        : m_group(group) {
        for (const auto& flat : flats) {
            Exchange exchange{flat, torch::empty_like(flat, flat.options().dtype(type)), {}, {}, {}};
            for (int rank = 0; rank < 2; ++rank) {
                exchange.all.push_back(torch::empty_like(exchange.mine));
                exchange.bytes.push_back(exchange.all.back().view(torch::kByte));
            }
            m_exchanges.push_back(std::move(exchange));
        }
    }

    void start(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        auto& exchange = m_exchanges[index];
        exchange.mine.copy_(exchange.flat);
        exchange.work = m_group.startGather(exchange.mine.view(torch::kByte), exchange.bytes);
    }

    void wait(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        auto& exchange = m_exchanges[index];
        m_group.wait(*exchange.work);
        exchange.work.reset();
        exchange.flat.copy_(exchange.all[0]);
        exchange.flat.add_(exchange.all[1]);
    }

private:
    struct Exchange {
        torch::Tensor flat, mine;
        std::vector<torch::Tensor> all, bytes; // each rank's; bytes: the same memory
        c10::intrusive_ptr<c10d::Work> work;
    };

    const ProcessGroup m_group;
    std::vector<Exchange> m_exchanges;
};

// Each rank adds up one part of a tensor, and the sums go to all: the same traffic with any number of ranks. The sums
// have a group of their own where they may go before the next tensor's parts do: the ranks need not agree on when then.
class SumsInParts final : public CompressedSums {
public:
    SumsInParts(const ProcessGroup& group, const ProcessGroup& sums, torch::ScalarType type,
                const std::vector<torch::Tensor>& flats)
        : m_group(group), m_sums(sums), m_mayAdvance(flats.front().is_cpu()) {
        const std::int64_t world = group.worldSize();
        for (const auto& flat : flats) {
            const std::int64_t part = (flat.numel() + world - 1) / world;
            Exchange exchange{flat, torch::zeros({world * part}, flat.options().dtype(type)), {}, {}, {}, {}, {}};
            exchange.others = torch::empty_like(exchange.mine);
            exchange.sum = torch::empty({part}, exchange.mine.options());
            for (std::int64_t rank = 0; rank < world; ++rank)
                exchange.parts.push_back(exchange.mine.narrow(0, rank * part, part).view(torch::kByte));
            m_exchanges.push_back(std::move(exchange));
        }
    }

    void start(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        auto& exchange = m_exchanges[index];
        exchange.mine.narrow(0, 0, exchange.flat.numel()).copy_(exchange.flat);
        auto input = exchange.mine.view(torch::kByte), output = exchange.others.view(torch::kByte);
        exchange.coming = compat::startExchange(*m_group.c10d(), output, input);
        m_begun.push_back(index);
    }

    // A loss is left to wait(), whose caller expects one.
    void advance() override {
        while (m_mayAdvance && !m_begun.empty()) {
            auto& coming = *m_exchanges[m_begun.front()].coming;
            if (!coming.isCompleted() || !coming.isSuccess()) return;
            tellNext();
        }
    }

    void wait(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        auto& exchange = m_exchanges[index];
        // The parts of all tensors are on their way by now: each one's sum goes while the next one's parts still come.
        while (!exchange.going) tellNext();
        advance();
        m_sums.wait(*exchange.going);
        exchange.going.reset();
        exchange.flat.copy_(exchange.mine.narrow(0, 0, exchange.flat.numel()));
    }

private:
    struct Exchange {
        torch::Tensor flat, mine, others; // others: part `rank` of each rank, in the order of ranks
        torch::Tensor sum;                // of those
        std::vector<torch::Tensor> parts; // of `mine`, where the sums go
        c10::intrusive_ptr<c10d::Work> coming, going;
    };

    // Waits for the oldest exchange whose sum has not been told.
    void tellNext() {
        const torch::NoGradGuard noGrad;
        auto& exchange = m_exchanges[m_begun.front()];
        m_group.wait(*exchange.coming);
        m_begun.pop_front();
        exchange.coming.reset();
        const std::int64_t part = exchange.sum.numel();
        const std::int64_t most =
            m_mayAdvance ? kAtATime : std::max<std::int64_t>(part, 1); // a device adds up all at once
        for (std::int64_t at = 0; at < part; at += most) {
            const std::int64_t count = std::min(most, part - at);
            auto sum = exchange.others.narrow(0, at, count).to(torch::kFloat);
            for (std::int64_t rank = 1; rank < m_group.worldSize(); ++rank)
                sum += exchange.others.narrow(0, rank * part + at, count);
            exchange.sum.narrow(0, at, count).copy_(sum);
        }
        exchange.going = m_sums.startGather(exchange.sum.view(torch::kByte), exchange.parts);
    }

    const ProcessGroup m_group, m_sums;
    const bool m_mayAdvance;
    std::vector<Exchange> m_exchanges;
    std::deque<std::size_t> m_begun; // whose sums have not been told
};

} // namespace

Result<std::optional<torch::ScalarType>> compressionType(const std::string& name) {
    using Type = std::optional<torch::ScalarType>;
    if (name == "none") return Type{};
    if (name == "fp16") return Type{torch::kHalf};
    if (name == "bf16") return Type{torch::kBFloat16};
    return inputError("\"" + name + "\" is not a compression", "scaling.compression", "choose none, fp16 or bf16");
}

Result<std::unique_ptr<CompressedSums>> CompressedSums::make(const ProcessGroup& group, torch::ScalarType type,
                                                             const std::vector<torch::Tensor>& flats) {
    using Made = std::unique_ptr<CompressedSums>;
    const int world = group.worldSize();
    if (world == 1 || flats.empty()) return Made(std::make_unique<NoSums>());
    if (world == 2) return Made(std::make_unique<SumsOfTwo>(group, type, flats));
    ProcessGroup sums = group;
    if (flats.front().is_cpu()) {
        std::vector<int> all(static_cast<std::size_t>(world));
        std::iota(all.begin(), all.end(), 0);
        TY_ASSIGN(sums, group.subgroup("sums", all));
        (void)sums.c10d(); // connects now, and not in the middle of the first step
    }
    return Made(std::make_unique<SumsInParts>(group, sums, type, flats));
}

} // namespace trainyard::train
