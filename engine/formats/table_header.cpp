// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table_header.h"

#include "engine/formats/number_style.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard::formats {

namespace {

using Record = std::vector<CsvCell>;

constexpr std::size_t kSurelyCounts = 5; // 0, 1, 2, 3, 4: no sample

// A number in whatever style, also with a unit.
bool isNumber(const std::string& text) { return stylesOf(text) != 0 || stylesOf(withUnit(text).number) != 0; }

std::optional<double> plainNumber(const std::string& text) {
    double number = 0;
    return readingOf(text, number) == Reading::Number ? std::optional(number) : std::nullopt;
}

bool isYear(double number) { return number >= 1900 && number <= 2100 && std::nearbyint(number) == number; }

// One column: its cell of the first line, and those below.
struct ColumnLook {
    bool missing = false, number = false;              // of the first line's cell
    bool numbersBelow = false, fractionsBelow = false; // what is there is numbers; some of them are not whole
    bool yearsBelow = false;                           // all of it is years
    bool comesAgain = false;                           // the first line's cell, below
};

ColumnLook lookAt(const Record& first, std::size_t column, const std::vector<Record>& below) {
    const CsvCell& cell = first[column];
    ColumnLook look;
    look.missing = standsForMissing(cell) || cell.text.empty();
    look.number = !look.missing && isNumber(cell.text);
    const auto value = plainNumber(cell.text);
    bool anyBelow = false, wordBelow = false, otherThanYears = false;
    for (const Record& record : below) {
        if (record.size() != first.size() || standsForMissing(record[column])) continue;
        const std::string& text = record[column].text;
        anyBelow = true;
        wordBelow = wordBelow || !isNumber(text);
        const auto number = plainNumber(text);
        otherThanYears = otherThanYears || !number || !isYear(*number);
        look.fractionsBelow = look.fractionsBelow || (number && std::nearbyint(*number) != *number);
        look.comesAgain = look.comesAgain || text == cell.text || (value && number && *value == *number);
    }
    look.numbersBelow = anyBelow && !wordBelow;
    look.yearsBelow = anyBelow && !otherThanYears;
    return look;
}

// The numbers of a line that could be names: whole, each one more than the one before, or years.
struct Counting {
    bool counts = false, years = false;
    double from = 0;
    std::size_t size = 0;
};

Counting countingOf(const Record& first) {
    Counting counting{.counts = true, .years = true};
    double last = 0;
    for (const CsvCell& cell : first) {
        const auto number = plainNumber(cell.text);
        if (!number) {
            if (isNumber(cell.text)) return {}; // "45%" names nothing
            continue;
        }
        const bool isFirst = counting.size++ == 0;
        const bool digits = cell.text.find_first_not_of("0123456789") == std::string::npos; // 1.0 and +1 are values
        if (isFirst) counting.from = *number;
        counting.counts = counting.counts && digits && (isFirst || *number == last + 1);
        counting.years = counting.years && digits && isYear(*number) && (isFirst || *number > last);
        last = *number;
    }
    return counting;
}

bool sameTexts(const Record& a, const Record& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const CsvCell& one, const CsvCell& other) { return one.text == other.text; });
}

// Numbers that count or are years, without a word that stands above numbers.
HeaderVerdict judgeNumbers(const Counting& counting, const std::vector<ColumnLook>& looks) {
    const bool fromZero = counting.counts && counting.from == 0;
    if (counting.size < (fromZero || counting.years ? 2u : 3u)) return HeaderVerdict::Data;
    if (fromZero && counting.size >= kSurelyCounts) return HeaderVerdict::Names;
    std::size_t again = 0;
    bool years = false, outOfPlace = false; // a whole number above fractions among which it does not come again
    for (const ColumnLook& look : looks) {
        if (!look.number) continue;
        again += look.comesAgain ? 1u : 0u;
        years = years || look.yearsBelow;
        outOfPlace = outOfPlace || (look.fractionsBelow && !look.comesAgain);
    }
    if (again == counting.size || (counting.years && years)) return HeaderVerdict::Data;
    const bool usual = fromZero || counting.years; // the names that programs and people give
    return usual && (outOfPlace || again == 0) ? HeaderVerdict::Names : HeaderVerdict::Unclear;
}

} // namespace

HeaderVerdict judgeHeader(const Record& first, const std::vector<Record>& below) {
    std::vector<Record> others; // a header that was doubled says nothing of the rows
    std::copy_if(below.begin(), below.end(), std::back_inserter(others),
                 [&](const Record& record) { return !sameTexts(record, first); });
    std::vector<ColumnLook> looks;
    for (std::size_t i = 0; i < first.size(); ++i) looks.push_back(lookAt(first, i, others));
    bool numbers = false, words = false, wordAboveNumbers = false, wordComesAgain = false;
    for (const ColumnLook& look : looks) {
        numbers = numbers || look.number;
        if (look.number || look.missing) continue;
        words = true;
        wordAboveNumbers = wordAboveNumbers || look.numbersBelow;
        wordComesAgain = wordComesAgain || look.comesAgain;
    }
    if (!numbers && !words) return HeaderVerdict::Data; // nothing but missing values
    const Counting counting = countingOf(first);
    const bool namesColumns = !numbers || counting.counts || counting.years;
    if (wordAboveNumbers) return namesColumns ? HeaderVerdict::Names : HeaderVerdict::Unclear;
    if (wordComesAgain || !namesColumns) return HeaderVerdict::Data;
    if (numbers) return judgeNumbers(counting, looks);
    return others.size() < below.size() ? HeaderVerdict::Unclear : HeaderVerdict::Names;
}

} // namespace trainyard::formats
