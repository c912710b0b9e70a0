// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/head.h"

#include "remote/hosts/connect.h"

namespace fs = std::filesystem;

namespace trainyard::remote {

Result<Head> Head::open(const HostEntry& host, const HeadPrograms& programs, const ConnectOptions& options,
                        const std::function<void(const std::string&)>& say) {
    std::error_code failure;
    if (!fs::is_regular_file(programs.control, failure))
        return environmentError("there is no trainyardctl to copy to the host", programs.control.string(),
                                "install Trainyard completely");
    TY_ASSIGN(auto session, connectToHost(host, options));
    TY_ASSIGN(auto basics, askBasics(*session));
    Head head(std::move(session), std::move(basics));
    // Programs find one another in their folder.
    ToDeploy files{.worker = programs.worker, .control = programs.control};
    if (say) files.onLibraries = [&](std::int64_t bytes) { say(librariesNotice(host.alias, bytes)); };
    TY_ASSIGN(head.m_deployed, deployWorker(*head.m_session, head.m_basics, files, *head.m_digests));
    return head;
}

Result<Staged> Head::stage(const fs::path& local) { return stagePath(*m_session, m_basics, local, *m_digests); }

// Sockets must outlive all sign-ins of the user, and systemd removes that folder after the last one.
std::vector<std::string> Head::commandOf(const std::vector<std::string>& words) const {
    std::vector<std::string> command{"/usr/bin/env", "-u", "XDG_RUNTIME_DIR"};
    for (const auto& [name, value] : withLibraries(m_deployed.libraries)) command.push_back(name + "=" + value);
    command.push_back(m_deployed.control);
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
