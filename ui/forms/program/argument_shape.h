// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a script as fields of a form: which there are, in which order, and what each looks like.
#pragma once

#include "engine/program/line/argument_line.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/run/program_spec.h"

#include <QString>

#include <optional>
#include <vector>

namespace trainyard::ui {

// One argument as a field.
struct ArgumentShape {
    enum class Look { Text, Choice, Switch };

    program::Argument argument;
    spec::ParamInfo info{}; // its name is that in the run file; its title, the flag without dashes
    Look look = Look::Text;
    QString group; // the heading above it
    QString usual; // its default as text: what an empty field means
    QString doubt; // why it may be otherwise; empty: it is certain
    QString offer; // what keeps runs apart: "{output}", a folder of the run's own; empty: nothing
};

// Rule: the fields of a script's arguments.
// Those that must be given first, then by the parser's groups, each in the order of the source; of subcommands those of
// `subcommand`. An argument whose choices only Python knows is typed.
std::vector<ArgumentShape> argumentShapes(const program::ScriptArguments& script, const std::string& subcommand);
// The subcommands, in the order of the source.
QStringList subcommandsOf(const program::ScriptArguments& script);
// Whether a search finds it: each word is in its flag, help or group. "-" and "_" are alike.
bool isFound(const ArgumentShape& shape, const QString& typed);

// What stands in the field of an argument that is given so, and back; an empty field gives nothing.
QString textOfGiven(const ArgumentShape& shape, const program::Given& given);
std::optional<program::Given> givenOfText(const ArgumentShape& shape, const QString& text);
// The same as a value of the run file, in its type. Input: it is none of that type, or no choice.
Result<spec::ArgumentValue> valueOfGiven(const ArgumentShape& shape, const program::Given& given);
program::Given givenOfValue(const ArgumentShape& shape, const spec::ArgumentValue& value);
// The same as a value of an axis, which has no lists of texts: they are one text.
spec::Value axisValue(const spec::ArgumentValue& value);

} // namespace trainyard::ui
