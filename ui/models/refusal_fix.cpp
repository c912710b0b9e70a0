// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/refusal_fix.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

struct RefusalWords {
    Q_DECLARE_TR_FUNCTIONS(RefusalFix)
};

} // namespace

QList<RefusalFix> fixesOf(const Error&) {
    QList<RefusalFix> fixes;
    fixes << RefusalFix{RefusalWords::tr("Check again"), {}};
    return fixes;
}

} // namespace trainyard::ui
