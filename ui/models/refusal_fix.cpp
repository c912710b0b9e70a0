// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/refusal_fix.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

struct RefusalWords {
    Q_DECLARE_TR_FUNCTIONS(RefusalFix)
};

auto missingCells(const char* choice) {
    return [choice](spec::RunSpec& spec) { spec.dataset.params["missing"] = std::string(choice); };
}

// How many they are was said beside the button.
void skipUnreadable(spec::RunSpec& spec) {
    spec.data.onError = "skip";
    spec.data.maxBad = 1;
}

} // namespace

QList<RefusalFix> fixesOf(const Error& error, const spec::Entry* dataset) {
    QList<RefusalFix> fixes;
    if (error.code == ErrorCode::DataUnreadable && dataset && dataset->find("missing")) // a table
        fixes << RefusalFix{RefusalWords::tr("Leave rows with empty cells out"), missingCells("drop")}
              << RefusalFix{RefusalWords::tr("Fill empty cells in"), missingCells("fill")};
    else if (error.code == ErrorCode::DataUnreadable)
        fixes << RefusalFix{RefusalWords::tr("Leave unreadable images out"), skipUnreadable};
    fixes << RefusalFix{RefusalWords::tr("Check again"), {}};
    return fixes;
}

} // namespace trainyard::ui
