// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/peer_lost.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace trainyard::train {
namespace {

// LibTorch throws one type for everything that these libraries say.
constexpr std::array<std::string_view, 8> kSignsOfLoss{
    "gloo/transport/", // the place in Gloo's sources with which each of its I/O errors begins
    "Connection closed by peer",
    "Connection reset by peer",
    "Connection refused", // c10d's TCPStore, whose server is gone, and Gloo
    "Broken pipe",
    "Timed out waiting", // for a message, or for another rank's key
    "NCCL error",
    "NCCL communicator was aborted",
};

} // namespace

bool isPeerLoss(const std::exception& thrown) {
    if (dynamic_cast<const PeerLost*>(&thrown)) return true;
    const std::string_view text = thrown.what();
    return std::any_of(kSignsOfLoss.begin(), kSignsOfLoss.end(),
                       [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

} // namespace trainyard::train
