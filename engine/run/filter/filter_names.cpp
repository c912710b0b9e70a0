// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/run/filter/parse.h"
#include "engine/spec/values/flat_settings.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace trainyard::run {
namespace {

bool isOfEveryRun(const std::string& low) {
    return low == "tags" || std::find(kFilterWords.begin(), kFilterWords.end(), low) != kFilterWords.end();
}

bool isKnown(const FilterName& name, const FilterNames& names) {
    if (isOfEveryRun(name.low) || names.series.contains(name.text) ||
        names.series.contains(seriesAspect(name.text).series))
        return true;
    return std::any_of(names.settings.begin(), names.settings.end(),
                       [&](const std::string& path) { return isNamed(std::string_view(path), name); });
}

std::string lastWord(const std::string& path) { return path.substr(path.rfind('.') + 1); }

// What a person would type: every last word of a path, its whole where several settings have that word.
std::vector<std::string> shortNames(const std::set<std::string>& paths) {
    std::map<std::string, int> count;
    for (const std::string& path : paths) ++count[lastWord(path)];
    std::vector<std::string> list;
    for (const std::string& path : paths) list.push_back(count[lastWord(path)] == 1 ? lastWord(path) : path);
    return list;
}

std::vector<std::string> allNames(const FilterNames& names) {
    std::vector<std::string> all(kFilterWords.begin(), kFilterWords.end());
    for (const std::string& name : shortNames(names.settings)) all.push_back(name);
    all.insert(all.end(), names.series.begin(), names.series.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::optional<FilterProblem> unknownIn(const FilterNode& node, const FilterNames& names) {
    if (node.kind == FilterNode::Kind::Term) {
        const FilterTerm& term = node.term;
        if (term.sign == FilterSign::Word || isKnown(term.name, names)) return std::nullopt;
        auto candidates = allNames(names);
        candidates.insert(candidates.end(), names.settings.begin(), names.settings.end());
        const std::string near = nearestWord(term.name.text, candidates);
        return FilterProblem{"no run has \"" + printable(term.name.text, 60) + "\"",
                             near.empty() ? "name a setting or a series" : "did you mean " + near + "?", term.position,
                             term.name.text.size()};
    }
    for (const FilterNode& part : node.parts)
        if (auto problem = unknownIn(part, names)) return problem;
    return std::nullopt;
}

bool isOneOf(const std::string& low, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), low) != words.end();
}

bool endsName(char c) { return std::string_view(" \t\n()<>=!:&|\"").find(c) != std::string_view::npos; }

std::vector<std::string> startingWith(const std::vector<std::string>& words, std::string_view typed) {
    const std::string low = filterName(typed).low;
    std::vector<std::string> fitting;
    for (const std::string& word : words)
        if (word.size() > typed.size() && filterName(word).low.starts_with(low)) fitting.push_back(word);
    return fitting;
}

// The words that a name can be compared with.
std::vector<std::string> valuesOf(std::string_view name, const FilterNames& names, const FilterValues& values) {
    if (name == "tag" || name == "tags") return {names.tags.begin(), names.tags.end()};
    if (name == "status") return {"running", "queued", "paused", "finished", "stopped", "failed", "interrupted"};
    return values ? values(filterName(name)) : std::vector<std::string>{};
}

// The signs that make sense after a complete name.
std::vector<std::string> signsAfter(std::string_view name, const FilterNames& names) {
    const FilterName known = filterName(name);
    if (!isKnown(known, names)) return {};
    if (isOneOf(known.low, {"name", "status", "tag", "tags", "notes"})) return {":", "!="};
    if (isOfEveryRun(known.low)) return {"<", ">", "="};
    if (names.series.contains(seriesAspect(known.text).series)) return {"<", ">"};
    return {"=", "<", ">", "!="};
}

} // namespace

void FilterNames::add(const store::RunRow& row) {
    for (const auto& [path, value] : spec::flatSettings(row.specJson)) settings.insert(path);
    std::istringstream words(row.tags);
    for (std::string word; words >> word;) tags.insert(word);
}

std::optional<FilterProblem> Filter::unknownName(const FilterNames& names) const { return unknownIn(m_root, names); }

FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const FilterNames& names,
                                const FilterValues& values) {
    const std::string_view before = text.substr(0, std::min(cursor, text.size()));
    std::size_t from = before.size();
    while (from > 0 && !endsName(before[from - 1])) --from;
    const std::string_view typed = before.substr(from);
    std::size_t nameEnd = from;
    while (nameEnd > 0 && std::string_view("=:!<>").find(before[nameEnd - 1]) != std::string_view::npos) --nameEnd;
    if (nameEnd < from) { // after a sign: a value
        std::size_t nameFrom = nameEnd;
        while (nameFrom > 0 && !endsName(before[nameFrom - 1])) --nameFrom;
        return {from, startingWith(valuesOf(before.substr(nameFrom, nameEnd - nameFrom), names, values), typed)};
    }
    if (typed.empty()) return {from, {}};
    std::vector<std::string> words;
    for (const std::string& sign : signsAfter(typed, names)) words.push_back(std::string(typed) + sign);
    for (std::string& name : startingWith(allNames(names), typed)) words.push_back(std::move(name));
    // The aspects of a series, once its name is complete and a point follows.
    const auto point = typed.rfind('.');
    if (point != typed.npos && names.series.contains(std::string(typed.substr(0, point))))
        for (const char* aspect : {"best", "last", "max", "min"})
            if (std::string_view(aspect).starts_with(typed.substr(point + 1)))
                words.push_back(std::string(typed.substr(0, point + 1)) + aspect);
    return {from, std::move(words)};
}

} // namespace trainyard::run
