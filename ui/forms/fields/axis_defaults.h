// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a field of the form into an axis of a sweep: its initial values, and values as text.
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/sweep/axis.h"

#include <QStringList>

namespace trainyard::ui {

// The field whose axis starts with a decade, and whose switch is always visible.
inline constexpr const char* kLrPath = "optimizer.lr";

// Whether a form can offer to vary such a field: a number, a list of numbers, a choice of words, a switch.
bool canVary(spec::ParamType type);
// The words of a choice or a switch; empty: neither.
std::vector<spec::Value> choicesOf(const spec::ParamInfo& field);
// The initial values of an axis: all words of a choice (for a catalog entry, such as a model, only the present one),
// else values around the field's own, within its limits. `field.name` is its path.
spec::Axis defaultAxis(const spec::ParamInfo& field, const spec::Value& now);

// "0.1, 0.2" or "[64], [64,32]" at the commas between them.
QStringList splitValues(const QString& text, spec::ParamType type);
QString joinValues(const std::vector<spec::Value>& values);
// The error of a value in such a field, "must be at most 0.95"; empty: none.
QString valueFault(const spec::ParamInfo& field, const spec::Value& value);

// "0.1, 0.2", or "0.001 to 1, log, 4 values".
QString valuesText(const spec::Axis& axis);

} // namespace trainyard::ui
