// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the thread that keeps a connection of the system's ssh and serves its channels.
#pragma once

#include "remote/channel_server.h"
#include "remote/mux_channel.h"
#include "remote/ssh_master.h"

#include <atomic>
#include <deque>
#include <thread>

namespace trainyard::remote {

// Where a master is, or how it is called.
struct MasterPlan {
    HostEntry host;
    ConnectOptions options;
    std::filesystem::path socket;
    bool exists = false; // it belongs to another process, and stays when this one is done with it
};

// The thread that owns one connection of the system's ssh.
class MuxThread : public ChannelServer {
public:
    // Blocks until the master has signed in, or not.
    static Result<std::unique_ptr<MuxThread>> start(MasterPlan plan);
    ~MuxThread() override;

    std::future<Result<void>> open(OpenRequest request) override;
    void signalled(std::int64_t pid, int signalNumber) override;
    bool alive() const override { return !m_lost.load(); }
    std::string lossReason() const override;
    int channels() const override { return m_channels.load(); }

private:
    explicit MuxThread(MasterPlan plan);
    void run(std::promise<Result<void>> ready);
    Result<void> signIn();
    Result<void> signInOnce(bool onTerminal);
    void loop();
    void endMaster();
    void waitForWork(bool busy);
    bool openNext();
    bool serviceAll();
    bool masterEnded(int milliseconds);
    std::string whyLost();
    void lose(const std::string& reason);
    bool done();
    void wake();

    const MasterPlan m_plan;
    const std::string m_label;
    UniqueFd m_wake; // eventfd
    std::optional<SshProcess> m_master;
    UniqueFd m_keeper; // a connection to the master, which ends with it
    std::vector<std::unique_ptr<MuxChannel>> m_pumps;
    double m_stopDeadline = 0;

    mutable std::mutex m_mutex; // of what follows
    std::deque<OpenRequest> m_requests;
    std::vector<std::pair<std::int64_t, int>> m_signals;
    std::string m_lossReason;

    std::atomic<bool> m_stopping = false, m_lost = false;
    std::atomic<int> m_channels = 0;
    std::thread m_thread;
};

} // namespace trainyard::remote
