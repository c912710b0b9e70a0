// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/event_files.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/math/crc32c.h"
#include "engine/base/text/printable.h"
#include "engine/imports/proto_fields.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace trainyard::imports {
namespace {

using Field = ProtoField;

constexpr std::int64_t kMostRecordBytes = std::int64_t{256} << 20;
constexpr const char* kCopyAgain = "copy the file again; what stands before is imported";

std::uint32_t maskedCrc(std::span<const std::byte> bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

std::uint32_t littleEndian32(const std::byte* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// The types of a tensor that are numbers (tensorflow/core/framework/types.proto).
enum class TensorType : std::uint64_t {
    Float = 1,
    Double = 2,
    Int32 = 3,
    Uint8 = 4,
    Int16 = 5,
    Int8 = 6,
    Int64 = 9,
    Bool = 10,
    Bfloat16 = 14,
    Half = 19,
    Uint32 = 22,
    Uint64 = 23,
};

double bfloat16Value(std::uint16_t bits) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

double halfValue(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = bits >> 15 != 0 ? -1 : 1;
    if (exponent == 31) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

template <class Number>
std::optional<double> fromBytes(std::string_view bytes) {
    Number number{};
    if (bytes.size() != sizeof number) return std::nullopt;
    std::memcpy(&number, bytes.data(), sizeof number);
    return static_cast<double>(number);
}

// The content of a tensor with one element; nothing for another size or type.
std::optional<double> elementOf(TensorType type, std::string_view content) {
    std::uint16_t bits = 0;
    if (content.size() == sizeof bits) std::memcpy(&bits, content.data(), sizeof bits);
    switch (type) {
    case TensorType::Float: return fromBytes<float>(content);
    case TensorType::Double: return fromBytes<double>(content);
    case TensorType::Int32: return fromBytes<std::int32_t>(content);
    case TensorType::Bool:
    case TensorType::Uint8: return fromBytes<std::uint8_t>(content);
    case TensorType::Int16: return fromBytes<std::int16_t>(content);
    case TensorType::Int8: return fromBytes<std::int8_t>(content);
    case TensorType::Int64: return fromBytes<std::int64_t>(content);
    case TensorType::Uint32: return fromBytes<std::uint32_t>(content);
    case TensorType::Uint64: return fromBytes<std::uint64_t>(content);
    case TensorType::Bfloat16: return content.size() == 2 ? std::optional(bfloat16Value(bits)) : std::nullopt;
    case TensorType::Half: return content.size() == 2 ? std::optional(halfValue(bits)) : std::nullopt;
    }
    return std::nullopt;
}

// The fields of a tensor that list its elements as whole numbers: half_val, int_val, int64_val, bool_val, uint32_val
// and uint64_val.
bool listsWholeNumbers(std::uint64_t field) {
    return field == 13 || field == 7 || field == 10 || field == 11 || field == 16 || field == 17;
}

// Of a type that is listed so.
double listedElement(TensorType type, std::uint64_t bits) {
    if (type == TensorType::Half) return halfValue(static_cast<std::uint16_t>(bits));
    if (type == TensorType::Bfloat16) return bfloat16Value(static_cast<std::uint16_t>(bits));
    return type == TensorType::Uint64 ? static_cast<double>(bits)
                                      : static_cast<double>(static_cast<std::int64_t>(bits));
}

// Whether a shape (tensorflow/core/framework/tensor_shape.proto) has one element: rank 0, or [1], or [1, 1].
bool hasOneElement(std::string_view message) {
    ProtoReader shape(message);
    for (Field part; shape.next(part);) {
        if (!part.is(2, Field::Length)) continue;
        std::uint64_t size = 0;
        ProtoReader dimension(part.bytes);
        for (Field field; dimension.next(field);)
            if (field.is(1, Field::Varint)) size = field.bits;
        if (size != 1) return false;
    }
    return true;
}

// A tensor with one number (tensorflow/core/framework/tensor.proto), or nothing.
std::optional<double> scalarOf(std::string_view tensor) {
    TensorType type{};
    std::optional<double> value;
    std::optional<std::uint64_t> whole;
    std::string_view content;
    ProtoReader reader(tensor);
    for (Field field; reader.next(field);) {
        if (field.is(1, Field::Varint)) type = static_cast<TensorType>(field.bits);
        if (field.is(2, Field::Length) && !hasOneElement(field.bytes)) return std::nullopt;
        if (field.is(4, Field::Length)) content = field.bytes;
        if (field.is(5, Field::Fixed32)) value = field.asFloat();
        if (field.is(6, Field::Fixed64)) value = field.asDouble();
        if (field.is(5, Field::Length)) value = fromBytes<float>(field.bytes);
        if (field.is(6, Field::Length)) value = fromBytes<double>(field.bytes);
        if (!listsWholeNumbers(field.number)) continue;
        if (field.type == Field::Varint) whole = field.bits;
        std::uint64_t packed = 0;
        ProtoReader list(field.bytes);
        if (field.type == Field::Length && list.number(packed) && list.atEnd()) whole = packed;
    }
    if (reader.broken()) return std::nullopt;
    if (!content.empty()) return elementOf(type, content);
    if (type == TensorType::Float || type == TensorType::Double) return value;
    return whole ? std::optional(listedElement(type, *whole)) : std::nullopt;
}

// google.protobuf.Value, where it is a number, a text or a truth value.
std::optional<Setting> protoSettingOf(std::string_view message) {
    std::optional<Setting> setting;
    ProtoReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.is(2, Field::Fixed64)) setting = field.asDouble();
        if (field.is(3, Field::Length)) setting = std::string(field.bytes);
        if (field.is(4, Field::Varint)) setting = field.bits != 0;
    }
    return setting;
}

// Reads the records of one file.
class EventStream : public SourceStream {
public:
    EventStream(const std::filesystem::path& file, ImportedRun& run) : m_file(file.string()), m_run(run) {}

    Result<void> add(std::string_view bytes) override {
        if (m_lost) return {};
        if (m_half.empty()) {
            read(bytes);
            m_half = bytes;
        } else {
            m_half += bytes;
            std::string_view all = m_half;
            read(all);
            m_half.erase(0, m_half.size() - all.size());
        }
        return {};
    }
    Result<void> end() override {
        if (m_half.empty() || m_lost) return {};
        if (m_half.size() < kHead) return lose("the file is cut off within the head of a record");
        return lose("the file is cut off within a record of " + std::to_string(lengthOf(m_half)) + " bytes");
    }

private:
    static constexpr std::size_t kHead = 12, kFoot = 4;

    static std::uint64_t lengthOf(std::string_view record) {
        std::uint64_t length = 0;
        std::memcpy(&length, record.data(), sizeof length);
        return length;
    }
    std::string where() const { return m_file + ", byte " + std::to_string(m_at); }
    // The next record cannot be found.
    Result<void> lose(std::string message) {
        m_run.skip({where(), std::move(message), kCopyAgain});
        m_lost = true;
        m_half.clear();
        return {};
    }

    // Takes whole records from the front.
    void read(std::string_view& bytes) {
        while (bytes.size() >= kHead && !m_lost) {
            const auto* head = reinterpret_cast<const std::byte*>(bytes.data());
            const std::uint64_t length = lengthOf(bytes);
            if (littleEndian32(head + 8) != maskedCrc({head, 8})) {
                (void)lose("the checksum of a record's length is wrong");
            } else if (length > static_cast<std::uint64_t>(kMostRecordBytes)) {
                (void)lose("a record claims " + std::to_string(length) + " bytes");
            } else {
                const std::size_t whole = kHead + static_cast<std::size_t>(length) + kFoot;
                if (bytes.size() < whole) return;
                record(bytes.substr(kHead, static_cast<std::size_t>(length)), head + whole - kFoot);
                bytes.remove_prefix(whole);
                m_at += static_cast<std::int64_t>(whole);
            }
        }
        if (m_lost) bytes = {};
    }

    void record(std::string_view content, const std::byte* checksum) {
        if (littleEndian32(checksum) != maskedCrc({reinterpret_cast<const std::byte*>(content.data()), content.size()}))
            m_run.skip({where(), "the checksum of a record is wrong", kFetchAgain});
        else if (!event(content))
            m_run.skip({where(), "a record is not an event", "was the file written by TensorBoard's writer?"});
    }

    // tensorflow/core/util/event.proto. False: it is none.
    bool event(std::string_view message) {
        Point point;
        std::string_view summary;
        bool starts = false;
        ProtoReader reader(message);
        for (Field field; reader.next(field);) {
            if (field.is(1, Field::Fixed64)) point.wallSeconds = field.asDouble();
            if (field.is(2, Field::Varint)) point.step = static_cast<std::int64_t>(field.bits);
            if (field.is(5, Field::Length)) summary = field.bytes;
            if (field.is(7, Field::Length)) { // SessionLog: status START is 1
                ProtoReader session(field.bytes);
                for (Field part; session.next(part);) starts = starts || (part.is(1, Field::Varint) && part.bits == 1);
            }
        }
        if (reader.broken()) return false;
        if (starts) m_run.voidFrom(point.step);
        ProtoReader values(summary);
        bool sound = true;
        for (Field field; values.next(field);)
            if (field.is(1, Field::Length)) sound = value(field.bytes, point) && sound;
        return sound && !values.broken();
    }

    // Summary.Value of tensorflow/core/framework/summary.proto.
    bool value(std::string_view message, Point point) {
        std::string_view tag, metadata;
        std::optional<double> number;
        ProtoReader reader(message);
        for (Field field; reader.next(field);) {
            if (field.is(1, Field::Length)) tag = field.bytes;
            if (field.is(2, Field::Fixed32)) number = field.asFloat();
            if (field.is(8, Field::Length)) number = scalarOf(field.bytes);
            if (field.is(9, Field::Length)) metadata = field.bytes;
        }
        if (reader.broken()) return false;
        if (tag.starts_with("_hparams_/")) return hyperparameters(metadata);
        if (!number) {
            ++m_run.otherValues;
            return true;
        }
        point.value = *number;
        m_run.add(tag, point);
        return true;
    }

    // SummaryMetadata, its PluginData, in that HParamsPluginData, in that SessionStartInfo, whose field 1 is a map.
    bool hyperparameters(std::string_view metadata) {
        for (const std::uint64_t inner : {1u, 2u, 3u}) {
            std::string_view found;
            ProtoReader reader(metadata);
            for (Field field; reader.next(field);)
                if (field.is(inner, Field::Length)) found = field.bytes;
            if (reader.broken()) return false;
            metadata = found;
        }
        ProtoReader entries(metadata);
        for (Field entry; entries.next(entry);) {
            if (!entry.is(1, Field::Length)) continue;
            std::string name;
            std::optional<Setting> setting;
            ProtoReader pair(entry.bytes);
            for (Field part; pair.next(part);) {
                if (part.is(1, Field::Length)) name = printable(part.bytes);
                if (part.is(2, Field::Length)) setting = protoSettingOf(part.bytes);
            }
            if (setting) m_run.set(name, std::move(*setting));
        }
        return !entries.broken();
    }

    std::string m_file;
    ImportedRun& m_run;
    std::string m_half{};  // a record that is not whole
    std::int64_t m_at = 0; // byte of the file at which the next record begins
    bool m_lost = false;
};

} // namespace

bool isEventFile(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    std::array<std::byte, 12> head{};
    return file && file->read(head.data(), 12) &&
           littleEndian32(head.data() + 8) == maskedCrc(std::span(head).first(8));
}

std::unique_ptr<SourceStream> eventFileStream(const std::filesystem::path& file, ImportedRun& run) {
    return std::make_unique<EventStream>(file, run);
}

Result<ImportedRun> readEventFiles(std::span<const std::filesystem::path> files) {
    ImportedRun run;
    for (const auto& file : files) {
        EventStream stream(file, run);
        TY_TRY(readWhole(file, stream));
    }
    run.settle();
    return run;
}

} // namespace trainyard::imports
