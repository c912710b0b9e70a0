// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/replica_process.h"

#include "engine/base/error_json.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/pool/pool_protocol.h"

#include <nlohmann/json.hpp>

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace trainyard::serve {
namespace {

constexpr std::size_t kMaxLine = 2u << 20; // a signature has a megabyte of text at most

} // namespace

Result<std::unique_ptr<ReplicaProcess>> ReplicaProcess::start(run::Launcher& launcher, const ServedModel& model,
                                                              const ReplicaOrders& orders) {
    run::LaunchRequest request{
        .host = {},
        .arguments = {"serve", model.file, model.name, model.version(), std::to_string(orders.threads), model.info},
        .environment = run::workerVariables()}; // of the pool that ranks come from, too
    if (orders.behind) request.arguments.emplace_back("behind");
    TY_ASSIGN(auto worker, launcher.launch(request));
    return std::unique_ptr<ReplicaProcess>(new ReplicaProcess(std::move(worker), orders));
}

ReplicaProcess::~ReplicaProcess() {
    kill();
    passLog();
}

void ReplicaProcess::kill() { m_worker->signal(SIGKILL); }

std::string ReplicaProcess::howEnded() {
    // The pool tells it a moment after the line has closed.
    for (int look = 0; look < 20; ++look) {
        if (const auto status = m_worker->exitStatus()) return status->text();
        ::usleep(1000);
    }
    return "has closed its line";
}

ReplicaNews ReplicaProcess::read() {
    passLog();
    ReplicaNews news;
    std::array<char, 1 << 16> bytes;
    for (;;) {
        const ssize_t got = ::read(m_worker->frameFd(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) break;
        if (got <= 0 || m_line.size() > kMaxLine) {
            news.ended = true;
            break;
        }
        m_line.append(bytes.data(), static_cast<std::size_t>(got));
        for (std::size_t end = 0; (end = m_line.find('\n')) != std::string::npos; m_line.erase(0, end + 1))
            takeLine(std::string_view(m_line).substr(0, end), news);
    }
    if (news.ended) passLog();
    return news;
}

void ReplicaProcess::takeLine(std::string_view line, ReplicaNews& news) const {
    const auto json = parseSortedJson(line);
    if (!json.is_object()) return;
    if (json.contains("signature") && json["signature"].is_string()) {
        auto signature = signatureFromJson(json["signature"].get<std::string>());
        if (signature) news.signature = std::move(*signature);
        else news.error = signature.error();
    }
    if (json.contains("ready") && json["ready"].is_array()) {
        std::vector<BatchTable::Row> rows;
        for (const auto& each : json["ready"])
            if (each.is_array() && each.size() == 2 && each[0].is_number_integer() && each[1].is_number())
                rows.push_back({each[0].get<int>(), each[1].get<double>()});
        news.table = BatchTable(rows);
    }
    if (json.contains("error")) {
        const auto error = errorFromJson(jsonText(json["error"]));
        news.error = error ? *error : runError("has failed", "replica");
    }
}

void ReplicaProcess::passLog() {
    std::array<char, 4096> bytes;
    for (;;) {
        const ssize_t got = ::read(m_worker->logFd(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        std::fwrite(bytes.data(), 1, static_cast<std::size_t>(got), stderr);
    }
}

Result<void> ReplicaProcess::giveMemory(const ExchangeMemory& memory, int bell) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return systemError("a replica cannot be tied to its server", {}, limitRemedy(errno));
    m_lifeline.reset(ends[0]);
    const UniqueFd theirs(ends[1]);
    const ExchangeLayout& layout = memory.layout();
    const std::string line = jsonText(nlohmann::json{{"slots", layout.slots},
                                                     {"replicas", layout.replicas},
                                                     {"inputBytes", layout.inputBytes},
                                                     {"outputBytes", layout.outputBytes},
                                                     {"replica", m_orders.number},
                                                     {"batchMax", m_orders.batchMax},
                                                     {"deterministic", m_orders.deterministic}}) +
                             "\n";
    if (!run::sendWithFds(m_worker->frameFd(), line.data(), line.size(), {memory.fd(), bell, theirs.get()}))
        return systemError("a replica is gone before it was ready");
    return {};
}

} // namespace trainyard::serve
