// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file_reader.h"

#include "engine/base/fast_inflate.h"

#include <zlib.h>

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

constexpr std::int64_t kWorthAtOnce = 1 << 20;                  // bytes; less is quick in any way
constexpr std::int64_t kMostAtOnce = std::int64_t{256} << 20;   // of content, which is held twice meanwhile

} // namespace

std::string hexByte(unsigned byte) {
    static const char* const digits = "0123456789abcdef";
    return std::string("0x") + digits[(byte >> 4) & 15] + digits[byte & 15];
}

void FileReader::Close::operator()(gzFile_s* stream) const { gzclose(stream); }

Result<FileReader> FileReader::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a FIFO would wait for ever.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        if (errno == ENOENT) return inputError("the file does not exist", path.string(), "check the path");
        if (errno == ELOOP) return inputError("is a link that leads in a circle", path.string(), "remove the link");
        return systemError("cannot be read", path.string(), "check its permissions");
    }
    struct stat info {};
    if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(fd);
        return inputError("is not a regular file", path.string(), "name a file");
    }
    UniqueFd again(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    gzFile stream = gzdopen(fd, "rb");
    if (!stream) {
        ::close(fd);
        return environmentError("not enough memory to read it", path.string(), "close other programs");
    }
    gzbuffer(stream, static_cast<unsigned>(std::clamp<std::int64_t>(info.st_size, 4096, 1 << 17)));
    return FileReader(path.string(), stream, std::move(again), info.st_size);
}

Result<std::int64_t> FileReader::readSome(void* out, std::int64_t size) {
    if (m_atEnd) return std::int64_t{0};
    const auto piece = static_cast<unsigned>(std::min<std::int64_t>(size, 1 << 30));
    const int got = gzread(m_stream.get(), out, piece);
    if (got < 0 || (got == 0 && errorCode() == Z_BUF_ERROR)) return broken();
    m_offset += got;
    return std::int64_t{got};
}

Result<void> FileReader::read(void* out, std::int64_t size) {
    if (readAllThatIsLeft(out, size)) return {};
    auto* at = static_cast<char*>(out);
    // The last byte by itself: zlib comes to the checksum behind it only while it fills a buffer of its own, so a large
    // file whose checksum is cut off would else pass for whole.
    for (std::int64_t left = size; left > 0;) {
        TY_ASSIGN(const std::int64_t got, readSome(at, std::max<std::int64_t>(1, left - 1)));
        if (got == 0) return ended(left);
        at += got;
        left -= got;
    }
    return {};
}

// When that is what `size` asks for, and a faster way than zlib's is there; else nothing has happened.
bool FileReader::readAllThatIsLeft(void* out, std::int64_t size) {
    const std::int64_t whole = m_offset + size;
    if (size < kWorthAtOnce || whole > kMostAtOnce || m_fileSize > kMostAtOnce || !m_file || m_atEnd ||
        gzdirect(m_stream.get()) != 0)
        return false;
    const auto bytesAt = [](std::int64_t count) {
        return std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[static_cast<std::size_t>(count)]);
    };
    const auto packed = bytesAt(m_fileSize);
    if (!packed) return false;
    for (std::int64_t at = 0; at < m_fileSize;) {
        const auto got = ::pread(m_file.get(), packed.get() + at, static_cast<std::size_t>(m_fileSize - at), at);
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
    const int got = gzread(m_stream.get(), &extra, 1);
    if (got > 0) return fail(complaint);
    if (got < 0 || errorCode() == Z_BUF_ERROR) return broken();
    return {};
}

std::int64_t FileReader::mostLeft() const {
    if (gzdirect(m_stream.get()) != 0) return m_fileSize - m_offset;
    return m_fileSize > INT64_MAX / kMaxDeflateRatio ? INT64_MAX : m_fileSize * kMaxDeflateRatio;
}

std::int64_t FileReader::plainSize() const { return gzdirect(m_stream.get()) != 0 ? m_fileSize : -1; }

Error FileReader::fail(const std::string& message) const {
    return inputError(message, m_name + ", byte " + std::to_string(m_offset), kFetchAgain);
}

// Z_BUF_ERROR after a read of nothing: the packed data ends before its end mark.
int FileReader::errorCode() const {
    int code = Z_OK;
    gzerror(m_stream.get(), &code);
    return code;
}

Error FileReader::broken() const {
    int code = Z_OK;
    const std::string text = gzerror(m_stream.get(), &code);
    if (code == Z_ERRNO) return systemError("cannot be read", m_name);
    if (code == Z_BUF_ERROR) return fail("the gzip data is cut short");
    return fail("the gzip data is damaged (" + text + ")");
}

Error FileReader::ended(std::int64_t missing) const {
    if (m_offset == 0) return fail("is empty");
    return fail("is cut short: " + std::to_string(missing) + " bytes are missing");
}

} // namespace trainyard
