// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/multiproc/lab/rank_group.h"

#include "engine/base/clock.h"
#include "engine/run/launch/programs.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>

namespace trainyard::test {

namespace {

// The pool ends with the folder of its socket.
class RuntimeFolder {
public:
    RuntimeFolder() {
        std::string folder = std::filesystem::temp_directory_path() / "ranks-XXXXXX";
        if (!::mkdtemp(folder.data()) || ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1) != 0) std::abort();
        m_folder = folder;
    }
    ~RuntimeFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    RuntimeFolder(const RuntimeFolder&) = delete;
    RuntimeFolder& operator=(const RuntimeFolder&) = delete;

private:
    std::filesystem::path m_folder;
};

} // namespace

RankGroup::RankGroup(Options options) : m_options(std::move(options)) {
    static const RuntimeFolder forThePool;
    m_launcher = run::makeLocalLauncher(run::programFolder() / "trainyard-worker", run::StartBy::Pool);
    auto environment = m_options.environment;
    environment.insert({{"OMP_NUM_THREADS", "1"}, {"OPENBLAS_NUM_THREADS", "1"}});
    for (int rank = 0; rank < m_options.ranks; ++rank) {
        auto process = m_launcher->launch({HostName(), {"rank"}, environment});
        if (!process) {
            std::fprintf(stderr, "%s\n", process.error().text().c_str());
            std::abort();
        }
        m_ranks.emplace_back();
        m_ranks.back().process = std::move(process).value();
    }
}

bool RankGroup::serve(double seconds, const std::function<bool()>& until) {
    const double end = monotonicSeconds() + seconds;
    while (monotonicSeconds() < end) {
        std::vector<pollfd> fds;
        bool open = false;
        for (const auto& rank : m_ranks) {
            if (!rank.closed) fds.push_back({rank.process->frameFd(), POLLIN, 0});
            if (!rank.logClosed) fds.push_back({rank.process->logFd(), POLLIN, 0}); // else poll() would not wait
            open = open || !rank.record.exit || !rank.closed;
        }
        if (!open) return true;
        ::poll(fds.data(), fds.size(), 20);
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            auto& rank = m_ranks[r];
            if (!rank.closed) readFrames(static_cast<int>(r));
            if (!rank.record.exit && (rank.record.exit = rank.process->exitStatus()))
                rank.record.endedAt = monotonicSeconds();
            readLog(rank); // after its end was seen: nothing can come behind
        }
        if (until && until()) return true;
    }
    return false;
}

void RankGroup::readFrames(int index) {
    auto& rank = m_ranks[static_cast<std::size_t>(index)];
    std::array<std::byte, 65536> buffer;
    while (!rank.closed) {
        const ssize_t n = ::read(rank.process->frameFd(), buffer.data(), buffer.size());
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (n <= 0) {
            rank.closed = true;
            return;
        }
        rank.decoder.feed(std::span(buffer).first(static_cast<std::size_t>(n)));
        for (auto frame = rank.decoder.next(); frame && *frame; frame = rank.decoder.next()) {
            const auto message = wire::decodeMessage(**frame);
            if (message) handle(index, *message);
            else rank.record.badFrame = true;
        }
    }
}

void RankGroup::handle(int index, const wire::Message& message) {
    auto& record = m_ranks[static_cast<std::size_t>(index)].record;
    std::visit(
        [&](const auto& content) {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, wire::Hello>) {
                record.hello = content;
                sendStart(index);
            } else if constexpr (std::is_same_v<Content, wire::Ready>) record.ready = content;
            else if constexpr (std::is_same_v<Content, wire::PhaseChange>) record.phases.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::Metrics>) {
                for (const auto& series : content.series) {
                    auto& points = record.series[series.series];
                    points.insert(points.end(), series.points.begin(), series.points.end());
                }
            } else if constexpr (std::is_same_v<Content, wire::Heartbeat>) record.beats.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::SystemSample>) record.samples.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::CheckpointSaved>) record.saved.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::CheckpointSkipped>) record.skipped.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::Evaluation>) record.evaluations.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::Tested>) record.tests.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::Notice>) record.notices.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::RolledBack>) record.rolledBack.push_back(content);
            else if constexpr (std::is_same_v<Content, wire::Failed>) record.failed = content;
            else if constexpr (std::is_same_v<Content, wire::Finished>) record.finished = content;
            else if constexpr (std::is_same_v<Content, wire::StoreSet>) answer(m_store.set(content));
            else if constexpr (std::is_same_v<Content, wire::StoreAdd>) answer(m_store.add(index, content));
            else if constexpr (std::is_same_v<Content, wire::StoreGet>) answer(m_store.get(index, content));
            else if constexpr (std::is_same_v<Content, wire::StoreCheck>) answer(m_store.check(index, content));
            else if constexpr (std::is_same_v<Content, wire::KernelChoice>) // nothing is kept
                send(index, wire::StoreReply{content.request, {}, 0});
            else if constexpr (!std::is_same_v<Content, wire::DataRead>) record.badFrame = true;
        },
        message);
}

void RankGroup::answer(const std::vector<run::RendezvousStore::Reply>& replies) {
    for (const auto& reply : replies) send(reply.rank, reply.message);
}

void RankGroup::sendStart(int index) {
    wire::Start start;
    const auto other = m_options.otherRunJson.find(index);
    start.runJson = other == m_options.otherRunJson.end() ? m_options.runJson : other->second;
    start.rank = start.localRank = index;
    start.worldSize = start.localWorldSize = m_options.ranks;
    start.generation = 1;
    start.interfaceAddress = "127.0.0.1";
    start.checkpointFolder = m_options.checkpointFolder;
    start.resumeFrom = m_options.resumeFrom;
    send(index, start);
}

void RankGroup::send(int index, const wire::Message& message) {
    const auto bytes = wire::encodeMessage(message);
    sendBytes(index, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void RankGroup::sendBytes(int index, const std::string& bytes) {
    const int fd = m_ranks[static_cast<std::size_t>(index)].process->frameFd();
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (n > 0) {
            done += static_cast<std::size_t>(n);
        } else if (errno == EAGAIN) {
            pollfd wait{fd, POLLOUT, 0};
            ::poll(&wait, 1, 100);
        } else {
            return; // the rank is gone; its record tells
        }
    }
}

void RankGroup::closeChannel(int index) {
    ::shutdown(m_ranks[static_cast<std::size_t>(index)].process->frameFd(), SHUT_WR);
}

void RankGroup::signal(int index, int number) { m_ranks[static_cast<std::size_t>(index)].process->signal(number); }

void RankGroup::readLog(Rank& rank) {
    std::array<char, 4096> buffer;
    ssize_t n = 0;
    while ((n = ::read(rank.process->logFd(), buffer.data(), buffer.size())) > 0)
        rank.record.log.append(buffer.data(), static_cast<std::size_t>(n));
    rank.logClosed = n == 0;
}

std::vector<double> RankGroup::values(const std::string& series) const {
    std::vector<double> values;
    const auto found = rank(0).series.find(series);
    if (found == rank(0).series.end()) return values;
    for (const auto& point : found->second) values.push_back(point.value);
    return values;
}

std::string RankGroup::report() const {
    std::string text;
    for (std::size_t r = 0; r < m_ranks.size(); ++r) {
        const auto& record = m_ranks[r].record;
        text += "rank " + std::to_string(r) + ": " + (record.exit ? record.exit->text() : "still runs");
        if (record.failed) text += ", failed: " + record.failed->error.where + ": " + record.failed->error.message;
        if (!record.beats.empty()) text += ", last doing \"" + record.beats.back().doing + "\"";
        text += "\n" + record.log;
    }
    return text;
}

} // namespace trainyard::test
