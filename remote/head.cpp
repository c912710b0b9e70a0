// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/head.h"

#include "engine/base/sha256.h"
#include "remote/connect.h"

namespace fs = std::filesystem;

namespace trainyard::remote {

Result<Head> Head::open(const HostEntry& host, const HeadPrograms& programs, const ConnectOptions& options) {
    std::error_code failure;
    if (!fs::is_regular_file(programs.control, failure))
        return environmentError("there is no trainyardctl to copy to the host", programs.control.string(),
                                "install Trainyard completely");
    TY_ASSIGN(auto session, connectToHost(host, options));
    TY_ASSIGN(auto basics, askBasics(*session));
    Head head(std::move(session), std::move(basics));
    TY_ASSIGN(const Deployed worker, deployWorker(*head.m_session, head.m_basics, programs.worker));
    // Programs find one another in their folder, so it goes beside the worker.
    head.m_control = (fs::path(worker.program).parent_path() / "trainyardctl").string();
    TY_ASSIGN(const std::string digest, sha256HexOf(programs.control));
    TY_ASSIGN(const auto sent, sendMissing(*head.m_session, {{programs.control, digest, head.m_control, true}}));
    TY_TRY(checkLibraries(*head.m_session, head.m_control));
    head.m_bytesSent = worker.bytesSent + sent;
    return head;
}

Result<Staged> Head::stage(const fs::path& local) { return stagePath(*m_session, m_basics, local, *m_digests); }

// Sockets must outlive all sign-ins of the user, and systemd removes that folder after the last one.
std::vector<std::string> Head::commandOf(const std::vector<std::string>& words) const {
    std::vector<std::string> command{"/usr/bin/env", "-u", "XDG_RUNTIME_DIR", m_control};
    command.insert(command.end(), words.begin(), words.end());
    return command;
}

Result<ExecResult> Head::call(const std::vector<std::string>& words, const ExecOptions& options) {
    return m_session->exec(commandOf(words), options);
}

Result<std::unique_ptr<SshChannel>> Head::start(const std::vector<std::string>& words,
                                                const std::map<std::string, std::string>& environment) {
    return m_session->start(commandOf(words), environment);
}

} // namespace trainyard::remote
