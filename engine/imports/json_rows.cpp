// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_rows.h"

#include "engine/base/text/printable.h"
#include "engine/imports/numbers.h"

#include <algorithm>
#include <cmath>

namespace trainyard::imports {
namespace {

constexpr std::string_view kConfig = "config/";
constexpr std::size_t kLongText = 200; // longer ones are reports of the computer or whole files

std::optional<double> finiteOf(const JsonMember* member) {
    const bool finite = member != nullptr && member->value.isNumber() && std::isfinite(member->value.number);
    return finite ? std::optional(member->value.number) : std::nullopt;
}

const JsonMember* memberOf(const JsonRow& row, std::string_view name) {
    const auto all = row.members();
    const auto found = std::find_if(all.begin(), all.end(), [&](const JsonMember& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

// Whether a value is part of a picture or the like: W&B writes those as objects with a type.
bool isInMedia(const JsonRow& row, const JsonMember& member, const JsonMember* step) {
    const auto slash = member.name.rfind('/');
    if (slash == std::string::npos || step == nullptr || step->name != "_step") return false;
    return memberOf(row, member.name.substr(0, slash) + "/_type") != nullptr;
}

// OpenMMLab counts its rows of training twice.
bool isSecondCount(const JsonMember& member, const JsonMember* step) {
    return member.name == "iter" && step != nullptr && step->name == "step" && member.value.isNumber();
}

} // namespace

bool JsonRow::read(std::string_view object) {
    clear();
    return readJsonObject(object, '/', [this](std::string_view path, const JsonValue& value) { add(path, value); });
}

void JsonRow::add(std::string_view name, const JsonValue& value) {
    if (m_size == m_members.size()) m_members.emplace_back();
    JsonMember& member = m_members[m_size++];
    if (member.name != name) {
        member.name = name;
        const bool counts = name != "epochs" && name != "steps"; // else how long a run is to train, in its settings
        member.meaning = counts ? meaningOf(name) : ColumnMeaning{};
    }
    member.value = value;
}

const JsonMember* JsonRow::of(ColumnMeaning::Role role) const {
    const JsonMember* found = nullptr;
    for (const JsonMember& each : members())
        if (each.meaning.role == role && (found == nullptr || each.meaning.place < found->meaning.place)) found = &each;
    return found;
}

bool JsonRow::hasPosition() const {
    return of(ColumnMeaning::Role::Step) != nullptr || of(ColumnMeaning::Role::Epoch) != nullptr;
}

bool JsonRow::measures() const {
    if (of(ColumnMeaning::Role::Name) != nullptr && of(ColumnMeaning::Role::Value) != nullptr) return true;
    return std::any_of(members().begin(), members().end(), [](const JsonMember& each) {
        return each.value.isNumber() &&
               (each.name.find("loss") != std::string::npos || each.name.find("acc") != std::string::npos);
    });
}

bool JsonRow::isMetrics() const {
    using Role = ColumnMeaning::Role;
    const JsonMember* position = of(Role::Step) != nullptr ? of(Role::Step) : of(Role::Epoch);
    if (position != nullptr) return finiteOf(position).has_value() && members().size() > 1;
    return std::any_of(members().begin(), members().end(),
                       [](const JsonMember& each) { return each.value.isNumber() && isTrainingLoss(each.name); });
}

TableMapping JsonRow::mapping() const {
    using Role = ColumnMeaning::Role;
    const auto nameOf = [&](ColumnMeaning::Role role) { return of(role) == nullptr ? std::string() : of(role)->name; };
    TableMapping mapping{nameOf(Role::Step), nameOf(Role::Epoch), nameOf(Role::Time), {}, {}, {}};
    if (of(Role::Name) != nullptr && of(Role::Value) != nullptr &&
        of(Role::Name)->value.kind == JsonValue::Kind::Text) {
        mapping.name = nameOf(Role::Name);
        mapping.value = nameOf(Role::Value);
        return mapping;
    }
    for (const JsonMember& each : members())
        if (each.value.isNumber() && !each.name.starts_with(kConfig) && each.name != mapping.step &&
            each.name != mapping.epoch && each.name != mapping.time && !isSecondCount(each, of(Role::Step)) &&
            !isWandbsOwn(each.name, mapping.step))
            mapping.series.push_back(printable(each.name));
    return mapping;
}

void JsonTableReader::read(std::string_view object, const Where& where) {
    if (m_row.read(object)) read(m_row, where);
    else m_run.skip({where(), "a line is not a JSON object", "correct the line, or copy the file again"});
}

void JsonTableReader::read(const JsonRow& row, const Where& where) {
    using Role = ColumnMeaning::Role;
    const JsonMember* step = row.of(Role::Step);
    const JsonMember* epoch = row.of(Role::Epoch);
    const JsonMember* time = row.of(Role::Time);
    Point point{.wallSeconds = finiteOf(time).value_or(0), .epoch = finiteOf(epoch).value_or(0)};
    const std::string part = partOf(row);
    if (part.empty()) {
        m_has = {m_has.step || step != nullptr, m_has.epoch || epoch != nullptr};
        const auto at = m_steps.next(m_has, finiteOf(step), finiteOf(epoch));
        if (!at) return m_run.skip({where(), "a line has no whole number as its step", "correct the line"});
        m_step = *at;
        m_run.rowsAreSteps = m_steps.hasPartsOfEpochs();
        m_epoch = point.epoch;
    } else if (epoch == nullptr) {
        point.epoch = m_epoch;
    }
    point.step = m_step;
    if (!part.empty() && m_countsTwice && finiteOf(step)) // where it is not an epoch
        point.step = std::max(m_step, wholeNumber(*finiteOf(step)).value_or(0));
    const JsonMember* name = row.of(Role::Name);
    const JsonMember* value = row.of(Role::Value);
    if (name != nullptr && value != nullptr && name->value.kind == JsonValue::Kind::Text)
        return add(unescaped(name->value.text), *value, point, where);
    point.row = m_steps.row();
    for (const JsonMember& each : row.members()) {
        if (each.name.starts_with(kConfig)) config(each);
        else if (&each == step || &each == epoch || &each == time) continue;
        else if (each.name == "mode" && each.value.kind == JsonValue::Kind::Text) continue; // partOf
        else if (isSecondCount(each, step) || isWandbsOwn(each.name, step == nullptr ? "" : step->name)) continue;
        else if (each.value.isNumber() && isInMedia(row, each, step)) continue;
        else add(part.empty() ? each.name : part + "/" + each.name, each, point, where);
    }
    m_hasConfig = true;
}

std::string JsonTableReader::partOf(const JsonRow& row) {
    const JsonMember* mode = memberOf(row, "mode"); // of OpenMMLab before version 2
    if (mode != nullptr && mode->value.kind == JsonValue::Kind::Text)
        return mode->value.text == "train" ? std::string() : unescaped(mode->value.text);
    const JsonMember *step = memberOf(row, "step"), *iteration = memberOf(row, "iter");
    m_countsTwice = m_countsTwice || (step != nullptr && iteration != nullptr);
    return m_countsTwice && step != nullptr && iteration == nullptr ? "val" : std::string(); // its step may be an epoch
}

void JsonTableReader::add(std::string_view name, const JsonMember& member, Point point, const Where& where) {
    switch (member.value.kind) {
    case JsonValue::Kind::Number: point.value = member.value.number; return m_run.add(name, point);
    case JsonValue::Kind::TooLarge:
        return m_run.skip(
            {where(), printable(member.value.text, 40) + " does not fit into a double", "correct the number"});
    case JsonValue::Kind::Null: return;
    default: ++m_run.otherValues;
    }
}

void JsonTableReader::config(const JsonMember& member) {
    if (m_hasConfig) return;
    if (auto setting = settingOf(member.value))
        m_run.set(printable(std::string_view(member.name).substr(kConfig.size())), std::move(*setting));
}

void JsonTableReader::facts(const JsonRow& row) {
    for (const JsonMember& each : row.members())
        if (auto setting = settingOf(each.value);
            setting && each.meaning.role == ColumnMeaning::Role::Series && each.value.text.size() <= kLongText)
            m_run.set(printable(each.name), std::move(*setting));
}

} // namespace trainyard::imports
