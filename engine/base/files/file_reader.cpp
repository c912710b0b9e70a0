// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/file_reader.h"

#include "engine/base/files/fast_inflate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace trainyard {

namespace {

// Deflate cannot pack more than 1032 bytes into one (zlib's documentation, "Maximum Compression Factor").
constexpr std::int64_t kMaxDeflateRatio = 1032;

constexpr std::int64_t kWorthAtOnce = 1 << 20;                // bytes; less is quick in any way
constexpr std::int64_t kMostAtOnce = std::int64_t{256} << 20; // of content, which is held twice meanwhile

} // namespace

std::string hexByte(unsigned byte) {
    static const char* const digits = "0123456789abcdef";
    return std::string("0x") + digits[(byte >> 4) & 15] + digits[byte & 15];
}

Result<FileReader> FileReader::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a FIFO would wait for ever.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        if (errno == ENOENT)
            return inputError("the file does not exist", path.string(), "check the path")
                .withCode(ErrorCode::FileMissing);
        if (errno == ELOOP) return inputError("is a link that leads in a circle", path.string(), "remove the link");
        return systemError("cannot be read", path.string(), "check its permissions");
    }
    struct stat info{};
    if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(fd);
        return inputError("is not a regular file", path.string(), "name a file");
    }
    const auto buffer = static_cast<std::size_t>(std::clamp<std::int64_t>(info.st_size, 4096, 1 << 17));
    return FileReader(path.string(), GzipStream(UniqueFd(fd), buffer), info.st_size);
}

Result<std::int64_t> FileReader::readSome(void* out, std::int64_t size) {
    if (m_atEnd) return std::int64_t{0};
    const std::int64_t got = m_stream.read(out, size);
    if (got < 0) return broken();
    m_offset += got;
    return got;
}

Result<std::int64_t> FileReader::readUpTo(void* out, std::int64_t size) {
    std::int64_t filled = 0;
    while (filled < size) {
        TY_ASSIGN(const std::int64_t got, readSome(static_cast<char*>(out) + filled, size - filled));
        if (got == 0) break;
        filled += got;
    }
    return filled;
}

Result<void> FileReader::read(void* out, std::int64_t size) {
    if (readAllThatIsLeft(out, size)) return {};
    auto* at = static_cast<char*>(out);
    for (std::int64_t left = size; left > 0;) {
        TY_ASSIGN(const std::int64_t got, readSome(at, left));
        if (got == 0) return ended(left);
        at += got;
        left -= got;
    }
    if (m_stream.problem() != GzipStream::Problem::None) return broken(); // behind the last byte
    return {};
}

// When that is what `size` asks for, and a faster way than zlib's is there; else nothing has happened.
bool FileReader::readAllThatIsLeft(void* out, std::int64_t size) {
    const std::int64_t whole = m_offset + size;
    if (size < kWorthAtOnce || whole > kMostAtOnce || m_fileSize > kMostAtOnce || m_atEnd || !m_stream.isPacked())
        return false;
    const auto bytesAt = [](std::int64_t count) {
        return std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[static_cast<std::size_t>(count)]);
    };
    const auto packed = bytesAt(m_fileSize);
    if (!packed) return false;
    for (std::int64_t at = 0; at < m_fileSize;) {
        const auto got = ::pread(m_stream.file(), packed.get() + at, static_cast<std::size_t>(m_fileSize - at), at);
        if (got <= 0) return false;
        at += got;
    }
    // Gzip ends with the size of its content: a part of it is read in the ordinary way.
    std::uint32_t said = 0;
    for (std::int64_t i = 1; i <= 4 && i <= m_fileSize; ++i)
        said = said << 8 | std::to_integer<std::uint32_t>(packed[static_cast<std::size_t>(m_fileSize - i)]);
    if (said != static_cast<std::uint32_t>(whole)) return false;
    const auto content = bytesAt(whole);
    if (!content) return false;
    if (!inflateWhole({packed.get(), static_cast<std::size_t>(m_fileSize)},
                      {content.get(), static_cast<std::size_t>(whole)}))
        return false;
    std::copy_n(content.get() + m_offset, size, static_cast<std::byte*>(out));
    m_offset = whole;
    m_atEnd = true;
    return true;
}

Result<void> FileReader::expectEnd(const std::string& complaint) {
    if (m_atEnd) return {};
    char extra = 0;
    const std::int64_t got = m_stream.read(&extra, 1);
    if (got > 0) return fail(complaint);
    if (got < 0) return broken();
    return {};
}

std::int64_t FileReader::mostLeft() {
    if (!m_stream.isPacked()) return m_fileSize - m_offset;
    return m_fileSize > INT64_MAX / kMaxDeflateRatio ? INT64_MAX : m_fileSize * kMaxDeflateRatio;
}

std::int64_t FileReader::plainSize() { return m_stream.isPacked() ? -1 : m_fileSize; }

Error FileReader::fail(const std::string& message) const {
    return inputError(message, m_name + ", byte " + std::to_string(m_offset), kFetchAgain);
}

Error FileReader::broken() const {
    switch (m_stream.problem()) {
    case GzipStream::Problem::System: return systemError("cannot be read", m_name);
    case GzipStream::Problem::Memory:
        return environmentError("not enough memory to read it", m_name, "close other programs")
            .withCode(ErrorCode::OutOfMemory);
    case GzipStream::Problem::Cut: return fail("the gzip data is cut short");
    default: return fail("the gzip data is damaged (" + m_stream.detail() + ")");
    }
}

Error FileReader::ended(std::int64_t missing) const {
    if (m_offset == 0) return fail("is empty");
    return fail("is cut short: " + std::to_string(missing) + " bytes are missing");
}

} // namespace trainyard
