// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/control_desk.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/private_socket.h"
#include "engine/serve/control/service_client.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace trainyard::serve {
namespace {

constexpr std::size_t kMaxQuestion = 64 << 10, kMostClients = 64;

// A client that does not read is not waited for.
void sendLine(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

} // namespace

Result<ControlDesk> ControlDesk::open(const std::filesystem::path& socket, Act act) {
    UniqueFd listening = listenForControl(socket);
    if (!listening) return systemError("the control socket cannot be made", socket.string());
    ::fcntl(listening.get(), F_SETFL, O_NONBLOCK);
    return ControlDesk(std::move(listening), std::move(act));
}

std::vector<int> ControlDesk::descriptors() const {
    std::vector<int> all{m_listening.get()};
    for (const auto& [number, client] : m_clients) all.push_back(client.fd.get());
    return all;
}

void ControlDesk::turn() {
    accept();
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, client] : m_clients) numbers.push_back(number);
    for (const auto number : numbers)
        if (!read(number)) m_clients.erase(number);
}

void ControlDesk::accept() {
    while (m_clients.size() < kMostClients) {
        UniqueFd fd(::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) return;
        if (!run::isOfThisUser(fd.get())) continue;
        // An answer fits, so that sending it never waits.
        const int room = 4 << 20;
        (void)::setsockopt(fd.get(), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
        m_clients[m_next++].fd = std::move(fd);
    }
}

bool ControlDesk::read(std::uint64_t number) {
    Client& client = m_clients[number];
    std::array<char, 4096> bytes;
    for (;;) {
        const ssize_t got = ::recv(client.fd.get(), bytes.data(), bytes.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        if (got == 0) return false;
        client.line.append(bytes.data(), static_cast<std::size_t>(got));
        if (client.line.size() > kMaxQuestion) return false;
        for (std::size_t end = 0; (end = client.line.find('\n')) != std::string::npos;) {
            const std::string line = client.line.substr(0, end);
            client.line.erase(0, end + 1);
            const Json question = parseJson(line);
            if (!question.is_object()) answer(number, inputError("is not a JSON object", "question"));
            else m_act(question, [this, number](Result<Json> result) { answer(number, result); });
        }
    }
}

void ControlDesk::answer(std::uint64_t number, const Result<Json>& result) {
    const auto client = m_clients.find(number);
    if (client == m_clients.end()) return;
    std::string text = result ? jsonText(*result) : errorToJson(result.error());
    for (char& c : text)
        if (c == '\n') c = ' '; // an error is indented
    sendLine(client->second.fd.get(), text + "\n");
}

} // namespace trainyard::serve
