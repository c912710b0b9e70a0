// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_score.h"

#include <functional>
#include <string_view>

namespace trainyard::run {

// A name in a filter.
struct FilterName {
    std::string text; // as written: the names of series are told apart by case
    std::string low;  // in lower case
};
// The name as it is compared.
FilterName filterName(std::string_view text);

// Answers a filter's questions about a run. A caller with the runs in memory answers from there.
class RunFacts {
public:
    using Visit = std::function<void(std::string_view)>;
    virtual ~RunFacts() = default;

    virtual const store::RunRow& row() const = 0;
    virtual int workers() const = 0;
    // Each value, as text, of the settings that the name stands for (isNamed).
    virtual void settings(const FilterName& name, const Visit& visit) const = 0;
    // Its model and dataset, which plain words search.
    virtual void words(const Visit& visit) const = 0;
    virtual const store::SeriesSummary* series(std::string_view name) const = 0;
    virtual Score score() const = 0;
};

// Whether the name stands for the setting at this path: it is the path or its end ("lr", "elastic.min");
// "model.dropout" is accepted for "model.params.dropout", and "batch" for what sizes it. `Text` is a view of 8 or 16
// bit characters; asked for each setting of each run, so lengths come first.
template <class Text>
bool isNamed(Text path, const FilterName& name) {
    const std::string& low = name.low;
    const auto lower = [](auto c) { return c >= 'A' && c <= 'Z' ? static_cast<decltype(c)>(c + 32) : c; };
    const auto same = [&](Text part, std::string_view wanted) {
        if (part.size() != wanted.size()) return false;
        for (std::size_t i = 0; i < part.size(); ++i)
            if (static_cast<char32_t>(lower(part[i])) != static_cast<unsigned char>(wanted[i])) return false;
        return true;
    };
    if (path.size() < low.size() || low.empty()) return false;
    const std::size_t before = path.size() - low.size();
    if (before == 0 || path[before - 1] == '.')
        if (same(path.substr(before), low)) return true;
    constexpr std::string_view kParams = ".params", kBatch = "batch";
    if (before == kParams.size())
        for (std::size_t at = 0; at + kParams.size() <= path.size(); ++at)
            if (same(path.substr(at, kParams.size()), kParams))
                return same(path.substr(0, at), std::string_view(low).substr(0, at)) &&
                       same(path.substr(at + kParams.size()), std::string_view(low).substr(at));
    return before > 0 && low == kBatch && path[kBatch.size()] == '.' && same(path.substr(0, kBatch.size()), kBatch) &&
           !same(path, "batch.accumulate");
}

} // namespace trainyard::run
