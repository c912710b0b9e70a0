// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/ssh/system: a call of the system's ssh as a child process.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace trainyard::remote {

// A running call of ssh, and its output.
class SshProcess {
public:
    // Ends with the thread that started it. Without a terminal it cannot ask, and Ctrl+C does not reach it. `asking`:
    // environment variables by which it asks elsewhere.
    static Result<SshProcess> start(const std::vector<std::string>& arguments, bool onTerminal,
                                    const std::vector<std::string>& asking = {});
    SshProcess(SshProcess&& other) noexcept;
    SshProcess& operator=(SshProcess&&) = delete;
    ~SshProcess(); // SIGTERM, and SIGKILL 2 s later

    void terminate(); // asks it to end, without waiting
    // Whether it has ended; collects its output. Waits up to `seconds`.
    bool hasEnded(double seconds);
    const std::string& said() const { return m_said; } // its error stream
    int errorFd() const { return m_error.get(); }

private:
    SshProcess(pid_t pid, UniqueFd error) : m_pid(pid), m_error(std::move(error)) {}
    void read();

    pid_t m_pid; // 0: it was waited for
    UniqueFd m_error;
    std::string m_said;
};

} // namespace trainyard::remote
