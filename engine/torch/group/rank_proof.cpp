// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_proof.h"

#include "engine/base/math/sha256.h"

#include <sys/random.h>

#include <cstring>

namespace trainyard::train {
namespace {

constexpr int kProofTag = 7001;
constexpr std::size_t kSecretBytes = 32;

std::string secretKey(int rank) { return "secret/" + std::to_string(rank); }

// For one direction of one connection: what is heard at one proves nothing at another.
std::string proofOf(const std::vector<std::uint8_t>& secret, int from, int to) {
    const std::string text =
        std::string(secret.begin(), secret.end()) + std::to_string(from) + ">" + std::to_string(to);
    return sha256Hex(std::as_bytes(std::span(text)));
}

torch::Tensor tensorOf(const std::string& text) {
    auto tensor = torch::empty({static_cast<std::int64_t>(text.size())}, torch::kUInt8);
    std::memcpy(tensor.data_ptr(), text.data(), text.size());
    return tensor;
}

} // namespace

Result<void> proveRanks(const compat::GroupPtr& group, const compat::StorePtr& store, RankOf own) {
    const auto [rank, worldSize] = own;
    const std::string where = "rank " + std::to_string(rank);
    std::vector<std::uint8_t> secret(kSecretBytes);
    if (::getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size()))
        return systemError("the system gives no random numbers", where);
    store->set(secretKey(rank), secret);
    std::vector<c10::intrusive_ptr<c10d::Work>> sending;
    for (int peer = 0; peer < worldSize; ++peer) {
        if (peer == rank) continue;
        std::vector<torch::Tensor> proof{tensorOf(proofOf(secret, rank, peer))};
        sending.push_back(group->send(proof, peer, kProofTag));
    }
    for (int peer = 0; peer < worldSize; ++peer) {
        if (peer == rank) continue;
        const auto expected = tensorOf(proofOf(store->get(secretKey(peer)), peer, rank));
        std::vector<torch::Tensor> shown{torch::zeros_like(expected)};
        group->recv(shown, peer, kProofTag)->wait();
        if (!torch::equal(shown.front(), expected))
            return runError("the peer answering as rank " + std::to_string(peer) + " is not part of this run", where,
                            "use a trusted network between the ranks");
    }
    for (const auto& work : sending) work->wait();
    return {};
}

} // namespace trainyard::train
