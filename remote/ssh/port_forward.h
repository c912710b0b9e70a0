// SPDX-License-Identifier: GPL-3.0-or-later
// Forwards ports of a host to this computer.
#pragma once

#include "engine/base/unique_fd.h"
#include "remote/ssh/ssh_session.h"

#include <list>
#include <optional>
#include <vector>

namespace trainyard::remote {

// A port here and its port on the host.
struct ForwardedPort {
    int local = 0;  // 0: any that is free
    int remote = 0; // on the host's loopback
};
// "8080:80", or "8080" for the same port on both sides. Input, with the allowed values.
Result<ForwardedPort> parseForwardedPort(const std::string& text);

// Listens on 127.0.0.1 and forwards every connection to the host. One thread.
class PortForward {
public:
    // Environment: a port here is taken.
    static Result<PortForward> open(std::vector<ForwardedPort> ports);
    const std::vector<ForwardedPort>& ports() const { return m_ports; } // with the ports that were chosen
    // Where new connections to that port go from now on.
    void setRemote(std::size_t index, int port) { m_ports[index].remote = port; }

    // Serves for at most `milliseconds`. `complain` gets the errors of failed connections. Environment: the connection
    // to the host was lost.
    Result<void> serve(SshSession& session, int milliseconds, const std::function<void(const Error&)>& complain);
    // While there is no connection to the host, for at most `milliseconds`: gives everybody who connects this answer,
    // and closes.
    void refuse(std::string_view answer, int milliseconds);

private:
    // Bytes in one direction.
    struct Flow {
        std::string pending;
        bool ended = false;  // nothing more comes
        bool passed = false; // and the other side knows
    };
    struct Link {
        UniqueFd client;
        std::unique_ptr<SshChannel> channel;
        Flow toHost, toClient;
        bool over() const { return toClient.passed; }
    };
    void accept(std::size_t listener, SshSession& session, const std::function<void(const Error&)>& complain);
    static void move(Flow& flow, int from, int to);

    std::vector<ForwardedPort> m_ports;
    std::vector<UniqueFd> m_listeners; // of each port
    std::list<Link> m_links;
};

} // namespace trainyard::remote
