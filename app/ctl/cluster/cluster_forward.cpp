// SPDX-License-Identifier: GPL-3.0-or-later
// cluster forward: ports of a host at this computer, until Ctrl+C.
#include "app/ctl/cluster/cluster.h"
#include "app/ctl/hosts/host_questions.h"
#include "remote/hosts/connect.h"
#include "remote/ssh/port_forward.h"

#include <cstdio>

namespace trainyard::ctl {
namespace {

Result<int> forwardPorts(ClusterOptions options) {
    options.hosts = {options.host};
    std::vector<remote::ForwardedPort> ports;
    for (const auto& text : options.ports) {
        TY_ASSIGN(const auto port, remote::parseForwardedPort(text));
        ports.push_back(port);
    }
    TY_ASSIGN(const auto chosen, chooseCluster(options, ClusterFrom::Record));
    const auto& host = chosen.members.front().host;
    const auto connect = askingOptions(false);
    TY_ASSIGN(auto session, remote::connectToHost(host, connect));
    TY_ASSIGN(auto forward, remote::PortForward::open(std::move(ports)));
    countInterrupts();
    for (const auto& port : forward.ports())
        std::printf("127.0.0.1:%d is port %d of %s; Ctrl+C ends it\n", port.local, port.remote, host.alias.c_str());
    std::fflush(stdout);
    while (interrupts() == 0) {
        const auto served = forward.serve(*session, 200, [&](const Error& error) { sayOf(host.alias, error.text()); });
        if (served) continue;
        sayOf(host.alias, served.error().text() + "; connecting again");
        TY_ASSIGN(session, remote::connectToHost(host, connect));
    }
    return 0;
}

} // namespace

int clusterForward(const ClusterOptions& options) {
    const auto code = forwardPorts(options);
    return code ? *code : fail(code.error());
}

} // namespace trainyard::ctl
