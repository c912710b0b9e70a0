// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <QString>

namespace trainyard::ui {

// The title of a field of the run file: "model.params.dropout" is "Dropout" if the model of `spec` has that parameter.
// A path without a title is its own title.
QString fieldTitle(const QString& path, const spec::RunSpec& spec, const spec::Catalog& catalog);
// The same without a run: the title in the first choice of the catalog that has such a parameter.
QString settingTitle(const QString& path, const spec::Catalog& catalog);
// The title of the part of the run file that a setting belongs to: "Optimizer" for "optimizer.lr".
QString settingArea(const QString& path);

} // namespace trainyard::ui
