// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: a connection that the system's ssh keeps open for others (ControlMaster), as a child of this process.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/unique_fd.h"
#include "remote/book/ssh_client.h"

#include <sys/types.h>

#include <optional>

namespace trainyard::remote {

// A call of ssh that runs beside this program, and what it says.
class SshProcess {
public:
    // Ends with the thread that started it. Without a terminal it cannot ask, and Ctrl+C does not reach it.
    // `asking`: variables of its environment by which it can ask elsewhere.
    static Result<SshProcess> start(const std::vector<std::string>& arguments, bool onTerminal,
                                    const std::vector<std::string>& asking = {});
    SshProcess(SshProcess&& other) noexcept;
    SshProcess& operator=(SshProcess&&) = delete;
    ~SshProcess(); // SIGTERM, and SIGKILL 2 s later

    void terminate(); // asks it to end, without waiting
    // Whether it has ended; takes what it has said. Waits at most that long.
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

// The name of a configuration file with that content in the user's private folder.
Result<std::filesystem::path> sshConfigFile(const std::string& text);

// Where a sign-in on a terminal leaves the host's connection open for those that cannot ask.
Result<std::filesystem::path> leftMaster(const HostEntry& host);

// A connection to the socket of a master; nothing while there is none.
std::optional<UniqueFd> connectToMaster(const std::filesystem::path& socket);

constexpr double kTerminalSeconds = 300; // a person looks for a password
Mutex& terminalMutex();                  // held while ssh may ask: one question at a time

// Has ssh sign in on the terminal, or by what options.askSecret answers, and leaves the connection open, for
// kLeftSeconds or as long as it is used.
Result<void> leaveOpen(const HostEntry& host, const ConnectOptions& options);
constexpr int kLeftSeconds = 60;

// Judges the key that the host shows, as the library's sessions do, and asks for what is new; so with the hosts on the
// way, first. Success: ssh may be called again.
Result<void> acceptKeys(const HostEntry& host, const ConnectOptions& options);

// Why ssh did not connect.
Error sshError(const HostEntry& host, const std::string& said);

} // namespace trainyard::remote
