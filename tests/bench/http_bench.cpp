// SPDX-License-Identifier: GPL-3.0-or-later
// What the front of a service costs: http_bench [seconds] [--bars]. It echoes bodies of 3,136 bytes (784 numbers) to 64
// clients, wrk where it is installed, and counts the processor time of its own thread. `later`: the answers come from
// outside the handler, as those of replicas do.
#include "engine/base/clock.h"
#include "engine/serve/http/http_front.h"
#include "engine/serve/protocol/infer_request.h"
#include "tests/bench/bars.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

constexpr std::size_t kBody = 3136;
constexpr double kMostMicroseconds = 15; // of processor time a request; measured 9 to 11

// Echoes bodies, at once or after the front has read what there is.
class EchoHandler : public HttpHandler {
public:
    explicit EchoHandler(bool later) : m_later(later) {}
    HttpFront* front = nullptr;
    std::int64_t answered = 0;

    BodyPlan head(RequestId, const HttpHead&) override {
        BodyPlan plan;
        plan.most = kBody;
        return plan;
    }
    void body(RequestId id, std::span<const std::byte> body) override {
        std::string text(reinterpret_cast<const char*>(body.data()), body.size());
        if (m_later) m_waiting.emplace_back(id, std::move(text));
        else reply(id, std::move(text));
    }
    void gone(RequestId) override {}
    void answerWaiting() {
        for (auto& [id, body] : std::exchange(m_waiting, {})) reply(id, std::move(body));
    }

private:
    void reply(RequestId id, std::string body) {
        HttpAnswer answer;
        answer.contentType = "application/octet-stream";
        answer.body = std::move(body);
        front->answer(id, std::move(answer));
        ++answered;
    }

    bool m_later;
    std::vector<std::pair<RequestId, std::string>> m_waiting;
};

double cpuSeconds() {
    rusage use{};
    ::getrusage(RUSAGE_THREAD, &use);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

// Microseconds of the server's processor time a request; negative: it could not be measured.
double measure(bool later, double seconds, const QString& script) {
    EchoHandler handler(later);
    HttpOptions options;
    options.token = "secret";
    auto opened = HttpFront::open(options, handler);
    if (!opened) return std::printf("%s\n", opened.error().text().c_str()), -1;
    HttpFront& front = **opened;
    handler.front = &front;
    QProcess wrk;
    wrk.start("wrk", {"-t1", "-c64", QString("-d%1").arg(static_cast<int>(std::max(1.0, seconds))), "-s", script,
                      QString::fromStdString(front.url() + "/echo")});
    const double begin = monotonicSeconds(), cpu = cpuSeconds();
    pollfd watched{front.fd(), POLLIN, 0};
    // On a busy computer wrk begins late; without a server its last requests would fail.
    const double usual = begin + std::max(1.0, seconds), end = usual + 10;
    while (monotonicSeconds() < usual || (monotonicSeconds() < end && !wrk.waitForFinished(0))) {
        ::poll(&watched, 1, std::min(static_cast<int>(front.nextTimeout() * 1000), 100));
        front.run();
        handler.answerWaiting();
    }
    const double used = cpuSeconds() - cpu;
    wrk.waitForFinished(5000);
    const QString said = QString::fromUtf8(wrk.readAll());
    if (handler.answered == 0 || said.contains("Non-2xx") || said.contains("Socket errors"))
        return std::printf("%s\n", qPrintable(said)), -1;
    const double each = 1e6 * used / static_cast<double>(handler.answered);
    std::printf("echo %-6s %5.1f µs of processor time a request, %6.0f requests a second\n", later ? "later" : "inside",
                each, static_cast<double>(handler.answered) / std::max(1.0, seconds));
    return each;
}

// Microseconds to read a request of 784 numbers.
double readingCost(bool binary) {
    ModelSignature signature;
    signature.inputs = {{"input", TensorType::Fp32, {-1, 784}}};
    signature.outputs = {{"scores", TensorType::Fp32, {-1, 10}}};
    std::string body = R"({"inputs":[{"name":"input","shape":[1,784],"datatype":"FP32",)";
    std::string length;
    if (binary) {
        body += R"("parameters":{"binary_data_size":3136}}]})";
        length = std::to_string(body.size());
        body.append(kBody, '\0');
    } else {
        body += "\"data\":[0";
        for (int i = 1; i < 784; ++i) body += "," + std::to_string(i % 256 / 255.0);
        body += "]}]}";
    }
    constexpr int kRounds = 2000;
    InferReader reader;
    const double begin = cpuSeconds();
    for (int i = 0; i < kRounds; ++i)
        if (!reader.read(signature, std::as_bytes(std::span(body)), length)) return -1;
    return 1e6 * (cpuSeconds() - begin) / kRounds;
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication app(argc, argv);
    QStringList arguments = app.arguments().mid(1);
    bench::Bars bars(arguments);
    for (const bool binary : {false, true})
        std::printf("784 numbers %-6s %5.1f µs to read\n", binary ? "binary" : "JSON", readingCost(binary));
    if (QStandardPaths::findExecutable("wrk").isEmpty()) return std::puts("wrk is not installed"), 0;
    const QTemporaryDir folder;
    const QString script = folder.filePath("post.lua");
    std::ofstream(script.toStdString()) << "wrk.method = 'POST'\nwrk.body = string.rep('x', " << kBody
                                        << ")\nwrk.headers['Authorization'] = 'Bearer secret'\n";
    const double seconds = arguments.isEmpty() ? 5 : arguments[0].toDouble();
    for (const bool later : {false, true}) {
        const double each = measure(later, seconds, script);
        if (each < 0) return 1;
        bars.keep(later ? "echo later" : "echo inside", each, kMostMicroseconds, "µs");
    }
    return bars.exitCode();
}
