// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/head_call.h"

#include "app/ctl/hosts/host_questions.h"
#include "app/ctl/interrupt.h"
#include "engine/base/error_json.h"
#include "engine/run/attach/terminal_progress.h"
#include "engine/run/launch/programs.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace trainyard::ctl {
namespace {

constexpr double kEndSeconds = 20;      // for the exit code after the output
constexpr double kSilenceSeconds = 300; // a bundle of many checkpoints is written without a word
constexpr int kMostInterrupts = 3;      // stop, stop now, kill; after those the terminal is wanted back

// What the program there cannot see of the terminal here.
std::map<std::string, std::string> terminalEnvironment() {
    std::map<std::string, std::string> environment;
    if (const int columns = run::TerminalProgress::terminalColumns(); columns > 0)
        environment[run::TerminalProgress::kColumnsVariable] = std::to_string(columns);
    if (const char* plain = std::getenv("NO_COLOR")) environment["NO_COLOR"] = plain;
    return environment;
}

// One stream of the program there, and where it goes here.
class Stream {
public:
    Stream(int from, bool isOutput) : m_from(from), m_isOutput(isOutput) {}
    pollfd watched() const { return {m_open ? m_from : -1, POLLIN, 0}; }
    bool isOpen() const { return m_open; }

    void pass() {
        std::array<char, 64u << 10> buffer;
        const ssize_t count = ::recv(m_from, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            m_open = false;
            return;
        }
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
        if (m_isOutput) printPassed(bytes);
        else std::fwrite(bytes.data(), 1, bytes.size(), stderr);
    }

private:
    int m_from;
    bool m_isOutput, m_open = true;
};

} // namespace

Result<remote::Head> openHead(const std::string& name, const remote::ConnectOptions& options,
                              const std::function<void(const std::string&)>& say) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    TY_ASSIGN(const auto host, book.resolve(name));
    const remote::HeadPrograms programs{run::programFolder() / "trainyardctl", run::workerProgram()};
    return remote::Head::open(host, programs, options, say);
}

Result<remote::Head> openHead(const Session& session, const std::string& name) {
    const auto say = [&](const std::string& text) {
        if (!session.json) std::fprintf(stderr, "%s\n", text.c_str());
    };
    TY_ASSIGN(auto head, openHead(name, askingOptions(false), say));
    if (head.bytesSent() > 0 && !session.json)
        std::fprintf(stderr, "%s: copied the programs (%s)\n", name.c_str(),
                     remote::sizeText(head.bytesSent()).c_str());
    return head;
}

Result<int> passThrough(remote::Head& head, const std::vector<std::string>& words) {
    countInterrupts();
    TY_ASSIGN(const auto channel, head.start(words, terminalEnvironment()));
    channel->endInput();
    Stream out(channel->dataFd(), true), err(channel->logFd(), false);
    int passed = interrupts();
    while (out.isOpen() || err.isOpen()) {
        std::array<pollfd, 2> fds{out.watched(), err.watched()};
        ::poll(fds.data(), fds.size(), 200);
        if (fds[0].revents != 0) out.pass();
        if (fds[1].revents != 0) err.pass();
        for (; passed < interrupts(); ++passed) {
            if (passed >= kMostInterrupts) return exitCode(ErrorKind::Stopped);
            head.session().signalGroup(channel->pid(), SIGINT);
        }
    }
    if (!channel->waitForEnd(kEndSeconds) || !channel->lossReason().empty())
        return remote::connectionLost(channel->lossReason().empty() ? "the host does not answer"
                                                                    : channel->lossReason(),
                                      head.session().host().alias);
    const auto status = *channel->exitStatus();
    return status.signalled ? 128 + status.code : status.code;
}

Result<std::string> callHead(remote::Head& head, const std::vector<std::string>& words, const std::string& input) {
    remote::ExecOptions options;
    options.input = input;
    options.silenceSeconds = kSilenceSeconds;
    auto called = head.call(words, options);
    if (!called) { // without an answer
        Error error = called.error();
        if (error.code == ErrorCode::General) error.code = ErrorCode::ConnectionLost;
        return error;
    }
    if (called->ok()) return std::move(called->out);
    const std::string& host = head.session().host().alias;
    Error error = programError("trainyardctl", called->status.code, called->out, called->err);
    error.where = error.where.empty() ? "on " + host : "on " + host + ", " + error.where;
    return error;
}

} // namespace trainyard::ctl
