// SPDX-License-Identifier: GPL-3.0-or-later
// A front in this process that echoes, and the loop that runs it while clients of the same process speak to it.
#pragma once

#include "engine/base/clock.h"
#include "engine/serve/http/http_front.h"
#include "tests/unit/serve/http/raw_client.h"

#include <QtGlobal>

#include <algorithm>
#include <functional>
#include <map>

namespace trainyard::serve {

// Answers each request with what it was given, at once or when told.
class EchoDesk : public HttpHandler {
public:
    HttpFront* front = nullptr;
    std::size_t most = 1 << 20;
    bool later = false;
    bool intoSlot = false;
    std::vector<RequestId> asked, left;
    std::map<RequestId, std::string> bodies, slots;
    std::string path, query;

    BodyPlan head(RequestId id, const HttpHead& head) override {
        path = head.path;
        query = head.query;
        BodyPlan plan;
        if (path == "/full") {
            plan.answer = errorAnswer(503, "the queue is full");
            plan.answer->headers.emplace_back("Retry-After", "1");
        }
        plan.most = most;
        if (intoSlot) {
            slots[id].resize(most);
            plan.into = std::as_writable_bytes(std::span(slots[id].data(), most));
        }
        return plan;
    }
    void body(RequestId id, std::span<const std::byte> body) override {
        asked.push_back(id);
        bodies[id].assign(reinterpret_cast<const char*>(body.data()), body.size());
        if (!later) reply(id);
    }
    void gone(RequestId id) override { left.push_back(id); }
    void reply(RequestId id) {
        HttpAnswer answer;
        answer.contentType = "text/plain";
        answer.body = bodies[id];
        front->answer(id, std::move(answer));
    }
};

// A front with small limits, run while `isDone` is false.
class EchoService {
public:
    explicit EchoService(HttpOptions options = {}) {
        if (options.token.empty()) options.token = "secret";
        auto opened = HttpFront::open(std::move(options), echo);
        if (!opened) qFatal("%s", opened.error().text().c_str());
        front = std::move(opened).value();
        echo.front = front.get();
    }
    bool runUntil(const std::function<bool()>& isDone, double seconds = 5) {
        const double end = monotonicSeconds() + seconds;
        while (!isDone()) {
            if (monotonicSeconds() > end) return false;
            runOnce();
        }
        return true;
    }
    void runOnce() {
        pollfd watched{front->fd(), POLLIN, 0};
        ::poll(&watched, 1, static_cast<int>(std::min(front->nextTimeout(), 0.005) * 1000));
        front->run();
    }
    // What comes back for these bytes, until the connection ends or an answer is whole.
    std::string ask(const std::string& bytes) {
        RawClient client = this->client(bytes);
        runUntil([&] { return client.hasAnswer() || client.hasEnded(); });
        return client.received();
    }
    RawClient client(const std::string& bytes = {}) const { // that has sent these
        RawClient made(front->port());
        made.send(bytes);
        return made;
    }

    EchoDesk echo;
    std::unique_ptr<HttpFront> front;
};

} // namespace trainyard::serve
