// SPDX-License-Identifier: GPL-3.0-or-later
// A real front on a real socket: the input is all that a client sends before it ends. Whatever it is, the connection
// ends, no request stays open, and the next client is answered.
#include "engine/serve/http/http_front.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

class Echoing : public HttpHandler {
public:
    HttpFront* front = nullptr;
    RequestId last = 0;

    BodyPlan head(RequestId id, const HttpHead& head) override {
        require(id > last, "ids ascend");
        last = id;
        require(head.path.empty() || head.path.find('?') == std::string_view::npos, "a path has no query");
        BodyPlan plan;
        plan.into = std::as_writable_bytes(std::span(m_slot));
        return plan;
    }
    void body(RequestId id, std::span<const std::byte> body) override {
        require(body.size() <= sizeof m_slot, "a body fits its slot");
        HttpAnswer answer;
        answer.body.assign(reinterpret_cast<const char*>(body.data()), body.size());
        front->answer(id, std::move(answer));
    }
    void gone(RequestId) override {}

private:
    char m_slot[256];
};

struct Server {
    Echoing handler;
    std::unique_ptr<HttpFront> front;
    sockaddr_un address{};
    socklen_t bytes = 0;

    Server() {
        const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        address.sun_family = AF_UNIX;
        require(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address.sun_family) == 0 &&
                    ::listen(listener, 8) == 0,
                "it listens"); // on an abstract name that the kernel chooses
        bytes = sizeof address;
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &bytes);
        HttpOptions options;
        options.inheritedFd = listener;
        options.unixSocket = "abstract"; // any Host
        options.token = "t";
        auto opened = HttpFront::open(options, handler);
        require(opened.ok(), "it opens");
        front = std::move(opened).value();
        handler.front = front.get();
    }
    std::string ask(const char* data, std::size_t size) {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        require(::connect(fd, reinterpret_cast<const sockaddr*>(&address), bytes) == 0, "it can be reached");
        const ssize_t sent = ::send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) ::shutdown(fd, SHUT_WR);
        std::string answer;
        char text[4096];
        for (int round = 0; round < 2000; ++round) {
            front->run();
            const ssize_t got = ::recv(fd, text, sizeof text, MSG_DONTWAIT);
            if (got > 0) answer.append(text, static_cast<std::size_t>(got));
            if (round > 0 && front->connections() == 0 && got <= 0) break;
        }
        ::close(fd);
        require(front->connections() == 0 && front->pending() == 0, "the connection ends");
        return answer;
    }
};

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    static Server server;
    (void)server.ask(reinterpret_cast<const char*>(data), size);
    static const std::string kPlain =
        "POST /x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nContent-Length: 3\r\n\r\nabc";
    static int inputs = 0;
    if (++inputs % 16 != 0) return 0;
    require(server.ask(kPlain.data(), kPlain.size()).ends_with("abc"), "the next client is answered");
    return 0;
}
