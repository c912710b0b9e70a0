// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/ask_pass.h"

#include "engine/base/text/printable.h"
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/socket_path.h"
#include "remote/ssh/system/ssh_master.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr std::size_t kLongest = 4096;
constexpr int kReadSeconds = 5;
constexpr char kAnswered = 'y', kDeclined = 'n'; // the first byte of a reply; the answer follows

// All that the other end writes until it has written everything.
std::string readAll(int fd) {
    std::string text;
    text.reserve(2 * kLongest); // no copy of it stays behind
    std::array<char, kLongest> buffer{};
    ssize_t count;
    while (text.size() < kLongest && (count = ::read(fd, buffer.data(), buffer.size())) > 0)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    explicit_bzero(buffer.data(), buffer.size());
    return text;
}

bool writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace

Result<AskPass> AskPass::open() {
    TY_ASSIGN(const auto folder, run::socketFolder());
    fs::path file = folder / (privateName() + ".ask");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = file.string();
    if (path.size() >= sizeof address.sun_path)
        return environmentError("its path is too long for a socket", path, "set a shorter XDG_RUNTIME_DIR");
    path.copy(address.sun_path, path.size());
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(fd.get(), 4) != 0)
        return systemError("a socket cannot be made", path);
    return AskPass(std::move(file), std::move(fd));
}

AskPass::~AskPass() {
    std::error_code ignored;
    if (m_fd.get() >= 0) fs::remove(m_socket, ignored);
}

std::vector<std::string> AskPass::environment() const {
    return {"SSH_ASKPASS=" + (run::programFolder() / "trainyardctl").string(), "SSH_ASKPASS_REQUIRE=force",
            std::string(kAskPassVariable) + "=" + m_socket.string()};
}

bool AskPass::serve(double seconds, const std::string& host, const SecretAsker& ask) const {
    pollfd waiting{m_fd.get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(seconds * 1000)) != 1) return true;
    const UniqueFd caller(::accept4(m_fd.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (caller.get() < 0 || !run::isOfThisUser(caller.get())) return true;
    const timeval patience{kReadSeconds, 0};
    ::setsockopt(caller.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string question = printable(readAll(caller.get()), 300);
    question.erase(question.find_last_not_of(": \n") + 1);
    auto answer = ask({host, question});
    writeAll(caller.get(), std::string_view(answer ? &kAnswered : &kDeclined, 1));
    if (!answer) return false;
    writeAll(caller.get(), *answer);
    explicit_bzero(answer->data(), answer->size());
    return true;
}

std::optional<int> answeredForSsh(const std::string& question) {
    const char* socket = std::getenv(kAskPassVariable);
    if (socket == nullptr) return std::nullopt;
    const auto fd = connectToMaster(socket);
    if (!fd) return 1;
    const int flags = ::fcntl(fd->get(), F_GETFL);
    ::fcntl(fd->get(), F_SETFL, flags & ~O_NONBLOCK); // a person takes their time
    if (!writeAll(fd->get(), question) || ::shutdown(fd->get(), SHUT_WR) != 0) return 1;
    std::string reply = readAll(fd->get());
    const bool answered = !reply.empty() && reply.front() == kAnswered;
    if (answered) {
        reply += '\n';
        [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, reply.data() + 1, reply.size() - 1);
    }
    explicit_bzero(reply.data(), reply.size());
    return answered ? 0 : 1;
}

} // namespace trainyard::remote
