// SPDX-License-Identifier: GPL-3.0-or-later
// How many pictures of a set cannot be read, and whether so many may be left out.
#pragma once

#include "engine/torch/data/dataset.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::data {

// Of all files and of each class, what cannot be read.
class UnreadableShare {
public:
    explicit UnreadableShare(std::size_t classes) : m_ofClass(classes), m_badOfClass(classes) {}

    // One part: the classes of what is read, and what is not with its classes.
    void add(const std::vector<std::int64_t>& classes, const std::vector<UnreadableFile>& bad,
             const std::vector<std::int64_t>& badClasses);

    const std::vector<UnreadableFile>& files() const { return m_list; } // by name
    // By spec::DataRules, Input (DataUnreadable): they may not be left out; names them and what can be done.
    Result<void> judge(const std::filesystem::path& folder, const spec::DataRules& rules) const;
    // "3 of 20 images left out, since they cannot be read; the class "cat" lost most, 20%"; `what`: from " images" on.
    std::string note(const char* what, const Dataset& dataset) const;

private:
    double shareOf(std::size_t c) const;
    std::size_t worstClass() const;
    double largest() const;
    std::string remedy(const spec::DataRules& rules) const;

    std::size_t m_files = 0;
    std::vector<std::int64_t> m_ofClass, m_badOfClass;
    std::vector<UnreadableFile> m_list;
};

} // namespace trainyard::data
