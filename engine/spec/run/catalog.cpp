// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/catalog.h"

#include <algorithm>

namespace trainyard::spec {

const ParamInfo* Entry::find(const std::string& param) const {
    const auto found = std::find_if(params.begin(), params.end(), [&](const ParamInfo& p) { return p.name == param; });
    return found == params.end() ? nullptr : &*found;
}

bool Entry::serves(const std::string& task) const {
    return tasks.empty() || std::find(tasks.begin(), tasks.end(), task) != tasks.end();
}

const Entry* Catalog::find(const std::vector<Entry>& entries, const std::string& name) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

} // namespace trainyard::spec
