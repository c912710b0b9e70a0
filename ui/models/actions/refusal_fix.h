// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <QList>
#include <QString>

#include <functional>

namespace trainyard::ui {

// A remedy for a new run that a worker refuses: a button below the field in question.
struct RefusalFix {
    QString label; // "Leave rows with empty cells out"
    std::function<void(spec::RunSpec&)>
        apply; // changes the settings; null: the user has repaired the data, so check it again
};

// The remedies for this refusal among the settings of `run`; for data, also to check again. `dataset`: its entry in the
// catalog; null: unknown. `samples`: number of training samples by the worker's count; 0: unknown.
QList<RefusalFix> fixesOf(const Error& error, const spec::RunSpec& run, const spec::Entry* dataset,
                          std::int64_t samples = 0);

} // namespace trainyard::ui
