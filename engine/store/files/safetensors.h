// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors (https://huggingface.co/docs/safetensors): an 8-byte little-endian header length, a JSON header, data.
// Data without code: the format of checkpoints and of the safetensors export.
#pragma once

#include "engine/base/files/atomic_file.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace trainyard::store {

struct TensorInfo {
    std::string name;
    std::string dtype; // F64 F32 F16 BF16 F8_E4M3 F8_E5M2 I64 I32 I16 I8 U64 U32 U16 U8 BOOL C64
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0; // within the data section
};

struct TensorBytes { // to be written
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes; // contiguous, little-endian
};

struct TensorSource { // the same, produced when its turn comes
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::function<Result<void>(const ByteSink&)> produce; // hands the bytes over in order, in pieces of any size
};

using Metadata = std::map<std::string, std::string>;

// Atomic and durable (see writeFileAtomic). Each tensor's CRC-32C goes into the metadata key "crc32c".
Result<void> writeSafetensors(const std::filesystem::path& path, const std::vector<TensorBytes>& tensors,
                              const Metadata& metadata);

// The same. Every byte is asked for once, and checksums are taken on the way; an error of a source is returned.
Result<void> writeSafetensorsFrom(const std::filesystem::path& path, const std::vector<TensorSource>& tensors,
                                  const Metadata& metadata, Outlives outlives = Outlives::PowerLoss);

// A memory-mapped file, checked whole before use: header size and JSON, dtypes, overflow, gaps, overlap, doubled
// names, trailing bytes, and the checksums when the file has them. Kind Input, naming file and tensor.
class SafetensorsFile {
public:
    static Result<SafetensorsFile> open(const std::filesystem::path& path, bool verifyChecksums = true);
    SafetensorsFile(SafetensorsFile&&) noexcept;
    SafetensorsFile& operator=(SafetensorsFile&&) noexcept;
    ~SafetensorsFile();

    const std::vector<TensorInfo>& tensors() const { return m_tensors; }
    const Metadata& metadata() const { return m_metadata; }
    const TensorInfo* find(const std::string& name) const;
    std::span<const std::byte> bytes(const TensorInfo& tensor) const;
    // For a file that was opened without them: the checksums of the header and of one tensor. Input.
    Result<void> checkHeader() const;
    Result<void> check(const TensorInfo& tensor) const;
    // The tensor's bytes need not be in memory any more; they are read again when they are asked for.
    void release(const TensorInfo& tensor) const;

private:
    SafetensorsFile() = default;
    std::string m_path;
    void* m_map = nullptr;
    std::size_t m_size = 0, m_dataOffset = 0;
    Metadata m_sums; // tensor -> checksum
    std::vector<TensorInfo> m_tensors;
    Metadata m_metadata;
};

// What the beginning of a file tells of it.
struct SafetensorsHead {
    std::vector<TensorInfo> tensors;
    Metadata metadata;
    std::uint64_t dataOffset = 0;
};
// How many bytes that beginning has, from the file's first ones: eight, or all that there are. At most 100 MB.
std::uint64_t safetensorsHeadSize(std::span<const std::byte> first);
// The checks of open() but for the checksums, of the beginning of a file of `fileSize` bytes: for one that another
// process may cut meanwhile, which would end a program that has mapped it. `head` has safetensorsHeadSize() bytes, or
// as many as there are. Input.
Result<SafetensorsHead> readSafetensorsHead(std::span<const std::byte> head, std::uint64_t fileSize);

// Bytes per value of that dtype; nothing for one that is not known.
std::optional<std::uint64_t> elementSize(const std::string& dtype);
// Bytes of a tensor with values of `width` bytes; nothing where a dimension is negative or the product overflows.
std::optional<std::uint64_t> shapeSize(std::uint64_t width, const std::vector<std::int64_t>& shape);

// The checks of open() on bytes in memory, for the fuzz target.
Result<void> checkSafetensors(std::span<const std::byte> file);

} // namespace trainyard::store
