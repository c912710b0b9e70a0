// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/idx.h"

#include "engine/torch/guard.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <memory>

namespace trainyard::data {

namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{16} << 30;
// Deflate cannot pack more than 1032 bytes into one (zlib's documentation, "Maximum Compression Factor").
constexpr std::int64_t kMaxDeflateRatio = 1032;
constexpr unsigned kUnsignedByte = 0x08;
const char* const kFetchAgain = "copy or install the file again";

std::string hex(unsigned byte) {
    static const char* const digits = "0123456789abcdef";
    return std::string("0x") + digits[(byte >> 4) & 15] + digits[byte & 15];
}

// A file read front to back, unpacked when it is gzip.
class Reader {
public:
    static Result<Reader> open(const std::filesystem::path& path) {
        // O_NONBLOCK: opening a FIFO would wait for ever.
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0) {
            if (errno == ENOENT) return inputError("the file does not exist", path.string());
            return systemError("cannot be read", path.string(), "check its permissions");
        }
        struct stat info {};
        if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
            ::close(fd);
            return inputError("is not a regular file", path.string());
        }
        gzFile stream = gzdopen(fd, "rb");
        if (!stream) {
            ::close(fd);
            return environmentError("not enough memory to read it", path.string());
        }
        gzbuffer(stream, 1u << 17);
        return Reader(path.string(), stream, info.st_size);
    }

    // Fills `out` or says at which byte the content ended or broke.
    Result<void> read(void* out, std::int64_t size) {
        auto* at = static_cast<char*>(out);
        for (std::int64_t left = size; left > 0;) {
            const auto piece = static_cast<unsigned>(std::min<std::int64_t>(left, 1 << 30));
            const int got = gzread(m_stream.get(), at, piece);
            if (got < 0) return broken();
            if (got == 0) return ended(left);
            at += got;
            left -= got;
            m_offset += got;
        }
        return {};
    }

    // Also checks gzip's own checksum, which stands at the end.
    Result<void> expectEnd() {
        char extra = 0;
        const int got = gzread(m_stream.get(), &extra, 1);
        if (got > 0) return fail("has bytes after the last item that its header counts");
        if (got < 0 || errorCode() == Z_BUF_ERROR) return broken();
        return {};
    }

    Error fail(const std::string& message) const {
        return inputError(message, m_name + ", byte " + std::to_string(m_offset), kFetchAgain);
    }
    std::int64_t offset() const { return m_offset; }
    bool packed() const { return gzdirect(m_stream.get()) == 0; }
    std::int64_t fileSize() const { return m_fileSize; }

private:
    struct Close {
        void operator()(gzFile stream) const { gzclose(stream); }
    };
    Reader(std::string name, gzFile stream, std::int64_t fileSize)
        : m_name(std::move(name)), m_stream(stream), m_fileSize(fileSize) {}

    // Z_BUF_ERROR after a read of nothing: the packed data ends before its end mark.
    int errorCode() const {
        int code = Z_OK;
        gzerror(m_stream.get(), &code);
        return code;
    }
    Error broken() const {
        int code = Z_OK;
        const std::string text = gzerror(m_stream.get(), &code);
        if (code == Z_ERRNO) return systemError("cannot be read", m_name);
        if (code == Z_BUF_ERROR) return fail("the gzip data is cut short");
        return fail("the gzip data is damaged (" + text + ")");
    }
    Error ended(std::int64_t missing) const {
        if (errorCode() == Z_BUF_ERROR) return broken();
        if (m_offset == 0) return fail("is empty");
        return fail("is cut short: " + std::to_string(missing) + " bytes are missing");
    }

    std::string m_name;
    std::unique_ptr<gzFile_s, Close> m_stream;
    std::int64_t m_fileSize = 0, m_offset = 0;
};

Result<std::vector<std::int64_t>> readHeader(Reader& reader, std::size_t dimensions) {
    std::array<unsigned char, 4> magic{};
    TY_TRY(reader.read(magic.data(), 4));
    if (magic[0] != 0 || magic[1] != 0)
        return reader.fail("is not an IDX file: it starts with " + hex(magic[0]) + " " + hex(magic[1])
                           + " in place of two zero bytes");
    if (magic[2] != kUnsignedByte)
        return reader.fail("has items of type code " + hex(magic[2]) + "; only 0x08 (unsigned bytes) is known here");
    if (magic[3] != dimensions)
        return reader.fail("has " + std::to_string(magic[3]) + " dimensions in place of "
                           + std::to_string(dimensions));
    std::vector<std::int64_t> sizes;
    std::int64_t bytes = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
        std::array<unsigned char, 4> raw{};
        TY_TRY(reader.read(raw.data(), 4));
        const std::int64_t size = (std::int64_t{raw[0]} << 24) | (raw[1] << 16) | (raw[2] << 8) | raw[3];
        if (size == 0)
            return reader.fail(i == 0 ? "has no items" : "has items of size zero");
        if (size > kMaxBytes / bytes)
            return reader.fail("its header asks for more than " + std::to_string(kMaxBytes >> 30) + " GiB");
        bytes *= size;
        sizes.push_back(size);
    }
    return sizes;
}

} // namespace

Result<std::vector<std::int64_t>> readIdxHeader(const std::filesystem::path& file, std::size_t dimensions) {
    TY_ASSIGN(Reader reader, Reader::open(file));
    return readHeader(reader, dimensions);
}

Result<torch::Tensor> readIdx(const std::filesystem::path& file, std::size_t dimensions) {
    TY_ASSIGN(Reader reader, Reader::open(file));
    TY_ASSIGN(const std::vector<std::int64_t> sizes, readHeader(reader, dimensions));
    std::int64_t bytes = 1;
    for (const std::int64_t size : sizes) bytes *= size;
    // Found before the memory is asked for: a header of some bytes must not cost gigabytes.
    const std::int64_t most = reader.packed() ? reader.fileSize() * kMaxDeflateRatio
                                              : reader.fileSize() - reader.offset();
    if (bytes > most)
        return reader.fail("is cut short: its header promises " + std::to_string(bytes)
                           + " bytes of items, and the file holds at most " + std::to_string(most));
    return train::guarded(file.string(), [&]() -> Result<torch::Tensor> {
        torch::Tensor items = torch::empty(sizes, torch::kUInt8);
        TY_TRY(reader.read(items.data_ptr<std::uint8_t>(), bytes));
        TY_TRY(reader.expectEnd());
        return items;
    });
}

} // namespace trainyard::data
