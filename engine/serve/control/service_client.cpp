// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/control/service_client.h"

#include "engine/base/clock.h"
#include "engine/base/error_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/private_socket.h"
#include "engine/store/store.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>

namespace trainyard::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxAnswer = 4u << 20;

// Calls with an address that fits whatever the folder's path is: through the folder's descriptor.
UniqueFd socketIn(const fs::path& path, const std::function<bool(int fd, const sockaddr* address)>& act) {
    const UniqueFd folder(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!folder || !fd) return {};
    const std::string name = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + path.filename().string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, name.c_str(), sizeof address.sun_path - 1);
    return act(fd.get(), reinterpret_cast<const sockaddr*>(&address)) ? std::move(fd) : UniqueFd();
}

bool sendAll(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

// One line; nothing when none came in time.
std::optional<std::string> readLine(int fd, double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    std::string line;
    std::array<char, 1 << 16> bytes;
    while (line.size() < kMaxAnswer) {
        pollfd entry{fd, POLLIN, 0};
        const double left = deadline - monotonicSeconds();
        const int ready = left > 0 ? ::poll(&entry, 1, static_cast<int>(std::ceil(left * 1000))) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return std::nullopt;
        const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        line.append(bytes.data(), static_cast<std::size_t>(got));
        if (line.back() == '\n') {
            line.pop_back();
            return line;
        }
    }
    return std::nullopt;
}

} // namespace

UniqueFd listenForControl(const fs::path& socket) {
    ::unlink(socket.c_str());
    return socketIn(socket, [](int fd, const sockaddr* address) {
        return ::fchmod(fd, 0600) == 0 && ::bind(fd, address, sizeof(sockaddr_un)) == 0 && ::listen(fd, 64) == 0;
    });
}

UniqueFd connectToControl(const fs::path& socket) {
    return socketIn(socket, [](int fd, const sockaddr* address) {
        return ::connect(fd, address, sizeof(sockaddr_un)) == 0 && run::isOfThisUser(fd);
    });
}

Result<Json> ServiceClient::ask(const Json& question, double seconds) const {
    const std::string where = "service " + m_folder.root.filename().string();
    const UniqueFd fd = connectToControl(m_folder.controlSocket());
    if (!fd)
        return environmentError("does not run", where,
                                "start it: trainyardctl serve resume " + m_folder.root.filename().string())
            .withCode(ErrorCode::NotRunning);
    const auto line = sendAll(fd.get(), jsonText(question) + "\n") ? readLine(fd.get(), seconds) : std::nullopt;
    if (!line) return environmentError("does not answer", where, "its log: " + m_folder.serverLog().string());
    if (const auto error = errorFromJson(*line)) return *error;
    Json answer = parseJson(*line);
    if (!answer.is_object()) return environmentError("its answer is no JSON object", where);
    return answer;
}

Result<void> ServiceClient::tell(const Json& question, double seconds) const {
    TY_TRY(ask(question, seconds));
    return {};
}

Result<ServiceStatus> ServiceClient::status(double seconds) const {
    TY_ASSIGN(const Json answer, ask(Json{{"do", "status"}}, seconds));
    return statusFromJson(jsonText(answer), "service " + m_folder.root.filename().string());
}

Result<void> ServiceClient::swap(const ServedModel& model, double seconds) const {
    return tell(Json{{"do", "swap"}, {"model", servedModelJson(model)}}, seconds);
}

Result<void> ServiceClient::canary(const ServedModel& model, double share, double seconds) const {
    return tell(Json{{"do", "canary"}, {"model", servedModelJson(model)}, {"share", share}}, seconds);
}

Result<void> ServiceClient::shadow(const ServedModel& model, double seconds) const {
    return tell(Json{{"do", "shadow"}, {"model", servedModelJson(model)}}, seconds);
}

Result<void> ServiceClient::setShare(const std::string& model, double share) const {
    return tell(Json{{"do", "share"}, {"name", model}, {"share", share}}, 5);
}

Result<void> ServiceClient::promote(const std::string& model) const {
    return tell(Json{{"do", "promote"}, {"name", model}}, 5);
}

Result<void> ServiceClient::rollback(const std::string& model) const {
    return tell(Json{{"do", "rollback"}, {"name", model}}, 120);
}

Result<void> ServiceClient::scale(int least, int most) const {
    return tell(Json{{"do", "scale"}, {"min", least}, {"max", most}}, 5);
}

Result<void> ServiceClient::killReplica(int number) const { return tell(Json{{"do", "kill"}, {"replica", number}}, 5); }

Result<void> ServiceClient::drain() const { return tell(Json{{"do", "drain"}}, 5); }

Result<void> ServiceClient::stop() const { return tell(Json{{"do", "stop"}}, 5); }

Result<ServiceStatus> ServiceClient::stopAndWait(double seconds) const {
    TY_TRY(stop());
    if (!store::RunLock::waitUntilFree(m_folder.root, seconds))
        return environmentError("has not ended after " + std::to_string(static_cast<int>(seconds)) + " s",
                                "service " + m_folder.root.filename().string(),
                                "its log: " + m_folder.serverLog().string());
    TY_ASSIGN(const std::string text, readFile(m_folder.state(), kMaxAnswer));
    return statusFromJson(text, m_folder.state().string());
}

} // namespace trainyard::serve
