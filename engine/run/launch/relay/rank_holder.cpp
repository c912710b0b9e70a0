// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/relay/rank_holder.h"

#include "engine/base/clock.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/run/launch/private_socket.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace trainyard::run {
namespace {

constexpr double kHolderBeat = 1;       // seconds between two signs of life
constexpr double kLastWordsSeconds = 1; // for what the rank has started to let go of its stderr
constexpr std::size_t kHolderPiece = 64u << 10;
constexpr double kBringSeconds = 20;              // for a holder to take a channel, on a loaded host
constexpr std::string_view kHeldPrefix = "held-"; // of sockets
constexpr char kChannelTaken = 'y', kChannelComes = 'c';

constexpr auto kFreshSocket = std::chrono::seconds(60); // it may not be listened at yet

// Sockets that holders have left which were killed.
void removeDeadHolders(const std::filesystem::path& folder) {
    const auto old = std::filesystem::file_time_type::clock::now() - kFreshSocket;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
        const auto name = entry.path().filename().string();
        if (!name.starts_with(kHeldPrefix) || !entry.is_socket(failure) || entry.last_write_time(failure) > old)
            continue;
        if (isDeadSocket(entry.path())) ::unlink(entry.path().c_str());
    }
}

bool failedForGood() { return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR; }

} // namespace

RankHolder::Channel RankHolder::Channel::standard() {
    Channel channel{UniqueFd(::fcntl(0, F_DUPFD_CLOEXEC, 3)), UniqueFd(::fcntl(1, F_DUPFD_CLOEXEC, 3)), {}};
    for (const int fd : {0, 1}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return channel;
}

RankHolder::RankHolder(UniqueFd frames, UniqueFd log, Channel first, std::filesystem::path socket, double linkSeconds)
    : m_frames(std::move(frames)), m_log(std::move(log)), m_channel(std::move(first)), m_socket(std::move(socket)),
      m_watch(linkSeconds, monotonicSeconds()) {
    if (m_socket.empty()) return;
    removeDeadHolders(m_socket.parent_path());
    m_listening = listenAt(m_socket);
}

RankHolder::~RankHolder() {
    if (m_listening) ::unlink(m_socket.c_str());
}

void RankHolder::serve(std::vector<pollfd>& entries) {
    const double now = monotonicSeconds();
    if (m_watch.isOver(now)) letGo();
    if (now >= m_nextBeat) {
        m_link.acknowledge();
        m_nextBeat = now + kHolderBeat;
    }
    if (m_channel.out) fillChannel();
    const auto own = static_cast<std::ptrdiff_t>(entries.size());
    const auto add = [&entries](const UniqueFd& fd, int events) {
        entries.push_back({events ? fd.get() : -1, static_cast<short>(events), 0});
    };
    const int more = m_link.isFull() ? 0 : POLLIN;
    add(m_listening, now >= m_nextAccept ? POLLIN : 0);
    add(m_channel.control, POLLIN);
    add(m_channel.in, m_toRank.size() < kMostHeld ? POLLIN : 0);
    add(m_channel.out, m_toChannel.empty() ? 0 : POLLOUT);
    add(m_frames, more | (m_toRank.empty() ? 0 : POLLOUT));
    add(m_log, more);
    if (::poll(entries.data(), entries.size(), static_cast<int>(kHolderBeat * 1000)) <= 0) return;
    const auto happened = [&](std::ptrdiff_t which) { return entries[static_cast<std::size_t>(own + which)].revents; };
    if (happened(2)) readChannel();
    if (happened(4) && !m_toRank.empty()) writeRank();
    if (happened(4) && more) readRank(m_frames, RankOutput::Kind::Frames);
    if (happened(5)) readRank(m_log, RankOutput::Kind::Log);
    if (m_channel.out && (happened(3) || happened(4) || happened(5))) fillChannel(); // without another wait
    if (happened(1)) endChannel();                                                   // who has brought it is gone
    if (happened(0)) takeChannel();
}

// For good: the rank may be leaving its group already.
void RankHolder::letGo() {
    if (m_letGo) return;
    m_letGo = true;
    m_frames.reset();
    endChannel();
    if (m_listening) ::unlink(m_socket.c_str());
    m_listening.reset();
}

void RankHolder::endChannel() {
    m_channel = {};
    m_toChannel.clear();
    m_watch.ended(monotonicSeconds());
}

void RankHolder::takeChannel() {
    const UniqueFd client(::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client && failedForGood())
        m_nextAccept = monotonicSeconds() + kHolderBeat; // no descriptor: it goes on waiting
    if (!client || !isOfThisUser(client.get()) || !waitReadable(client.get(), 1)) return;
    std::vector<int> fds;
    char word = 0;
    const auto got = receiveWithFds(client.get(), &word, 1, fds);
    std::vector<UniqueFd> owned;
    for (const int fd : fds) owned.emplace_back(fd);
    if (got != 1 || word != kChannelComes || owned.size() != 2) return;
    if (::send(client.get(), &kChannelTaken, 1, MSG_NOSIGNAL) != 1) return;
    endChannel(); // it may be cut, and nobody has noticed here
    for (const auto& fd : owned) ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
    m_channel = {std::move(owned[0]), std::move(owned[1]), UniqueFd(::fcntl(client.get(), F_DUPFD_CLOEXEC, 3))};
    m_link.reconnected();
    m_watch.attached(monotonicSeconds());
}

void RankHolder::fillChannel() {
    for (;;) {
        if (m_toChannel.empty()) m_toChannel = m_link.output(kHolderPiece);
        if (m_toChannel.empty()) return;
        const ssize_t put = ::write(m_channel.out.get(), m_toChannel.data(), m_toChannel.size());
        if (put < 0 && failedForGood()) return endChannel();
        if (put < 0) return;
        m_toChannel.erase(0, static_cast<std::size_t>(put));
    }
}

void RankHolder::readChannel() {
    std::array<char, kHolderPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const ssize_t got = ::read(m_channel.in.get(), buffer.data(), buffer.size());
    if (got < 0 && !failedForGood()) return;
    if (got <= 0) return endChannel();
    m_watch.heard(monotonicSeconds());
    const auto fresh = m_link.input({buffer.data(), static_cast<std::size_t>(got)});
    if (!fresh) return endChannel();
    m_toRank += *fresh;
    writeRank();
}

void RankHolder::readRank(UniqueFd& from, RankOutput::Kind kind) {
    std::array<char, kHolderPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init)
    const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
    if (got > 0) m_link.send(encodeOutput(kind, {buffer.data(), static_cast<std::size_t>(got)}));
    else if (got == 0 || failedForGood()) from.reset();
}

void RankHolder::writeRank() {
    if (!m_frames) m_toRank.clear();
    if (m_toRank.empty()) return;
    const ssize_t put = ::send(m_frames.get(), m_toRank.data(), m_toRank.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && failedForGood()) m_toRank.clear(); // its end follows
    else if (put > 0) m_toRank.erase(0, static_cast<std::size_t>(put));
}

void RankHolder::tellEnd(const ExitStatus& status) {
    const double until = monotonicSeconds() + kLastWordsSeconds;
    while ((m_frames || m_log) && monotonicSeconds() < until) {
        std::array<pollfd, 2> open{{{m_frames.get(), POLLIN, 0}, {m_log.get(), POLLIN, 0}}};
        if (::poll(open.data(), open.size(), 50) <= 0) continue;
        if (open[0].revents) readRank(m_frames, RankOutput::Kind::Frames);
        if (open[1].revents) readRank(m_log, RankOutput::Kind::Log);
    }
    m_frames.reset();
    m_log.reset();
    m_link.send(encodeEnd(status));
    m_ended = true;
}

bool RankHolder::isDone() const {
    return m_ended && (m_letGo || m_link.keptBytes() == 0 || monotonicSeconds() >= m_watch.until());
}

std::filesystem::path holderSocket(const std::filesystem::path& worker, const std::string& launch) {
    return worker.parent_path() / (std::string(kHeldPrefix) + launch + ".sock");
}

bool bringChannel(const std::filesystem::path& socket) {
    if (!fitsSocket(socket)) return false;
    const UniqueFd line = connectToOwn(socket);
    char answer = 0;
    if (!line || !sendWithFds(line.get(), &kChannelComes, 1, {0, 1}) || !waitReadable(line.get(), kBringSeconds) ||
        ::recv(line.get(), &answer, 1, 0) != 1 || answer != kChannelTaken)
        return false;
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    for (int fd = 0; fd <= 2; ++fd) ::dup2(nothing.get(), fd); // the channel ends with the holder's copies
    while (::recv(line.get(), &answer, 1, 0) < 0 && errno == EINTR) {}
    return true;
}

} // namespace trainyard::run
