// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: a connection that the system's ssh keeps open for others (ControlMaster), as a child of this process.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/unique_fd.h"
#include "remote/ssh/system/ssh_client.h"

#include <sys/types.h>

#include <optional>

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

// A new name for a file in the user's private folder.
std::string privateName();

// Writes a configuration file with that content into the user's private folder; returns its name.
Result<std::filesystem::path> sshConfigFile(const std::string& text);

// The place where a sign-in on a terminal leaves the host's connection open for processes that cannot ask.
Result<std::filesystem::path> leftMaster(const HostEntry& host);

// A connection to the socket of a master; nothing if there is none.
std::optional<UniqueFd> connectToMaster(const std::filesystem::path& socket);

constexpr double kTerminalSeconds = 300; // a person looks for a password
Mutex& terminalMutex();                  // held while ssh may ask: one question at a time

// Has ssh sign in, on the terminal or with the answers of options.askSecret, and leaves the connection open for
// kLeftSeconds, or as long as it is used.
Result<void> leaveOpen(const HostEntry& host, const ConnectOptions& options);
constexpr int kLeftSeconds = 60;

// Checks the host's key as the library's sessions do, and asks about a new one; jump hosts first. Success: ssh may be
// called again.
Result<void> acceptKeys(const HostEntry& host, const ConnectOptions& options);

// Why ssh did not connect.
Error sshError(const HostEntry& host, const std::string& said);

} // namespace trainyard::remote
