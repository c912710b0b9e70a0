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
    QString label;                             // "Leave rows with empty cells out"
    std::function<void(spec::RunSpec&)> apply; // to the settings; null: the data was mended, and is looked at again
};

// The remedies that the settings of `run` offer for this refusal; for data also to check again. `dataset`: its entry
// in the catalog; null: unknown. `samples`: training samples that the worker counted; 0: it could not.
QList<RefusalFix> fixesOf(const Error& error, const spec::RunSpec& run, const spec::Entry* dataset,
                          std::int64_t samples = 0);

} // namespace trainyard::ui
