// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/torch/averaging/compressed_sum.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <numeric>

namespace trainyard::train {
namespace {

// So many numbers at a time stay in the cache on their way from 16 bits to float32 and back.
constexpr std::int64_t kAtATime = 16'384;

// Of two ranks each tells the other all that it has: as many bytes as in parts, but in one go, and not rounded again.
class SumsOfTwo final : public CompressedSums {
public:
    // So many numbers go at a time.
    SumsOfTwo(const ProcessGroup& group, torch::ScalarType type, const std::vector<Flat>& flats, std::int64_t most)
        : m_group(group) {
        for (const auto& [flat, parts] : flats) {
            Exchange exchange{flat, torch::empty_like(flat, flat.options().dtype(type)), {}};
            const std::array all{torch::empty_like(exchange.mine), torch::empty_like(exchange.mine)};
            for (std::int64_t at = 0; at < flat.numel(); at += std::min(most, flat.numel())) {
                const std::int64_t count = std::min(most, flat.numel() - at);
                const auto of = [&](const torch::Tensor& tensor) { return tensor.narrow(0, at, count); };
                Piece piece{of(flat), of(exchange.mine).view(torch::kByte), {of(all[0]), of(all[1])}, {}, {}};
                for (const auto& each : piece.all) piece.bytes.push_back(each.view(torch::kByte));
                exchange.pieces.push_back(std::move(piece));
            }
            m_exchanges.push_back(std::move(exchange));
        }
    }

    void start(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        auto& exchange = m_exchanges[index];
        exchange.mine.copy_(exchange.flat);
        for (auto& piece : exchange.pieces) piece.work = m_group.startGather(piece.mine, piece.bytes);
    }

    void wait(std::size_t index) override {
        const torch::NoGradGuard noGrad;
        for (auto& piece : m_exchanges[index].pieces) {
            m_group.wait(*piece.work);
            piece.work.reset();
            piece.flat.copy_(piece.all[0]);
            piece.flat.add_(piece.all[1]);
        }
    }

private:
    struct Piece {
        torch::Tensor flat, mine;
        std::vector<torch::Tensor> all, bytes; // each rank's; bytes: the same memory
        c10::intrusive_ptr<c10d::Work> work;
    };
    struct Exchange {
        torch::Tensor flat, mine;
        std::vector<Piece> pieces;
    };

    const ProcessGroup m_group;
    std::vector<Exchange> m_exchanges;
};

// Long streams in both directions of a slow link make the acknowledgements of each wait behind the data of the other,
// and TCP sends at some three quarters of the link's rate (Zhang, Shenker, Clark, Observations on the Dynamics of a
// Congestion Control Algorithm, 1991). Short turns do not, but each one costs its time, which shows on a fast link.
constexpr std::int64_t kPieceOnSlowLink = 65'536;
constexpr double kSlowSeconds = 0.004; // for such a piece: some 250 mbit a second

// Numbers of 16 bits that go at a time, by a piece that goes for trial. Collective.
std::int64_t pieceFor(const ProcessGroup& group) {
    const auto piece = torch::zeros({2 * kPieceOnSlowLink}, torch::kByte);
    group.barrier();
    const double begin = monotonicSeconds();
    (void)group.gather(piece);
    const auto took = group.gather(torch::tensor({monotonicSeconds() - begin}, torch::kDouble));
    const bool slow = std::any_of(took.begin(), took.end(),
                                  [](const auto& seconds) { return seconds.template item<double>() > kSlowSeconds; });
    return slow ? kPieceOnSlowLink : std::numeric_limits<std::int64_t>::max();
}

// Each rank adds up one part of a tensor, and the sums go to all: the same traffic with any number of ranks. The sums
// have a group of their own where they may go before the next tensor's parts do: the ranks need not agree on when then.
class SumsInParts final : public CompressedSums {
public:
    SumsInParts(const ProcessGroup& group, const ProcessGroup& sums, torch::ScalarType type,
                const std::vector<Flat>& flats)
        : m_group(group), m_sums(sums), m_mayAdvance(flats.front().tensor.is_cpu()) {
        const std::int64_t world = group.worldSize();
        for (const auto& [flat, parts] : flats) {
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

Result<std::unique_ptr<CompressedSums>> makeSixteenBitSums(const ProcessGroup& group, torch::ScalarType type,
                                                           const std::vector<Flat>& flats) {
    using Made = std::unique_ptr<CompressedSums>;
    const int world = group.worldSize();
    if (world == 2) {
        const bool onCpu = flats.front().tensor.is_cpu();
        const std::int64_t most = onCpu ? pieceFor(group) : std::numeric_limits<std::int64_t>::max();
        return Made(std::make_unique<SumsOfTwo>(group, type, flats, most));
    }
    ProcessGroup sums = group;
    if (flats.front().tensor.is_cpu()) {
        std::vector<int> all(static_cast<std::size_t>(world));
        std::iota(all.begin(), all.end(), 0);
        TY_ASSIGN(sums, group.subgroup("sums", all));
        (void)sums.c10d(); // connects now, and not in the middle of the first step
    }
    return Made(std::make_unique<SumsInParts>(group, sums, type, flats));
}

} // namespace trainyard::train
