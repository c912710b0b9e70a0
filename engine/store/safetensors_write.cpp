// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/crc32c.h"
#include "engine/base/ids.h"
#include "engine/store/safetensors_format.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace trainyard::store {
namespace {

using Json = nlohmann::ordered_json; // keeps the order of the tensors

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

Result<void> checkTensors(const std::vector<TensorBytes>& tensors, const std::string& file) {
    std::map<std::string, int> seen;
    for (const TensorBytes& t : tensors) {
        const std::string name = "tensor \"" + printable(t.name, 80) + "\"";
        if (t.name.empty() || t.name == kMetadataKey) return runError(name + " has a name that cannot be stored", file);
        if (++seen[t.name] > 1) return runError(name + " is there twice", file);
        const auto size = tensorSize(t.dtype, t.shape);
        if (!size) return runError(name + " has an unknown dtype or an impossible shape", file);
        if (*size != t.bytes.size())
            return runError(name + " should have " + std::to_string(*size) + " bytes, has " +
                            std::to_string(t.bytes.size()), file);
    }
    return {};
}

Result<std::string> headerText(const std::vector<TensorBytes>& tensors, Metadata metadata, const std::string& file) {
    std::vector<TensorInfo> infos;
    Json checksums = Json::object(), entries = Json::object();
    std::uint64_t at = 0;
    for (const TensorBytes& t : tensors) {
        infos.push_back({t.name, t.dtype, t.shape, at, at + t.bytes.size()});
        entries[t.name] = {{"dtype", t.dtype}, {"shape", t.shape}, {"data_offsets", {at, at + t.bytes.size()}}};
        checksums[t.name] = hexText(crc32c(t.bytes));
        at += t.bytes.size();
    }
    metadata.erase(kChecksumKey);
    metadata[kChecksumMark] = kChecksumKey;
    checksums[""] = hexText(headerDigest(infos, metadata));
    try {
        metadata[kChecksumKey] = checksums.dump();
        Json header = Json::object();
        header[kMetadataKey] = metadata;
        header.update(entries);
        std::string text = header.dump();
        text.append((8 - text.size() % 8) % 8, ' '); // so that the data starts aligned
        if (text.size() > kMaxHeader) return runError("the header is larger than the format allows", file);
        return text;
    } catch (const Json::exception&) {
        return runError("a tensor's name or the metadata is not UTF-8", file);
    }
}

} // namespace

std::optional<std::uint64_t> elementSize(const std::string& dtype) {
    static const std::map<std::string, std::uint64_t> sizes = {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2},
                                                               {"I64", 8}, {"I32", 4}, {"I16", 2}, {"I8", 1},
                                                               {"U8", 1},  {"BOOL", 1}};
    const auto found = sizes.find(dtype);
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> tensorSize(const std::string& dtype, const std::vector<std::int64_t>& shape) {
    auto size = elementSize(dtype);
    bool zero = false;
    for (const std::int64_t dimension : shape) {
        if (!size || dimension < 0) return std::nullopt;
        if (dimension == 0) zero = true;
        else if (__builtin_mul_overflow(*size, static_cast<std::uint64_t>(dimension), &*size)) size.reset();
    }
    return size && zero ? std::optional<std::uint64_t>(0) : size;
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
    TY_TRY(checkTensors(tensors, path.string()));
    TY_ASSIGN(const std::string header, headerText(tensors, metadata, path.string()));
    std::size_t total = kLengthSize + header.size();
    for (const TensorBytes& t : tensors) total += t.bytes.size();
    return writeFileAtomic(path, total, [&](const ByteSink& sink) -> Result<void> {
        std::array<std::byte, kLengthSize> length{};
        for (std::size_t i = 0; i < kLengthSize; ++i) length[i] = static_cast<std::byte>(header.size() >> (8 * i));
        TY_TRY(sink(length));
        TY_TRY(sink(bytesOf(header)));
        for (const TensorBytes& t : tensors) TY_TRY(sink(t.bytes));
        return {};
    });
}

} // namespace trainyard::store
