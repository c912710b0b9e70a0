// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/control/service_bench.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/serve/control/service_http.h"

#include <nlohmann/json.hpp>

#include <poll.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <random>

namespace trainyard::serve {
namespace {

constexpr std::size_t kInputs = 16; // different ones, whose answers are known beforehand
constexpr std::int64_t kTokens = 8; // of a text
constexpr double kGraceSeconds = 2; // for what is under way when a step is over
constexpr double kTolerance = 1e-3; // of a number, relative: a batch adds up in another order
constexpr double kAnswerSeconds = 10;
constexpr int kBisections = 3;

// What is asked, as bytes, and what has to come back.
struct Question {
    std::string body;
    std::size_t headerBytes = 0;
    std::vector<float> expected;
};

std::vector<float> numbersOf(const HttpReply& reply) {
    const std::string length = reply.header("inference-header-content-length");
    std::size_t head = 0;
    (void)std::from_chars(length.data(), length.data() + length.size(), head);
    if (head == 0 || head > reply.body.size()) return {};
    std::vector<float> numbers((reply.body.size() - head) / sizeof(float));
    std::memcpy(numbers.data(), reply.body.data() + head, numbers.size() * sizeof(float));
    return numbers;
}

bool isNear(const std::vector<float>& found, const std::vector<float>& expected) {
    if (found.size() != expected.size() || found.empty()) return false;
    double scale = 1;
    for (const float each : expected) scale = std::max(scale, std::abs(static_cast<double>(each)));
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])) <= kTolerance * scale))
            return false;
    return true;
}

Result<Question> questionOf(const ModelSignature& model, std::mt19937& random) {
    if (model.inputs.size() != 1) return inputError("has not one input alone", model.name);
    const TensorSignature& input = model.inputs.front();
    std::vector<std::int64_t> shape = input.shape;
    shape.front() = 1;
    for (auto& side : shape)
        if (side < 0) side = kTokens;
    std::int64_t count = 1;
    for (const auto side : shape) count *= side;
    std::string data;
    if (input.type == TensorType::Int64) {
        std::uniform_int_distribution<std::int64_t> draw(0, 1);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t token = draw(random);
            data.append(reinterpret_cast<const char*>(&token), sizeof token);
        }
    } else if (input.type == TensorType::Fp32) {
        std::normal_distribution<float> draw;
        for (std::int64_t i = 0; i < count; ++i) {
            const float number = draw(random);
            data.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
    } else {
        return inputError(std::string("takes ") + toString(input.type) + ", which the bench does not make", model.name);
    }
    const Json head{{"inputs", Json::array({Json{{"name", input.name},
                                                 {"datatype", toString(input.type)},
                                                 {"shape", shape},
                                                 {"parameters", {{"binary_data_size", data.size()}}}}})},
                    {"parameters", {{"binary_data_output", true}}}};
    Question question;
    question.body = jsonText(head);
    question.headerBytes = question.body.size();
    question.body += data;
    return question;
}

std::string requestOf(const BenchOptions& options, const Question& question) {
    return ServiceHttp::requestOf(
        "POST", "/v2/models/" + options.model.name + "/infer",
        "Authorization: Bearer " + options.token +
            "\r\nContent-Type: application/octet-stream\r\nInference-Header-Content-Length: " +
            std::to_string(question.headerBytes) + "\r\n",
        question.body);
}

// The batch's rows in "…, batch;desc="4"".
double batchOf(const HttpReply& reply) {
    const std::string timing = reply.header("server-timing");
    const auto at = timing.find("batch;desc=\"");
    double rows = 0;
    if (at != timing.npos) (void)std::from_chars(timing.data() + at + 12, timing.data() + timing.size(), rows);
    return rows;
}

// One rate, from one thread.
class Rate {
public:
    Rate(const BenchOptions& options, std::vector<std::string> requests, const std::vector<Question>& questions,
         double rate)
        : m_options(options), m_requests(std::move(requests)), m_questions(questions), m_rate(rate) {}

    Result<BenchStep> run() {
        for (int i = 0; i < m_options.connections; ++i) {
            TY_ASSIGN(ServiceHttp connection, ServiceHttp::connect(m_options.url));
            m_lines.push_back({std::move(connection), -1, 0});
        }
        m_begun = monotonicSeconds();
        const auto all = static_cast<std::int64_t>(std::ceil(m_rate * m_options.stepSeconds));
        const double end = m_begun + m_options.stepSeconds + kGraceSeconds;
        while (m_done < all && monotonicSeconds() < end) {
            if (m_options.isStopped && m_options.isStopped()) return stoppedError("stopped");
            TY_TRY(sendDue(all));
            TY_TRY(readAnswers(all));
        }
        return judged(all);
    }

private:
    struct Line {
        ServiceHttp connection;
        std::int64_t number; // of its request; -1: free
        double due;
    };

    Result<void> sendDue(std::int64_t all) {
        const double now = monotonicSeconds();
        while (m_next < all && dueOf(m_next) <= now) m_waiting.push_back(m_next++);
        for (Line& line : m_lines) {
            if (m_waiting.empty()) return {};
            if (line.number >= 0) continue;
            line.number = m_waiting.front();
            line.due = dueOf(line.number);
            m_waiting.pop_front();
            ++m_step.sent;
            TY_TRY(line.connection.send(m_requests[static_cast<std::size_t>(line.number) % m_requests.size()],
                                        kAnswerSeconds));
        }
        return {};
    }

    Result<void> readAnswers(std::int64_t all) {
        std::vector<pollfd> entries;
        for (const Line& line : m_lines) entries.push_back({line.connection.fd(), POLLIN, 0});
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if (m_lines[i].number < 0) entries[i].fd = -1;
        const double left = m_next < all ? dueOf(m_next) - monotonicSeconds() : 0.05;
        const timespec patience{0, static_cast<long>(std::clamp(left, 0.0, 0.05) * 1e9)};
        (void)::ppoll(entries.data(), entries.size(), &patience, nullptr);
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if (entries[i].fd >= 0 && entries[i].revents != 0) TY_TRY(readOne(m_lines[i]));
        return {};
    }

    Result<void> readOne(Line& line) {
        TY_ASSIGN(const HttpReply reply, line.connection.receive(kAnswerSeconds));
        m_latencies.push_back(1e3 * (monotonicSeconds() - line.due));
        const Question& question = m_questions[static_cast<std::size_t>(line.number) % m_questions.size()];
        if (reply.status == 503 || reply.status == 504) ++m_step.refused;
        else if (reply.status == 200 && isNear(numbersOf(reply), question.expected)) ++m_step.right;
        else {
            ++m_step.wrong;
            if (m_step.firstWrong.empty())
                m_step.firstWrong = std::to_string(reply.status) + " " + reply.body.substr(0, 200);
        }
        m_rows += batchOf(reply);
        line.number = -1;
        ++m_done;
        return {};
    }

    BenchStep judged(std::int64_t all) {
        m_step.rate = m_rate;
        m_step.late = all - m_done;
        m_step.achieved =
            static_cast<double>(m_step.right) / std::max(m_options.stepSeconds, monotonicSeconds() - m_begun);
        m_step.batchRows = m_done > 0 ? m_rows / static_cast<double>(m_done) : 0;
        std::sort(m_latencies.begin(), m_latencies.end());
        const auto at = [&](double part) {
            const auto index = static_cast<std::size_t>(part * static_cast<double>(m_latencies.size()));
            return m_latencies.empty() ? 0.0 : m_latencies[std::min(index, m_latencies.size() - 1)];
        };
        m_step.p50Ms = at(0.5);
        m_step.p99Ms = at(0.99);
        return m_step;
    }

    double dueOf(std::int64_t number) const { return m_begun + static_cast<double>(number) / m_rate; }

    const BenchOptions& m_options;
    const std::vector<std::string> m_requests;
    const std::vector<Question>& m_questions;
    const double m_rate;
    std::vector<Line> m_lines;
    std::deque<std::int64_t> m_waiting; // due, and no connection is free
    std::int64_t m_next = 0, m_done = 0;
    double m_begun = 0, m_rows = 0;
    std::vector<double> m_latencies;
    BenchStep m_step;
};

Result<std::vector<Question>> askBeforehand(const BenchOptions& options) {
    std::mt19937 random(1);
    std::vector<Question> questions;
    TY_ASSIGN(ServiceHttp connection, ServiceHttp::connect(options.url));
    for (std::size_t i = 0; i < kInputs; ++i) {
        TY_ASSIGN(Question question, questionOf(options.model, random));
        TY_TRY(connection.send(requestOf(options, question), kAnswerSeconds));
        TY_ASSIGN(const HttpReply reply, connection.receive(kAnswerSeconds));
        question.expected = numbersOf(reply);
        if (reply.status != 200 || question.expected.empty())
            return runError("does not answer a made-up input: " + std::to_string(reply.status) + " " +
                                reply.body.substr(0, 200),
                            "service");
        questions.push_back(std::move(question));
    }
    return questions;
}

Result<BenchStep> stepAt(const BenchOptions& options, const std::vector<Question>& questions, double rate) {
    std::vector<std::string> requests;
    for (const Question& each : questions) requests.push_back(requestOf(options, each));
    return Rate(options, std::move(requests), questions, rate).run();
}

} // namespace

Result<BenchStep> benchAt(const BenchOptions& options, double rate) {
    TY_ASSIGN(const auto questions, askBeforehand(options));
    return stepAt(options, questions, rate);
}

Result<BenchResult> benchService(const BenchOptions& options, const std::function<void(const BenchStep&)>& told) {
    TY_ASSIGN(const auto questions, askBeforehand(options));
    BenchResult result;
    double low = 0, high = 0;
    for (double rate = options.firstRate; rate <= options.lastRate; rate *= 2) {
        TY_ASSIGN(const BenchStep step, stepAt(options, questions, rate));
        told(step);
        result.steps.push_back(step);
        if (!step.isBorne(options.targetMs)) {
            high = rate;
            break;
        }
        low = rate;
        result.best = step;
    }
    for (int i = 0; i < kBisections && low > 0 && high > low * 1.1; ++i) {
        const double rate = (low + high) / 2;
        TY_ASSIGN(const BenchStep step, stepAt(options, questions, rate));
        told(step);
        result.steps.push_back(step);
        if (step.isBorne(options.targetMs)) {
            low = rate;
            result.best = step;
        } else high = rate;
    }
    if (low > 0) {
        TY_ASSIGN(result.half, stepAt(options, questions, low / 2));
        told(result.half);
    }
    return result;
}

} // namespace trainyard::serve
