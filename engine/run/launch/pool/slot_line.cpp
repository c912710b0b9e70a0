// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/slot_line.h"

#include "engine/run/launch/pool/pool_protocol.h"

#include <climits>

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace trainyard::run {
namespace {

constexpr char kReuse = 'r', kFresh = 'f';

// One of these letters, how many share the cores, each device after a comma, the place after an @ if there is one, a
// space, and the folder.
std::string textOf(const std::filesystem::path& folder, const SlotTerms& terms) {
    std::string text = (terms.reuse ? kReuse : kFresh) + std::to_string(terms.sharing);
    for (const int device : terms.devices) text += ',' + std::to_string(device);
    if (terms.place >= 0) text += '@' + std::to_string(terms.place);
    return text + ' ' + folder.string();
}

SlotTerms termsIn(const std::string& words) {
    SlotTerms terms{.reuse = words.front() == kReuse, .sharing = std::max(1, std::atoi(words.c_str() + 1))};
    for (auto comma = words.find(','); comma != std::string::npos; comma = words.find(',', comma + 1))
        terms.devices.push_back(std::atoi(words.c_str() + comma + 1));
    if (const auto at = words.find('@'); at != std::string::npos) terms.place = std::atoi(words.c_str() + at + 1);
    return terms;
}

} // namespace

Result<SlotLine> SlotLine::make() {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return systemError("cannot start a slot for trials", {}, limitRemedy(errno));
    return SlotLine{UniqueFd(pair[0]), UniqueFd(pair[1])};
}

Result<void> sendOrder(int line, const std::filesystem::path& folder, const SlotTerms& terms,
                       const store::RunLock& lock, const SlotTicket* ticket) {
    const std::string text = textOf(folder, terms);
    std::vector<int> fds{lock.fd()};
    if (ticket != nullptr) fds.push_back(ticket->fd());
    if (sendWithFds(line, text.data(), text.size(), fds)) return {};
    return systemError("cannot give a trial to its slot", folder.string());
}

// Too many open files leave an order without its descriptors: its ticket cannot be taken then, and so its run is not
// begun twice, as the lock is with the sender for as long as it may take the run back.
Result<std::optional<SlotOrder>> receiveOrder(int line) {
    std::array<char, PATH_MAX> text{};
    std::vector<int> fds;
    const auto size = receiveWithFds(line, text.data(), text.size(), fds);
    UniqueFd given(fds.empty() ? -1 : fds.front());
    UniqueFd ticket(fds.size() < 2 ? -1 : fds[1]);
    if (size <= 0) return std::optional<SlotOrder>();
    const std::string said(text.data(), static_cast<std::size_t>(size));
    const auto space = said.find(' ');
    SlotOrder order{.folder = said.substr(space + 1), .terms = termsIn(said.substr(0, space))};
    if (ticket && !SlotTicket(std::move(ticket)).take()) return std::optional(std::move(order));
    order.lock = store::RunLock::adopt(given.get(), order.folder);
    if (order.lock) (void)given.release(); // it is the lock's now
    else { TY_ASSIGN(order.lock, store::RunLock::acquire(order.folder)); }
    return std::optional(std::move(order));
}

void sendEnd(int line, const std::filesystem::path& folder) {
    const std::string text = folder.string();
    (void)sendWithFds(line, text.data(), text.size(), {}); // without a sweep's supervisor, the store tells the next one
}

SlotWord receiveEnd(int line) {
    std::array<char, PATH_MAX> text{};
    ssize_t got = 0;
    do got = ::recv(line, text.data(), text.size(), MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got > 0) return SlotWord::Ended;
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? SlotWord::None : SlotWord::Gone;
}

Result<SlotTicket> SlotTicket::make() {
    UniqueFd fd(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd) return systemError("cannot make a ticket for a trial", {}, limitRemedy(errno));
    return SlotTicket(std::move(fd));
}

// The kernel gives the 1 to one reader.
bool SlotTicket::take() {
    eventfd_t value = 0;
    int failed = 0;
    do failed = ::eventfd_read(m_fd.get(), &value);
    while (failed != 0 && errno == EINTR);
    return failed == 0;
}

} // namespace trainyard::run
