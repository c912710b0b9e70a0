// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

namespace trainyard::store {

Error RunRow::failure() const { return {errorKindFromString(errorKind), error, errorWhere, errorRemedy, errorCode}; }

void RunRow::setFailure(const Error& failure) {
    error = failure.message;
    errorKind = toString(failure.kind);
    errorWhere = failure.where;
    errorRemedy = failure.remedy;
    errorCode = failure.code;
}

} // namespace trainyard::store
