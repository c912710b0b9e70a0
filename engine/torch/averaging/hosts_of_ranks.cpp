// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/hosts_of_ranks.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string_view>

namespace trainyard::train {
namespace {

// Ranks told to be on hosts of their own do not share: so that a run over hosts can be tried on one. A list such as
// "a,a,b" names the host of each rank; the last, or only, name goes for those behind it.
std::string toldHost(int rank) {
    const char* told = std::getenv("TRAINYARD_HOST");
    std::string_view names = told ? told : "";
    for (auto comma = names.find(','); rank > 0 && comma != names.npos; comma = names.find(',')) {
        names.remove_prefix(comma + 1);
        --rank;
    }
    return std::string(names.substr(0, names.find(',')));
}

std::string identity(int rank) {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    std::array<char, 64> space{};
    if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) < 0) space.front() = 0;
    return boot + " " + space.data() + " " + std::to_string(::getuid()) + " " + toldHost(rank);
}

} // namespace

HostsOfRanks HostsOfRanks::find(const ProcessGroup& group) {
    const auto texts = group.gatherText(identity(group.rank()));
    HostsOfRanks found;
    std::map<std::string, std::size_t> known;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        const auto [entry, isNew] = known.emplace(texts[rank], found.hosts.size());
        if (isNew) found.hosts.emplace_back();
        auto& ranks = found.hosts[entry->second];
        if (static_cast<int>(rank) == group.rank()) {
            found.host = entry->second;
            found.index = ranks.size();
        }
        ranks.push_back(static_cast<int>(rank));
    }
    return found;
}

std::vector<int> HostsOfRanks::firsts() const {
    std::vector<int> firsts;
    for (const auto& ranks : hosts) firsts.push_back(ranks.front());
    return firsts;
}

} // namespace trainyard::train
