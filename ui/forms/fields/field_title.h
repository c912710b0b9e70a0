// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <QString>

namespace trainyard::ui {

// The title of a field of the run file: "model.params.dropout" is "Dropout" if the model of `spec` has that parameter.
// A path without a title is its own title.
QString fieldTitle(const QString& path, const spec::RunSpec& spec, const spec::Catalog& catalog);

} // namespace trainyard::ui
