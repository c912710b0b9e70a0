// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "engine/formats/numpy_records.h"

#include "engine/base/files/placed_reader.h"
#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"
#include "engine/store/files/zip_archive.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxHeader = 1u << 16, kMaxColumns = 20'000, kMaxTextBytes = 4096;
const char* const kSavePlain = "save plain numbers with numpy.save(file, array), or the table as CSV";

// What the numbers of an array are: descr "<f8" is kind 'f' of 8 bytes, little-endian.
struct NumpyType {
    char kind = 0;
    std::size_t bytes = 0; // of one
    bool swapped = false;  // of the other byte order than this computer's
    double unit = 0;       // of times: seconds
};

struct NumpyArray {
    std::string name; // in an archive
    NumpyType type;
    std::int64_t rows = 0, columns = 0;
    bool byColumn = false; // Fortran's order
    std::string data;
};

// Of a dictionary as Python prints it, what stands behind a key; empty: it is not there.
std::string_view valueOf(std::string_view header, std::string_view key) {
    const std::string quoted = "'" + std::string(key) + "':";
    const std::size_t at = header.find(quoted);
    if (at == std::string_view::npos) return {};
    std::string_view rest = header.substr(at + quoted.size());
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
    const std::size_t end = rest.starts_with('(')   ? rest.find(')')
                            : rest.starts_with('[') ? rest.rfind(']')
                                                    : rest.find_first_of(",}");
    return rest.substr(0, end == std::string_view::npos ? rest.size() : end);
}

std::optional<std::size_t> wholeNumber(std::string_view digits) {
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

// Seconds of "ms" or "25s"; 0: none that has a fixed length.
double secondsOf(std::string_view unit) {
    static constexpr std::array<std::pair<std::string_view, double>, 8> kUnits{
        {{"W", 604800}, {"D", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
    const std::size_t letters = std::min(unit.find_first_not_of("0123456789"), unit.size());
    const auto times = letters == 0 ? std::optional<std::size_t>(1) : wholeNumber(unit.substr(0, letters));
    for (const auto& [word, seconds] : kUnits)
        if (times && word == unit.substr(letters)) return seconds * static_cast<double>(*times);
    return 0;
}

Result<NumpyType> typeOf(std::string_view descr, const std::string& place) {
    if (descr.starts_with('['))
        return inputError("is an array of records, which has several kinds of values in a row", place, kSavePlain);
    const std::string shown = printable(descr, 40);
    if (descr.size() < 4 || descr.front() != '\'' || descr.back() != '\'')
        return inputError("has no type of numbers", place, "save the array again");
    descr = descr.substr(1, descr.size() - 2);
    const char order = descr[0];
    NumpyType type{.kind = descr[1]};
    if (type.kind == 'O')
        return inputError("holds Python objects, which are never loaded as they could run code", place, kSavePlain);
    std::string_view size = descr.substr(2);
    if (const std::size_t bracket = size.find('['); bracket != std::string_view::npos && size.ends_with(']')) {
        type.unit = secondsOf(size.substr(bracket + 1, size.size() - bracket - 2));
        size = size.substr(0, bracket);
    }
    type.bytes = wholeNumber(size).value_or(0);
    if (type.kind == 'U') type.bytes *= 4;
    const bool whole = (type.kind == 'i' || type.kind == 'u') && std::has_single_bit(type.bytes) && type.bytes <= 8;
    const bool real = type.kind == 'f' && (type.bytes == 2 || type.bytes == 4 || type.bytes == 8);
    const bool text = (type.kind == 'U' || type.kind == 'S') && type.bytes > 0 && type.bytes <= 4 * kMaxTextBytes;
    const bool time = type.kind == 'M' && type.bytes == 8 && type.unit > 0;
    if ((!whole && !real && !text && !time && !(type.kind == 'b' && type.bytes == 1)) ||
        std::string_view("<>|=").find(order) == std::string_view::npos)
        return inputError("has values of the type " + shown + ", which are no numbers, texts or times", place,
                          kSavePlain);
    type.swapped = order == '>' && std::endian::native == std::endian::little;
    return type;
}

Result<void> readShape(std::string_view shape, NumpyArray& array, const std::string& place) {
    if (!shape.starts_with('(')) return inputError("has no shape", place, "save the array again");
    shape.remove_prefix(1);
    std::vector<std::size_t> sizes;
    while (!shape.empty()) {
        const std::size_t comma = std::min(shape.find(','), shape.size());
        std::string_view digits = shape.substr(0, comma);
        while (digits.starts_with(' ')) digits.remove_prefix(1);
        shape.remove_prefix(std::min(comma + 1, shape.size()));
        if (digits.empty()) continue;
        const auto size = wholeNumber(digits);
        if (!size || *size > std::size_t{1} << 40) return inputError("has no shape", place, "save the array again");
        sizes.push_back(*size);
    }
    if (sizes.empty()) return inputError("is a single value, and no table", place, kSavePlain);
    std::size_t columns = 1;
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        columns *= sizes[i];
        if (columns == 0 || columns > kMaxColumns)
            return inputError("has " + std::string(columns == 0 ? "no" : "more than " + std::to_string(kMaxColumns)) +
                                  " numbers a row",
                              place, "save one row for each sample");
    }
    if (array.byColumn && sizes.size() > 2)
        return inputError("has more than two dimensions in Fortran's order", place,
                          "save it as numpy.ascontiguousarray(array)");
    array.rows = static_cast<std::int64_t>(sizes[0]);
    array.columns = static_cast<std::int64_t>(columns);
    if (array.rows == 0) return inputError("has no rows", place, "save an array with values in it");
    return {};
}

// `read(out, size)` gives the next bytes, as FileReader::read() does; `left` is the most that can come.
template <class Read>
Result<NumpyArray> arrayOf(const Read& read, std::int64_t left, const std::string& place) {
    std::array<unsigned char, 12> magic{};
    TY_TRY(read(magic.data(), 10));
    if (std::memcmp(magic.data(), "\x93NUMPY", 6) != 0)
        return inputError("is not an array that NumPy saved", place, "save it with numpy.save or numpy.savez");
    const bool wide = magic[6] > 1;
    if (wide) TY_TRY(read(magic.data() + 10, 2));
    std::size_t size = magic[8] | static_cast<std::size_t>(magic[9]) << 8;
    if (wide) size |= static_cast<std::size_t>(magic[10]) << 16 | static_cast<std::size_t>(magic[11]) << 24;
    if (size > kMaxHeader) return inputError("has too long a header", place, "save the array again");
    std::string header(size, '\0');
    TY_TRY(read(header.data(), static_cast<std::int64_t>(size)));
    NumpyArray array;
    TY_ASSIGN(array.type, typeOf(valueOf(header, "descr"), place));
    array.byColumn = valueOf(header, "fortran_order") == "True";
    TY_TRY(readShape(valueOf(header, "shape"), array, place));
    const auto row = static_cast<std::size_t>(array.columns) * array.type.bytes; // below 2^29
    if (static_cast<std::size_t>(array.rows) > static_cast<std::size_t>(std::max<std::int64_t>(left, 0)) / row)
        return inputError("is shorter than its header says: " + std::to_string(array.rows) + " rows of " +
                              std::to_string(row) + " bytes",
                          place, kFetchAgain);
    array.data.resize(static_cast<std::size_t>(array.rows) * row);
    TY_TRY(read(array.data.data(), static_cast<std::int64_t>(array.data.size())));
    return array;
}

template <class Number>
Number numberAt(const char* at, bool swapped) {
    std::array<char, sizeof(Number)> bytes{};
    std::memcpy(bytes.data(), at, sizeof(Number));
    if (swapped) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<Number>(bytes);
}

template <class Number>
std::string textOfNumber(Number number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

// IEEE 754's 16 bits.
float halfOf(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float sign = bits >> 15 != 0 ? -1.0f : 1.0f;
    if (exponent == 31) return fraction != 0 ? std::nanf("") : sign * INFINITY;
    return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                 : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25));
}

template <class Real>
std::string textOfReal(Real number) {
    return std::isnan(number) ? std::string() : textOfNumber(number);
}

std::string wholeText(const char* at, const NumpyType& type) {
    const bool sign = type.kind == 'i', swap = type.swapped;
    switch (type.bytes) {
    case 1:
        return sign ? textOfNumber(int{numberAt<std::int8_t>(at, swap)})
                    : textOfNumber(int{numberAt<std::uint8_t>(at, swap)});
    case 2:
        return sign ? textOfNumber(numberAt<std::int16_t>(at, swap)) : textOfNumber(numberAt<std::uint16_t>(at, swap));
    case 4:
        return sign ? textOfNumber(numberAt<std::int32_t>(at, swap)) : textOfNumber(numberAt<std::uint32_t>(at, swap));
    default:
        return sign ? textOfNumber(numberAt<std::int64_t>(at, swap)) : textOfNumber(numberAt<std::uint64_t>(at, swap));
    }
}

void appendUtf8(std::string& text, std::uint32_t code) {
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static constexpr std::array<std::uint32_t, 4> kLead{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kLead[static_cast<std::size_t>(more)] | code >> (6 * more));
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80u | (code >> (6 * i) & 0x3Fu));
}

CsvCell textCell(const char* at, const NumpyType& type) {
    std::string text;
    if (type.kind == 'S') text.assign(at, type.bytes);
    for (std::size_t i = 0; type.kind == 'U' && i < type.bytes; i += 4) {
        const auto code = numberAt<std::uint32_t>(at + i, type.swapped);
        if (code == 0) break;
        appendUtf8(text, code);
    }
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return {std::move(text), true};
}

CsvCell timeCell(std::int64_t count, double unit) {
    if (count == std::numeric_limits<std::int64_t>::min()) return {}; // NaT
    return {isoTime(static_cast<double>(count) * unit), false};
}

CsvCell cellOf(const NumpyArray& array, std::int64_t row, std::int64_t column) {
    const std::int64_t place = array.byColumn ? column * array.rows + row : row * array.columns + column;
    const NumpyType& type = array.type;
    const char* at = array.data.data() + static_cast<std::size_t>(place) * type.bytes;
    switch (type.kind) {
    case 'b': return {*at != 0 ? "1" : "0", false};
    case 'U':
    case 'S': return textCell(at, type);
    case 'M': return timeCell(numberAt<std::int64_t>(at, type.swapped), type.unit);
    case 'f': break;
    default: return {wholeText(at, type), false};
    }
    if (type.bytes == 2) return {textOfReal(halfOf(numberAt<std::uint16_t>(at, type.swapped))), false};
    if (type.bytes == 4) return {textOfReal(numberAt<float>(at, type.swapped)), false};
    return {textOfReal(numberAt<double>(at, type.swapped)), false};
}

class NumpyRecords final : public RecordReader {
public:
    // Without names: of a single array.
    NumpyRecords(std::vector<NumpyArray> arrays, bool named) : m_arrays(std::move(arrays)), m_named(named) {}

    Result<bool> next(std::vector<CsvCell>& record) override {
        record.clear();
        if (std::exchange(m_named, false)) {
            for (const NumpyArray& array : m_arrays)
                for (std::int64_t i = 0; i < array.columns; ++i)
                    record.push_back({array.columns == 1 ? array.name : array.name + '.' + std::to_string(i), true});
            m_hasNames = true;
            return true;
        }
        if (m_row == m_arrays.front().rows) return false;
        for (const NumpyArray& array : m_arrays)
            for (std::int64_t i = 0; i < array.columns; ++i) record.push_back(cellOf(array, m_row, i));
        ++m_row;
        return true;
    }
    std::int64_t line() const override { return m_row; }
    FirstRecord first() const override { return m_named || m_hasNames ? FirstRecord::Names : FirstRecord::Row; }
    const char* lineWord() const override { return "row"; }

private:
    std::vector<NumpyArray> m_arrays;
    bool m_named, m_hasNames = false; // whether the names are still to come
    std::int64_t m_row = 0;
};

// A record of an archive, unpacked.
Result<NumpyArray> arrayIn(const std::string& bytes, const std::string& place) {
    std::size_t at = 0;
    const auto read = [&](void* out, std::int64_t size) -> Result<void> {
        if (static_cast<std::size_t>(size) > bytes.size() - at)
            return inputError("ends before its array does", place, kFetchAgain);
        if (size > 0) std::memcpy(out, bytes.data() + at, static_cast<std::size_t>(size));
        at += static_cast<std::size_t>(size);
        return {};
    };
    return arrayOf(read, static_cast<std::int64_t>(bytes.size()), place);
}

} // namespace

Result<std::unique_ptr<RecordReader>> openNumpyArray(const std::filesystem::path& file) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    const auto read = [&](void* out, std::int64_t size) { return reader.read(out, size); };
    std::vector<NumpyArray> arrays;
    TY_ASSIGN(NumpyArray array, arrayOf(read, reader.mostLeft(), reader.name()));
    TY_TRY(reader.expectEnd("holds more than its array"));
    arrays.push_back(std::move(array));
    return std::unique_ptr<RecordReader>(new NumpyRecords(std::move(arrays), false));
}

Result<std::unique_ptr<RecordReader>> openNumpyArchive(const std::filesystem::path& file) {
    TY_ASSIGN(const PlacedReader reader, PlacedReader::open(file));
    const store::ZipSource source{reader.size(),
                                  [&](std::uint64_t at, std::span<std::byte> out) { return reader.read(at, out); }};
    TY_ASSIGN(const auto records, store::readZipDirectory(source, reader.name()));
    constexpr std::uint64_t kMostPacked = 1032; // deflate packs no better
    std::vector<NumpyArray> arrays;
    std::int64_t columns = 0;
    for (const store::ZipRecord& record : records) {
        if (!record.name.ends_with(".npy")) continue;
        const std::string place = reader.name() + ", array " + printable(record.name, 60);
        if (record.size > record.stored * kMostPacked) return inputError("is damaged", place, kFetchAgain);
        TY_ASSIGN(const std::string bytes, store::readZipRecord(source, record, record.size, reader.name()));
        TY_ASSIGN(NumpyArray array, arrayIn(bytes, place));
        array.name = record.name.substr(0, record.name.size() - 4);
        columns += array.columns;
        if (columns > static_cast<std::int64_t>(kMaxColumns))
            return inputError("has more than " + std::to_string(kMaxColumns) + " columns", place, "split the table");
        if (!arrays.empty() && array.rows != arrays.front().rows)
            return inputError("has " + std::to_string(array.rows) + " rows, and " + printable(arrays.front().name, 60) +
                                  " has " + std::to_string(arrays.front().rows),
                              place, "save the arrays of one table together, each with a row for every sample");
        arrays.push_back(std::move(array));
    }
    if (arrays.empty()) return inputError("has no arrays", reader.name(), "save it with numpy.savez");
    return std::unique_ptr<RecordReader>(new NumpyRecords(std::move(arrays), true));
}

} // namespace trainyard::formats
