// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/rows.h"

namespace trainyard::store {

std::string activeWords() {
    std::string list;
    for (int i = 0; i <= static_cast<int>(wire::RunStatus::Interrupted); ++i) {
        const auto status = static_cast<wire::RunStatus>(i);
        if (wire::isActive(status)) list += (list.empty() ? "'" : ", '") + std::string(wire::toString(status)) + "'";
    }
    return "(" + list + ")";
}

} // namespace trainyard::store
