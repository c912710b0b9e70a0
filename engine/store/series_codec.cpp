// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/series_codec.h"

#include "engine/base/math/crc32c.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace trainyard::store {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kFloatValues = 1; // flag: every value is exactly a float
constexpr std::size_t kCrcSize = 4;

// All arithmetic on 64 bits without sign, where overflow is defined and undoes itself on the way back.
std::uint64_t zigzag(std::uint64_t v) { return (v << 1) ^ (0 - (v >> 63)); }
std::uint64_t unzigzag(std::uint64_t v) { return (v >> 1) ^ (0 - (v & 1)); }

class Writer {
public:
    void byte(std::uint8_t v) { m_bytes.push_back(std::byte{v}); }
    void fixed(std::uint64_t v, unsigned size) {
        for (unsigned i = 0; i < size; ++i) byte(static_cast<std::uint8_t>(v >> (8 * i)));
    }
    void varint(std::uint64_t v) {
        for (; v >= 0x80; v >>= 7) byte(static_cast<std::uint8_t>(v | 0x80));
        byte(static_cast<std::uint8_t>(v));
    }
    std::vector<std::byte>& bytes() { return m_bytes; }

private:
    std::vector<std::byte> m_bytes;
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    std::uint8_t byte() {
        if (m_at >= m_bytes.size()) {
            m_good = false;
            return 0;
        }
        return std::to_integer<std::uint8_t>(m_bytes[m_at++]);
    }
    std::uint64_t fixed(unsigned size) {
        std::uint64_t v = 0;
        for (unsigned i = 0; i < size; ++i) v |= std::uint64_t{byte()} << (8 * i);
        return v;
    }
    std::uint64_t varint() {
        std::uint64_t v = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t b = byte();
            v |= std::uint64_t{b & 0x7Fu} << shift;
            if (b < 0x80) return v;
        }
        m_good = false;
        return 0;
    }
    bool good() const { return m_good; }
    bool atEnd() const { return m_at == m_bytes.size(); }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    bool m_good = true;
};

// A column of 64-bit numbers as differences from the straight line through the two before: 1 byte each when regular.
class Line {
public:
    std::uint64_t encode(std::uint64_t v) {
        const std::uint64_t difference = v - predicted();
        advance(v);
        return zigzag(difference);
    }
    std::uint64_t decode(std::uint64_t coded) {
        const std::uint64_t v = predicted() + unzigzag(coded);
        advance(v);
        return v;
    }

private:
    std::uint64_t predicted() const { return m_seen == 0 ? 0 : m_seen == 1 ? m_last : 2 * m_last - m_before; }
    void advance(std::uint64_t v) {
        m_before = m_last;
        m_last = v;
        if (m_seen < 2) ++m_seen;
    }
    std::uint64_t m_last = 0, m_before = 0;
    int m_seen = 0;
};

// Epochs are quotients, so the line is drawn through their values, and what is stored is by how many units in the last
// place the true value lies beside it: 0 or 1 nearly always.
class EpochLine {
public:
    std::uint64_t encode(double v) {
        const std::uint64_t difference = std::bit_cast<std::uint64_t>(v) - predicted();
        advance(v);
        return zigzag(difference);
    }
    double decode(std::uint64_t coded) {
        const auto v = std::bit_cast<double>(predicted() + unzigzag(coded));
        advance(v);
        return v;
    }

private:
    std::uint64_t predicted() const {
        const double guess = m_seen < 2 ? m_last : m_last + (m_last - m_before);
        return std::bit_cast<std::uint64_t>(guess);
    }
    void advance(double v) {
        // A NaN must not reach the arithmetic: which NaN comes out of it depends on the processor.
        const double kept = std::isfinite(v) && std::abs(v) < 1e300 ? v : 0.0;
        m_before = m_seen == 0 ? kept : m_last;
        m_last = kept;
        if (m_seen < 2) ++m_seen;
    }
    double m_last = 0, m_before = 0;
    int m_seen = 0;
};

std::int64_t microseconds(double seconds) {
    if (std::isnan(seconds)) return 0;
    constexpr double kLimit = 4e18;
    return std::llround(std::min(kLimit, std::max(-kLimit, seconds * 1e6)));
}

bool isFloat(double v) {
    if (!std::isfinite(v)) return true;
    return std::abs(v) <= std::numeric_limits<float>::max() &&
           std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(v))) == std::bit_cast<std::uint64_t>(v);
}

} // namespace

std::vector<std::byte> encodeChunk(std::span<const wire::Point> points) {
    assert(points.size() <= kChunkPoints);
    bool floats = true;
    for (const wire::Point& p : points) floats = floats && isFloat(p.value);
    Writer out;
    out.byte(kVersion);
    out.byte(floats ? kFloatValues : 0);
    out.varint(points.size());
    Line steps, times;
    EpochLine epochs;
    for (const wire::Point& p : points) out.varint(steps.encode(static_cast<std::uint64_t>(p.step)));
    for (const wire::Point& p : points) out.varint(epochs.encode(p.epoch));
    for (const wire::Point& p : points) out.varint(times.encode(static_cast<std::uint64_t>(microseconds(p.seconds))));
    for (const wire::Point& p : points)
        if (floats) out.fixed(std::bit_cast<std::uint32_t>(static_cast<float>(p.value)), 4);
        else out.fixed(std::bit_cast<std::uint64_t>(p.value), 8);
    out.fixed(crc32c(out.bytes()), kCrcSize);
    return std::move(out.bytes());
}

Result<std::vector<wire::Point>> decodeChunk(std::span<const std::byte> bytes) {
    const auto damaged = [](const char* how) { return environmentError(std::string("a chunk of points ") + how); };
    if (bytes.size() < kCrcSize) return damaged("is cut short");
    const auto body = bytes.first(bytes.size() - kCrcSize);
    if (Reader(bytes.last(kCrcSize)).fixed(kCrcSize) != crc32c(body)) return damaged("fails its checksum");
    Reader in(body);
    if (const int version = in.byte(); version != kVersion) return damaged("has an unknown version");
    const bool floats = (in.byte() & kFloatValues) != 0;
    const std::uint64_t count = in.varint();
    if (!in.good() || count > kChunkPoints) return damaged("has an impossible length");
    std::vector<wire::Point> points(static_cast<std::size_t>(count));
    Line steps, times;
    EpochLine epochs;
    for (wire::Point& p : points) p.step = static_cast<std::int64_t>(steps.decode(in.varint()));
    for (wire::Point& p : points) p.epoch = epochs.decode(in.varint());
    for (wire::Point& p : points)
        p.seconds = static_cast<double>(static_cast<std::int64_t>(times.decode(in.varint()))) / 1e6;
    for (wire::Point& p : points)
        p.value = floats ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(in.fixed(4))))
                         : std::bit_cast<double>(in.fixed(8));
    if (!in.good() || !in.atEnd()) return damaged("has a wrong length");
    return points;
}

} // namespace trainyard::store
