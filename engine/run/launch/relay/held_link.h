// SPDX-License-Identifier: GPL-3.0-or-later
// What goes over a channel between a supervisor and the host that holds a rank for it (rank_holder.h), so that nothing
// is lost or doubled when the channel is cut and another takes its place: both sides of the same build. Every record is
// a letter, a number of 8 bytes and a length of 4 bytes, low byte first, and as many bytes:
//   H  the first on each channel: bytes that have come so far. The other end goes on from there
//   D  bytes, and how many came before them
//   A  bytes that have come so far: those need not be kept
#pragma once

#include "engine/base/result.h"
#include "engine/run/launch/launcher.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::run {

inline constexpr std::size_t kMostHeld = 64u << 20; // bytes that are kept until the other end has them

// One of the two ends. A value without a descriptor.
class HeldLink {
public:
    // For the other end, behind what was sent before. Kept until that has it.
    void send(std::string_view bytes) { m_kept += bytes; }
    // More is not to be sent for now.
    bool isFull() const { return keptBytes() >= kMostHeld; }
    std::size_t keptBytes() const { return m_kept.size() - m_dropped; }
    // Tells the other end what has come, with the next output: also a sign of life.
    void acknowledge() { m_ackDue = true; }

    // The next bytes for the channel, about `most` and possibly a record more; empty when there are none.
    std::string output(std::size_t most);
    // Bytes from the channel. Returns what the other end has sent, each byte once and in order. Run error when they
    // break the rules: then this channel is of no use, another may be.
    Result<std::string> input(std::string_view bytes);
    // Another channel has taken the place of the one before.
    void reconnected();

private:
    struct Record {
        char kind = 0;
        std::uint64_t number = 0;
        std::uint32_t length = 0;
    };
    Result<void> take(const Record& record, std::string_view bytes, std::string& fresh);
    Result<void> drop(std::uint64_t before);
    std::uint64_t end() const { return m_begin + keptBytes(); }

    std::string m_kept;        // what is sent, without what the other end has
    std::size_t m_dropped = 0; // at its front, not yet removed
    std::uint64_t m_begin = 0; // bytes sent before those
    std::uint64_t m_sent = 0;  // up to which they went out on this channel
    std::uint64_t m_mostSent = 0;
    std::uint64_t m_received = 0, m_acknowledged = 0; // of the other end's
    std::string m_in;                                 // the beginning of a record
    bool m_greeted = false, m_met = false, m_ackDue = false;
};

// What a rank says in one stream: frames, lines of its stderr, and at last how it has ended.
struct RankOutput {
    enum class Kind : char { Frames = 'F', Log = 'L', End = 'E' };
    Kind kind = Kind::Frames;
    std::string bytes;
};
std::string encodeOutput(RankOutput::Kind kind, std::string_view bytes);
std::string encodeEnd(const ExitStatus& status);
Result<ExitStatus> decodeEnd(std::string_view bytes); // of an output of kind End

// Finds the outputs in the stream again.
class RankOutputReader {
public:
    void feed(std::string_view bytes) { m_bytes += bytes; }
    // The next one, nothing yet, or a Run error.
    Result<std::optional<RankOutput>> next();

private:
    std::string m_bytes;
    std::size_t m_at = 0;
};

// How long a host holds a rank whose supervisor is silent. A value: times are monotonic seconds passed to it.
class HoldWatch {
public:
    // `linkSeconds`: failure.linkSeconds. There is a channel.
    HoldWatch(double linkSeconds, double now) : m_linkSeconds(linkSeconds), m_heard(now) {}

    void heard(double now) { m_heard = now; }
    void attached(double now) { // a channel is there again
        m_ended.reset();
        m_heard = now;
    }
    void ended(double now) { // the channel has
        if (!m_ended) m_ended = now;
    }
    // The time after which nobody is waited for. A channel that ends in silence was cut before, and the supervisor may
    // live. One that ends while the supervisor is heard ended with it or was reset, which shows soon.
    double until() const;
    // Tell the rank that its supervisor is gone. While there is a channel, the rank finds out by itself (LinkWatch).
    bool isOver(double now) const { return m_ended && now >= until(); }

private:
    double m_linkSeconds, m_heard;
    std::optional<double> m_ended;
};

} // namespace trainyard::run
