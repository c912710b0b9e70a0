// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/unreadable_share.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <cmath>

namespace trainyard::data {

namespace {

std::string whole(const std::filesystem::path& path) { return printable(path.string(), 4096); }

std::string someListed(const std::vector<UnreadableFile>& files, const std::filesystem::path& folder) {
    constexpr std::size_t kShown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(files.size(), kShown); ++i)
        text += (i > 0 ? "; " : "") + whole(std::filesystem::path(files[i].file).lexically_relative(folder)) + ": " +
                files[i].why;
    return files.size() > kShown ? text + "; and " + std::to_string(files.size() - kShown) +
                                       " more, which \"trainyardctl data check\" lists"
                                 : text;
}

} // namespace

void UnreadableShare::add(const std::vector<std::int64_t>& classes, const std::vector<UnreadableFile>& bad,
                          const std::vector<std::int64_t>& badClasses) {
    m_files += classes.size() + bad.size();
    m_list.insert(m_list.end(), bad.begin(), bad.end());
    std::sort(m_list.begin(), m_list.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
    for (const std::int64_t c : badClasses) ++m_badOfClass[static_cast<std::size_t>(c)];
    for (const std::int64_t c : classes) ++m_ofClass[static_cast<std::size_t>(c)];
}

double UnreadableShare::shareOf(std::size_t c) const {
    const auto all = static_cast<double>(m_ofClass[c] + m_badOfClass[c]);
    return all > 0 ? static_cast<double>(m_badOfClass[c]) / all : 0;
}

std::size_t UnreadableShare::worstClass() const {
    std::size_t worst = 0;
    for (std::size_t c = 1; c < m_ofClass.size(); ++c)
        if (shareOf(c) > shareOf(worst)) worst = c;
    return worst;
}

double UnreadableShare::largest() const {
    return std::max(static_cast<double>(m_list.size()) / static_cast<double>(std::max<std::size_t>(1, m_files)),
                    shareOf(worstClass()));
}

// What the person can do, as it can be typed: to allow as many, if the rules do not.
std::string UnreadableShare::remedy(const spec::DataRules& rules) const {
    std::string how = rules.onError == "skip" ? "" : "--set data.onError=skip";
    if (largest() > rules.maxBad)
        how +=
            std::string(how.empty() ? "" : " ") + "--set data.maxBad=" + spec::toText(std::ceil(100 * largest()) / 100);
    const bool one = m_list.size() == 1;
    const char* what = one ? "remove the image or replace it" : "remove the images or replace them";
    return std::string(what) + ", or leave " + (one ? "it" : "them") + " out: " + how;
}

Result<void> UnreadableShare::judge(const std::filesystem::path& folder, const spec::DataRules& rules) const {
    if (m_list.empty() || (rules.onError == "skip" && largest() <= rules.maxBad)) return {};
    if (m_list.size() == 1)
        return inputError(m_list.front().why, whole(m_list.front().file), remedy(rules))
            .withCode(ErrorCode::DataUnreadable);
    return inputError(std::to_string(m_list.size()) + " of " + std::to_string(m_files) +
                          " images cannot be read: " + someListed(m_list, folder),
                      whole(folder), remedy(rules))
        .withCode(ErrorCode::DataUnreadable);
}

std::string UnreadableShare::note(const char* what, const Dataset& dataset) const {
    const std::size_t worst = worstClass();
    std::string text = std::to_string(m_list.size()) + " of " + std::to_string(m_files) + what;
    if (dataset.task != train::TaskKind::Regression)
        text += "; the class \"" + printable(dataset.classNames[worst], 60) + "\" lost most, " +
                std::to_string(std::lround(100 * shareOf(worst))) + "%";
    return text;
}

} // namespace trainyard::data
