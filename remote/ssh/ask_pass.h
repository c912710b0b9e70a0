// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: what the system's ssh asks a program without a terminal (SSH_ASKPASS). ssh starts trainyardctl with
// the question, which brings it here over a private socket and prints the answer for ssh.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "remote/book/sign_in.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::remote {

// The end that is asked. Any thread, one at a time.
class AskPass {
public:
    // Listens in the user's private folder. System, or Environment when there is no such folder.
    static Result<AskPass> open();
    AskPass(AskPass&&) = default;
    AskPass& operator=(AskPass&&) = delete;
    ~AskPass(); // removes the socket

    // What an ssh that asks here has in its environment.
    std::vector<std::string> environment() const;
    // Waits at most that long for one question about `host`, and answers it. False: nothing was typed.
    bool serve(double seconds, const std::string& host, const SecretAsker& ask) const;

private:
    AskPass(std::filesystem::path socket, UniqueFd fd) : m_socket(std::move(socket)), m_fd(std::move(fd)) {}

    std::filesystem::path m_socket; // empty: moved from
    UniqueFd m_fd;
};

} // namespace trainyard::remote
