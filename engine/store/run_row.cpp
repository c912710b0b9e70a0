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

Error RunRow::failure() const { return {errorKindFromString(errorKind), error, errorWhere, errorRemedy, errorCode}; }

void RunRow::setFailure(const Error& failure) {
    error = failure.message;
    errorKind = toString(failure.kind);
    errorWhere = failure.where;
    errorRemedy = failure.remedy;
    errorCode = failure.code;
}

} // namespace trainyard::store
