// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/relay/held_link.h"

#include <algorithm>
#include <array>

namespace trainyard::run {
namespace {

constexpr std::size_t kRecordHead = 13, kOutputHead = 5;
constexpr std::size_t kMostPiece = 64u << 10;  // of one record
constexpr std::size_t kAckEvery = 256u << 10;  // bytes, when no acknowledge() comes earlier
constexpr std::size_t kTidyFrom = 1u << 20;    // bytes at the front that are worth moving the others for
constexpr std::size_t kMostOutput = 16u << 20; // of one output: far more than is read at once
constexpr double kHeardSeconds = 3;            // a supervisor says something every second
constexpr double kResetSeconds = 5;            // for one that lives to be back after a reset

void putNumber(std::string& to, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t numberIn(std::string_view bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return number;
}

void putRecord(std::string& to, char kind, std::uint64_t number, std::string_view bytes = {}) {
    to += kind;
    putNumber(to, number, 8);
    putNumber(to, bytes.size(), 4);
    to += bytes;
}

Error broken(const std::string& how) { return runError("the channel of a held worker is broken: " + how); }

} // namespace

std::string HeldLink::output(std::size_t most) {
    std::string bytes;
    if (!m_greeted) putRecord(bytes, 'H', m_received);
    else if (m_ackDue || m_received - m_acknowledged >= kAckEvery) putRecord(bytes, 'A', m_received);
    if (!bytes.empty()) m_acknowledged = m_received;
    m_greeted = true;
    m_ackDue = false;
    while (m_met && m_sent < end() && bytes.size() < most) {
        const auto from = m_dropped + static_cast<std::size_t>(m_sent - m_begin);
        const auto piece = std::string_view(m_kept).substr(from, kMostPiece);
        putRecord(bytes, 'D', m_sent, piece);
        m_sent += piece.size();
    }
    m_mostSent = std::max(m_mostSent, m_sent);
    return bytes;
}

Result<std::string> HeldLink::input(std::string_view bytes) {
    m_in += bytes;
    std::string fresh;
    std::size_t at = 0;
    while (m_in.size() - at >= kRecordHead) {
        const std::string_view head = std::string_view(m_in).substr(at, kRecordHead);
        const Record record{head[0], numberIn(head.substr(1, 8)), static_cast<std::uint32_t>(numberIn(head.substr(9)))};
        if (record.length > (record.kind == 'D' ? kMostPiece : 0)) return broken("a record is too long");
        if (m_in.size() - at < kRecordHead + record.length) break;
        TY_TRY(take(record, std::string_view(m_in).substr(at + kRecordHead, record.length), fresh));
        at += kRecordHead + record.length;
    }
    m_in.erase(0, at);
    return fresh;
}

Result<void> HeldLink::take(const Record& record, std::string_view bytes, std::string& fresh) {
    if ((record.kind == 'H') == m_met) return broken(m_met ? "a second greeting" : "no greeting");
    switch (record.kind) {
    case 'H':
        if (record.number < m_begin) return broken("the other end has lost what it had");
        TY_TRY(drop(record.number));
        m_met = true;
        m_sent = record.number;
        return {};
    case 'A': return drop(record.number);
    case 'D': {
        if (record.number > m_received) return broken("bytes are missing");
        const auto known = static_cast<std::size_t>(m_received - record.number);
        if (known >= bytes.size()) return {};
        fresh += bytes.substr(known);
        m_received = record.number + bytes.size();
        return {};
    }
    default: return broken("an unknown record");
    }
}

// The other end has all bytes before this one.
Result<void> HeldLink::drop(std::uint64_t before) {
    if (before > m_mostSent) return broken("the other end has more than was sent");
    if (before <= m_begin) return {};
    m_dropped += static_cast<std::size_t>(before - m_begin);
    m_begin = before;
    m_sent = std::max(m_sent, m_begin); // it may have come over an earlier channel
    if (m_dropped == m_kept.size() || (m_dropped >= kTidyFrom && m_dropped >= m_kept.size() / 2)) {
        m_kept.erase(0, m_dropped);
        m_dropped = 0;
    }
    return {};
}

void HeldLink::reconnected() {
    m_in.clear();
    m_greeted = m_met = m_ackDue = false;
}

std::string encodeOutput(RankOutput::Kind kind, std::string_view bytes) {
    std::string text(1, static_cast<char>(kind));
    putNumber(text, bytes.size(), 4);
    text += bytes;
    return text;
}

std::string encodeEnd(const ExitStatus& status) {
    std::string bytes(1, status.signalled ? 1 : 0);
    putNumber(bytes, static_cast<std::uint32_t>(status.code), 4);
    return encodeOutput(RankOutput::Kind::End, bytes);
}

Result<ExitStatus> decodeEnd(std::string_view bytes) {
    if (bytes.size() != 5 || bytes[0] < 0 || bytes[0] > 1) return broken("no end of a process");
    return ExitStatus{bytes[0] == 1, static_cast<int>(static_cast<std::uint32_t>(numberIn(bytes.substr(1))))};
}

Result<std::optional<RankOutput>> RankOutputReader::next() {
    const std::string_view left = std::string_view(m_bytes).substr(m_at);
    const auto wait = [this] {
        m_bytes.erase(0, m_at);
        m_at = 0;
        return std::optional<RankOutput>();
    };
    if (left.size() < kOutputHead) return wait();
    const auto kind = static_cast<RankOutput::Kind>(left[0]);
    const auto length = static_cast<std::size_t>(numberIn(left.substr(1, 4)));
    if (kind != RankOutput::Kind::Frames && kind != RankOutput::Kind::Log && kind != RankOutput::Kind::End)
        return broken("an unknown output");
    if (length > kMostOutput) return broken("an output is too long");
    if (left.size() < kOutputHead + length) return wait();
    m_at += kOutputHead + length;
    return std::optional(RankOutput{kind, std::string(left.substr(kOutputHead, length))});
}

double HoldWatch::until() const {
    const double silent = m_heard + m_linkSeconds;
    if (!m_ended) return silent;
    const double soon = *m_ended + std::min(kResetSeconds, m_linkSeconds);
    return *m_ended - m_heard < kHeardSeconds ? soon : std::max(soon, silent);
}

} // namespace trainyard::run
