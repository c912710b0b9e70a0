// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/plain_rows.h"

#include "engine/base/text/utf8.h"
#include "engine/formats/csv.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace trainyard::formats {

using PlainKind = PlainColumn::Kind;

namespace {

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLeastPart = 1u << 16;        // bytes that a thread is worth starting for
constexpr std::size_t kMostWord = 4096;             // as ColumnBuilder has it
constexpr std::uint8_t kHasPoint = 1, kNoComma = 2; // of a number: "1.5" has no comma style, "1.234" has one

// Powers of ten that are numbers of their own; 10^22 is the last.
constexpr std::array<double, 16> kTens{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
constexpr std::array<std::uint64_t, 8> kWholeTens{1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};

// Up to eight digits: how many they are, and their number.
struct Digits {
    unsigned count = 0;
    std::uint64_t number = 0;
};

// Eight bytes at once, of a little-endian word: Lemire, Number parsing at a gigabyte per second (2021).
inline Digits digitsAt(const char* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    bytes ^= 0x3030303030303030ULL; // a digit is now 0 to 9
    const std::uint64_t others = ((bytes + 0x7676767676767676ULL) | bytes) & 0x8080808080808080ULL;
    const auto count = others != 0 ? static_cast<unsigned>(std::countr_zero(others)) / 8 : 8u;
    if (count == 0) return {};
    bytes <<= 64 - 8 * count; // zeros in front
    bytes = bytes * 10 + (bytes >> 8);
    constexpr std::uint64_t kPairs = 0x000000FF000000FFULL;
    bytes = ((bytes & kPairs) * 0x000F424000000064ULL + ((bytes >> 16) & kPairs) * 0x0000271000000001ULL) >> 32;
    return {count, bytes};
}

// Digits, perhaps with a point between some of them, whose number is exact: Clinger, How to read floating point numbers
// accurately (PLDI 1990). Null: it is another kind of number, or none. Else what stands behind it.
inline const char* exactNumber(const char* at, double& number, std::uint8_t& marks) {
    if constexpr (std::endian::native != std::endian::little) return nullptr;
    const bool minus = *at == '-';
    const char* const begin = at + (minus ? 1 : 0);
    Digits digits = digitsAt(begin);
    if (digits.count == 0) return nullptr;
    std::uint64_t whole = digits.number;
    at = begin + digits.count;
    if (digits.count == 8) {
        digits = digitsAt(at);
        if (digits.count == 8) return nullptr;
        whole = whole * kWholeTens[digits.count] + digits.number;
        at += digits.count;
    }
    std::ptrdiff_t places = 0;
    if (*at == '.') {
        const std::ptrdiff_t before = at - begin;
        const char* const point = ++at;
        digits = digitsAt(at);
        if (digits.count == 0) return nullptr;
        at += digits.count;
        if (digits.count == 8) {
            whole = whole * 100'000'000 + digits.number;
            digits = digitsAt(at);
            if (digits.count == 8) return nullptr;
            at += digits.count;
        }
        whole = whole * kWholeTens[digits.count] + digits.number;
        places = at - point;
        marks = places == 3 && before <= 3 && *begin != '0' ? kHasPoint : kHasPoint | kNoComma;
        if (before + places > 18) return nullptr;
    }
    constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
    if (whole > kMostExact) return nullptr;
    const double found =
        static_cast<double>(static_cast<std::int64_t>(whole)) / kTens[static_cast<std::size_t>(places)];
    number = minus ? -found : found;
    return at;
}

// A number of any other form; false: it is none, or not one of a table.
bool anyNumber(std::string_view text, double& number, std::uint8_t& marks) {
    if (readingOf(text, number) != Reading::Number) return false;
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos) return true;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", point + 1), text.size());
    const bool comma = end == point + 4 && (stylesOf(text) & bitOf(NumberStyle::Comma)) != 0;
    marks = comma ? kHasPoint : kHasPoint | kNoComma;
    return true;
}

std::string_view withoutSpaces(const char* begin, const char* end) {
    while (begin < end && (*begin == ' ' || *begin == '\t')) ++begin;
    while (begin < end && (end[-1] == ' ' || end[-1] == '\t')) --end;
    return {begin, static_cast<std::size_t>(end - begin)};
}

// Reads one part of the text.
class PlainPart {
public:
    PlainPart(std::string_view text, const PlainForm& form, PlainRows& into)
        : m_form(form), m_into(into), m_at(text.data()), m_begin(text.data()), m_end(text.data() + text.size()),
          m_marks(form.columns.size()), m_allMarks(form.columns.size()), m_seen(form.columns.size()) {
        double number = 0;
        m_namedByNumber = readingOf(form.firstName, number) == Reading::Number;
    }

    void read() {
        makeRoom();
        bool plain = true;
        while (m_at < m_end && plain) {
            const char* const from = m_at;
            const bool blank = *from == '\n' || (*from == '\r' && from[1] == '\n');
            if (blank) m_at += *from == '\n' ? 1 : 2;
            else plain = row();
            if (!plain) m_at = from;
            else ++m_into.passed;
        }
        m_into.bytes = static_cast<std::size_t>(m_at - m_begin);
        m_into.isWhole = plain;
        for (std::size_t c = 0; c < m_form.columns.size(); ++c) conclude(m_form.columns[c], m_into.columns[c], c);
    }

private:
    // A line is a row; those of a part are counted first, so that nothing grows while it is read.
    void makeRoom() {
        const auto rows = static_cast<std::size_t>(std::count(m_begin, m_end, '\n'));
        const auto room = [&](auto& list) {
            if (list.size() < rows) list.resize(rows);
        };
        m_into.rows = m_into.passed = 0;
        room(m_into.lines);
        m_into.columns.resize(m_form.columns.size());
        for (std::size_t c = 0; c < m_form.columns.size(); ++c) {
            PlainCells& cells = m_into.columns[c];
            cells.newWords.clear();
            switch (m_form.columns[c].kind) {
            case PlainKind::Numbers: room(cells.numbers); break;
            case PlainKind::Words: room(cells.words); break;
            case PlainKind::Cells: room(cells.cells); break;
            case PlainKind::Missing:
            case PlainKind::Passed: break;
            }
        }
    }

    // The row that begins here; false: it is not plain, and nothing of it counts.
    bool row() {
        const std::size_t columns = m_form.columns.size();
        const char* const from = m_at;
        m_beyondAscii = false;
        std::fill(m_marks.begin(), m_marks.end(), std::uint8_t{0});
        for (std::size_t c = 0; c < columns; ++c) {
            const bool isLast = c + 1 == columns;
            if (m_form.columns[c].kind == PlainKind::Numbers && number(c, isLast)) continue;
            if (!cell(c, isLast)) return false;
        }
        if (m_beyondAscii && !isUtf8({from, static_cast<std::size_t>(m_at - from)})) return false;
        for (std::size_t c = 0; c < columns; ++c) m_allMarks[c] |= m_marks[c];
        m_into.lines[static_cast<std::size_t>(m_into.rows++)] = m_into.passed;
        return true;
    }

    // Moves past what ends a cell.
    bool ends(const char* at, bool isLast) {
        if (!isLast) {
            if (*at != m_form.separator) return false;
            m_at = at + 1;
            return true;
        }
        if (*at == '\r') ++at;
        if (*at != '\n') return false;
        m_at = at + 1;
        return true;
    }

    bool number(std::size_t c, bool isLast) {
        double found = 0;
        std::uint8_t marks = 0;
        const char* const end = exactNumber(m_at, found, marks);
        if (!end || (c == 0 && m_namedByNumber) || !ends(end, isLast)) return false;
        m_into.columns[c].numbers[static_cast<std::size_t>(m_into.rows)] = found;
        m_marks[c] = marks;
        return true;
    }

    // A cell of any kind, from its first byte to its last.
    bool cell(std::size_t c, bool isLast) {
        const char* end = m_at;
        for (;; ++end) {
            const auto byte = static_cast<unsigned char>(*end);
            if (byte == static_cast<unsigned char>(m_form.separator) || byte == '\n' || byte == '\r') break;
            if (byte == '"' || byte == '\0') return false;
            m_beyondAscii = m_beyondAscii || byte >= 0x80;
        }
        const std::string_view text = withoutSpaces(m_at, end);
        if (!ends(end, isLast)) return false;
        if (c == 0 && (text.empty() ? m_form.isUnnamed || isLast : text == m_form.firstName)) return false;
        return take(m_form.columns[c], m_into.columns[c], text, c);
    }

    bool take(const PlainColumn& column, PlainCells& into, std::string_view text, std::size_t c) {
        const auto row = static_cast<std::size_t>(m_into.rows);
        if (column.kind == PlainKind::Passed) return true;
        if (column.kind == PlainKind::Words && known(into, text, c)) return true;
        const bool missing = standsForMissing(text);
        if (missing && !column.mayMiss) return false;
        switch (column.kind) {
        case PlainKind::Numbers:
            into.numbers[row] = kMissingNumber;
            return missing || anyNumber(text, into.numbers[row], m_marks[c]);
        case PlainKind::Words: return missing ? (into.words[row] = -1, true) : word(column, into, text, c);
        case PlainKind::Cells: into.cells[row] = text; return true;
        case PlainKind::Missing: return missing;
        case PlainKind::Passed: break;
        }
        return true;
    }

    // One of the words that this part has met before.
    bool known(PlainCells& into, std::string_view text, std::size_t c) const {
        const auto found = m_seen[c].find(text);
        if (found == m_seen[c].end()) return false;
        into.words[static_cast<std::size_t>(m_into.rows)] = found->second;
        return true;
    }

    bool word(const PlainColumn& column, PlainCells& into, std::string_view text, std::size_t c) {
        if (column.noNumbers && stylesOf(text) != 0) return false;
        const auto before = column.places->find(std::string(text));
        if (before == column.places->end() && (!column.mayBeMany || text.size() > kMostWord)) return false;
        std::int32_t place = -2 - static_cast<std::int32_t>(into.newWords.size());
        if (before != column.places->end()) place = before->second;
        else into.newWords.push_back(text);
        m_seen[c].emplace(text, place);
        into.words[static_cast<std::size_t>(m_into.rows)] = place;
        return true;
    }

    // What the cells tell together.
    void conclude(const PlainColumn& column, PlainCells& cells, std::size_t c) const {
        const std::uint8_t marks = m_allMarks[c];
        cells.points = (marks & kHasPoint) != 0;
        constexpr NumberStyles kPointed =
            bitOf(NumberStyle::Plain) | bitOf(NumberStyle::CommaGroups) | bitOf(NumberStyle::Gaps);
        cells.styles = (marks & kNoComma) != 0 ? kPointed
                       : cells.points          ? kPointed | bitOf(NumberStyle::Comma)
                                               : kAnyStyle;
        cells.missing = 0;
        cells.fitsFloats = true;
        const auto rows = static_cast<std::size_t>(m_into.rows);
        const auto isMissing = [&](std::size_t row) {
            switch (column.kind) {
            case PlainKind::Numbers: return std::isnan(cells.numbers[row]);
            case PlainKind::Words: return cells.words[row] == -1;
            case PlainKind::Missing: return true;
            case PlainKind::Cells: // whoever takes them looks
            case PlainKind::Passed: break;
            }
            return false;
        };
        if (column.mayMiss)
            for (std::size_t row = 0; row < rows; ++row) {
                if (!isMissing(row)) continue;
                if (cells.missing++ == 0) cells.firstMissing = static_cast<std::int64_t>(row);
            }
        if (column.kind == PlainKind::Words && !cells.newWords.empty()) { // those of a line that was not plain go
            const auto last = std::min_element(cells.words.begin(), cells.words.begin() + m_into.rows);
            const std::int32_t least = m_into.rows > 0 ? std::min(-1, *last) : -1;
            cells.newWords.resize(static_cast<std::size_t>(-1 - least));
        }
        if (column.kind != PlainKind::Numbers || !column.asksFloats) return;
        for (std::size_t row = 0; row < rows && cells.fitsFloats; ++row) {
            const double number = cells.numbers[row];
            cells.fitsFloats = std::isnan(number) || static_cast<double>(static_cast<float>(number)) == number;
        }
    }

    const PlainForm& m_form;
    PlainRows& m_into;
    const char* m_at;
    const char* const m_begin;
    const char* const m_end;
    std::vector<std::uint8_t> m_marks, m_allMarks;                          // of the columns: in this row, and in all
    std::vector<std::unordered_map<std::string_view, std::int32_t>> m_seen; // words, by column
    bool m_beyondAscii = false, m_namedByNumber = false;
};

} // namespace

void readPlainRows(std::string_view text, const PlainForm& form, int threads, std::vector<PlainRows>& into) {
    const std::size_t most = std::max<std::size_t>(1, text.size() / kLeastPart);
    const std::size_t parts = std::min(most, static_cast<std::size_t>(std::max(1, threads)));
    into.resize(parts);
    std::vector<std::string_view> texts;
    for (std::size_t i = 0, from = 0; i < parts; ++i) {
        const std::size_t fair = std::max(from, (i + 1) * text.size() / parts);
        const std::size_t end = i + 1 == parts ? text.size() : std::min(text.find('\n', fair), text.size() - 1) + 1;
        texts.push_back(text.substr(from, end - from));
        from = end;
    }
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < parts; ++i) others.emplace_back([&, i] { PlainPart(texts[i], form, into[i]).read(); });
    PlainPart(texts[0], form, into[0]).read();
    for (std::thread& other : others) other.join();
}

} // namespace trainyard::formats
