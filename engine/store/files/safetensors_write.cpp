// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/utf8.h"
#include "engine/store/files/safetensors_format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace trainyard::store {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

Result<void> checkSize(const std::string& name, std::optional<std::uint64_t> needed, std::uint64_t given,
                       const std::string& file) {
    if (!needed || *needed == given) return {}; // one that is impossible has an error of its own
    return runError("tensor \"" + printable(name, 80) + "\" should have " + std::to_string(*needed) + " bytes, has " +
                        std::to_string(given),
                    file);
}

// Bytes of all tensors together.
Result<std::uint64_t> checkTensors(const std::vector<TensorSource>& tensors, const std::string& file) {
    std::map<std::string, int> seen;
    std::uint64_t total = 0;
    for (const TensorSource& t : tensors) {
        const std::string name = "tensor \"" + printable(t.name, 80) + "\"";
        if (t.name.empty() || t.name == kMetadataKey) return runError(name + " has a name that cannot be stored", file);
        if (++seen[t.name] > 1) return runError(name + " is there twice", file);
        const auto size = tensorSize(t.dtype, t.shape);
        if (!size) return runError(name + " has an unknown dtype or an impossible shape", file);
        total += *size;
    }
    return total;
}

// Names that JSON would write with other letters would be those of other tensors.
bool isWhollyUtf8(const std::vector<TensorInfo>& tensors, const Metadata& metadata) {
    return std::ranges::all_of(tensors, [](const auto& tensor) { return isUtf8(tensor.name); }) &&
           std::ranges::all_of(metadata, [](const auto& entry) { return isUtf8(entry.first) && isUtf8(entry.second); });
}

// Always as long for the same tensors and metadata, whatever the checksums are.
Result<std::string> headerText(const std::vector<TensorSource>& tensors, const std::vector<std::uint32_t>& crcs,
                               Metadata metadata, const std::string& file) {
    std::vector<TensorInfo> infos;
    Json checksums = Json::object(), entries = Json::object();
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorSource& t = tensors[i];
        const std::uint64_t end = at + tensorSize(t.dtype, t.shape).value_or(0);
        infos.push_back({t.name, t.dtype, t.shape, at, end});
        entries[t.name] = {{"dtype", t.dtype}, {"shape", t.shape}, {"data_offsets", {at, end}}};
        checksums[t.name] = hexText(crcs[i]);
        at = end;
    }
    metadata.erase(kChecksumKey);
    metadata[kChecksumMark] = kChecksumKey;
    if (!isWhollyUtf8(infos, metadata)) return runError("a tensor's name or the metadata is not UTF-8", file);
    checksums[""] = hexText(headerDigest(infos, metadata));
    metadata[kChecksumKey] = jsonText(checksums);
    Json header = Json::object();
    header[kMetadataKey] = metadata;
    header.update(entries);
    std::string text = jsonText(header);
    text.append((8 - text.size() % 8) % 8, ' '); // so that the data starts aligned
    if (text.size() > kMaxHeader) return runError("the header is larger than the format allows", file);
    return text;
}

// The checksum of what was written.
Result<std::uint32_t> appendTensor(const TensorSource& tensor, LargeFile& out, const std::string& file) {
    constexpr std::size_t kPiece = 64u << 10; // still in the cache when it is copied
    std::uint32_t crc = 0;
    std::uint64_t count = 0;
    const auto append = [&](std::span<const std::byte> bytes) -> Result<void> {
        count += bytes.size();
        while (!bytes.empty()) {
            const auto piece = bytes.first(std::min(bytes.size(), kPiece));
            crc = crc32c(piece, crc);
            TY_TRY(out.append(piece));
            bytes = bytes.subspan(piece.size());
        }
        return {};
    };
    TY_TRY(tensor.produce(append));
    TY_TRY(checkSize(tensor.name, tensorSize(tensor.dtype, tensor.shape), count, file));
    return crc;
}

} // namespace

std::optional<std::uint64_t> elementSize(const std::string& dtype) {
    static const std::map<std::string, std::uint64_t> sizes = {
        {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"I64", 8},  {"I32", 4},
        {"I16", 2}, {"I8", 1},  {"U64", 8}, {"U32", 4},  {"U16", 2},     {"U8", 1},      {"BOOL", 1}, {"C64", 8}};
    const auto found = sizes.find(dtype);
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> shapeSize(std::uint64_t width, const std::vector<std::int64_t>& shape) {
    std::optional<std::uint64_t> size = width;
    bool zero = false;
    for (const std::int64_t dimension : shape) {
        if (dimension < 0) return std::nullopt;
        if (dimension == 0) zero = true;
        else if (size && __builtin_mul_overflow(*size, static_cast<std::uint64_t>(dimension), &*size)) size.reset();
    }
    return size && zero ? std::optional<std::uint64_t>(0) : size;
}

std::optional<std::uint64_t> tensorSize(const std::string& dtype, const std::vector<std::int64_t>& shape) {
    const auto width = elementSize(dtype);
    return width ? shapeSize(*width, shape) : std::nullopt;
}

std::uint32_t headerDigest(const std::vector<TensorInfo>& tensors, const Metadata& metadata) {
    std::uint32_t crc = 0;
    const auto add = [&](const std::string& text) { crc = crc32c(bytesOf({text.c_str(), text.size() + 1}), crc); };
    for (const auto& [key, value] : metadata) {
        if (key == kChecksumKey) continue;
        add(key);
        add(value);
    }
    std::vector<const TensorInfo*> sorted;
    for (const TensorInfo& t : tensors) sorted.push_back(&t);
    std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name < b->name; });
    for (const TensorInfo* t : sorted) {
        add(t->name);
        add(t->dtype);
        for (const std::int64_t dimension : t->shape) add(std::to_string(dimension));
    }
    return crc;
}

std::string hexText(std::uint32_t value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%08x", value);
    return text.data();
}

Result<void> writeSafetensors(const std::filesystem::path& path, const std::vector<TensorBytes>& tensors,
                              const Metadata& metadata) {
    std::vector<TensorSource> sources;
    for (const TensorBytes& t : tensors) {
        TY_TRY(checkSize(t.name, tensorSize(t.dtype, t.shape), t.bytes.size(), path.string()));
        sources.push_back({t.name, t.dtype, t.shape, [&t](const ByteSink& sink) { return sink(t.bytes); }});
    }
    return writeSafetensorsFrom(path, sources, metadata);
}

Result<void> writeSafetensorsFrom(const std::filesystem::path& path, const std::vector<TensorSource>& tensors,
                                  const Metadata& metadata, Outlives outlives) {
    const std::string file = path.string();
    TY_ASSIGN(const std::uint64_t bytes, checkTensors(tensors, file));
    std::vector<std::uint32_t> crcs(tensors.size(), 0);
    TY_ASSIGN(std::string header, headerText(tensors, crcs, metadata, file)); // takes the place of the true one
    return writeLargeFileAtomic(
        path, kLengthSize + header.size() + bytes,
        [&](LargeFile& out) -> Result<void> {
            std::array<std::byte, kLengthSize> length{};
            for (std::size_t i = 0; i < kLengthSize; ++i) length[i] = static_cast<std::byte>(header.size() >> (8 * i));
            TY_TRY(out.append(length));
            TY_TRY(out.append(bytesOf(header)));
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                TY_ASSIGN(crcs[i], appendTensor(tensors[i], out, file));
            }
            TY_ASSIGN(header, headerText(tensors, crcs, metadata, file));
            return out.overwrite(kLengthSize, bytesOf(header));
        },
        outlives);
}

} // namespace trainyard::store
