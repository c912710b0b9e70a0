// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/value_patterns.h"

#include "engine/base/text/printable.h"
#include "engine/program/metrics/printed_choice.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <pcre2.h>
#include <utility>

namespace trainyard::program {
namespace {

constexpr std::uint32_t kMostSteps = 100'000, kMostDepth = 1'000, kMostHeapKb = 4'096; // of a match
constexpr std::array<std::string_view, 4> kGroups{"step", "epoch", "value", "name"};
constexpr std::size_t kStep = 0, kEpoch = 1, kValue = 2, kName = 3; // of these

std::string messageOf(int code) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(code, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

std::string placeOf(std::size_t index) { return "program.metrics.patterns[" + std::to_string(index) + "]"; }

// A number as programs print it; a comma before its end is the sentence's.
std::optional<double> printedNumber(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

// The last words before the value: "train loss" of "epoch 3: train loss = ".
std::string wordsBefore(std::string_view text) {
    const auto isPart = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_/@. -").find(c) != std::string_view::npos ||
               (static_cast<unsigned char>(c) & 0x80) != 0;
    };
    while (!text.empty() && (!isPart(text.back()) || text.back() == ' ')) text.remove_suffix(1);
    std::size_t from = text.size();
    while (from > 0 && isPart(text[from - 1])) --from;
    text.remove_prefix(from);
    while (text.starts_with(' ')) text.remove_prefix(1);
    return text.empty() ? "value" : std::string(text);
}

} // namespace

struct ValuePatterns::Pattern {
    std::size_t index = 0;
    std::string text{};
    std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)> code{nullptr, &pcre2_code_free};
    std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data{nullptr, &pcre2_match_data_free};
    std::array<std::vector<std::size_t>, kGroups.size()> groups{}; // their numbers; several may have one name
    bool isOff = false;

    // What the group of a name has matched.
    std::optional<std::string_view> group(std::size_t which, std::string_view line) const {
        const auto* places = pcre2_get_ovector_pointer(data.get());
        for (const std::size_t number : groups.at(which)) {
            const PCRE2_SIZE from = places[2 * number], to = places[2 * number + 1];
            if (from != PCRE2_UNSET && from <= to) return line.substr(from, to - from);
        }
        return std::nullopt;
    }
    Result<void> compile();
    Result<void> findGroups();
};

Result<void> ValuePatterns::Pattern::compile() {
    int fault = 0;
    PCRE2_SIZE at = 0;
    if (text.size() > kMostLength)
        return inputError("has " + std::to_string(text.size()) + " bytes, and may have 4096", placeOf(index),
                          "shorten the pattern");
    // A pattern's own (*LIMIT_MATCH=) only lowers the limit.
    code.reset(
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), PCRE2_DUPNAMES, &fault, &at, nullptr));
    if (!code)
        return inputError(messageOf(fault) + ", at byte " + std::to_string(at + 1) + " of \"" + printable(text) + "\"",
                          placeOf(index), "correct the regular expression");
    TY_TRY(findGroups());
    if (groups[kValue].empty())
        return inputError("\"" + printable(text) + "\" has no group named value", placeOf(index),
                          R"(write the number as (?<value>\S+))");
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE); // slower without it
    data.reset(pcre2_match_data_create_from_pattern(code.get(), nullptr));
    return {};
}

Result<void> ValuePatterns::Pattern::findGroups() {
    std::uint32_t names = 0, size = 0;
    PCRE2_SPTR table = nullptr;
    pcre2_pattern_info(code.get(), PCRE2_INFO_NAMECOUNT, &names);
    pcre2_pattern_info(code.get(), PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(code.get(), PCRE2_INFO_NAMETABLE, &table);
    for (std::uint32_t row = 0; row < names; ++row) {
        const auto* entry = table + std::size_t{row} * size; // two bytes of the number, then the name
        const std::string_view name = reinterpret_cast<const char*>(entry + 2);
        const auto known = std::find(kGroups.begin(), kGroups.end(), name);
        if (known == kGroups.end())
            return inputError("has a group named " + std::string(name) + ", which means nothing here", placeOf(index),
                              "name groups step, epoch, value or name, and leave others without one");
        groups.at(static_cast<std::size_t>(known - kGroups.begin()))
            .push_back(static_cast<std::size_t>(entry[0]) << 8 | entry[1]);
    }
    return {};
}

struct ValuePatterns::State {
    std::vector<Pattern> patterns{};
    std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> context{nullptr,
                                                                                      &pcre2_match_context_free};
    std::vector<Error> faults{};
};

ValuePatterns::ValuePatterns() : m_state(std::make_unique<State>()) {}
ValuePatterns::~ValuePatterns() = default;
ValuePatterns::ValuePatterns(ValuePatterns&&) noexcept = default;
ValuePatterns& ValuePatterns::operator=(ValuePatterns&&) noexcept = default;

bool ValuePatterns::isEmpty() const { return m_state->patterns.empty(); }

Result<ValuePatterns> ValuePatterns::compile(const std::vector<std::string>& patterns) {
    if (patterns.size() > kMostPatterns)
        return inputError("has " + std::to_string(patterns.size()) + " patterns, and may have 64",
                          "program.metrics.patterns", "join some of them by |");
    ValuePatterns compiled;
    State& state = *compiled.m_state;
    state.context.reset(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(state.context.get(), kMostSteps);
    pcre2_set_depth_limit(state.context.get(), kMostDepth);
    pcre2_set_heap_limit(state.context.get(), kMostHeapKb);
    for (std::size_t index = 0; index < patterns.size(); ++index) {
        if (isNameOfPrinted(patterns[index])) {
            if (patterns[index].size() > 1) continue;
            return inputError("\"" + patterns[index] + "\" names no value", placeOf(index),
                              "write its name behind it, as the log shows it: \"" + patterns[index] + "loss\"");
        }
        Pattern pattern{.index = index, .text = patterns[index]};
        TY_TRY(pattern.compile());
        state.patterns.push_back(std::move(pattern));
    }
    return compiled;
}

std::vector<PatternMatch> ValuePatterns::match(std::string_view line) {
    std::vector<PatternMatch> found;
    for (Pattern& pattern : m_state->patterns)
        if (!pattern.isOff) matchOne(pattern, line, found);
    return found;
}

void ValuePatterns::matchOne(Pattern& pattern, std::string_view line, std::vector<PatternMatch>& found) {
    std::size_t from = 0;
    for (std::size_t count = 0; from <= line.size() && count < kMostMatches; ++count) {
        const int code = pcre2_match(pattern.code.get(), reinterpret_cast<PCRE2_SPTR>(line.data()), line.size(), from,
                                     0, pattern.data.get(), m_state->context.get());
        if (code == PCRE2_ERROR_NOMATCH) return;
        if (code < 0) {
            pattern.isOff = true;
            m_state->faults.push_back(
                inputError("was switched off: " + messageOf(code) + " at the line \"" + printable(line, 120) + "\"",
                           placeOf(pattern.index) + ", \"" + printable(pattern.text) + "\"",
                           "write it without repetitions within repetitions"));
            return;
        }
        take(pattern, line, found);
        // An empty match, or \K behind its end, goes on all the same.
        from = std::max<std::size_t>(pcre2_get_ovector_pointer(pattern.data.get())[1], from + 1);
    }
}

void ValuePatterns::take(const Pattern& pattern, std::string_view line, std::vector<PatternMatch>& found) {
    const auto numberOf = [&](std::size_t which) {
        const auto text = pattern.group(which, line);
        return text ? printedNumber(*text) : std::nullopt;
    };
    const auto value = numberOf(kValue);
    if (!value) return;
    const std::string_view text = *pattern.group(kValue, line);
    PatternMatch match{.step = numberOf(kStep), .epoch = numberOf(kEpoch), .value = *value};
    match.at = static_cast<std::size_t>(text.data() - line.data());
    match.size = text.size();
    const auto name = pattern.group(kName, line);
    match.name = name && !name->empty() ? std::string(*name) : wordsBefore(line.substr(0, match.at));
    found.push_back(std::move(match));
}

std::vector<Error> ValuePatterns::takeFaults() { return std::exchange(m_state->faults, {}); }

} // namespace trainyard::program
