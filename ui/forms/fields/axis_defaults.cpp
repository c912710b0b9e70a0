// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/axis_defaults.h"

#include "engine/spec/run/run_spec.h"
#include "ui/forms/fields/param_field.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

using spec::ParamType;

struct AxisWords {
    Q_DECLARE_TR_FUNCTIONS(Axis)
};

bool isList(ParamType type) { return type == ParamType::IntegerList || type == ParamType::NumberList; }

double asNumber(const spec::Value& value) { return spec::Choice{{}, {{"v", value}}}.number("v", 0); }

// Rounds to the digits a person would write: 0.15000000000000002 is 0.15.
double rounded(double value) { return QString::number(value, 'g', 3).toDouble(); }

spec::Axis listOf(const spec::ParamInfo& field, std::vector<spec::Value> values) {
    return {.path = field.name, .values = std::move(values), .whole = field.type == ParamType::Integer};
}

// A decade for the learning rate, else from half to double.
spec::Axis rangeAround(const spec::ParamInfo& field, double now) {
    spec::Axis axis{.path = field.name, .count = 3, .whole = field.type == ParamType::Integer};
    axis.logScale = field.logScale || (axis.whole && now > 0);
    const bool rate = field.name == kLrPath;
    if (now > 0) {
        axis.from = rounded(now * (rate ? 0.3 : 0.5));
        axis.to = rounded(now * (rate ? 3 : 2));
        if (rate) axis.count = 4;
    } else if (field.logScale && !axis.whole) {
        axis = {.path = field.name, .from = 1e-5, .to = 1e-2, .logScale = true, .count = 4};
    } else {
        axis.logScale = false;
        axis.from = now;
        axis.to = now + (axis.whole ? 4 : 0.5);
    }
    if (field.max) axis.to = std::min(axis.to, *field.max);
    if (field.min) axis.from = std::max(axis.from, *field.min);
    if (axis.whole) {
        axis.from = std::ceil(axis.from);
        axis.to = std::floor(axis.to);
    }
    return axis;
}

} // namespace

bool canVary(ParamType type) { return type != ParamType::Text && type != ParamType::Path; }

std::vector<spec::Value> choicesOf(const spec::ParamInfo& field) {
    if (field.type == ParamType::Flag) return {false, true};
    return {field.options.begin(), field.options.end()};
}

spec::Axis defaultAxis(const spec::ParamInfo& field, const spec::Value& now) {
    const bool entry = field.name.ends_with(".name"); // of the catalog: there are no obvious others
    if (auto choices = choicesOf(field); !choices.empty() && !entry) return listOf(field, std::move(choices));
    if (entry) return listOf(field, {now});
    if (isList(field.type) || !canVary(field.type)) return listOf(field, {now}); // a program's argument may be a text
    if (field.name == "seed") {
        const auto seed = std::llround(asNumber(now));
        return listOf(field, {std::int64_t{seed}, std::int64_t{seed + 1}, std::int64_t{seed + 2}});
    }
    spec::Axis axis = rangeAround(field, asNumber(now));
    if (axis.from < axis.to) return axis;
    return listOf(field, {now});
}

QStringList splitValues(const QString& text, ParamType type) {
    if (!isList(type)) return splitNumbers(text, type != ParamType::Number);
    QStringList parts;
    auto found = QRegularExpression(QStringLiteral("\\[[^\\]]*\\]|[^,;\\s]+")).globalMatch(text);
    while (found.hasNext()) parts << found.next().captured();
    return parts;
}

QString joinValues(const std::vector<spec::Value>& values) {
    QStringList parts;
    for (const auto& value : values) parts << localText(QString::fromStdString(spec::toText(value)));
    return parts.join(QStringLiteral(", "));
}

QString valueFault(const spec::ParamInfo& field, const spec::Value& value) {
    if (!field.min && !field.max && field.options.empty()) return {};
    const std::string name = field.name;
    spec::Entry entry;
    entry.name = name;
    entry.params = {field};
    spec::Choice choice{name, {{name, value}}};
    const auto errors = spec::checkChoice(name, choice, {entry});
    return errors.empty() ? QString() : QString::fromStdString(errors.front().message);
}

QString valuesText(const spec::Axis& axis) {
    if (axis.isList()) return joinValues(axis.values);
    QStringList parts{AxisWords::tr("%1 to %2").arg(numberText(axis.from), numberText(axis.to))};
    if (axis.sd > 0) parts << AxisWords::tr("normal, mean %1, sd %2").arg(numberText(axis.mean), numberText(axis.sd));
    if (axis.logScale) parts << AxisWords::tr("log");
    if (axis.step > 0) parts << AxisWords::tr("in steps of %1").arg(numberText(axis.step));
    if (axis.whole) parts << AxisWords::tr("whole");
    if (axis.count > 0) parts << AxisWords::tr("%n values", nullptr, axis.count);
    return parts.join(QStringLiteral(", "));
}

} // namespace trainyard::ui
