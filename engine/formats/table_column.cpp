// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table_column.h"

#include "engine/base/text/printable.h"
#include "engine/formats/calendar.h"
#include "engine/formats/table_header.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace trainyard::formats {

using Kind = ColumnRule::Kind;

namespace {

constexpr std::size_t kMaxWords = 1000, kMaxWordBytes = 4096;
constexpr std::size_t kLeastRows = 3; // that a column must count to be said to count
constexpr const char* kLeaveOut = ", or leave the column out (dataset.params.ignore)";

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

bool isMissingText(const std::string& text) { return standsForMissing({text, false}); }

} // namespace

std::string inQuotes(const std::string& text) { return '"' + printable(text, 40) + '"'; }

bool ColumnBuilder::isMissing(const CsvCell& cell) {
    if (!cell.quoted) return standsForMissing(cell);
    if (!isMissingText(cell.text)) return false;
    const Kind kind = m_kind == Kind::Found ? m_plan.kind : m_kind;
    if (kind == Kind::Found) m_quotedEarly = true;
    return kind != Kind::Words;
}

void ColumnBuilder::addMissing() {
    m_fromZero = m_fromOne = false;
    m_column.hasGaps = true;
    if (m_kind == Kind::Found) ++m_missingFirst;
    if (m_kind == Kind::Numbers || m_kind == Kind::Dates) m_column.numbers.push_back(kNoNumber);
    if (m_kind == Kind::Words || m_maybeWords) m_column.words.push_back(-1);
}

void ColumnBuilder::leaveOut(const CsvCell& cell) {
    ++m_row;
    if (m_kind == Kind::Found && !isMissing(cell)) begin(cell);
}

void ColumnBuilder::begin(const CsvCell& cell) {
    const WithUnit unit = withUnit(cell.text);
    m_kind = m_plan.kind;
    if (m_kind == Kind::Found) m_kind = stylesOf(cell.text) != 0 || !unit.unit.empty() ? Kind::Numbers : Kind::Words;
    const bool dates = m_plan.kind == Kind::Found && m_plan.mayBeDates && stylesOf(cell.text) == 0;
    if (m_kind == Kind::Dates || (dates && momentOf(cell.text))) {
        m_maybeWords = m_plan.kind == Kind::Found;
        m_kind = Kind::Dates;
        m_column.numbers.assign(m_missingFirst, kNoNumber);
    }
    if (m_kind == Kind::Numbers) {
        m_column.unit = unit.unit;
        m_maybeWords = !unit.unit.empty() && m_plan.kind == Kind::Found;
        m_column.numbers.assign(m_missingFirst, kNoNumber);
    }
    if (m_kind == Kind::Words || m_maybeWords) m_column.words.assign(m_missingFirst, -1);
}

Result<void> ColumnBuilder::add(const CsvCell& cell) {
    if (m_kind == Kind::Found) begin(cell);
    if (m_kind == Kind::Dates) return addDate(cell);
    return m_kind == Kind::Words ? addWord(cell) : addNumber(cell);
}

Error ColumnBuilder::noNumber(const std::string& text) const {
    const std::string look = lookOf(text);
    const bool unit = !withUnit(text).unit.empty();
    const std::string what = unit ? ": it has a unit" : look.empty() ? "" : ": it is " + look;
    if (m_dropped + m_column.numbers.size() == 0) // of a column that was said to hold numbers
        return inputError(inQuotes(text) + " is not a number" + what, {}, "give a number");
    return inputError(inQuotes(text) + " is not a number, as those above it are" + what, {},
                      unit ? "write the unit at every number of the column, or at none"
                           : std::string("correct the cell") + kLeaveOut);
}

Error ColumnBuilder::otherWay(const std::string& text) const {
    if (text.find(',') != std::string::npos && m_points)
        return inputError(inQuotes(text) + " has a comma where those above it have a point", {},
                          "write all numbers of the column in one way");
    return inputError(inQuotes(text) + " is written in another way than the numbers above it", {},
                      "write all numbers of the column in one way");
}

Result<void> ColumnBuilder::addNumber(const CsvCell& cell) {
    WithUnit found;
    if (!m_column.unit.empty()) {
        found = withUnit(cell.text);
        const bool bare = stylesOf(cell.text) != 0;
        if (found.unit != m_column.unit && m_maybeWords && !bare) return becomeWords(cell);
        if (found.unit != m_column.unit)
            return inputError(inQuotes(cell.text) + (bare ? " has no unit" : " has another unit") +
                                  ", and those above it have " + inQuotes(m_column.unit),
                              {}, "write the same unit at every number of the column, or none");
    }
    const std::string& text = m_column.unit.empty() ? cell.text : found.number;
    const NumberStyles styles = stylesOf(text);
    if (styles == 0) return noNumber(text);
    if ((m_styles & styles) == 0) return otherWay(text);
    m_styles &= styles;
    m_points = m_points || text.find('.') != std::string::npos;
    double number = kNoNumber; // of a style that only the whole column tells
    const Reading reading = readingOf(text, number, m_plan.style);
    if (reading == Reading::NotFinite)
        return inputError(inQuotes(text) + " is not a finite number", {}, "remove the row, or fill in a number");
    if (reading == Reading::TooLarge)
        return inputError(inQuotes(text) + " is outside the range of numbers", {}, "check the number");
    if (m_column.example.empty() && (reading != Reading::Number || m_plan.style != NumberStyle::Plain))
        m_column.example = text;
    const auto row = static_cast<double>(m_row++);
    m_fromZero = m_fromZero && number == row;
    m_fromOne = m_fromOne && number == row + 1;
    m_column.fitsFloats = m_column.fitsFloats && static_cast<double>(static_cast<float>(number)) == number;
    m_column.numbers.push_back(number);
    if (m_maybeWords && m_column.vocabulary.size() < kMaxWords) return addWord(cell);
    m_maybeWords = false; // so many different ones are no categories
    return {};
}

Result<void> ColumnBuilder::addDate(const CsvCell& cell) {
    const auto moment = momentOf(cell.text);
    const bool isFirst = !m_column.hasDate && !m_column.hasTime;
    if (!moment || (!isFirst && moment->hasDate != m_column.hasDate)) {
        if (m_maybeWords) return becomeWords(cell);
        const char* what = moment ? " is a time without a date, or has a date where others have none"
                           : m_plan.kind == Kind::Found ? " is not a date or time, as those above it are"
                                                        : " is not a date or time";
        const char* leaveOut = m_plan.kind == Kind::Found ? kLeaveOut : "";
        return inputError(inQuotes(cell.text) + what, {},
                          std::string("write it as 2026-11-29 or 2026-11-29 14:05") + leaveOut);
    }
    m_fromZero = m_fromOne = false;
    m_column.hasDate = moment->hasDate;
    m_column.hasTime = m_column.hasTime || moment->hasTime;
    m_column.numbers.push_back(moment->seconds);
    if (m_maybeWords && m_column.vocabulary.size() < kMaxWords) return addWord(cell);
    m_maybeWords = false;
    return {};
}

// Not all cells have the unit of the first, or are dates.
Result<void> ColumnBuilder::becomeWords(const CsvCell& cell) {
    m_kind = Kind::Words;
    m_maybeWords = false;
    m_column.unit.clear();
    m_column.hasDate = m_column.hasTime = false;
    m_column.numbers = {};
    return addWord(cell);
}

Result<void> ColumnBuilder::addWord(const CsvCell& cell) {
    if (m_kind == Kind::Words && m_plan.kind == Kind::Found && !cell.quoted && stylesOf(cell.text) != 0)
        return inputError(inQuotes(cell.text) + " is a number, and those above it are words", {},
                          std::string("correct the cell, or quote it to make it a word") + kLeaveOut);
    const auto [found, isNew] = m_places.emplace(cell.text, static_cast<std::int32_t>(m_column.vocabulary.size()));
    const bool tooMany = !m_plan.mayBeMany && m_column.vocabulary.size() == kMaxWords;
    if (isNew && (tooMany || cell.text.size() > kMaxWordBytes)) {
        const std::string look = lookOf(cell.text);
        return inputError("the column has more than " + std::to_string(kMaxWords) +
                              " different words, or one longer than " + std::to_string(kMaxWordBytes) + " bytes" +
                              (look.empty() ? "" : "; " + inQuotes(cell.text) + " is " + look),
                          {}, "leave the column out (dataset.params.ignore), or turn it into numbers");
    }
    if (isNew) m_column.vocabulary.push_back(cell.text);
    m_column.words.push_back(found->second);
    return {};
}

Result<void> ColumnBuilder::watchUnnamed(const CsvCell& cell, std::int64_t line) {
    if (standsForMissing(cell) || cell.text.empty()) return {};
    m_column.isEmpty = false;
    const auto [before, isNew] = m_seen.emplace(cell.text, line);
    if (isNew) return {};
    return inputError("the header names no column here, and " + inQuotes(cell.text) + " stands in lines " +
                          std::to_string(before->second) + " and " + std::to_string(line) +
                          ", so that it does not number the rows",
                      {}, "name the column, or leave it out: set dataset.params.ignore to " + inQuotes(m_column.name));
}

// The order of rows must not decide the number of a word.
void ColumnBuilder::sortVocabulary() {
    std::vector<std::int32_t> order(m_column.vocabulary.size()), index(order.size());
    std::iota(order.begin(), order.end(), 0);
    const auto word = [&](std::int32_t i) -> const std::string& {
        return m_column.vocabulary[static_cast<std::size_t>(i)];
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return word(a) < word(b); });
    std::vector<std::string> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
        index[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
        sorted.push_back(word(order[i]));
    }
    m_column.vocabulary = std::move(sorted);
    for (std::int32_t& code : m_column.words)
        if (code >= 0) code = index[static_cast<std::size_t>(code)];
}

PlainColumn ColumnBuilder::plain(bool mayMiss) const {
    PlainColumn column{.mayMiss = mayMiss,
                       .mayBeMany = m_plan.mayBeMany,
                       .noNumbers = m_plan.kind == Kind::Found,
                       .asksFloats = m_column.fitsFloats,
                       .places = &m_places};
    const bool numbers = m_kind == Kind::Numbers && m_plan.style == NumberStyle::Plain && m_column.unit.empty() &&
                         !m_maybeWords && (m_styles & bitOf(NumberStyle::Plain)) != 0;
    column.kind = numbers                 ? PlainColumn::Kind::Numbers
                  : m_kind == Kind::Words ? PlainColumn::Kind::Words
                  : m_kind == Kind::Found ? PlainColumn::Kind::Missing
                                          : PlainColumn::Kind::Cells;
    return column;
}

void ColumnBuilder::beginPlain(PlainCells& cells, std::int64_t rows) {
    if (cells.missing > 0) {
        m_fromZero = m_fromOne = false;
        m_column.hasGaps = true;
        m_column.missing += cells.missing;
    }
    if (m_kind == Kind::Numbers) {
        m_styles &= cells.styles;
        m_points = m_points || cells.points;
        m_column.fitsFloats = m_column.fitsFloats && cells.fitsFloats;
        for (std::int64_t i = 0; i < rows && (m_fromZero || m_fromOne); ++i) {
            const double number = cells.numbers[static_cast<std::size_t>(i)], row = static_cast<double>(m_row + i);
            m_fromZero = m_fromZero && number == row;
            m_fromOne = m_fromOne && number == row + 1;
        }
        m_row += rows - cells.missing;
    }
    if (cells.newWords.empty()) return;
    std::vector<std::int32_t> places;
    for (const std::string_view word : cells.newWords) {
        const auto next = static_cast<std::int32_t>(m_column.vocabulary.size());
        const auto [found, isNew] = m_places.emplace(word, next); // another part may have met it, too
        if (isNew) m_column.vocabulary.emplace_back(word);
        places.push_back(found->second);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
        std::int32_t& word = cells.words[static_cast<std::size_t>(i)];
        if (word < -1) word = places[static_cast<std::size_t>(-2 - word)];
    }
}

void ColumnBuilder::expect(std::size_t rows) {
    if (m_kind == Kind::Words) m_column.words.reserve(rows);
    if (m_kind == Kind::Numbers) m_column.numbers.reserve(rows);
}

void ColumnBuilder::addPlain(const PlainCells& cells, std::int64_t from, std::int64_t rows) {
    const auto some = [&](auto& to, const auto& list) {
        to.insert(to.end(), list.begin() + from, list.begin() + from + rows);
    };
    if (m_kind == Kind::Found) m_missingFirst += static_cast<std::size_t>(rows);
    else if (m_kind == Kind::Words) some(m_column.words, cells.words);
    else some(m_column.numbers, cells.numbers);
}

void ColumnBuilder::prepare() {
    const Kind kind = m_kind == Kind::Found ? m_plan.kind : m_kind;
    if (m_kind == Kind::Found && kind == Kind::Words) m_column.words.assign(m_missingFirst, -1);
    else if (m_kind == Kind::Found) m_column.numbers.assign(m_missingFirst, kNoNumber);
    m_column.isWords = kind == Kind::Words;
    m_column.isDates = kind == Kind::Dates;
    m_column.style = m_plan.style;
}

void ColumnBuilder::drop() {
    m_dropped += m_column.numbers.size();
    m_missingFirst = 0;
    m_column.numbers.clear();
    m_column.words.clear();
}

void ColumnBuilder::finish() {
    m_places.clear();
    if (m_kind == Kind::Found) { // all cells are missing
        m_kind = m_plan.kind;
        if (m_kind == Kind::Words) m_column.words.assign(m_missingFirst, -1);
        else m_column.numbers.assign(m_missingFirst, kNoNumber);
    }
    m_column.isWords = m_kind == Kind::Words;
    m_column.isDates = m_kind == Kind::Dates;
    if (!m_column.isWords) {
        m_column.countsRows = (m_fromZero || m_fromOne) && m_dropped + m_column.numbers.size() >= kLeastRows;
        m_column.words = {};
        m_column.vocabulary = {};
        return;
    }
    sortVocabulary();
    if (m_plan.mayBeMany) return;
    m_column.look = m_column.vocabulary.empty() ? "" : lookOf(m_column.vocabulary.front());
    for (const std::string& word : m_column.vocabulary)
        if (m_column.look != lookOf(word)) m_column.look.clear();
    const auto numbers = std::count_if(m_column.vocabulary.begin(), m_column.vocabulary.end(),
                                       [](const std::string& word) { return !withUnit(word).unit.empty(); });
    if (numbers > 0 && 2 * static_cast<std::size_t>(numbers) >= m_column.vocabulary.size())
        m_column.look = "a number with a unit that is not everywhere the same";
}

} // namespace trainyard::formats
