// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/gzip_stream.h"

#include <zlib.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

namespace trainyard {
namespace {

constexpr std::array kMark{std::byte{0x1f}, std::byte{0x8b}};
constexpr int kGzipOnly = 16 + MAX_WBITS; // for inflateInit2: gzip's header and checksum, no other

} // namespace

void GzipStream::EndInflate::operator()(z_stream_s* stream) const {
    inflateEnd(stream);
    delete stream;
}

GzipStream::GzipStream(UniqueFd file, std::size_t bufferBytes)
    : m_file(std::move(file)), m_buffer(std::max(bufferBytes, kMark.size())) {}

GzipStream::GzipStream(GzipStream&&) noexcept = default;
GzipStream::~GzipStream() = default;

void GzipStream::stop(Problem problem, std::string detail) {
    m_problem = problem;
    m_detail = std::move(detail);
}

// More bytes behind those that are there.
bool GzipStream::refill() {
    if (m_at > 0) {
        std::copy(m_buffer.begin() + static_cast<std::ptrdiff_t>(m_at),
                  m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end), m_buffer.begin());
        m_end -= m_at;
        m_at = 0;
    }
    for (;;) {
        const auto got = ::read(m_file.get(), m_buffer.data() + m_end, m_buffer.size() - m_end);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) stop(Problem::System);
        if (got > 0) m_end += static_cast<std::size_t>(got);
        return got > 0;
    }
}

void GzipStream::begin() {
    while (m_end - m_at < kMark.size() && refill()) {}
    if (m_problem != Problem::None) return;
    const bool packed = m_end - m_at >= kMark.size() && std::equal(kMark.begin(), kMark.end(), m_buffer.begin());
    m_where = packed ? Where::Member : Where::Plain;
    if (packed) beginMember();
}

void GzipStream::beginMember() {
    m_where = Where::Member;
    if (m_inflate) {
        inflateReset(m_inflate.get());
        return;
    }
    m_inflate.reset(new z_stream_s{});
    if (inflateInit2(m_inflate.get(), kGzipOnly) != Z_OK) stop(Problem::Memory);
}

void GzipStream::nextMember() {
    while (m_end - m_at < kMark.size() && refill()) {}
    if (m_problem != Problem::None) return;
    const auto* const next = m_buffer.data() + m_at;
    if (m_end - m_at >= kMark.size() && std::equal(kMark.begin(), kMark.end(), next)) beginMember();
    else m_where = Where::End;
}

std::int64_t GzipStream::readPlain(std::byte* out, std::int64_t size) {
    if (m_at == m_end && !refill()) return m_problem == Problem::None ? 0 : -1;
    const auto count = std::min(static_cast<std::size_t>(size), m_end - m_at);
    std::memcpy(out, m_buffer.data() + m_at, count);
    m_at += count;
    return static_cast<std::int64_t>(count);
}

// With `size` 0 it only finds out whether the member ends here.
std::int64_t GzipStream::inflateSome(std::byte* out, std::int64_t size) {
    z_stream_s& stream = *m_inflate;
    const auto most = static_cast<uInt>(std::min<std::int64_t>(size, std::numeric_limits<uInt>::max()));
    std::byte nowhere{};
    stream.next_out = reinterpret_cast<Bytef*>(most > 0 ? out : &nowhere);
    stream.avail_out = most;
    for (;;) {
        if (m_at == m_end && !refill()) {
            if (m_problem == Problem::None) stop(Problem::Cut);
            break;
        }
        const auto offered = static_cast<uInt>(m_end - m_at); // a buffer is far smaller than 4 GiB
        stream.next_in = reinterpret_cast<Bytef*>(m_buffer.data() + m_at);
        stream.avail_in = offered;
        const int code = ::inflate(&stream, Z_NO_FLUSH);
        m_at += offered - stream.avail_in;
        if (code == Z_STREAM_END) m_where = Where::BetweenMembers;
        else if (code == Z_MEM_ERROR) stop(Problem::Memory);
        else if (code != Z_OK && code != Z_BUF_ERROR)
            stop(Problem::Damaged, stream.msg ? stream.msg : "it needs a dictionary");
        if (code == Z_STREAM_END || m_problem != Problem::None) break;
        if (stream.avail_in > 0 || (most > 0 && stream.avail_out == 0)) break; // no room for more output
    }
    return static_cast<std::int64_t>(most - stream.avail_out);
}

bool GzipStream::isPacked() {
    if (m_where == Where::Start && m_problem == Problem::None) begin();
    return m_where != Where::Start && m_where != Where::Plain;
}

std::int64_t GzipStream::read(void* out, std::int64_t size) {
    auto* const to = static_cast<std::byte*>(out);
    if (m_where == Where::Start && m_problem == Problem::None) begin();
    while (m_problem == Problem::None && size > 0) {
        if (m_where == Where::End) return 0;
        if (m_where == Where::Plain) return readPlain(to, size);
        if (m_where == Where::BetweenMembers) {
            nextMember();
            continue;
        }
        const auto got = inflateSome(to, size);
        if (got == 0) continue; // the end of a member, or a problem
        if (m_where == Where::Member && m_problem == Problem::None && got == size) inflateSome(nullptr, 0);
        return got;
    }
    return m_problem == Problem::None ? 0 : -1;
}

} // namespace trainyard
