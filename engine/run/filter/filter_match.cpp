// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/filter/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr bool isBlankChar(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool sameWord(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
        return low(x) == low(y);
    });
}

// Whether the text holds the word, which is in lower case.
bool holds(std::string_view text, std::string_view low) {
    for (std::size_t at = 0; at + low.size() <= text.size(); ++at)
        if (sameWord(text.substr(at, low.size()), low)) return true;
    return false;
}

std::optional<double> numberIn(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class Visit>
void eachWord(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const auto size = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), isBlankChar) - text.begin());
        if (size > 0) visit(text.substr(0, size));
        text.remove_prefix(std::min(text.size(), size + 1));
    }
}

bool compares(const FilterTerm& term, std::optional<double> value, std::string_view text) {
    const bool numbers = term.number && value;
    const bool same =
        numbers ? *value == *term.number || std::abs(*value - *term.number) <= term.slack : sameWord(text, term.text);
    switch (term.sign) {
    case FilterSign::Equal: return same;
    case FilterSign::NotEqual: return !same;
    case FilterSign::Less: return numbers && *value < *term.number;
    case FilterSign::LessEqual: return numbers && *value <= *term.number;
    case FilterSign::Greater: return numbers && *value > *term.number;
    case FilterSign::GreaterEqual: return numbers && *value >= *term.number;
    case FilterSign::Between: return numbers && *value >= *term.number && *value <= term.high;
    case FilterSign::Word: break;
    }
    return false;
}

// The values that a term's name has in a run, one after the other, against the term.
class TermMatch {
public:
    explicit TermMatch(const FilterTerm& term) : m_term(term) {}

    bool of(const RunFacts& run) {
        if (!ofEveryRun(run)) {
            run.settings(m_term.name, [this](std::string_view value) { text(value); });
            if (!m_any) ofSeries(run);
        }
        // A run fits != when none of its values is that one, and any other sign when one of them fits.
        return m_term.sign == FilterSign::NotEqual ? !m_failed : m_fits;
    }

private:
    void text(std::string_view value) { note(compares(m_term, m_term.number ? numberIn(value) : std::nullopt, value)); }
    void number(double value) {
        if (!std::isnan(value)) note(compares(m_term, value, {}));
    }
    void note(bool fits) {
        m_any = true;
        m_fits = m_fits || fits;
        m_failed = m_failed || !fits;
    }
    bool ofEveryRun(const RunFacts& run) {
        const std::string& name = m_term.name.low;
        const store::RunRow& row = run.row();
        if (name == "tag" || name == "tags") eachWord(row.tags, [this](std::string_view tag) { text(tag); });
        else if (name == "name") text(row.name);
        else if (name == "status") text(wire::toString(row.status));
        else if (name == "notes") noteText(row.notes);
        else if (name == "workers") number(run.workers());
        else if (name == "epoch") number(row.epoch);
        else if (name == "step") number(static_cast<double>(row.step));
        else if (name == "time") number(row.trainSeconds);
        else if (name == "trial") number(row.trial < 0 ? std::nan("") : row.trial);
        else return false;
        return true;
    }
    // Notes are long: a part of them is enough.
    void noteText(std::string_view notes) {
        const bool has = holds(notes, filterName(m_term.text).low);
        note(m_term.sign == FilterSign::NotEqual ? !has : has);
    }
    void ofSeries(const RunFacts& run) {
        if (const auto* summary = run.series(m_term.name.text))
            return number(valueOf(*summary, Aspect::Best, run.score()));
        const auto of = seriesAspect(m_term.name.text);
        if (const auto* summary = run.series(of.series)) number(valueOf(*summary, of.aspect, run.score()));
    }

    const FilterTerm& m_term;
    bool m_any = false, m_fits = false, m_failed = false;
};

bool hasWord(const RunFacts& run, std::string_view low) {
    const store::RunRow& row = run.row();
    if (holds(row.name, low) || holds(wire::toString(row.status), low) || holds(row.tags, low) || holds(row.notes, low))
        return true;
    bool found = false;
    run.words([&](std::string_view value) { found = found || holds(value, low); });
    return found;
}

bool fits(const FilterNode& node, const RunFacts& run) {
    const auto part = [&run](const FilterNode& each) { return fits(each, run); };
    switch (node.kind) {
    case FilterNode::Kind::And: return std::all_of(node.parts.begin(), node.parts.end(), part);
    case FilterNode::Kind::Or: return std::any_of(node.parts.begin(), node.parts.end(), part);
    case FilterNode::Kind::Not: return !part(node.parts.front());
    case FilterNode::Kind::Term:
        return node.term.sign == FilterSign::Word ? hasWord(run, node.term.name.low) : TermMatch(node.term).of(run);
    }
    return false;
}

} // namespace

Filter::Filter(std::string_view text) {
    auto parsed = parseFilter(text);
    if (auto* problem = std::get_if<FilterProblem>(&parsed)) m_problem = std::move(*problem);
    else m_root = std::get<FilterNode>(std::move(parsed));
}

bool Filter::matches(const RunFacts& run) const { return fits(m_root, run); }

} // namespace trainyard::run
