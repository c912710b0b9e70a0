// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace trainyard::test {

// A TCP relay on the loopback interface that delivers every byte `delay` after it came, in both directions. A rule of
// nftables' leads connections to it; it connects to where they were to go, by sockets with the mark kMark, which that
// rule lets pass.
class SlowRelay {
public:
    static constexpr int kMark = 7;

    explicit SlowRelay(std::chrono::milliseconds delay);
    ~SlowRelay(); // ends all connections
    SlowRelay(const SlowRelay&) = delete;
    SlowRelay& operator=(const SlowRelay&) = delete;

    int port() const { return m_port; } // 0 when it cannot listen
    int connections();                  // relayed so far

private:
    void accept();
    void relay(int from, int to);

    std::chrono::milliseconds m_delay;
    int m_listener = -1, m_port = 0;
    std::thread m_acceptor;
    std::mutex m_mutex; // of what follows
    std::vector<int> m_sockets;
    std::vector<std::thread> m_relays;
};

} // namespace trainyard::test
