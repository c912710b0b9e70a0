// SPDX-License-Identifier: GPL-3.0-or-later
// One SSH connection to one host: commands run over it side by side, each on its own channel.
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/launcher.h"
#include "remote/book/host_book.h"
#include "remote/book/sign_in.h"

#include <map>
#include <memory>
#include <span>

namespace trainyard::remote {

class ChannelServer;
struct ChannelState;
struct OpenRequest;

// What was found out while connecting.
struct SshFacts {
    std::string peerAddress; // of the host, as connected to
    std::string hostKeyType;
    std::string authMethod; // "agent key /home/me/.ssh/id_ed25519", "key file ...", "none"
    double connectSeconds = 0, handshakeSeconds = 0, signInSeconds = 0;
    bool noCommonMethods = false;                   // why the handshake failed
    ChannelReason overSystem = ChannelReason::None; // why the system's ssh speaks with the host; None: the library does
};

// A program that runs on the host. Its standard input and output are the two directions of dataFd(), its error
// stream comes out of logFd(); both are non-blocking and pollable, and end when the program does or the link is lost.
// Closing it ends the input of the program and nothing more: use SshSession::signalGroup() to end the program.
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
    // Waits at most that long for the end; false when it has not come.
    bool waitForEnd(double seconds) const;

private:
    std::shared_ptr<ChannelState> m_state;
    int m_dataFd, m_logFd;
};

// How a remote program is run.
struct ExecOptions {
    std::map<std::string, std::string> environment; // added to the host's own
    std::string input;                              // for its standard input
    // Instead of `input`: fills the buffer and returns the count, 0 at the end.
    std::function<Result<std::size_t>(std::span<char>)> source;
    ByteSink sink;                     // takes the output piece by piece instead of ExecResult::out
    double silenceSeconds = 30;        // given up when nothing moves in either direction for so long
    std::size_t maxOutput = 16u << 20; // bytes of out and of err, each
};

// What a remote program printed, and how it ended.
struct ExecResult {
    run::ExitStatus status;
    std::string out, err;
    bool ok() const { return !status.signalled && status.code == 0; }
    std::string complaint() const; // last line of err that says something, else the exit status
};

// Thread-safe. One thread owns the connection and serves all channels. connectToHost() chooses what speaks SSH.
class SshSession {
public:
    // Over the library. Blocks for TCP connect, handshake and sign-in, each with its deadline. Errors name the host and
    // the remedy; `found` tells what was found out until then.
    static Result<std::shared_ptr<SshSession>> connect(const HostEntry& host, const ConnectOptions& options,
                                                       SshFacts& found);
    static Result<std::shared_ptr<SshSession>> connect(const HostEntry& host, const ConnectOptions& options = {});
    // The same over the system's ssh, for that reason. What ended a program is known only when it was a signal that was
    // sent from here, or an exit code.
    static Result<std::shared_ptr<SshSession>> connectOverSystem(const HostEntry& host, const ConnectOptions& options,
                                                                 ChannelReason reason);
    ~SshSession();

    // Starts a program and returns once it runs. `windowBytes` may be on their way at once.
    Result<std::unique_ptr<SshChannel>> start(const std::vector<std::string>& arguments,
                                              const std::map<std::string, std::string>& environment = {},
                                              unsigned windowBytes = 4u << 20);
    // Runs a program to its end. A program that fails is a value; a link, deadline or limit that fails is an Error.
    Result<ExecResult> exec(const std::vector<std::string>& arguments, const ExecOptions& options = {});
    // The same, for a script of /bin/sh; `parameters` become $1, $2, ...
    Result<ExecResult> script(const std::string& text, const std::vector<std::string>& parameters = {},
                              const ExecOptions& options = {});
    // A TCP connection from the host to a port there; the two directions of dataFd() are its own. Blocks until it is
    // made. Environment: nothing answers.
    Result<std::unique_ptr<SshChannel>> connectTo(const std::string& address, int port);
    // Sends a signal to a process group on the host, over a channel of its own. Returns at once.
    void signalGroup(std::int64_t pid, int signalNumber);

    bool alive() const;
    std::string lossReason() const; // empty while alive
    int openChannels() const;
    const SshFacts& facts() const { return m_facts; }
    const HostEntry& host() const { return m_host; }

private:
    SshSession(HostEntry host, SshFacts facts, std::unique_ptr<ChannelServer> server);
    // With a pair of sockets for its data and one for its log, of which the channel has an end each.
    Result<std::unique_ptr<SshChannel>> openChannel(OpenRequest request);

    HostEntry m_host;
    SshFacts m_facts;
    std::unique_ptr<ChannelServer> m_server;
};

// "TERM" for 15; "KILL" for what has no portable name. And back; 0 when unknown.
std::string signalName(int signalNumber);
int signalFromName(const std::string& name);

} // namespace trainyard::remote
