// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rendezvous.h"

#include "engine/torch/group/supervisor_store.h"
#include "engine/wire/messages.h"

#include <unistd.h>

#include <array>
#include <cstdio>

namespace trainyard::train {

wire::Hello helloOfThisProcess() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    wire::Hello hello;
    hello.pid = ::getpid();
    hello.host = name.data();
    hello.version = TRAINYARD_VERSION;
    hello.libtorchVersion = compat::libtorchVersion();
    return hello;
}

void exitOrphaned(const Error& error) {
    std::fprintf(stderr, "leaving: %s\n", error.text().c_str());
    std::fflush(stderr);
    ::_exit(exitCode(error.kind));
}

Result<JoinedGroup> rendezvous(const wire::Start& start, RankChannel& channel, const RendezvousOptions& how) {
    if (start.worldSize == 1) return JoinedGroup{};
    channel.progress().setRendezvous();
    GroupOptions options;
    options.rank = start.rank;
    options.worldSize = start.worldSize;
    options.interfaceAddress = start.interfaceAddress.empty() ? "127.0.0.1" : start.interfaceAddress;
    options.nccl = how.nccl;
    options.oneHost = how.oneHost;
    options.abort = &channel.abortFlag();
    options.connections = how.connections;
    options.timeout = how.limit;
    compat::StorePtr store = c10::make_intrusive<SupervisorStore>(channel, options.timeout);
    // Keys of an earlier generation may still be there.
    store = c10::make_intrusive<c10d::PrefixStore>(wire::storePrefix(start.generation), store);
    JoinedGroup joined;
    TY_ASSIGN(joined.group, ProcessGroup::make(store, options));
    joined.peers = Peers::exchange(joined.group, options.interfaceAddress);
    return joined;
}

} // namespace trainyard::train
