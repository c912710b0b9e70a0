// SPDX-License-Identifier: GPL-3.0-or-later
// A host on which supervisors live, so that runs go on there without this computer.
#pragma once

#include "remote/files/deploy.h"
#include "remote/files/folder_digests.h"
#include "remote/files/stage.h"

namespace trainyard::remote {

// The programs of a supervisor and its ranks on this computer.
struct HeadPrograms {
    std::filesystem::path control; // trainyardctl
    std::filesystem::path worker;  // trainyard-worker
};

// Programs are called and started by any thread, files staged by one at a time.
class Head {
public:
    // Connects, and copies the programs that are missing there, so that both ends have the same. Environment: as
    // connectToHost() and deployWorker(). `say`: as in SshLauncherOptions.
    static Result<Head> open(const HostEntry& host, const HeadPrograms& programs, const ConnectOptions& options,
                             const std::function<void(const std::string&)>& say = {});

    // Makes a file or folder of this computer readable there, and returns its path there. As stagePath().
    Result<Staged> stage(const std::filesystem::path& local);
    // Runs trainyardctl there to its end, in the user's usual workspace on that host.
    Result<ExecResult> call(const std::vector<std::string>& words, const ExecOptions& options = {});
    // As call(), but returns once it runs.
    Result<std::unique_ptr<SshChannel>> start(const std::vector<std::string>& words,
                                              const std::map<std::string, std::string>& environment);

    SshSession& session() { return *m_session; }
    const HostBasics& basics() const { return m_basics; }
    std::int64_t bytesSent() const { return m_deployed.bytesSent; } // of the programs

private:
    Head(std::shared_ptr<SshSession> session, HostBasics basics)
        : m_session(std::move(session)), m_basics(std::move(basics)) {}
    std::vector<std::string> commandOf(const std::vector<std::string>& words) const;

    std::shared_ptr<SshSession> m_session;
    HostBasics m_basics;
    Deployed m_deployed;
    std::unique_ptr<DigestCache> m_digests = std::make_unique<DigestCache>();
};

} // namespace trainyard::remote
