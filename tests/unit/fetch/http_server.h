// SPDX-License-Identifier: GPL-3.0-or-later
// A web server on a free port of this computer that can be told to misbehave.
#pragma once

#include <QByteArray>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace trainyard::tests {

struct Served {
    QByteArray content;
    int status = 200;
    bool ranges = true;     // else the whole file is sent whatever is asked for
    bool length = true;     // whether Content-Length is told
    qint64 cutAfter = -1;   // bytes of a body, then the connection ends
    int cuts = 1 << 30;     // so often; then bodies are whole
    bool silent = false;    // after the cut the connection stays open and says nothing
    std::string location{}; // of a redirection
};

class HttpServer {
public:
    HttpServer() {
        m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(m_listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(m_listener, 16) != 0 ||
            ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            qFatal("no port for the test's server");
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { serve(); });
    }
    ~HttpServer() {
        m_stopped = true;
        m_thread.join();
        ::close(m_listener);
    }
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::string address(const std::string& folder = {}) const {
        return "http://127.0.0.1:" + std::to_string(m_port) + "/" + folder;
    }
    void put(const std::string& path, Served served) {
        const std::lock_guard lock(m_mutex);
        m_files["/" + path] = std::move(served);
    }
    // "GET /a.gz from 100" for each request, in order.
    std::vector<std::string> requests() const {
        const std::lock_guard lock(m_mutex);
        return m_requests;
    }

private:
    void serve() {
        while (!m_stopped) {
            pollfd waiting{m_listener, POLLIN, 0};
            if (::poll(&waiting, 1, 50) <= 0) continue;
            const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (client >= 0) answer(client);
            ::close(client);
        }
    }

    static QByteArray readRequest(int client) {
        QByteArray request;
        char piece[2048];
        while (!request.contains("\r\n\r\n")) {
            const ssize_t got = ::recv(client, piece, sizeof piece, 0);
            if (got <= 0) break;
            request.append(piece, got);
        }
        return request;
    }

    void answer(int client) {
        const QByteArray request = readRequest(client);
        const std::string path = request.mid(4, request.indexOf(' ', 4) - 4).toStdString();
        const qsizetype range = request.indexOf("Range: bytes=");
        const qint64 from =
            range < 0 ? 0 : request.mid(range + 13, request.indexOf('-', range) - range - 13).toLongLong();
        const Served served = serve(path, from);
        QByteArray body = served.content;
        int status = served.status;
        if (status == 200 && served.ranges && range >= 0) {
            status = from >= body.size() ? 416 : 206;
            body = status == 206 ? body.mid(from) : QByteArray("no such range");
        }
        QByteArray head = "HTTP/1.1 " + QByteArray::number(status) + " said\r\nConnection: close\r\n";
        if (served.length) head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
        if (status == 206)
            head += "Content-Range: bytes " + QByteArray::number(from) + "-" +
                    QByteArray::number(served.content.size() - 1) + "/" + QByteArray::number(served.content.size()) +
                    "\r\n";
        if (!served.location.empty()) head += "Location: " + QByteArray::fromStdString(served.location) + "\r\n";
        if (served.cutAfter >= 0) body.truncate(served.cutAfter);
        send(client, head + "\r\n" + body);
        char byte;
        while (served.silent && !m_stopped && ::recv(client, &byte, 1, MSG_DONTWAIT) != 0) ::usleep(10'000);
    }

    Served serve(const std::string& path, qint64 from) {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back("GET " + path + (from > 0 ? " from " + std::to_string(from) : std::string()));
        const auto found = m_files.find(path);
        if (found == m_files.end()) return {.content = "<html>not here</html>", .status = 404};
        Served served = found->second;
        if (served.cutAfter >= 0 && --found->second.cuts < 0) served.cutAfter = -1, served.silent = false;
        return served;
    }

    static void send(int client, const QByteArray& bytes) {
        for (qsizetype sent = 0; sent < bytes.size();) {
            const ssize_t got =
                ::send(client, bytes.constData() + sent, static_cast<std::size_t>(bytes.size() - sent), MSG_NOSIGNAL);
            if (got <= 0) return;
            sent += got;
        }
    }

    int m_listener = -1;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_stopped{false};
    mutable std::mutex m_mutex;
    std::map<std::string, Served> m_files;
    std::vector<std::string> m_requests;
    std::thread m_thread;
};

} // namespace trainyard::tests
