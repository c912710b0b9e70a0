// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <QList>
#include <QString>

#include <functional>

namespace trainyard::ui {

// Something that a person can do where a worker refuses a new run: a button below the field that it is about.
struct RefusalFix {
    QString label;                             // "Leave rows with empty cells out"
    std::function<void(spec::RunSpec&)> apply; // to the settings; null: the data was mended, and is looked at again
};

// The choices that the settings of `run` have for this refusal, and of data also to check again. `dataset`: its entry
// in the catalog; null: it is not known. `samples`: of training, as the worker counted them; 0: it could not.
QList<RefusalFix> fixesOf(const Error& error, const spec::RunSpec& run, const spec::Entry* dataset,
                          std::int64_t samples = 0);

} // namespace trainyard::ui
