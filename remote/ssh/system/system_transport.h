// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the thread that keeps a connection of the system's ssh and serves its channels.
#pragma once

#include "engine/base/machine/mutex.h"
#include "remote/ssh/channel_thread.h"
#include "remote/ssh/system/mux_channel.h"
#include "remote/ssh/system/ssh_master.h"

#include <thread>

namespace trainyard::remote {

// The place of a master, or how to start it.
struct MasterPlan {
    HostEntry host;
    ConnectOptions options;
    std::filesystem::path socket;
    bool exists = false; // it belongs to another process, and stays when this one is done with it
};

// The thread that owns one connection of the system's ssh.
class MuxThread : public ChannelServer {
public:
    // Blocks until the master has signed in or failed.
    static Result<std::unique_ptr<MuxThread>> start(MasterPlan plan);
    ~MuxThread() override;

    std::future<Result<void>> open(OpenRequest request) override { return m_queue.push(std::move(request)); }
    void signalled(std::int64_t pid, int signalNumber) override;
    bool alive() const override { return !m_queue.lost(); }
    std::string lossReason() const override { return m_queue.lossReason(); }
    int channels() const override { return m_queue.channels(); }

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
    void passSignals();

    const MasterPlan m_plan;
    const std::string m_label;
    ChannelQueue m_queue;
    std::optional<SshProcess> m_master;
    UniqueFd m_keeper; // a connection to the master, which ends with it
    std::vector<std::unique_ptr<MuxChannel>> m_pumps;

    Mutex m_mutex;
    std::vector<std::pair<std::int64_t, int>> m_signals TY_GUARDED_BY(m_mutex);
    std::thread m_thread;
};

} // namespace trainyard::remote
