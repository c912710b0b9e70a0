// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/ignore_rules.h"

#include <algorithm>

namespace trainyard::program {
namespace {

constexpr std::size_t kLongestLine = 1024, kMostRules = 10'000;
constexpr std::string_view kAnyDepth = "**";

std::vector<std::string_view> segmentsOf(std::string_view path) {
    std::vector<std::string_view> segments;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        segments.push_back(path.substr(at, end - at));
        at = end + 1;
    }
    return segments;
}

// Spaces at the end do not count, unless a backslash stands before them.
std::string_view withoutEnd(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
    return line;
}

// A set of characters that begins at `at`, behind its bracket. Returns where it ends; npos: it never does.
std::size_t matchSet(std::string_view pattern, std::size_t at, char c, bool& isIn) {
    const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
    if (negated) ++at;
    isIn = false;
    for (bool isFirst = true; at < pattern.size(); isFirst = false) {
        if (pattern[at] == ']' && !isFirst) {
            isIn = isIn != negated && c != '/';
            return at + 1;
        }
        if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
        const auto low = static_cast<unsigned char>(pattern[at++]);
        auto high = low;
        if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
            at += pattern[at + 1] == '\\' && at + 2 < pattern.size() ? 2 : 1;
            high = static_cast<unsigned char>(pattern[at++]);
        }
        const auto value = static_cast<unsigned char>(c);
        isIn = isIn || (low <= value && value <= high);
    }
    return pattern.npos;
}

// One element of the pattern at `at`, not a star, against a character. Returns where the next one begins; npos: it does
// not fit.
std::size_t matchOne(std::string_view pattern, std::size_t at, char c) {
    if (pattern[at] == '?') return at + 1;
    if (pattern[at] == '[') {
        bool isIn = false;
        const auto end = matchSet(pattern, at + 1, c, isIn);
        return isIn ? end : pattern.npos;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    return pattern[at] == c ? at + 1 : pattern.npos;
}

bool isPlain(std::string_view pattern) { return pattern.find_first_of("*?[\\") == pattern.npos; }

} // namespace

// Only the last star is ever gone back to: an earlier one could not do better.
bool fitsPattern(std::string_view name, std::string_view pattern) {
    if (isPlain(pattern)) return name == pattern;
    std::size_t at = 0, in = 0, star = pattern.npos, from = 0;
    while (in < name.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            from = in;
            continue;
        }
        const auto next = at < pattern.size() ? matchOne(pattern, at, name[in]) : pattern.npos;
        if (next != pattern.npos) {
            at = next;
            ++in;
        } else if (star != pattern.npos) {
            at = star + 1;
            in = ++from;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*') ++at;
    return at == pattern.size();
}

void IgnoreRules::add(std::string_view text, std::string_view folder) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = withoutEnd(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#' || line.size() > kLongestLine || m_rules.size() >= kMostRules) continue;
        Rule rule;
        rule.keeps = line.front() == '!';
        if (rule.keeps) line.remove_prefix(1);
        rule.onlyFolders = line.ends_with('/');
        if (rule.onlyFolders) line.remove_suffix(1);
        rule.isAnchored = line.find('/') != line.npos;
        if (line.starts_with('/')) line.remove_prefix(1);
        if (line.empty()) continue;
        for (const auto segment : segmentsOf(line)) {
            const bool isRepeated = segment == kAnyDepth && !rule.segments.empty() && rule.segments.back() == kAnyDepth;
            if (!isRepeated) rule.segments.emplace_back(segment);
        }
        // "a/**" is all that is in a, but not a itself.
        if (rule.isAnchored && rule.segments.size() > 1 && rule.segments.back() == kAnyDepth)
            rule.segments.insert(rule.segments.end() - 1, "*");
        rule.base = folder.empty() ? std::string() : std::string(folder) + "/";
        m_rules.push_back(std::move(rule));
    }
}

bool IgnoreRules::fits(const Rule& rule, std::string_view path) {
    if (!path.starts_with(rule.base)) return false;
    path.remove_prefix(rule.base.size());
    if (!rule.isAnchored) return fitsPattern(path.substr(path.rfind('/') + 1), rule.segments.front());
    const auto& pattern = rule.segments;
    if (pattern.front() != kAnyDepth && isPlain(pattern.front()) && !path.starts_with(pattern.front())) return false;
    const auto names = segmentsOf(path);
    std::size_t at = 0, in = 0, any = pattern.size(), from = 0;
    while (in < names.size()) {
        if (at < pattern.size() && pattern[at] == kAnyDepth) {
            any = at++;
            from = in;
        } else if (at < pattern.size() && fitsPattern(names[in], pattern[at])) {
            ++at;
            ++in;
        } else if (any < pattern.size()) {
            at = any + 1;
            in = ++from;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == kAnyDepth) ++at;
    return at == pattern.size();
}

IgnoreRules::Verdict IgnoreRules::verdict(std::string_view path, bool isFolder) const {
    for (auto rule = m_rules.rbegin(); rule != m_rules.rend(); ++rule)
        if ((isFolder || !rule->onlyFolders) && fits(*rule, path)) return rule->keeps ? Verdict::Keep : Verdict::Ignore;
    return Verdict::None;
}

} // namespace trainyard::program
