// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: questions of the system's ssh to a program without a terminal (SSH_ASKPASS). ssh starts trainyardctl
// with the question, which brings it here over a private socket and prints the answer for ssh.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "remote/book/sign_in.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::remote {

// Receives the questions. Any thread, one at a time.
class AskPass {
public:
    // Listens in the user's private folder. System, or Environment if there is no such folder.
    static Result<AskPass> open();
    AskPass(AskPass&&) = default;
    AskPass& operator=(AskPass&&) = delete;
    ~AskPass(); // removes the socket

    // Variables for an ssh that shall ask here.
    std::vector<std::string> environment() const;
    // Waits up to `seconds` for one question about `host`, and answers it. False: nothing was typed.
    bool serve(double seconds, const std::string& host, const SecretAsker& ask) const;

private:
    AskPass(std::filesystem::path socket, UniqueFd fd) : m_socket(std::move(socket)), m_fd(std::move(fd)) {}

    std::filesystem::path m_socket; // empty: moved from
    UniqueFd m_fd;
};

} // namespace trainyard::remote
