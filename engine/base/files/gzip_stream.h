// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct z_stream_s;

namespace trainyard {

// The content of an open file, front to back: decompressed if it begins with gzip's magic number, else unchanged.
// Consecutive gzip members form one stream; what follows the last member is ignored. Unlike zlib's gzread(),
// which in 1.3.2 takes a file that is cut off for whole and the end of a whole one for an error, this tells them
// apart with every version.
class GzipStream {
public:
    enum class Problem {
        None,
        System, // errno says which
        Memory,
        Cut,     // the file ends within a member
        Damaged, // detail() says what of
    };

    GzipStream(UniqueFd file, std::size_t bufferBytes);
    GzipStream(GzipStream&&) noexcept;
    ~GzipStream();

    // Up to `size` bytes, 0 at the end, -1 where there is a problem, which then stays. A member's checksum and length
    // are checked as soon as its last byte has been read.
    std::int64_t read(void* out, std::int64_t size);
    bool isPacked(); // from the first bytes of the file
    Problem problem() const { return m_problem; }
    const std::string& detail() const { return m_detail; }
    int file() const { return m_file.get(); }

private:
    struct EndInflate {
        void operator()(z_stream_s* stream) const;
    };
    enum class Where { Start, Plain, Member, BetweenMembers, End };

    bool refill(); // false: the file has ended, or a problem
    void begin();
    void beginMember();
    void nextMember();
    std::int64_t readPlain(std::byte* out, std::int64_t size);
    std::int64_t inflateSome(std::byte* out, std::int64_t size);
    void stop(Problem problem, std::string detail = {});

    UniqueFd m_file;
    std::vector<std::byte> m_buffer;
    std::size_t m_at = 0, m_end = 0; // what of the buffer has not been used
    std::unique_ptr<z_stream_s, EndInflate> m_inflate;
    Where m_where = Where::Start;
    Problem m_problem = Problem::None;
    std::string m_detail;
};

} // namespace trainyard
