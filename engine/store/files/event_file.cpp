// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/files/event_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/math/crc32c.h"

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

namespace trainyard::store {
namespace {

// Field numbers of the protocol buffers.
constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7; // Event
constexpr int kSummaryValue = 1, kTag = 1, kSimpleValue = 2;                             // Summary, Summary.Value
constexpr int kStatus = 1, kStatusStart = 1;                                             // SessionLog

enum WireType { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

template <class Number>
std::string littleEndian(Number number) {
    static_assert(std::endian::native == std::endian::little);
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
    bytes += static_cast<char>(value);
    return bytes;
}

std::string key(int field, WireType type) {
    return varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(type));
}

std::string number(int field, std::int64_t value) {
    return key(field, Varint) + varint(static_cast<std::uint64_t>(value));
}
std::string real(int field, double value) { return key(field, Fixed64) + littleEndian(value); }
std::string real(int field, float value) { return key(field, Fixed32) + littleEndian(value); }
std::string bytes(int field, const std::string& content) {
    return key(field, Length) + varint(content.size()) + content;
}

// TensorFlow's mask: a CRC of data that holds CRCs would be weak.
std::uint32_t maskedCrc(const std::string& content) {
    const std::uint32_t crc = crc32c(std::as_bytes(std::span(content)));
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

std::string record(const std::string& content) {
    const std::string length = littleEndian(static_cast<std::uint64_t>(content.size()));
    return length + littleEndian(maskedCrc(length)) + content + littleEndian(maskedCrc(content));
}

} // namespace

std::string eventFileHeader(double wallSeconds) {
    return record(real(kWallTime, wallSeconds) + bytes(kFileVersion, "brain.Event:2"));
}

std::string scalarEvent(const std::string& tag, std::int64_t step, double wallSeconds, double value) {
    const std::string scalar = bytes(kTag, tag) + real(kSimpleValue, static_cast<float>(value));
    return record(real(kWallTime, wallSeconds) + number(kStep, step) + bytes(kSummary, bytes(kSummaryValue, scalar)));
}

std::string restartEvent(std::int64_t step, double wallSeconds) {
    return record(real(kWallTime, wallSeconds) + number(kStep, step) +
                  bytes(kSessionLog, number(kStatus, kStatusStart)));
}

std::string eventFileName(std::int64_t wallMs, const std::string& name) {
    std::array<char, 48> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "events.out.tfevents.%010lld.",
                  static_cast<long long>(wallMs / 1000));
    return seconds.data() + name;
}

Result<std::filesystem::path> writeEventFile(const std::filesystem::path& folder, const std::string& run,
                                             std::int64_t startMs,
                                             const std::map<std::string, std::vector<wire::Point>>& series) {
    const double start = static_cast<double>(startMs) / 1000;
    std::string content = eventFileHeader(start);
    for (const auto& [name, points] : series)
        for (const auto& point : points) content += scalarEvent(name, point.step, start + point.seconds, point.value);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return notMadeError("cannot make the folder", folder, failure);
    const auto path = folder / eventFileName(startMs, run);
    TY_TRY(writeFileAtomic(path, content));
    return path;
}

} // namespace trainyard::store
