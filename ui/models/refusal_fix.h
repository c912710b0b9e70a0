// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"
#include "engine/spec/run_spec.h"

#include <QList>
#include <QString>

#include <functional>

namespace trainyard::ui {

// Something that a person can do where the data of a new run is refused: a button below the field of its file or
// folder.
struct RefusalFix {
    QString label;                             // "Leave rows with empty cells out"
    std::function<void(spec::RunSpec&)> apply; // to the settings; null: the data was mended, and is looked at again
};

// The choices that the settings have for this refusal, and then to check again. `dataset`: its entry in the catalog;
// null: it is not known.
QList<RefusalFix> fixesOf(const Error& error, const spec::Entry* dataset);

} // namespace trainyard::ui
