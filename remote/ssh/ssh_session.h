// SPDX-License-Identifier: GPL-3.0-or-later
// One SSH connection to one host: commands run over it side by side, each on its own channel.
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/launcher.h"
#include "remote/book/host_book.h"
#include "remote/book/sign_in.h"
#include "remote/ssh/link_loss.h"

#include <map>
#include <memory>
#include <span>

namespace trainyard::remote {

class ChannelThread;
struct ChannelState;
struct OpenRequest;

// Facts found while connecting.
struct SshFacts {
    std::string peerAddress; // of the host, as connected to
    std::string hostKeyType;
    std::string authMethod; // "agent key /home/me/.ssh/id_ed25519", "key file ...", "none"
    double connectSeconds = 0, handshakeSeconds = 0, signInSeconds = 0;
    ChannelReason overSystem = ChannelReason::None; // why the system's ssh speaks with the host; None: the library does
};

// A program on the host. dataFd() is its standard input and output, logFd() its error stream; both are non-blocking
// and pollable, and end with the program or the link. Closing dataFd() only ends the program's input: use
// SshSession::signalGroup() to end the program.
class SshChannel {
public:
    SshChannel(std::shared_ptr<ChannelState> state, int dataFd, int logFd);
    ~SshChannel();
    SshChannel(const SshChannel&) = delete;
    SshChannel& operator=(const SshChannel&) = delete;

    int dataFd() const { return m_dataFd; }
    int logFd() const { return m_logFd; }
    std::int64_t pid() const;                          // on the host; it leads its process group
    void endInput();                                   // the program reads end of file
    std::optional<run::ExitStatus> exitStatus() const; // hostLost, and 255, when the link was lost
    std::string lossReason() const;                    // empty unless the link was lost
    // Waits up to `seconds` for the end; false if it has not come.
    bool waitForEnd(double seconds) const;

private:
    std::shared_ptr<ChannelState> m_state;
    int m_dataFd, m_logFd;
};

// How to run a remote program.
struct ExecOptions {
    std::map<std::string, std::string> environment; // added to the host's own
    std::string input;                              // for its standard input
    // Replaces `input`: fills the buffer and returns the count, 0 at the end.
    std::function<Result<std::size_t>(std::span<char>)> source;
    ByteSink sink;                     // takes the output piece by piece instead of ExecResult::out
    double silenceSeconds = 30;        // given up when nothing moves in either direction for so long
    std::size_t maxOutput = 16u << 20; // bytes of out and of err, each
};

// A remote program's output and end.
struct ExecResult {
    run::ExitStatus status;
    std::string out, err;
    bool ok() const { return !status.signalled && status.code == 0; }
    std::string complaint() const; // last line of err that says something, else the exit status
};

// Thread-safe. One thread owns the connection and serves all channels. connectToHost() chooses the program that speaks
// SSH and makes the session.
class SshSession {
public:
    // Over a connection that is signed in.
    SshSession(HostEntry host, SshFacts facts, std::unique_ptr<ChannelThread> thread);
    ~SshSession();

    // Starts a program and returns once it runs. At most `windowBytes` are in transit.
    Result<std::unique_ptr<SshChannel>> start(const std::vector<std::string>& arguments,
                                              const std::map<std::string, std::string>& environment = {},
                                              unsigned windowBytes = 4u << 20);
    // Runs a program to its end. A failing program is a value; a failing link, deadline or limit is an Error.
    Result<ExecResult> exec(const std::vector<std::string>& arguments, const ExecOptions& options = {});
    // The same, for a script of /bin/sh; `parameters` become $1, $2, ...
    Result<ExecResult> script(const std::string& text, const std::vector<std::string>& parameters = {},
                              const ExecOptions& options = {});
    // A TCP connection from the host to a port there, over the two directions of dataFd(). Blocks until it is made.
    // Environment: nothing answers.
    Result<std::unique_ptr<SshChannel>> connectTo(const std::string& address, int port);
    // Sends a signal to a process group on the host, over a channel of its own. Returns at once.
    void signalGroup(std::int64_t pid, int signalNumber);

    bool alive() const;
    std::string lossReason() const; // empty while alive
    int openChannels() const;
    const SshFacts& facts() const { return m_facts; }
    const HostEntry& host() const { return m_host; }

private:
    // With a pair of sockets for its data and one for its log, of which the channel has an end each.
    Result<std::unique_ptr<SshChannel>> openChannel(OpenRequest request);

    HostEntry m_host;
    SshFacts m_facts;
    std::unique_ptr<ChannelThread> m_thread;
};

// "TERM" for 15; "KILL" for signals without a portable name. And back; 0 if unknown.
std::string signalName(int signalNumber);
int signalFromName(const std::string& name);

} // namespace trainyard::remote
