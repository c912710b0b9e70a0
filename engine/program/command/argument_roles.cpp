// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/argument_roles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace trainyard::program {
namespace {

// The first name of the list that the script has; its own order does not say which is meant.
const Argument* firstOf(const ScriptArguments& known, const auto& names, bool mayBeSwitch) {
    for (const std::string_view name : names)
        for (const auto& each : known.arguments) {
            const auto dot = each.name.rfind('.'); // "train.output_dir"
            std::string last = each.name.substr(dot == std::string::npos ? 0 : dot + 1);
            std::replace(last.begin(), last.end(), '-', '_');
            const bool isSwitch = each.action == Argument::Action::StoreTrue;
            const bool fits = each.subcommand.empty() && (each.action == Argument::Action::Store || isSwitch);
            if (last == name && fits && (mayBeSwitch || !isSwitch) && (isSwitch || each.type != "bool")) return &each;
        }
    return nullptr;
}

std::optional<spec::ArgumentValue> listOffered(const Value::List& list) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    for (const auto& each : list) {
        if (const auto* whole = std::get_if<std::int64_t>(&each.is)) numbers.push_back(static_cast<double>(*whole));
        else if (const auto* number = std::get_if<double>(&each.is)) numbers.push_back(*number);
        else if (const auto* text = std::get_if<std::string>(&each.is)) texts.push_back(*text);
        else return std::nullopt;
    }
    if (list.empty() || (!numbers.empty() && !texts.empty())) return std::nullopt;
    return numbers.empty() ? spec::ArgumentValue(std::move(texts)) : spec::ArgumentValue(std::move(numbers));
}

std::optional<spec::ArgumentValue> offered(const Value& value) {
    if (const auto* truth = std::get_if<bool>(&value.is)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&value.is)) return *whole;
    if (const auto* number = std::get_if<double>(&value.is); number && std::isfinite(*number)) return *number;
    if (const auto* text = std::get_if<std::string>(&value.is)) return *text;
    if (const auto* list = std::get_if<Value::List>(&value.is)) return listOffered(*list);
    return std::nullopt;
}

} // namespace

ArgumentRoles argumentRoles(const ScriptArguments& known) {
    static constexpr std::array<std::string_view, 17> kOutput{
        "output_dir", "out_dir",        "outdir",  "output_folder", "output_path", "output",           "out",
        "save_dir",   "save_path",      "savedir", "workdir",       "work_dir",    "default_root_dir", "log_dir",
        "exp_dir",    "checkpoint_dir", "ckpt_dir"};
    static constexpr std::array<std::string_view, 9> kResume{
        "resume_from_checkpoint", "resume",    "resume_from",  "resume_path",         "resume_checkpoint",
        "load_checkpoint",        "ckpt_path", "restore_from", "init_from_checkpoint"};
    static constexpr std::array<std::string_view, 3> kSeed{"seed", "random_seed", "manual_seed"};
    return {firstOf(known, kOutput, false), firstOf(known, kResume, true), firstOf(known, kSeed, false)};
}

std::vector<std::string> resumeWords(const ArgumentRoles& roles) {
    if (!roles.resume || roles.resume->positional()) return {};
    const std::string& flag = roles.resume->flags.front();
    if (roles.resume->action == Argument::Action::StoreTrue) return {flag};
    return {flag, "{checkpoint}"};
}

spec::ArgumentValues offeredValues(const ScriptArguments& known) {
    const auto roles = argumentRoles(known);
    spec::ArgumentValues values;
    for (const auto& each : known.arguments) {
        if (!each.subcommand.empty() || &each == roles.resume) continue;
        if (&each == roles.output) values[each.name] = "{output}";
        else if (each.byDefault) {
            if (auto value = offered(*each.byDefault)) values[each.name] = std::move(*value);
        }
        if (each.required && !values.contains(each.name)) values[each.name] = "";
    }
    return values;
}

} // namespace trainyard::program
